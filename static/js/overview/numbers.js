/**
 * The numbers behind the picture of the whole network.
 * @import { Flows } from "./flows.js"
 * @import { Scene } from "./types.js"
 * @import { Table } from "../lib/numbers.js"
 */
import { partName, scoresAt } from "./words.js";

/**
 * How present each class is and what flows, in every iteration; how strong each part of each
 * layer is.
 * @param {Scene} scene @param {Flows | null} flows
 * @returns {Table[]}
 */
export function tablesOf(scene, flows) {
  const { names, measure, steps, before, columns } = scene;
  const iterations = Array.from({ length: steps }, (_, step) => step);
  const named = (/** @type {string} */ what) =>
    iterations.map((step) => (steps > 1 ? `${what}, iteration ${step + 1}` : what));
  const scores = iterations.map((step) => scoresAt(scene, step));
  const intact = before && scoresAt(before, before.steps - 1);
  return [
    {
      title: `the classes: ${measure}`,
      head: ["class", ...named(measure), ...(intact ? [`${measure}, unchanged`] : [])],
      rows: names.map((name, k) => [
        ...[name, ...scores.map((each) => each[k])],
        ...(intact ? [intact[k]] : []),
      ]),
    },
    ...(flows?.levels ?? []).map(({ column }, level) => {
      const outs = iterations.map((step) => flows?.at(step).outs[level]);
      const { parts = 0, above = 0 } = outs[0] ?? {};
      return {
        title: `what flows from ${column.title}`,
        head: ["from", "to", ...named("amount")],
        rows: Array.from({ length: parts * above }, (_, at) => [
          partName(/** @type {Flows} */ (flows), level, Math.floor(at / above), names),
          partName(/** @type {Flows} */ (flows), level + 1, at % above, names),
          ...outs.map((out) => out?.all[at] ?? Number.NaN),
        ]),
      };
    }),
    ...columns.map(({ title, one, strength }) => ({
      title: `${title}: how strong each ${one} is`,
      head: [one, "strength"],
      rows: Array.from(strength, (value, part) => [part, value]),
    })),
  ];
}
