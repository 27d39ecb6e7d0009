/**
 * Which parts carry pictures, of what they saw, seek and say; and what room these have.
 * @import { Flows } from "./flows.js"
 * @import { Scene } from "./types.js"
 */
import { clamp, ranked } from "../lib/arithmetic.js";
import { ownOf } from "../lib/own.js";
import { throughOf } from "./flows.js";

const MOST = 5; // parts with pictures
const ENOUGH = 0.9; // of what speaks for a class
const SIDE = { share: 0.088, least: 30, most: 56 }; // of a picture: of the column, and px
const [PICTURED, SILENT] = [0.56, 0.26]; // of a column: parts with pictures, and the others
const AROUND = { wide: 6, narrow: 4 }; // px of a slot beyond its picture
const TILE = { share: 0.62, least: 18, most: 34, narrow: 14 }; // of a picture, and px
const LOWEST = 12; // px of a part without pictures, at most
const HALVINGS = 24; // until the scale is exact to less than a thousandth
export const BETWEEN = 3; // px between pictures, and between parts of a column half of it

/**
 * A picture at a part: the piece of the image under its strongest capsule; what it answers to
 * most; what its votes alone say, where two answers are drawn to each of them.
 * @typedef {{ of: "saw" | "seeks" | "says", answer: number }} PictureKind
 */

/**
 * @typedef {object} PicturesRoom
 * @property {number} level the last one, whose parts have pictures
 * @property {number} side of a picture, px
 * @property {number} slot the least height of a part with pictures
 * @property {number} tile the most that a part's tile is high
 * @property {number} base the most that a part without pictures is high when nothing flows
 * @property {number} most parts with pictures
 * @property {number} reach from the middle of the tiles to where ribbons begin
 * @property {readonly PictureKind[]} shown from the left
 */

/**
 * @param {Pick<Scene, "sought" | "classes" | "drawn" | "isEmpty">} scene
 * @param {Flows["levels"]} levels
 * @param {object} room
 * @param {number} room.space px of a column
 * @param {boolean} room.isWide
 * @param {boolean} room.hasFields what a cell of that level sees of the image is known
 * @param {number} room.answers classes that pictures are of: 1 or 2
 * @param {number} room.most pictures at a part
 * @returns {PicturesRoom | null} null where there is nothing to show, or no room
 */
export function picturesRoom(scene, levels, room) {
  const { space, isWide } = room;
  const level = levels.length - 1;
  if (level < 0 || scene.isEmpty) return null;
  const shown = kindsOf(scene, levels[level], room);
  if (shown.length === 0) return null;
  const { groups } = levels[level];
  const side = Math.round(clamp(SIDE.share * space, SIDE.least, SIDE.most));
  const slot = side + (isWide ? AROUND.wide : AROUND.narrow);
  const most = Math.min(MOST, Math.floor((PICTURED * space) / slot), groups.length);
  const low = (SILENT * space) / Math.max(1, groups.length - most) - BETWEEN / 2;
  const tile = isWide ? clamp(TILE.share * side, TILE.least, TILE.most) : TILE.narrow;
  return {
    ...{ level, side, slot, tile, most, shown },
    base: clamp(low, 0.5, LOWEST),
    reach: tile / 2 + BETWEEN + shown.length * (side + BETWEEN),
  };
}

/**
 * Where there is room for few, what a part saw and what it says of it tell more than what it
 * seeks.
 * @param {Pick<Scene, "sought" | "classes" | "drawn">} scene
 * @param {Flows["levels"][number]} level
 * @param {{ hasFields: boolean, answers: number, most: number }} room
 * @returns {PictureKind[]}
 */
function kindsOf({ sought, classes, drawn }, { column, river }, room) {
  const { hasFields, answers, most } = room;
  /** @type {PictureKind[]} */
  const saw = river.places > 1 && hasFields ? [{ of: "saw", answer: 0 }] : [];
  /** @type {PictureKind[]} */
  const seeks = ownOf(sought, column.id) ? [{ of: "seeks", answer: 0 }] : [];
  const isSaid = river.given && classes?.pose && drawn;
  const says = Array.from({ length: isSaid ? answers : 0 }, (_, answer) => ({
    of: /** @type {const} */ ("says"),
    answer,
  }));
  const all = [...saw, ...seeks, ...says];
  if (all.length <= most) return all;
  const fewer = [...saw, ...says];
  return fewer.length <= most ? fewer : fewer.slice(0, Math.min(most, saw.length));
}

/**
 * The fewest parts that give nine tenths of what speaks for each class after the last
 * iteration, at most so many; those that give most first.
 * @param {Flows} flows @param {readonly number[]} classes @param {number} most
 * @returns {number[]} parts that stand for one tile each
 */
export function picturedParts(flows, classes, most) {
  const out = flows.ungrouped(flows.steps - 1);
  const largest = new Float64Array(out.parts);
  /** @type {Set<number>} */
  const needed = new Set();
  for (const classIndex of classes) {
    const shares = sharesOf(out, classIndex);
    for (const type of fewestOf(shares)) needed.add(type);
    for (let type = 0; type < out.parts; type++)
      largest[type] = Math.max(largest[type], shares[type]);
  }
  const { groups } = /** @type {Flows["levels"][number]} */ (flows.levels.at(-1));
  const parts = groups.flatMap((types, part) =>
    types.length === 1 && needed.has(types[0]) ? [part] : [],
  );
  const shareOf = (/** @type {number} */ part) => largest[groups[part][0]];
  return parts.sort((one, other) => shareOf(other) - shareOf(one)).slice(0, most);
}

/**
 * What each part gives of what speaks for a class; 0 where it speaks against it.
 * @param {{ all: ArrayLike<number>, above: number, parts: number }} out
 * @param {number} classIndex
 */
export function sharesOf({ all, above, parts }, classIndex) {
  const shares = new Float64Array(parts);
  let sum = 0;
  for (let part = 0; part < parts; part++)
    sum += shares[part] = Math.max(0, all[part * above + classIndex]);
  return sum > 0 ? shares.map((given) => given / sum) : shares;
}

/** @param {Float64Array} shares */
function fewestOf(shares) {
  const parts = ranked(shares);
  let given = 0;
  const isEnough = (/** @type {number} */ part) => {
    if (given >= ENOUGH || shares[part] === 0) return true;
    given += shares[part];
    return false;
  };
  const count = parts.findIndex(isEnough);
  return count < 0 ? parts : parts.slice(0, count);
}

/**
 * The largest scale, px for a flow of 1, at which the column fits in every iteration,
 * whichever class is chosen: its parts with pictures are at least as high as these.
 * @param {PicturesRoom} pictures
 * @param {{ flows: Flows, before: Flows | null, answers: readonly number[] }} run
 * @param {{ base: number, gap: number, space: number }} room
 */
export function scaleWith({ level, slot, most }, { flows, before, answers }, room) {
  const { base, gap, space } = room;
  const passing = Array.from({ length: flows.steps }, (_, step) => {
    const now = throughOf(flows.at(step), level);
    if (before === null) return now;
    const was = throughOf(before.at(Math.min(step, before.steps - 1)), level);
    return now.map((value, part) => Math.max(value, was[part]));
  });
  const each = Array.from({ length: flows.classes }, (_, classIndex) => [classIndex]);
  const chosen = [...each, answers].map((classes) =>
    picturedParts(flows, classes, most),
  );
  // Asked at each reading, and for many scales: no list is made on the way.
  const isHeld = (/** @type {number} */ scale) => {
    const highOf = (/** @type {number} */ value) => base + gap + value * scale;
    return passing.every((through) => {
      let sum = 0;
      for (let part = 0; part < through.length; part++) sum += highOf(through[part]);
      return chosen.every((parts) => {
        let more = 0;
        for (let at = 0; at < parts.length; at++)
          more += Math.max(0, slot - highOf(through[parts[at]]));
        return sum + more <= space;
      });
    });
  };
  let [low, high] = [
    0,
    space / Math.max(1e-6, ...passing.map((all) => Math.max(...all))),
  ];
  for (let turn = 0; turn < HALVINGS; turn++) {
    const middle = (low + high) / 2;
    if (isHeld(middle)) low = middle;
    else high = middle;
  }
  return low;
}
