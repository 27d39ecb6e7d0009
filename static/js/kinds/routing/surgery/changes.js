/**
 * Interventions in routing, as values and in words: which capsules are silent, whether
 * anything is routed at all, which couplings are held.
 * @import { Tensor } from "../../../types.js"
 * @import { Experiment, Intact, Pin, Surgery } from "../types.js"
 */
import { ranked } from "../../../lib/arithmetic.js";
import { capitalized, counted, fixed, listed } from "../../../lib/format.js";

/** @type {Surgery} */
export const NO_SURGERY = { silenced: [], routing: "agreement", pins: [] };

/** So many couplings can be held at once, those of a whole type as one: a link has to carry them. */
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
 * @param {readonly Pin[]} pins replace those that their capsules had
 * @returns {Surgery}
 */
export function withPins(surgery, pins) {
  const others = withoutPins(
    surgery,
    pins.map(({ capsule }) => capsule),
  );
  return { ...surgery, pins: [...others.pins, ...pins] };
}

/** @param {Surgery} surgery @param {readonly number[]} capsules @returns {Surgery} */
export function withoutPins(surgery, capsules) {
  const freed = new Set(capsules);
  return {
    ...surgery,
    pins: surgery.pins.filter(({ capsule }) => !freed.has(capsule)),
  };
}

/**
 * Couplings that are held in one: those of a whole type to one class, or a single one.
 * @typedef {object} Held
 * @property {number | null} type null: a single capsule
 * @property {readonly number[]} capsules
 * @property {number} classIndex
 * @property {number} coupling
 */

/**
 * @param {readonly Pin[]} pins @param {number} cells capsules of one type
 * @returns {Held[]} in the order of their first
 */
export function heldIn(pins, cells) {
  const keyOf = (/** @type {Pin} */ { capsule, classIndex, coupling }) =>
    `${Math.floor(capsule / cells)} ${classIndex} ${coupling}`;
  /** @type {Map<string, Pin[]>} */
  const alike = new Map();
  for (const pin of pins)
    alike.set(keyOf(pin), [...(alike.get(keyOf(pin)) ?? []), pin]);
  return [...alike.values()].flatMap((some) => {
    const [{ capsule, classIndex, coupling }] = some;
    const capsules = some.map((pin) => pin.capsule);
    const isWhole = cells > 1 && some.length === cells;
    const type = isWhole ? Math.floor(capsule / cells) : null;
    const all = isWhole ? [capsules] : capsules.map((capsule) => [capsule]);
    return all.map((list) => ({ type, capsules: list, classIndex, coupling }));
  });
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
 * What surgery is told by.
 * @typedef {object} Told
 * @property {number} types
 * @property {number} cells capsules of each
 * @property {readonly string[]} names of the classes
 * @property {string} [one] what is silenced, where that is neither a type nor a capsule
 */

/**
 * @param {Surgery} surgery @param {Told} sizes
 * @returns {string} such as "Types 3 and 18 and 3 capsules are silent; no routing."
 */
export function surgeryInWords(surgery, sizes) {
  if (isIntact(surgery)) return "Nothing is changed.";
  return `${capitalized(partsInWords(surgery, sizes).join("; "))}.`;
}

/**
 * What one surgery changes in another, to name the step between the two.
 * @param {Surgery} before @param {Surgery} after @param {Told} sizes
 * @returns {string} such as "type 18 silent"
 */
export function changeInWords(before, after, sizes) {
  if (isIntact(after)) return "all back";
  const added = after.silenced.filter((capsule) => !before.silenced.includes(capsule));
  const freed = before.silenced.filter((capsule) => !after.silenced.includes(capsule));
  const held = after.pins.filter((pin) => !before.pins.includes(pin));
  const routing = after.routing === "uniform" ? "no routing" : "routing again";
  const parts = [
    ...(before.routing === after.routing ? [] : [routing]),
    ...(added.length > 0
      ? [`${listed(silentInWords(added, sizes).names)} silent`]
      : []),
    ...(freed.length > 0
      ? [`${listed(silentInWords(freed, sizes).names)} speaking again`]
      : []),
    ...(held.length > 0
      ? [listed(heldIn(held, sizes.cells).map((pins) => heldInWords(pins, sizes)))]
      : []),
  ];
  return parts.length > 0 ? parts.join("; ") : "couplings let go";
}

/** @param {Surgery} surgery @param {Told} sizes @returns {string[]} */
function partsInWords({ silenced, routing, pins }, sizes) {
  const { names, isOne } = silentInWords(silenced, sizes);
  const held = heldIn(pins, sizes.cells);
  return [
    ...(names.length > 0 ? [`${listed(names)} ${isOne ? "is" : "are"} silent`] : []),
    ...(routing === "uniform" ? ["no routing"] : []),
    ...(held.length > NAMED
      ? [`${counted(held.length, "coupling")} held`]
      : held.map((hold) => heldInWords(hold, sizes))),
  ];
}

const NAMED = 3; // more are counted

/**
 * @param {readonly number[]} silenced @param {Told} told
 * @returns {{ names: string[], isOne: boolean }} whole types by their numbers, if they are few
 */
function silentInWords(silenced, { types, cells, one: noun = nounOf(cells) }) {
  const counts = silentByType(silenced, types, cells);
  const whole = [...counts.keys()].filter((type) => counts[type] === cells);
  const single = silenced.length - whole.length * cells;
  const named =
    whole.length > NAMED
      ? counted(whole.length, noun)
      : `${noun}${whole.length > 1 ? "s" : ""} ${listed(whole.map(String))}`;
  return {
    names: [
      ...(whole.length > 0 ? [named] : []),
      ...(single > 0 ? [counted(single, "capsule")] : []),
    ],
    isOne: whole.length + single === 1,
  };
}

const nounOf = (/** @type {number} */ cells) => (cells === 1 ? "capsule" : "type");

/** @param {Held} held @param {Told} told */
function heldInWords({ type, capsules, classIndex, coupling }, { cells, names }) {
  const giver = `${type === null ? "capsule" : "type"} ${type ?? capsules[0]}`;
  const many = type === null || cells === 1 ? "coupling" : "couplings";
  const isEven = Math.abs(coupling - 1 / names.length) < EVEN;
  const how = isEven ? `even (${fixed(coupling, 2)})` : `held at ${fixed(coupling, 2)}`;
  return `${many} of ${giver} to ${names[classIndex]} ${how}`;
}

const EVEN = 0.005; // what a link rounds away

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

/**
 * One capsule that gives all to a rival.
 * @param {Intact["rival"]} rival @param {number} capsule @returns {Experiment}
 */
export const givingTo = ({ name, classIndex }, capsule) => ({
  name: `Give one capsule to ${name}`,
  question: "The chosen capsule sends everything there. Can one capsule decide?",
  surgery: { ...NO_SURGERY, pins: [{ capsule, classIndex, coupling: 1 }] },
});
