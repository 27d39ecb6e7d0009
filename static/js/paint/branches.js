/**
 * A tree with pictures on its nodes: the root above, leaves below each node.
 * @import { Branches, LeafPlace } from "../geometry/branches.js"
 */
import { isSameLeaf, leafBox, leavesOf } from "../geometry/branches.js";

const STEM = 0.3; // strength
const DOT = 2.4; // radius
const GLYPH = 11; // side of a column's name

/** @typedef {Record<"text" | "muted" | "accent" | "focus" | "gain" | "surface", string>} BranchColors */

/**
 * @typedef {object} LeafLook
 * @property {string} name
 * @property {boolean} isShared
 */

/**
 * @typedef {object} TreePicture
 * @property {Branches} branches
 * @property {{ picture: HTMLCanvasElement, name: string, notes: readonly string[] }} root
 * @property {readonly { area: number, note: string }[]} heads of the columns: a cell of 3 x 3
 * @property {HTMLCanvasElement[][]} nodes [column][node]
 * @property {readonly (readonly (readonly LeafLook[])[])[]} leaves [column][node][leaf]
 * @property {LeafPlace | null} chosen
 * @property {LeafPlace | null} pointed
 * @property {string} font
 */

/**
 * @param {CanvasRenderingContext2D} context @param {TreePicture} picture
 * @param {BranchColors} colors
 */
export function paintBranches(context, picture, colors) {
  context.imageSmoothingEnabled = false;
  paintStems(context, picture.branches, colors);
  paintRoot(context, picture, colors);
  picture.branches.columns.forEach((_, column) => {
    paintHead(context, picture, column, colors);
    paintNodes(context, picture, column, colors);
  });
  for (const place of leavesOf(picture.branches))
    paintLeaf(context, picture, place, colors);
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Branches} branches
 * @param {BranchColors} colors
 */
function paintStems(context, { columns, fork, head, side }, colors) {
  context.fillStyle = colors.accent;
  context.globalAlpha = STEM;
  for (const { x, from, width, nodes } of columns) {
    ribbon(context, { from, to: x - width / 2, width, top: fork, bottom: head });
    context.fill();
    nodes.forEach(({ y, stem }, i) => {
      const top = i === 0 ? head : nodes[i - 1].y + side;
      context.fillRect(x - stem / 2, top, stem, y - top);
    });
  }
  context.globalAlpha = 1;
}

/**
 * The outline of a ribbon from above to below, as wide at both ends.
 * @param {CanvasRenderingContext2D} context
 * @param {{ from: number, to: number, width: number, top: number, bottom: number }} place
 *   left edges
 */
function ribbon(context, { from, to, width, top, bottom }) {
  const middle = (top + bottom) / 2;
  context.beginPath();
  context.moveTo(from, top);
  context.bezierCurveTo(from, middle, to, middle, to, bottom);
  context.lineTo(to + width, bottom);
  context.bezierCurveTo(to + width, middle, from + width, middle, from + width, top);
  context.closePath();
}

/**
 * @param {CanvasRenderingContext2D} context @param {TreePicture} picture
 * @param {BranchColors} colors
 */
function paintRoot(context, { branches: { root, columns }, root: look, font }, colors) {
  const { x, y, side } = root;
  context.drawImage(look.picture, x, y, side, side);
  context.fillStyle = colors.accent;
  if (columns.length > 0) {
    const last = columns[columns.length - 1];
    context.fillRect(
      columns[0].from,
      y + side,
      last.from + last.width - columns[0].from,
      2,
    );
  }
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillStyle = colors.accent;
  context.font = `bold 20px ${font}`;
  context.fillText(look.name, x + side + 10, y + 20);
  context.fillStyle = colors.muted;
  context.font = `12px ${font}`;
  look.notes.forEach((note, i) => {
    context.fillText(note, x + side + 10, y + 38 + 15 * i);
  });
}

/**
 * Where a column's places are, as a cell of nine, and how much they give.
 * @param {CanvasRenderingContext2D} context @param {TreePicture} picture
 * @param {number} column @param {BranchColors} colors
 */
function paintHead(context, { branches, heads, font }, column, colors) {
  const { x } = branches.columns[column];
  const { area, note } = heads[column];
  context.font = `10px ${font}`;
  const room = context.measureText(note).width;
  const left = x - (GLYPH + 3 + room) / 2;
  const top = branches.head + 2;
  context.globalAlpha = 0.85;
  context.fillStyle = colors.surface;
  context.fillRect(left - 2, top - 1, GLYPH + room + 7, GLYPH + 3);
  context.globalAlpha = 1;
  const cell = GLYPH / 3;
  context.strokeStyle = colors.muted;
  context.lineWidth = 0.8;
  context.beginPath();
  context.rect(left, top, GLYPH, GLYPH);
  context.stroke();
  context.fillStyle = colors.text;
  context.fillRect(
    left + (area % 3) * cell,
    top + Math.floor(area / 3) * cell,
    cell,
    cell,
  );
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(note, left + GLYPH + 3, top + GLYPH / 2 + 0.5);
}

/**
 * @param {CanvasRenderingContext2D} context @param {TreePicture} picture
 * @param {number} column @param {BranchColors} colors
 */
function paintNodes(
  context,
  { branches, nodes, leaves, chosen, pointed },
  column,
  colors,
) {
  const { side } = branches;
  const isAt = (/** @type {LeafPlace | null} */ place, /** @type {number} */ node) =>
    place !== null && place.column === column && place.node === node;
  branches.columns[column].nodes.forEach(({ x, y }, node) => {
    context.drawImage(nodes[column][node], x, y, side, side);
    const isShared = leaves[column][node].some((leaf) => leaf.isShared);
    if (isShared) frame(context, { x, y, side }, colors.gain, 1.5);
    if (isAt(chosen, node)) frame(context, { x, y, side }, colors.focus, 2.5);
    if (isAt(pointed, node)) frame(context, { x, y, side }, colors.text, 1.5);
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, side: number }} box @param {string} color
 * @param {number} width
 */
function frame(context, { x, y, side }, color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.rect(x, y, side, side);
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {TreePicture} picture
 * @param {LeafPlace} place @param {BranchColors} colors
 */
function paintLeaf(
  context,
  { branches, leaves, chosen, pointed, font },
  place,
  colors,
) {
  const { x, y, width, height } = leafBox(branches, place);
  const own = leaves[place.column][place.node];
  const { name, isShared } = own[place.leaf];
  const tone = isShared ? colors.gain : colors.accent;
  context.fillStyle = isSameLeaf(chosen, place) ? colors.focus : tone;
  context.fillRect(x, y, width, height);
  if (isSameLeaf(pointed, place)) {
    context.strokeStyle = colors.text;
    context.lineWidth = 1.5;
    context.beginPath();
    context.rect(x - 1, y, width + 2, height);
    context.stroke();
  }
  const middle = x + width / 2;
  if (isShared) {
    context.fillStyle = colors.gain;
    context.beginPath();
    context.arc(middle, y + height + DOT + 1, DOT, 0, 2 * Math.PI);
    context.fill();
  }
  context.font = `9px ${font}`;
  // Of leaves side by side, only those with room for it say their name.
  const room = own.length === 1 ? branches.side : width + 2;
  if (isShared || context.measureText(name).width > room) return;
  context.fillStyle = colors.text;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillText(name, middle, y + height + 2);
}
