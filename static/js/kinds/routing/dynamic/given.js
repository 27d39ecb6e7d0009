/**
 * What the places below give to the classes: in numbers, with their units, and in words.
 * @import { DynamicScene as Scene } from "./types.js"
 */
import { largestOf, sum } from "../../../lib/arithmetic.js";
import { exactShare } from "../../../lib/decimals.js";
import { capitalized, fixed, percent } from "../../../lib/format.js";
import { inSentence, NONE } from "./ends.js";
import { rivalOf } from "./scene.js";
import { addsAndTakes } from "./sums.js";

/** @typedef {Scene["look"]["where"]} Mode */

/** A share that is nearer to an even one counts as even. */
const LEAST_SHARE = 0.001;

/**
 * What every place gives to one class.
 * @param {Pick<Scene, "figures" | "step" | "grid">} scene @param {number} classIndex
 * @returns {Float32Array} (rows, columns), a view and no copy
 */
export function evidenceFor({ figures, step, grid }, classIndex) {
  const cells = grid.rows * grid.columns;
  return figures.evidence(step).subarray(classIndex * cells, (classIndex + 1) * cells);
}

/**
 * What the picture can show.
 * @param {Pick<Scene, "ends" | "model">} scene
 * @returns {Mode[]}
 */
export const modesOf = ({ ends, model }) =>
  ends.length > model.classes ? ["for", "rather", "none"] : ["for", "rather"];

/**
 * What the picture shows: a link may ask for what this network has not.
 * @param {Pick<Scene, "look" | "ends" | "model">} scene
 */
export const whereIn = ({ look: { where }, ends, model }) =>
  modesOf({ ends, model }).includes(where) ? where : "for";

/** What the values of the places are. @type {Record<Mode, (scene: Scene) => string>} */
export const UNITS = {
  for: ({ name }) => `given to ‖s‖ of ${name}`,
  rather: (scene) => `${UNITS.for(scene)}, less that to ${rivalName(scene)}’s`,
  none: ({ ends }) =>
    `share of a place’s length for ${inSentence(NONE)}, beyond an even 1/${ends.length}`,
};

/**
 * What every place gives to the class in focus, or how much more than to the longest of
 * the others; or which share of its length none of the above takes, beyond an even one.
 * @param {Scene} scene @param {Mode} mode
 * @returns {Float32Array} (rows, columns)
 */
export function amountsOn(scene, mode) {
  if (mode === "none") return scene.figures.noneByPlace(scene.step);
  const mine = evidenceFor(scene, scene.classIndex);
  if (mode === "for") return mine;
  const rivals = evidenceFor(scene, rivalOf(scene, scene.step));
  return mine.map((value, i) => value - rivals[i]);
}

/** @param {Scene} scene */
export const rivalName = (scene) => scene.model.class_names[rivalOf(scene, scene.step)];

const EVIDENCE = (/** @type {Scene} */ { nouns }) =>
  `Every capsule’s contribution to a ${nouns.one}’s length can be computed exactly. Before squash, the capsule above is the sum of all votes, s = Σ c·û, so its length is ‖s‖ = Σ c·(û·v) ∕ ‖v‖: each capsule adds to it, or subtracts where it votes against the ${nouns.one}. The picture sums the contributions of all types at each place; all places together make ‖s‖. Capsules can respond to missing ink as well as to ink, so an empty place may contribute too.`;

/** @type {Record<Mode, (scene: Scene) => string>} */
export const HOW = {
  for: EVIDENCE,
  rather: EVIDENCE,
  none: ({ nouns }) =>
    `What goes to “none of the above” adds to no ${nouns.one}’s length. Its share of a place is Σ c·‖u‖ over Σ ‖u‖, for all types that stand there, with c their couplings to “none of the above”.`,
};

/**
 * @param {Pick<Scene, "figures" | "step" | "classIndex" | "grid" | "name">} scene
 * @returns {string} which place gives the class in focus the most
 */
export function findPlace({ figures, step, classIndex, grid, name }) {
  const evidence = evidenceFor({ figures, step, grid }, classIndex);
  const best = largestOf(evidence);
  const most = fixed(evidence[best], 2);
  if (evidence[best] < 0 || most === fixed(0, 2))
    return `No place gives ${name} as much as 0.005.`;
  const at = `row ${Math.floor(best / grid.columns)}, column ${best % grid.columns}`;
  return `Of ${evidence.length} places, ${at} gives ${name} the most: ${most} of ${fixed(sum(evidence), 2)} before squash.`;
}

/** @param {Scene} scene */
export function describePlaces(scene) {
  const { name, classIndex, grid, step } = scene;
  const lengthOf = (/** @type {number} */ each) =>
    fixed(scene.figures.before(step, each), 2);
  const mode = whereIn(scene);
  const isRather = mode === "rather";
  const sums = sumsInWords(amountsOn(scene, mode), grid.columns, isRather);
  const whole = `Before squash the capsule of ${name} is ${lengthOf(classIndex)} long`;
  if (!isRather) return `${whole}. ${sums}`;
  const other = rivalName(scene);
  return `${whole}, that of ${other} ${lengthOf(rivalOf(scene, step))}. Red places give more to ${name}, blue places more to ${other}. ${sums}`;
}

/** @param {number} share of a difference of shares */
export const points = (share) => `${fixed(100 * share, 1)} percentage points`;

/**
 * Where none of the above takes most, and least.
 * @param {Pick<Scene, "figures" | "step" | "grid" | "ends">} scene
 */
export function describeNone({ figures, step, grid, ends }) {
  const share = figures.none(step);
  if (Number.isNaN(share)) return "No capsule sends anything to any class.";
  const even = 1 / ends.length;
  const beyond = figures.noneByPlace(step);
  const [most, least] = [largestOf(beyond), largestOf(beyond.map((value) => -value))];
  const told = (/** @type {number} */ place) =>
    `${percent(beyond[place] + even, 1)}, at row ${Math.floor(place / grid.columns)}, column ${place % grid.columns}`;
  return [
    `“${capitalized(NONE)}” takes ${percent(share, 1)} of all capsule length; an even share is ${percent(even, 1)}.`,
    ...(beyond[most] >= LEAST_SHARE
      ? [`Its largest share of a place is ${told(most)}.`]
      : []),
    ...(beyond[least] <= -LEAST_SHARE
      ? [`Its smallest share of a place is ${told(least)}.`]
      : []),
  ].join(" ");
}

/**
 * What the places give and take.
 * @param {ArrayLike<number>} evidence of each place, row by row
 * @param {number} columns of the grid
 * @param {boolean} isRather the values are differences of two classes
 */
export function sumsInWords(evidence, columns, isRather) {
  const all = Array.from(evidence);
  const best = largestOf(all);
  const [adds, takes] = addsAndTakes(all);
  const what = isRather ? "the difference" : "it";
  const at = `row ${Math.floor(best / columns)}, column ${best % columns}`;
  const gives = `The places that add to ${what} give ${adds} in all; ${at} gives most, ${exactShare(all[best], 2)}.`;
  const against = `The places that take from ${what} take ${takes} in all.`;
  const told = [
    ...(all[best] > 0 ? [gives] : []),
    ...(all.some((each) => each < 0) ? [against] : []),
  ];
  return told.join(" ") || "No place gives or takes anything.";
}
