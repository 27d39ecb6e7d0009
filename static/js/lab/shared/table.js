/**
 * A curve's numbers, for a table.
 * @import { Numbers } from "../../ui/tables.js"
 * @import { Band, CurveData } from "./curve.js"
 */
import { fixed } from "../../lib/format.js";

const SAME = 1e-6; // values of a knob that differ by less

/**
 * What a curve shows, as numbers.
 * @param {CurveData} data
 * @param {readonly Band[]} bands behind its lines, as far as they were measured
 * @returns {Numbers}
 */
export function curveNumbers({ axis, score, knobs, shares, second }, bands) {
  const lines = [{ title: score, shares }, ...(second ? [second] : [])];
  return {
    heads: [axis.title, ...[...lines, ...bands].map(({ title }) => title)],
    rows: knobs.map((knob, i) => [
      fixed(knob, axis.decimals),
      ...lines.map((line) => (line.shares ? fixed(line.shares[i], 2) : "…")),
      ...bands.map(({ values, shares: found, words }) => {
        const place = values.findIndex((value) => Math.abs(value - knob) < SAME);
        return place < 0 ? "–" : words(found[place]);
      }),
    ]),
  };
}
