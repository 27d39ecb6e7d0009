/**
 * The units of two images: which are active, and which differ the most.
 * @import { ComparedPanel } from "../types.js"
 * @import { DenseState } from "./types.js"
 */
import { pairs, trio } from "../../draw/compared.js";
import { ranked, reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { unitsAcross } from "./units.js";

const LISTED = 16; // units

/** @type {ComparedPanel<DenseState>} */
const units = {
  id: "units",
  title: "The hidden units, after ReLU",
  line: (scene) => activeWords(countActive(...valuesOf(scene))),
  picture(scene) {
    const values = valuesOf(scene);
    const cells = { count: values[0].length, rows: 1, columns: 1, gap: 0 };
    return trio({
      ...{ label: "Values of all hidden units", values, unit: "value after ReLU" },
      layout: { ...cells, across: unitsAcross(cells, false) },
      scale: sequential(0, largestIn(values)),
    });
  },
};

/** @type {ComparedPanel<DenseState>} */
const different = {
  id: "unit-rows",
  look: "compare-tall",
  title: (scene) => `The ${differentIn(scene).length} units that differ the most`,
  picture(scene) {
    const values = valuesOf(scene);
    const listed = differentIn(scene);
    return pairs({
      ...{ caption: "Hidden units that differ the most", of: "unit" },
      names: listed.map(String),
      values: pick(values, listed),
      most: largestIn(values),
    });
  },
};

export const panelsOf = () => [units, different];

/**
 * @param {Parameters<typeof units.picture>[0]} scene
 * @returns {[Float32Array, Float32Array]} kept, shown
 */
const valuesOf = ({ keptTrace, trace }) => [
  keptTrace.tensors.values.data,
  trace.tensors.values.data,
];

/** @param {readonly Float32Array[]} values */
const largestIn = (values) => Math.max(...values.map(reach)) || 1;

/**
 * @param {[Float32Array, Float32Array]} values @param {readonly number[]} units
 * @returns {[number[], number[]]}
 */
const pick = ([kept, shown], units) => [
  units.map((unit) => kept[unit]),
  units.map((unit) => shown[unit]),
];

/** @param {Parameters<typeof units.picture>[0]} scene */
const differentIn = (scene) => mostDifferent(...valuesOf(scene), LISTED);

/**
 * @param {ArrayLike<number>} kept units after ReLU
 * @param {ArrayLike<number>} shown
 * @returns {{ both: number, kept: number, shown: number, none: number }} how many are
 *   above 0 for both images, for one alone, for none
 */
export function countActive(kept, shown) {
  const counts = { both: 0, kept: 0, shown: 0, none: 0 };
  for (let unit = 0; unit < kept.length; unit++) {
    const [was, is] = [kept[unit] > 0, shown[unit] > 0];
    counts[was && is ? "both" : was ? "kept" : is ? "shown" : "none"]++;
  }
  return counts;
}

/**
 * @param {ArrayLike<number>} kept @param {ArrayLike<number>} shown
 * @param {number} count
 * @returns {number[]} the units whose values differ the most, those first
 */
export function mostDifferent(kept, shown, count) {
  const differences = Array.from(shown, (value, i) => Math.abs(value - kept[i]));
  return ranked(differences).slice(0, count);
}

/** @param {ReturnType<typeof countActive>} counts */
export function activeWords({ both, kept, shown, none }) {
  const units = both + kept + shown + none;
  return `Of ${units} units, ${both} ${both === 1 ? "is" : "are"} above 0 for both images, ${kept} for the kept image only, ${shown} for the shown one only, and ${none} for neither.`;
}
