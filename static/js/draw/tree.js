/**
 * A tree with pictures on its nodes: its leaves are read, chosen, and walked on with arrow
 * keys.
 * @import { Branches, LeafPlace } from "../geometry/branches.js"
 * @import { BranchColors, LeafLook } from "../paint/branches.js"
 * @import { Part } from "../ui/h.js"
 * @import { Stage } from "../ui/stage.js"
 */
import {
  isSameLeaf,
  layOutBranches,
  leafAt,
  leafBox,
  leavesOf,
  nextLeaf,
} from "../geometry/branches.js";
import { keepNumbers } from "../lib/numbers.js";
import { paintBranches } from "../paint/branches.js";
import { make, makeReadout, setAria, setText } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { listenToPicture } from "../ui/pointing.js";
import { createStage } from "../ui/stage.js";

const COLORS = /** @type {(keyof BranchColors)[]} */ ([
  ...["text", "muted", "accent", "focus", "gain", "surface"],
]);
const USUAL_TYPE = 16; // px of 1rem, in which the picture is measured

/**
 * @typedef {object} Tree
 * @property {string} label accessible name
 * @property {object} of what the tree is of: in another one, nothing is pointed at
 * @property {{ name: string, notes: readonly string[] }} root
 * @property {readonly { area: number, note: string }[]} heads of the columns: a cell of 3 × 3
 * @property {readonly (readonly (readonly (LeafLook & { amount: number })[])[])[]} leaves
 *   [column][node][leaf], all amounts above 0
 * @property {() => { root: HTMLCanvasElement, nodes: HTMLCanvasElement[][] }} pictures
 *   asked for when it is painted
 * @property {LeafPlace | null} chosen
 * @property {(place: LeafPlace) => void} choose
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
  const readout = makeReadout();
  /** @type {Tree | null} */
  let now = null;
  /** @type {Branches | null} */
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
    const amounts = now.leaves.map((nodes) =>
      nodes.map((own) => own.map(({ amount }) => amount)),
    );
    laid = layOutBranches(amounts, stage.width);
    const height = Math.ceil(now.leaves.length === 0 ? laid.head : laid.bottom);
    // Its content makes it as high as it is; then it is painted again.
    if (Math.abs(height - stage.height) > 1)
      canvas.style.height = `${height / USUAL_TYPE}rem`;
    paintTree(stage, now, laid, pointed);
  }
  listenToPicture(canvas, {
    under: ({ x, y }) => laid && leafAt(laid, x, y),
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
      const { x: left, y: top, side } = laid.root;
      if (x >= left && x <= left + side && y <= top + side) now.chooseRoot();
    },
    walk(direction) {
      if (laid === null) return;
      const from = chosen();
      const [first] = leavesOf(laid);
      const next = from ? nextLeaf(laid, from, direction) : first;
      if (next) choose(next);
    },
    chosen() {
      const place = chosen();
      if (laid === null || place === null) return null;
      const { x, y, width } = leafBox(laid, place);
      return { x: x + width / 2, y };
    },
  });

  keepNumbers(canvas, () => (now ? [tableOf(now)] : []));
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

/**
 * @param {Stage<keyof BranchColors>} stage @param {Tree} tree
 * @param {Branches} branches @param {LeafPlace | null} pointed
 */
function paintTree({ context, colors, font }, tree, branches, pointed) {
  const { root, heads, leaves, chosen } = tree;
  const pictures = tree.pictures();
  paintBranches(
    context,
    {
      branches,
      heads,
      leaves,
      chosen,
      pointed,
      font,
      root: { ...root, picture: pictures.root },
      nodes: pictures.nodes,
    },
    colors,
  );
}

/** @param {Tree} tree @returns {import("../lib/numbers.js").Table} */
const tableOf = ({ leaves }) => ({
  head: ["column", "node", "leaf", "amount"],
  rows: leaves.flatMap((nodes, column) =>
    nodes.flatMap((own, node) =>
      own.map(({ name, amount }) => [column, node, name, amount]),
    ),
  ),
});
