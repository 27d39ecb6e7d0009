/**
 * A tree with pictures on its nodes: its leaves are read, chosen, and walked on with arrow
 * keys. Below it, what feeds the chosen leaf fans out.
 * @import { Branches, Fan, LeafPlace } from "../geometry/branches.js"
 * @import { BranchColors, LeafLook } from "../paint/branches.js"
 * @import { Part } from "../ui/h.js"
 * @import { Stage } from "../ui/stage.js"
 */
import {
  isSameLeaf,
  layOutBranches,
  layOutFan,
  leafAt,
  leafBox,
  leavesOf,
  nextLeaf,
  tileOf,
} from "../geometry/branches.js";
import { paintBranches } from "../paint/branches.js";
import { make, setAria, setText, uniqueId } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { listenToPicture } from "../ui/pointing.js";
import { createStage } from "../ui/stage.js";

const COLORS = /** @type {(keyof BranchColors)[]} */ ([
  ...["text", "muted", "accent", "focus", "gain", "surface"],
]);
const ABOVE_FAN = 8; // px between the lowest leaves and the fan
const USUAL_TYPE = 16; // px of 1rem, in which the picture is measured

/** @typedef {{ amount: number, name: string, note: string, isChosen: boolean }} Tile */

/**
 * @typedef {object} Tree
 * @property {string} label accessible name
 * @property {object} of what the tree is of: in another one, nothing is pointed at
 * @property {{ name: string, notes: readonly string[] }} root
 * @property {readonly { area: number, note: string }[]} heads of the columns: a cell of 3 × 3
 * @property {readonly (readonly (readonly (LeafLook & { amount: number })[])[])[]} leaves
 *   [column][node][leaf], all amounts above 0
 * @property {readonly Tile[]} tiles what feeds the chosen leaf
 * @property {number} mostTiles for which there is room
 * @property {string} withoutTiles said where there are none
 * @property {() => { root: HTMLCanvasElement, nodes: HTMLCanvasElement[][], tiles: HTMLCanvasElement[] }} pictures
 *   asked for when it is painted
 * @property {LeafPlace | null} chosen
 * @property {(place: LeafPlace) => void} choose
 * @property {(tile: number) => void} chooseTile
 * @property {() => void} chooseRoot
 * @property {(place: LeafPlace | null) => void} point
 * @property {(place: LeafPlace | null) => string} words
 */

/** @param {Tree} options */
export const tree = (options) => h(treePart, options);

/** @type {Part<Tree>} */
function treePart() {
  const canvas = make("canvas", { role: "application", tabindex: "0" });
  canvas.className = "drawn tree-picture";
  const readout = make("output", { class: "readout", id: uniqueId("readout") });
  /** @type {Tree | null} */
  let now = null;
  /** @type {{ branches: Branches, fan: Fan } | null} */
  let laid = null;
  /** @type {LeafPlace | null} */
  let pointed = null;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {LeafPlace | null} */
  let aimed = null;
  /** @type {(() => void) | null} */
  let ask = null;

  const chosen = () => aimed ?? now?.chosen ?? null;
  const tell = () => now && setText(readout, now.words(pointed ?? now.chosen));
  /** @param {LeafPlace} place */
  function choose(place) {
    aimed = place;
    now?.choose(place);
  }
  /** @param {Stage<keyof BranchColors>} stage */
  function paint(stage) {
    if (now === null) return;
    laid = layOut(now, stage.width);
    const { branches, fan } = laid;
    const height = Math.ceil(now.leaves.length === 0 ? branches.head : fan.bottom);
    // Its content makes it as high as it is; then it is painted again.
    if (Math.abs(height - stage.height) > 1)
      canvas.style.height = `${height / USUAL_TYPE}rem`;
    paintTree(stage, now, branches, fan, pointed);
  }
  listenToPicture(canvas, {
    under: ({ x, y }) => laid && leafAt(laid.branches, x, y),
    point(place) {
      if (isSameLeaf(place, pointed) || now === null) return;
      pointed = place;
      now.point(place);
      tell();
      ask?.();
    },
    choose(place, { x, y }) {
      if (place !== null) return choose(place);
      if (laid === null || now === null) return;
      const tile = tileOf(laid.fan, x, y);
      const { x: left, y: top, side } = laid.branches.root;
      if (tile >= 0) now.chooseTile(tile);
      else if (x >= left && x <= left + side && y <= top + side) now.chooseRoot();
    },
    walk(direction) {
      if (laid === null) return;
      const from = chosen();
      const [first] = leavesOf(laid.branches);
      const next = from ? nextLeaf(laid.branches, from, direction) : first;
      if (next) choose(next);
    },
    chosen() {
      const place = chosen();
      if (laid === null || place === null) return null;
      const { x, y, width } = leafBox(laid.branches, place);
      return { x: x + width / 2, y };
    },
  });

  return {
    element: make("div", "", canvas, readout),
    /** @param {Tree} next */
    show(next) {
      if (now?.of !== next.of) pointed = null;
      now = next;
      aimed = null;
      setAria(canvas, { "aria-label": now.label, "aria-describedby": readout.id });
      ask ??= createStage(canvas, COLORS, paint);
      tell();
      ask();
    },
  };
}

/** @param {Tree} tree @param {number} width */
function layOut({ leaves, chosen, tiles, mostTiles }, width) {
  const amounts = leaves.map((nodes) =>
    nodes.map((own) => own.map(({ amount }) => amount)),
  );
  const branches = layOutBranches(amounts, width);
  const leaf = chosen && leafBox(branches, chosen);
  const fan = layOutFan(
    tiles.map(({ amount }) => amount),
    {
      x: leaf ? leaf.x + leaf.width / 2 : width / 2,
      top: branches.bottom + ABOVE_FAN,
      width,
      count: mostTiles,
    },
  );
  return { branches, fan };
}

/**
 * @param {Stage<keyof BranchColors>} stage @param {Tree} tree
 * @param {Branches} branches @param {Fan} fan @param {LeafPlace | null} pointed
 */
function paintTree({ context, width, colors, font }, tree, branches, fan, pointed) {
  const { root, heads, leaves, chosen, tiles, withoutTiles } = tree;
  const pictures = tree.pictures();
  const fanned = tiles.map((tile, i) => ({ ...tile, picture: pictures.tiles[i] }));
  paintBranches(
    context,
    {
      ...{ branches, heads, leaves, chosen, pointed, font },
      root: { ...root, picture: pictures.root },
      nodes: pictures.nodes,
    },
    withoutTiles === "" ? { fan, tiles: fanned } : null,
    colors,
  );
  if (withoutTiles === "" || leaves.length === 0) return;
  context.fillStyle = colors.muted;
  context.font = `12px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(withoutTiles, width / 2, fan.y + fan.side / 2, width);
}
