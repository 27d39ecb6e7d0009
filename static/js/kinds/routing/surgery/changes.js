/**
 * Interventions in routing, as values and in words: which capsules are silent, whether
 * anything is routed at all, which couplings are held.
 * @import { Tensor } from "../../../types.js"
 * @import { Pin, Surgery } from "../types.js"
 */
import { ranked } from "../../../lib/arithmetic.js";
import { capitalized, counted } from "../../../lib/format.js";

/** @type {Surgery} */
export const NO_SURGERY = { silenced: [], routing: "agreement", pins: [] };

/** So many couplings can be held at once: a link has to carry them. */
export const MOST_PINS = 24;

/** Whether nothing is changed. @param {Surgery} surgery */
export function isIntact({ silenced, routing, pins }) {
  return silenced.length === 0 && routing === "agreement" && pins.length === 0;
}

/**
 * @param {Surgery} surgery @param {readonly number[]} capsules
 * @param {boolean} isSilent
 * @returns {Surgery} these capsules silent, or speaking; ascending, each once
 */
export function withSilence(surgery, capsules, isSilent) {
  const silenced = new Set(surgery.silenced);
  for (const capsule of capsules) {
    if (isSilent) silenced.add(capsule);
    else silenced.delete(capsule);
  }
  return { ...surgery, silenced: [...silenced].sort((a, b) => a - b) };
}

/**
 * @param {Surgery} surgery
 * @param {Pin} pin replaces the one that its capsule had; beyond `MOST_PINS`, the oldest
 * @returns {Surgery}
 */
export function withPin(surgery, pin) {
  const others = surgery.pins.filter(({ capsule }) => capsule !== pin.capsule);
  return { ...surgery, pins: [...others, pin].slice(-MOST_PINS) };
}

/** @param {Surgery} surgery @param {number} capsule @returns {Surgery} */
export function withoutPin(surgery, capsule) {
  return { ...surgery, pins: surgery.pins.filter((pin) => pin.capsule !== capsule) };
}

/**
 * How many capsules of each type are silent.
 * @param {readonly number[]} silenced @param {number} types
 * @param {number} cells capsules of one type
 * @returns {number[]} one for each type, 0..cells
 */
export function silentByType(silenced, types, cells) {
  const counts = Array.from({ length: types }, () => 0);
  for (const capsule of silenced) counts[Math.floor(capsule / cells)]++;
  return counts;
}

/**
 * The lengths that count in routing: a silent capsule sends nothing, so its length is 0.
 * @param {Tensor} lengths (types, rows, columns), ‖u‖
 * @param {readonly number[]} silenced
 * @returns {Tensor}
 */
export function countedLengths(lengths, silenced) {
  if (silenced.length === 0) return lengths;
  const data = lengths.data.slice();
  for (const capsule of silenced) data[capsule] = 0;
  return { ...lengths, data };
}

/**
 * @param {number} type
 * @param {number} cells capsules of one type
 * @returns {number[]} its capsules
 */
export function capsulesOfType(type, cells) {
  return Array.from({ length: cells }, (_, cell) => type * cells + cell);
}

/**
 * @param {Surgery} a @param {Surgery} b
 * @returns {boolean} whether both change the same
 */
export function isSameSurgery(a, b) {
  return JSON.stringify(packed(a)) === JSON.stringify(packed(b));
}

/** @param {Surgery} surgery */
const packed = ({ silenced, routing, pins }) => [
  ...[silenced, routing],
  pins.map(({ capsule, classIndex, coupling }) => [capsule, classIndex, coupling]),
];

/**
 * @param {Surgery} surgery
 * @param {{ types: number, cells: number }} sizes cells: capsules of one type
 * @returns {string} such as "2 types and 3 capsules are silent; no routing."
 */
export function surgeryInWords(surgery, { types, cells }) {
  if (isIntact(surgery)) return "Nothing is changed.";
  const { silenced, routing, pins } = surgery;
  const isAlone = cells === 1; // a type is a capsule
  const whole = silentByType(silenced, types, cells).filter(
    (count) => count === cells && !isAlone,
  );
  const single = silenced.length - whole.length * cells;
  const silent = [
    ...(whole.length > 0 ? [counted(whole.length, "type")] : []),
    ...(single > 0 ? [counted(single, "capsule")] : []),
  ].join(" and ");
  const are = whole.length + single === 1 ? "is" : "are";
  const parts = [
    ...(silent === "" ? [] : [`${silent} ${are} silent`]),
    ...(routing === "uniform" ? ["no routing"] : []),
    ...(pins.length > 0 ? [`${counted(pins.length, "coupling")} held`] : []),
  ];
  return `${capitalized(parts.join("; "))}.`;
}

/**
 * The capsules of the types that give the most.
 * @param {ArrayLike<number>} shares (types)
 * @param {number} count types
 * @param {number} cells capsules of one type
 * @returns {number[]} ascending
 */
export function strongestTypes(shares, count, cells) {
  const types = ranked(shares).slice(0, count);
  return types.flatMap((type) => capsulesOfType(type, cells)).sort((a, b) => a - b);
}

/**
 * @param {readonly number[]} capsules
 * @returns {Surgery} these silent, and nothing else changed
 */
export function silencing(capsules) {
  return { ...NO_SURGERY, silenced: capsules.toSorted((a, b) => a - b) };
}
