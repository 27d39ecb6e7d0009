/**
 * Which numbers of a pose matrix follow when the image is shifted or turned, as measured:
 * in words, and as a table.
 * @import { DecoderModel, DecoderStore, Following, Move } from "./types.js"
 */
import { focusedClass } from "../../core/state.js";
import { largestOf } from "../../lib/arithmetic.js";
import { fixed, signed } from "../../lib/format.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { valueTable } from "../../ui/tables.js";
import { POSE, SIDE } from "../matrices.js";

/** A number whose correlation is smaller is not said to follow. */
const FOLLOWS = 0.8;

/** @type {readonly Move[]} */
const ORDER = ["x", "y", "turn"];

/**
 * How each move is called, and for how much of it a slope is given.
 * @type {Record<Move, { short: string, long: string, per: string, by: number }>}
 */
const MOVES = {
  x: { short: "shift right", long: "a shift to the right", per: "pixel", by: 1 },
  y: { short: "shift down", long: "a shift down", per: "pixel", by: 1 },
  turn: { short: "turn clockwise", long: "a clockwise turn", per: "10°", by: 10 },
};

/** Where coordinate addition writes, and what of a capsule's place: section 3.1. */
const ADDED = /** @type {const} */ ([
  { entry: 3, of: "row", move: "y" },
  { entry: 7, of: "column", move: "x" },
]);

/**
 * How a number follows one move.
 * @typedef {object} Follows
 * @property {Move} move
 * @property {number} correlation in -1..1
 * @property {number} slope change of the number for each pixel or degree
 */

/**
 * @param {Pick<DecoderModel, "card">} model @param {number} classIndex
 * @param {number} entry 0..15
 * @returns {Follows[] | null} for each move; null where it was not measured
 */
export function followsOf({ card }, classIndex, entry) {
  const found = card.following?.classes[classIndex];
  if (!found) return null;
  return ORDER.map((move) => ({
    move,
    correlation: found[move].correlation[entry],
    slope: found[move].slope[entry],
  }));
}

/** Such as "shift right, r = 0.98". @param {readonly Follows[]} follows */
export function followsInShort(follows) {
  const { move, correlation } = strongestOf(follows);
  if (Math.abs(correlation) < FOLLOWS) return "follows none closely";
  return `${MOVES[move].short}, r = ${fixed(correlation, 2)}`;
}

/** All that was measured of a number. @param {readonly Follows[]} follows */
export function followsInFull(follows) {
  return follows
    .map(({ move, correlation, slope }) => {
      const { short, per, by } = MOVES[move];
      return `${short}: r = ${fixed(correlation, 2)}, ${signed(slope * by)} per ${per}`;
    })
    .join("\n");
}

/** @param {readonly Follows[]} follows */
function strongestOf(follows) {
  return follows[largestOf(follows.map(({ correlation }) => Math.abs(correlation)))];
}

/**
 * What was found of all numbers of a class.
 * @param {Following} following @param {number} classIndex
 * @param {string} name of the class
 * @returns {string}
 */
export function followingWords(following, classIndex, name) {
  const found = following.classes[classIndex];
  if (!found)
    return `What the numbers follow was not measured for ${name}: too few of its test images are read right.`;
  const { amounts } = following;
  const [shift, turn] = [Math.max(...amounts.x), Math.max(...amounts.turn)];
  const sizes = Object.fromEntries(
    ORDER.map((move) => [move, found[move].correlation.map(Math.abs)]),
  );
  const closest = ORDER.map((move) => {
    const entry = largestOf(sizes[move]);
    return `${placeOf(entry)} (r = ${fixed(found[move].correlation[entry], 2)})`;
  });
  const added = ADDED.map(({ entry, of, move }) => {
    const closer = sizes[move].filter((size) => size > sizes[move][entry]).length;
    const others =
      closer === 0
        ? "the closest of all"
        : closer === 1
          ? "one other is closer"
          : `${closer} others are closer`;
    return `the ${of} to ${placeOf(entry)}, which follows ${MOVES[move].long} with r = ${fixed(found[move].correlation[entry], 2)} (${others})`;
  });
  return [
    `Measured by moving ${found.images} test images of ${name}: shifts of up to ${shift} pixels and turns of up to ${turn}° either way.`,
    `A shift to the right is followed most closely by the number in ${closest[0]}, a shift down by that in ${closest[1]}, a clockwise turn by that in ${closest[2]}.`,
    `Coordinate addition adds ${added.join("; and ")}.`,
    sharedWords(sizes),
    "r says how steadily a number follows, not how far.",
  ].join(" ");
}

/** @param {Record<string, number[]>} sizes of the correlations, by move */
function sharedWords(sizes) {
  const moves = Object.values(sizes);
  const shared = Array.from(
    { length: POSE },
    (_, entry) => moves.filter((each) => each[entry] >= FOLLOWS).length,
  ).filter((count) => count > 1).length;
  const limit = `with |r| of ${FOLLOWS} or more`;
  if (shared === 0) return `No number follows more than one of the moves ${limit}.`;
  return shared === 1
    ? `One of the ${POSE} numbers follows more than one of the moves ${limit}.`
    : `${shared} of the ${POSE} numbers follow more than one of the moves ${limit}: they do not stand for one alone.`;
}

/** @param {number} entry */
function placeOf(entry) {
  return `row ${Math.floor(entry / SIDE) + 1}, column ${(entry % SIDE) + 1}`;
}

/** @param {HTMLElement} root @param {DecoderStore} store */
export function mountFollowing(root, store) {
  const words = findElement(root, "[data-follows-words]");
  const folder = find(root, "[data-follows]", HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  store.watch(["model", "trace", "classIndex"], (state) => {
    const { model } = state;
    const classIndex = focusedClass(state);
    const { following } = model.card;
    words.hidden = following === undefined;
    folder.hidden = !following?.classes[classIndex];
    if (following === undefined) return;
    setText(
      words,
      followingWords(following, classIndex, model.class_names[classIndex]),
    );
    if (!folder.hidden) table.replaceChildren(tableOf(model, classIndex));
  });
}

/** @param {Parameters<typeof followsOf>[0]} model @param {number} classIndex */
function tableOf(model, classIndex) {
  const entries = Array.from({ length: POSE }, (_, entry) => entry);
  const rows = entries.map((entry) => followsOf(model, classIndex, entry) ?? []);
  return valueTable(
    rows.flatMap((row) =>
      row.flatMap(({ move, correlation, slope }) => [
        correlation,
        slope * MOVES[move].by,
      ]),
    ),
    {
      rows: POSE,
      columns: 2 * Object.keys(MOVES).length,
      rowNames: entries.map(placeOf),
      columnNames: Object.values(MOVES).flatMap(({ short, per }) => [
        `${short}: r`,
        `per ${per}`,
      ]),
      corner: "number",
    },
  );
}
