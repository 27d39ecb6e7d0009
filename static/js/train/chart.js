/**
 * How a figure of one or two runs went, on a logarithmic axis, over images or seconds. The
 * moment on show is marked; a click goes to another.
 */
import { plot } from "../draw/plot.js";
import { logTicks } from "../geometry/curves.js";
import { ticksTo } from "../lib/decimals.js";
import { grouped, percent } from "../lib/format.js";

const STEPS = 6; // about so many ticks over images or seconds

/** Shares of misread images, as a chart has them. */
export const MISREAD = {
  least: 0.001,
  most: 1,
  tick: (/** @type {number} */ share) => percent(share, share < 0.01 ? 1 : 0),
};

/**
 * @typedef {object} Line
 * @property {readonly { x: number, y: number }[]} points y: 0 or more
 * @property {string} look class names
 * @property {string} name in the legend
 * @property {boolean} [hasDots] whether each point is shown
 */

/**
 * @typedef {object} Chart
 * @property {readonly Line[]} lines
 * @property {number} end of the axis of x, at least
 * @property {string} over what x is, such as "images"
 * @property {(value: number) => string} tick a value at the axis of y
 * @property {number} least the axis of y goes no lower, but for 0
 * @property {number} [most] nor higher
 * @property {string} label what the picture shows, for those who do not see it
 * @property {number | null} at the moment on show
 * @property {(x: number) => void} choose told of a click, in the axis's own unit
 * @property {(x: number | null) => void} [point] told where the pointer is
 */

/** @param {Chart} chart */
export function chart({ lines, least, most, end, over, tick, ...look }) {
  const drawn = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const { levels, zero } = levelsOf(drawn, { least, most });
  const steps = ticksTo(end, STEPS);
  const [first, last] = [levels[0], levels[levels.length - 1]];
  const all = lines.flatMap(({ points, look, name, hasDots }) => {
    const [x, y] = [points.map((point) => point.x), points.map((point) => point.y)];
    const line = { x, y, look: `is-own ${look}`.trim() };
    const dots = /** @type {const} */ ({ ...line, as: "dots" });
    return [{ ...line, name }, ...(hasDots ? [dots] : [])];
  });
  const x = { low: 0, high: steps[steps.length - 1], ticks: steps };
  const write = (/** @type {number} */ level) => (level === zero ? "0" : tick(level));
  const y = { low: first, high: last, ticks: levels, isLog: true, write };
  const axes = { x: { ...x, title: over, write: grouped }, y };
  return plot(all, { ...look, ...axes, isSilent: true, height: 168 });
}

/**
 * The levels of a logarithmic axis. 0 has none: where it occurs, it stands at the lowest.
 * @param {readonly number[]} values 0 or more
 * @param {Pick<Chart, "least" | "most">} ends
 */
export function levelsOf(values, { least, most }) {
  const above = values.filter((value) => value > 0);
  const lowest = Math.max(least, Math.min(most ? most / 10 : 1, ...above));
  const levels = logTicks(lowest, Math.max(most ?? lowest, ...above));
  if (!values.includes(0)) return { levels, zero: null };
  const [zero] = logTicks(levels[0] / 2, levels[0]);
  return { levels: [zero, ...levels], zero };
}
