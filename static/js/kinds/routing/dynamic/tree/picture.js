/**
 * One parse tree as a picture to point at and to walk on with arrow keys.
 * @import { Branches, Fan, LeafPlace } from "../../../../geometry/branches.js"
 * @import { Scale } from "../../../../lib/color.js"
 * @import { FanPicture, TreePicture } from "../../../../paint/branches.js"
 * @import { Field, Pixels } from "../../../../types.js"
 * @import { Stage } from "../../../../ui/stage.js"
 * @import { DynamicRoom, DynamicScene as Scene } from "../types.js"
 * @import { AreaNode, Part, PlaceNode } from "./parts.js"
 * @import { ClassTree, Fed } from "./trees.js"
 */
import {
  layOutBranches,
  layOutFan,
  leafAt,
  leafBox,
  leavesOf,
  nextLeaf,
  tileOf,
} from "../../../../geometry/branches.js";
import { reach } from "../../../../lib/arithmetic.js";
import { sequential } from "../../../../lib/color.js";
import { fixed, percent } from "../../../../lib/format.js";
import { memoizeByObject } from "../../../../lib/memoize.js";
import { paintBranches } from "../../../../paint/branches.js";
import { paintHeatmap, paintPixels } from "../../../../paint/heatmap.js";
import { findCanvas, findElement, setText } from "../../../../ui/dom.js";
import { listenToPicture } from "../../../../ui/pointing.js";
import { createStage } from "../../../../ui/stage.js";
import { choosing } from "../../../capsules/places.js";
import { chooseClass, lookAtPlace } from "../scene.js";
import { SHOWN } from "./trees.js";
import { readPart } from "./words.js";

const COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "accent",
  "focus",
  "gain",
  "surface",
]);
const ABOVE_FAN = 8; // px between the lowest leaves and the fan
const USUAL_TYPE = 16; // px of 1rem, in which the picture is measured

/**
 * What is shown.
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {ClassTree} own
 * @property {Fed | null | "waiting"} fed what feeds the chosen capsule
 * @property {number} map the chosen one
 */

/** @typedef {{ branches: Branches, fan: Fan }} Laid */

/**
 * @param {HTMLElement} figure @param {DynamicRoom} room
 * @returns {(shown: Shown) => void} show it
 */
export function mountTreePicture(figure, room) {
  const { store, layer, scenes } = room;
  const canvas = findCanvas(figure, "canvas");
  const readout = findElement(figure, ".readout");
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Laid | null} */
  let laid = null;
  /** @type {LeafPlace | null} */
  let pointed = null;

  const ask = createStage(canvas, COLORS, (stage) => {
    if (shown === null) return;
    laid = layOut(shown, stage.width);
    const height = heightOf(shown, laid);
    // Its content makes it as high as it is; then it is painted again.
    if (Math.abs(height - stage.height) > 1)
      canvas.style.height = `${height / USUAL_TYPE}rem`;
    paint(stage, shown, laid, { pointed, fieldOf });
  });
  /** @param {PlaceNode} place @returns {Field} */
  const fieldOf = ({ row, column }) =>
    /** @type {any} */ (shown && layer.field(shown.scene.model, row, column));
  // Keys may come faster than frames: the choice is newer than the picture.
  function chosen() {
    const scene = scenes.shown();
    return shown && scene && placeOfCapsule(shown.own, scene.capsule);
  }

  function read() {
    if (shown === null) return;
    const { own } = shown;
    const place = pointed ?? chosen();
    if (own.tree.parts.length === 0) setText(readout, "");
    else if (place === null)
      setText(readout, "The chosen capsule is not in this tree.");
    else setText(readout, readPart(partAt(own, place), own.tree.whole, own));
  }
  /** @param {LeafPlace} place */
  function chooseLeaf(place) {
    if (shown) store.set(choosing(partAt(shown.own, place).part.capsule));
  }
  listenToPicture(canvas, {
    under: ({ x, y }) => laid && leafAt(laid.branches, x, y),
    point(place) {
      if (isSame(place, pointed) || shown === null) return;
      pointed = place;
      lookAtPlace(room, place && partAt(shown.own, place).place);
      read();
      ask();
    },
    choose(place, { x, y }) {
      if (place !== null) return chooseLeaf(place);
      if (laid === null || shown === null) return;
      const tile = chosen() === null ? -1 : tileOf(laid.fan, x, y);
      const { fed, own } = shown;
      if (tile >= 0 && fed && fed !== "waiting")
        store.set({ map: fed.strongest[tile] });
      else if (tile < 0 && isOnRoot(laid.branches, x, y))
        chooseClass(room, own.classIndex);
    },
    walk(direction) {
      if (laid === null) return;
      const from = chosen();
      const next = from
        ? nextLeaf(laid.branches, from, direction)
        : leavesOf(laid.branches)[0];
      if (next !== undefined) chooseLeaf(next);
    },
    chosen() {
      const place = chosen();
      if (laid === null || place === null) return null;
      const { x, y, width } = leafBox(laid.branches, place);
      return { x: x + width / 2, y };
    },
  });

  return (now) => {
    if (now.own.tree !== shown?.own.tree) pointed = null;
    shown = now;
    read();
    ask();
  };
}

/** @param {Branches} branches @param {number} x @param {number} y */
function isOnRoot({ root: { x: left, y: top, side } }, x, y) {
  return x >= left && x <= left + side && y <= top + side;
}

/** @param {Shown} shown @param {number} width */
function layOut({ own, scene, fed }, width) {
  const amounts = own.tree.areas.map(({ places }) =>
    places.map(({ parts }) => parts.map(({ gives }) => gives)),
  );
  const branches = layOutBranches(amounts, width);
  const place = placeOfCapsule(own, scene.capsule);
  const leaf = place && leafBox(branches, place);
  const shares =
    fed === null || fed === "waiting" || place === null
      ? []
      : fed.strongest.map((map) => fed.sums.shares[map]);
  const fan = layOutFan(shares, {
    x: leaf ? leaf.x + leaf.width / 2 : width / 2,
    top: branches.bottom + ABOVE_FAN,
    width,
    count: SHOWN,
  });
  return { branches, fan };
}

/** @param {Shown} shown @param {Laid} laid */
function heightOf({ own }, { branches, fan }) {
  return Math.ceil(own.tree.parts.length === 0 ? branches.head : fan.bottom);
}

/**
 * @param {Stage<typeof COLORS[number]>} stage @param {Shown} shown @param {Laid} laid
 * @param {object} look
 * @param {LeafPlace | null} look.pointed
 * @param {(place: PlaceNode) => Field} look.fieldOf
 */
function paint(stage, shown, { branches, fan }, { pointed, fieldOf }) {
  const { context, width, colors, font } = stage;
  const { own, scene, fed, map } = shown;
  const pictures = picturesOf(scene.pixels);
  const { tree } = own;
  const chosen = placeOfCapsule(own, scene.capsule);
  /** @type {TreePicture} */
  const picture = {
    branches,
    root: {
      picture: pictures.image,
      name: own.name,
      notes: [`‖v‖ ${fixed(own.length, 3)}`, `‖s‖ ${fixed(tree.whole, 2)}`],
    },
    heads: tree.areas.map(({ area, gives }) => ({
      area,
      note: percent(gives / tree.whole, 0),
    })),
    nodes: tree.areas.map(({ places }) =>
      places.map((place) => pictures.patch(fieldOf(place))),
    ),
    leaves: tree.areas.map(({ places }) =>
      places.map(({ parts }) =>
        parts.map(({ type, isShared }) => ({ name: String(type), isShared })),
      ),
    ),
    chosen,
    pointed,
    font,
  };
  const isFed = chosen !== null && fed !== null && fed !== "waiting";
  const fanned = isFed ? fanOf(fed, fan, map) : null;
  paintBranches(context, picture, fanned, colors);
  if (fanned === null && tree.parts.length > 0) {
    context.fillStyle = colors.muted;
    context.font = `12px ${font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const words = wordsBelow(chosen !== null, fed);
    context.fillText(words, width / 2, fan.y + fan.side / 2, width);
  }
}

/** @param {Fed} fed @param {Fan} fan @param {number} chosenMap @returns {FanPicture} */
function fanOf(fed, fan, chosenMap) {
  const windows = windowsOf(fed);
  const tiles = fed.strongest.map((map, i) => ({
    picture: windows[i],
    name: `map ${map}`,
    note: percent(fed.sums.shares[map] / fed.length, 0),
    isChosen: map === chosenMap,
  }));
  return { fan, tiles };
}

/**
 * @param {boolean} isIn whether the chosen capsule is in the tree
 * @param {Shown["fed"]} fed
 */
function wordsBelow(isIn, fed) {
  if (!isIn) return "Choose a capsule here to see what feeds it.";
  return fed === "waiting"
    ? "The maps below are not here yet."
    : "The chosen capsule has no length.";
}

/**
 * @param {ClassTree} own @param {LeafPlace} place
 * @returns {{ part: Part, place: PlaceNode, area: AreaNode }}
 */
function partAt({ tree }, { column, node, leaf }) {
  const area = tree.areas[column];
  const place = area.places[node];
  return { part: place.parts[leaf], place, area };
}

/** @param {ClassTree} own @param {number} capsule @returns {LeafPlace | null} */
function placeOfCapsule({ tree }, capsule) {
  for (const [column, { places }] of tree.areas.entries()) {
    for (const [node, { parts }] of places.entries()) {
      const leaf = parts.findIndex((part) => part.capsule === capsule);
      if (leaf >= 0) return { column, node, leaf };
    }
  }
  return null;
}

/** @param {LeafPlace | null} a @param {LeafPlace | null} b */
function isSame(a, b) {
  if (a === null || b === null) return a === b;
  return a.column === b.column && a.node === b.node && a.leaf === b.leaf;
}

/** Of one image: itself, and its patches, each made when it is first asked for. */
const picturesOf = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const image = document.createElement("canvas");
    paintPixels(image, pixels);
    /** @type {Map<string, HTMLCanvasElement>} */
    const patches = new Map();
    return {
      image,

      /** What the capsules at a place see. @param {Field} field */
      patch({ row, column, size }) {
        const key = `${row},${column}`;
        const made = patches.get(key) ?? document.createElement("canvas");
        if (patches.has(key)) return made;
        made.width = size;
        made.height = size;
        made.getContext("2d")?.drawImage(image, -column, -row);
        patches.set(key, made);
        return made;
      },
    };
  },
);

/** The windows on the maps that add most, on one scale. @param {Fed} fed */
function windowsOf({ sums, strongest }) {
  const size = sums.windows.length / sums.shares.length;
  const windows = strongest.map((map) =>
    sums.windows.subarray(map * size, (map + 1) * size),
  );
  const most = Math.max(0, ...windows.map(reach)) || 1;
  return windows.map((values) =>
    pictureOf(values, Math.sqrt(size), sequential(0, most)),
  );
}

/**
 * @param {ArrayLike<number>} values (side, side)
 * @param {number} side @param {Scale} scale
 */
function pictureOf(values, side, scale) {
  const canvas = document.createElement("canvas");
  paintHeatmap(canvas, values, { rows: side, columns: side, scale });
  return canvas;
}
