/**
 * A tree that hangs from its root: branches lead to columns, a column is a stem with nodes
 * one below the other, and on each node hang leaves. All are as wide as their amounts, on
 * one scale.
 * Pure arithmetic: no DOM, no state.
 */
import { sum } from "../lib/arithmetic.js";

const TOP = 4;
const ROOT = 64; // the root's picture
const RISE = 46; // of the branches, from the root down to the columns
const HEAD = 18; // a column's name
const MOST_SIDE = 64; // of a node's picture
const BESIDE = 4; // on either side of a node
const GAP = 9; // between nodes, where the stem is seen
const LEAF = 15;
const LEAF_GAP = 2;
const NAME = 12; // a leaf's name
const MOST_TOTAL = 110; // width of all branches together
const LEAST = 1; // a thinner leaf is not seen

/** Amounts: columns of nodes of leaves. @typedef {readonly (readonly (readonly number[])[])[]} Amounts */

/** @typedef {{ column: number, node: number, leaf: number }} LeafPlace */

/**
 * @typedef {object} NodeBox
 * @property {number} x left of its picture
 * @property {number} y top of its picture
 * @property {number} stem width of the stem that comes to it
 * @property {{ x: number, width: number }[]} leaves from left to right
 */

/**
 * @typedef {object} ColumnBox
 * @property {number} x its middle
 * @property {number} from left of its branch at the root
 * @property {number} width of its branch
 * @property {NodeBox[]} nodes
 */

/**
 * @typedef {object} Branches
 * @property {number} scale pixels to an amount of 1
 * @property {{ x: number, y: number, side: number }} root left and top of its picture
 * @property {number} fork where branches leave the root
 * @property {number} head top of the columns' names
 * @property {number} side of the nodes' pictures
 * @property {ColumnBox[]} columns
 * @property {number} bottom of the lowest leaves
 */

/**
 * @param {Amounts} amounts all above 0
 * @param {number} width of the picture
 * @returns {Branches}
 */
export function layOutBranches(amounts, width) {
  const slot = width / Math.max(1, amounts.length);
  const side = Math.max(1, Math.min(MOST_SIDE, slot - 2 * BESIDE));
  const pitch = Math.min(slot, 1.6 * (side + 2 * BESIDE)); // few columns stay together
  const scale = scaleOf(amounts, side);
  const total = scale * sum(amounts.map((column) => sum(column.map(sum))));
  const head = TOP + ROOT + RISE;
  let from = (width - total) / 2;
  const columns = amounts.map((nodes, i) => {
    const x = width / 2 + (i - (amounts.length - 1) / 2) * pitch;
    const branch = { x, from, width: scale * sum(nodes.map(sum)) };
    from += branch.width;
    return { ...branch, nodes: hang(nodes, { x, top: head + HEAD, side, scale }) };
  });
  const most = Math.max(0, ...amounts.map(({ length }) => length));
  return {
    scale,
    root: { x: (width - ROOT) / 2, y: TOP, side: ROOT },
    fork: TOP + ROOT + 2,
    head,
    side,
    columns,
    bottom: head + HEAD + most * (nodeHeight(side) + GAP) - (most > 0 ? GAP : 0),
  };
}

/**
 * As large as it can be: no column wider than its nodes, and the root not too wide.
 * @param {Amounts} amounts @param {number} side
 */
function scaleOf(amounts, side) {
  const all = amounts.map((nodes) => sum(nodes.map(sum)));
  const bounds = [
    MOST_TOTAL / sum(all),
    ...all.map((column) => side / column),
    ...amounts.flatMap((nodes) =>
      nodes.map(
        (leaves) => Math.max(1, side - LEAF_GAP * (leaves.length - 1)) / sum(leaves),
      ),
    ),
  ].filter(Number.isFinite);
  return bounds.length > 0 ? Math.min(...bounds) : 0;
}

/**
 * @param {readonly (readonly number[])[]} nodes
 * @param {{ x: number, top: number, side: number, scale: number }} place
 * @returns {NodeBox[]}
 */
function hang(nodes, { x, top, side, scale }) {
  let left = scale * sum(nodes.map(sum));
  return nodes.map((leaves, i) => {
    const stem = left;
    left -= scale * sum(leaves);
    const widths = leaves.map((amount) => Math.max(LEAST, scale * amount));
    let at = x - (sum(widths) + LEAF_GAP * (leaves.length - 1)) / 2;
    return {
      x: x - side / 2,
      y: top + i * (nodeHeight(side) + GAP),
      stem,
      leaves: widths.map((width) => {
        const leaf = { x: at, width };
        at += width + LEAF_GAP;
        return leaf;
      }),
    };
  });
}

/** @param {number} side */
function nodeHeight(side) {
  return side + LEAF + NAME;
}

/**
 * Where a leaf hangs.
 * @param {Branches} branches @param {LeafPlace} place
 * @returns {{ x: number, y: number, width: number, height: number }}
 */
export function leafBox({ columns, side }, { column, node, leaf }) {
  const { y, leaves } = columns[column].nodes[node];
  const { x, width } = leaves[leaf];
  return { x, y: y + side, width, height: LEAF };
}

/**
 * @param {Branches} branches
 * @returns {LeafPlace[]} all leaves, column by column from above
 */
export function leavesOf({ columns }) {
  return columns.flatMap(({ nodes }, column) =>
    nodes.flatMap(({ leaves }, node) =>
      leaves.map((_, leaf) => ({ column, node, leaf })),
    ),
  );
}

/**
 * The leaf under a point: on a node's picture its first, below it the nearest.
 * @param {Branches} branches @param {number} x @param {number} y
 * @returns {LeafPlace | null}
 */
export function leafAt({ columns, side }, x, y) {
  for (let column = 0; column < columns.length; column++) {
    const { nodes } = columns[column];
    for (let node = 0; node < nodes.length; node++) {
      const box = nodes[node];
      const isOn = x >= box.x && x <= box.x + side;
      if (!isOn || y < box.y || y > box.y + nodeHeight(side)) continue;
      return { column, node, leaf: y <= box.y + side ? 0 : nearest(box.leaves, x) };
    }
  }
  return null;
}

/** @param {NodeBox["leaves"]} leaves @param {number} x */
function nearest(leaves, x) {
  const away = leaves.map((leaf) => Math.max(leaf.x - x, x - leaf.x - leaf.width, 0));
  return away.indexOf(Math.min(...away));
}

/** @param {LeafPlace | null} a @param {LeafPlace | null} b */
export function isSameLeaf(a, b) {
  if (a === null || b === null) return a === b;
  return a.column === b.column && a.node === b.node && a.leaf === b.leaf;
}

/**
 * The leaf that an arrow key leads to: up and down along the stem; to either side along
 * the node, then to the neighbouring column at that height.
 * @param {Branches} branches @param {LeafPlace} from
 * @param {readonly [down: number, right: number]} direction one of them 0
 * @returns {LeafPlace} the same at the edges
 */
export function nextLeaf({ columns }, from, [down, right]) {
  const { column, node, leaf } = from;
  if (down !== 0) {
    const to = node + down;
    const found = columns[column].nodes[to];
    return found ? { column, node: to, leaf: 0 } : from;
  }
  if (columns[column].nodes[node].leaves[leaf + right])
    return { column, node, leaf: leaf + right };
  const beside = columns[column + right]?.nodes;
  if (!beside) return from;
  const to = Math.min(node, beside.length - 1);
  return {
    column: column + right,
    node: to,
    leaf: right > 0 ? 0 : beside[to].leaves.length - 1,
  };
}
