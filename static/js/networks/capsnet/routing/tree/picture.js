/**
 * One parse tree as a picture to point at and to walk on with arrow keys.
 * @import { Branches, Fan, LeafPlace } from "../../../../geometry/branches.js"
 * @import { FanPicture, TreePicture } from "../../../../paint/branches.js"
 * @import { Stage } from "../../../../ui/stage.js"
 * @import { Actions } from "../../types.js"
 * @import { Scene } from "../scene.js"
 * @import { Fed } from "./fed.js"
 * @import { AreaNode, Part, PlaceNode } from "./parts.js"
 * @import { DigitTree } from "./scene.js"
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
import { fixed, percent } from "../../../../lib/format.js";
import { paintBranches } from "../../../../paint/branches.js";
import { arrowOf } from "../../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../../ui/dom.js";
import { createStage, placeOn, pointOn } from "../../../../ui/stage.js";
import { valueTip } from "../../../../ui/value-tip.js";
import { fieldOfCapsule } from "../../places.js";
import { sizesOf } from "../../state.js";
import { SHOWN } from "./fed.js";
import { picturesOf, windowsOf } from "./pictures.js";
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
 * @property {DigitTree} own
 * @property {Fed | null | "waiting"} fed what feeds the chosen capsule
 * @property {number} map the chosen one of Conv1
 */

/**
 * @param {HTMLElement} figure
 * @param {Actions} actions
 */
export function mountTreePicture(figure, actions) {
  const canvas = findCanvas(figure, "canvas");
  const readout = findElement(figure, ".readout");
  /** @type {Shown | null} */
  let shown = null;
  /** @type {{ branches: Branches, fan: Fan } | null} */
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
    paint(stage, shown, laid, pointed);
  });

  function read() {
    if (shown === null) return;
    const { own, scene } = shown;
    const place = pointed ?? placeOfCapsule(own, scene.capsule);
    if (own.tree.parts.length === 0) setText(readout, "");
    else if (place === null)
      setText(readout, "The chosen capsule is not in this tree.");
    else setText(readout, readPart(partAt(own, place), own.tree.whole, own));
  }

  /** @param {LeafPlace | null} place */
  function point(place) {
    if (isSame(place, pointed) || shown === null) return;
    pointed = place;
    const { row, column } = place
      ? partAt(shown.own, place).place
      : { row: 0, column: 0 };
    const sizes = sizesOf(shown.scene.model);
    actions.lookAt(place && fieldOfCapsule(sizes, row, column));
    read();
    ask();
  }

  listen(canvas, {
    shown: () => shown,
    laid: () => laid,
    point,
    chooseLeaf(place) {
      if (shown) actions.chooseCapsule(partAt(shown.own, place).part.capsule);
    },
    chooseTile(tile) {
      const fed = shown?.fed;
      if (fed && fed !== "waiting") actions.chooseMap(fed.strongest[tile]);
    },
    chooseDigit() {
      if (shown) actions.focusDigit(shown.own.digit);
    },
  });

  return {
    /** @param {Shown} shownNow */
    show(shownNow) {
      if (shownNow.own.tree !== shown?.own.tree) pointed = null;
      shown = shownNow;
      read();
      ask();
    },
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {() => Shown | null} picture.shown
 * @param {() => { branches: Branches, fan: Fan } | null} picture.laid
 * @param {(place: LeafPlace | null) => void} picture.point
 * @param {(place: LeafPlace) => void} picture.chooseLeaf
 * @param {(tile: number) => void} picture.chooseTile
 * @param {() => void} picture.chooseDigit
 */
function listen(canvas, { shown, laid, point, chooseLeaf, chooseTile, chooseDigit }) {
  const chosen = () => {
    const now = shown();
    return now && placeOfCapsule(now.own, now.scene.capsule);
  };
  const tip = valueTip(canvas, {
    place() {
      const [now, place] = [laid(), chosen()];
      if (now === null || place === null) return canvas.getBoundingClientRect();
      const { x, y, width } = leafBox(now.branches, place);
      return placeOn(canvas, { x: x + width / 2, y });
    },
  });
  /** @param {MouseEvent} event */
  const under = (event) => {
    const now = laid();
    const { x, y } = pointOn(event);
    return now && leafAt(now.branches, x, y);
  };
  canvas.addEventListener("pointermove", (event) => {
    const place = under(event);
    point(place);
    if (place === null) tip.end();
    else tip.point(event);
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    const [now, place] = [laid(), under(event)];
    if (place) return chooseLeaf(place);
    if (now === null) return;
    const { x, y } = pointOn(event);
    const tile = chosen() === null ? -1 : tileOf(now.fan, x, y);
    const { root } = now.branches;
    if (tile >= 0) chooseTile(tile);
    else if (
      Math.abs(x - root.x - root.side / 2) <= root.side / 2 &&
      y <= root.y + root.side
    )
      chooseDigit();
  });
  canvas.addEventListener("keydown", (event) => {
    const [arrow, now] = [arrowOf(event), laid()];
    if (arrow === null || now === null) return;
    event.preventDefault();
    const from = chosen();
    const next = from ? nextLeaf(now.branches, from, arrow) : leavesOf(now.branches)[0];
    if (next === undefined) return;
    chooseLeaf(next);
    tip.walk();
  });
}

/**
 * @param {Shown} shown
 * @param {number} width
 */
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

/**
 * @param {Shown} shown
 * @param {{ branches: Branches, fan: Fan }} laid
 */
function heightOf({ own }, { branches, fan }) {
  return Math.ceil(own.tree.parts.length === 0 ? branches.head : fan.bottom);
}

/**
 * @param {Stage<typeof COLORS[number]>} stage
 * @param {Shown} shown
 * @param {{ branches: Branches, fan: Fan }} laid
 * @param {LeafPlace | null} pointed
 */
function paint({ context, width, colors, font }, shown, { branches, fan }, pointed) {
  const { own, scene, fed, map } = shown;
  const sizes = sizesOf(scene.model);
  const pictures = picturesOf({ pixels: scene.trace.pixels, sizes });
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
    nodes: tree.areas.map(({ places }) => places.map(pictures.patch)),
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
  const fanned = isFed ? fanOf(fed, fan, map, sizes.kernel_size) : null;
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

/**
 * @param {Fed} fed
 * @param {Fan} fan
 * @param {number} chosenMap
 * @param {number} side of a window
 * @returns {FanPicture}
 */
function fanOf(fed, fan, chosenMap, side) {
  const windows = windowsOf(fed, side);
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
    ? "Conv1’s maps are not here yet."
    : "The chosen capsule has no length.";
}

/**
 * @param {DigitTree} own
 * @param {LeafPlace} place
 * @returns {{ part: Part, place: PlaceNode, area: AreaNode }}
 */
export function partAt({ tree }, { column, node, leaf }) {
  const area = tree.areas[column];
  const place = area.places[node];
  return { part: place.parts[leaf], place, area };
}

/**
 * @param {DigitTree} own
 * @param {number} capsule
 * @returns {LeafPlace | null}
 */
export function placeOfCapsule({ tree }, capsule) {
  for (const [column, { places }] of tree.areas.entries()) {
    for (const [node, { parts }] of places.entries()) {
      const leaf = parts.findIndex((part) => part.capsule === capsule);
      if (leaf >= 0) return { column, node, leaf };
    }
  }
  return null;
}

/**
 * @param {LeafPlace | null} a
 * @param {LeafPlace | null} b
 */
function isSame(a, b) {
  if (a === null || b === null) return a === b;
  return a.column === b.column && a.node === b.node && a.leaf === b.leaf;
}
