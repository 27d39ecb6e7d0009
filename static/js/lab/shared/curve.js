/**
 * This digit's score over the knob, a thin bright line, before the share of test images that
 * are read right, a band. The knob's place is marked; a click or a key goes elsewhere.
 * @import { Line } from "../../draw/plot.js"
 * @import { Content } from "../../ui/h.js"
 * @import { Values } from "../../ui/values.js"
 * @import { Measurement } from "../../types.js"
 */
import { plot } from "../../draw/plot.js";
import { tickDecimals } from "../../lib/decimals.js";
import { fixed, grouped, percent } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { fold, valuesTable } from "../../ui/values.js";

/**
 * What the knob is, for axis and keys.
 * @typedef {object} Axis
 * @property {string} title such as "Turn, °"
 * @property {string} [unit] with the space before it, such as " px"
 * @property {number} low
 * @property {number} high
 * @property {number} step of a key
 * @property {number} decimals
 * @property {readonly number[]} ticks
 */

/**
 * @typedef {object} CurveData
 * @property {Axis} axis
 * @property {string} score what the line shows, such as "length of 4"
 * @property {readonly number[]} knobs
 * @property {ArrayLike<number> | null} shares this digit's scores; null while they are on
 *   their way
 * @property {Measurement | null} test
 * @property {Partial<Band>} [band] in place of the share of test images read right
 * @property {Second} [second] another line, dashed
 * @property {Content} [more] beside the numbers
 * @property {string} [unmeasured] said where `test` is null
 * @property {readonly boolean[]} [isRead] where on the knob the network reads the class
 * @property {string} [read] that class
 */

/**
 * What is drawn behind the line.
 * @typedef {object} Band
 * @property {readonly number[]} values of the knob
 * @property {ArrayLike<number>} shares one for each value
 * @property {string} title
 * @property {(share: number) => string} words a share in the table
 */

/**
 * Another line over the same values of the knob.
 * @typedef {object} Second
 * @property {string} title in the table
 * @property {ArrayLike<number> | null} shares as of the first line
 */

const SAME = 1e-6; // values of a knob that differ by less
const SHARES = { low: 0, high: 1, ticks: [0, 0.5, 1], write: String };

/**
 * @param {CurveData} data
 * @param {number | null} at where the knob stands; null where it is nowhere on the curve
 * @param {(value: number) => void} choose
 */
export function curve(data, at, choose) {
  const { axis, score, knobs, isRead = [], read, test } = data;
  const { unmeasured = "Over this knob, no test images were measured." } = data;
  const { title, unit, low, high, step, ticks, decimals } = axis;
  /** @param {number} value */
  const write = (value) =>
    fixed(
      value,
      value % 1 === 0 ? 0 : ticks.includes(value) ? tickDecimals(ticks) : decimals,
    );
  const starts = knobs.filter((_, i) => isRead[i] && !isRead[i - 1]);
  const ends = knobs.filter((_, i) => isRead[i] && !isRead[i + 1]);
  const note = test === null && unmeasured;
  return [
    plot(linesOf(data), {
      ...{ label: `${title}: ${score}`, at, choose, step, y: SHARES },
      x: { low, high, ticks, write, unit },
      spans: starts.map((from, i) => ({ from, to: ends[i] })),
      spansName: read && `read as ${read}`,
    }),
    note && h("p", { class: "fine" }, note),
    fold("Numbers", () => [data.more, valuesTable(curveNumbers(data))], {
      class: "numbers",
    }),
  ];
}

/** What was measured, behind the lines. @param {CurveData} data @returns {Band | null} */
function bandOf({ test, band }) {
  if (test === null) return null;
  return {
    ...{ values: test.values, shares: test.accuracy },
    title: `${grouped(test.images)} test images read right`,
    words: (share) => percent(share, 1),
    ...band,
  };
}

/** @param {number} value */
const plain = (value) => fixed(value, 2);

/** @param {CurveData} data @returns {Line[]} those on top last */
export function linesOf(data) {
  const { score, knobs, shares, second } = data;
  const band = bandOf(data);
  /** @param {ArrayLike<number> | null | undefined} y @param {string} name @param {string} look */
  const own = (y, name, look) => (y ? [{ x: knobs, y, name, look, write: plain }] : []);
  const area = band && {
    ...{ x: band.values, y: band.shares, name: band.title, write: band.words },
    look: "is-measured",
  };
  return [
    ...(area
      ? [
          { ...area, as: /** @type {const} */ ("area") },
          { ...area, name: "" },
        ]
      : []),
    ...own(shares, score, "is-own"),
    ...own(second?.shares, second?.title ?? "", "is-own is-second"),
  ];
}

/**
 * What a curve shows, as numbers; what is on its way or was not measured, as none.
 * @param {CurveData} data @returns {Values}
 */
export function curveNumbers(data) {
  const { axis, score, knobs, shares, second } = data;
  const none = knobs.map(() => Number.NaN);
  const lines = [{ title: score, shares }, ...(second ? [second] : [])];
  const band = bandOf(data);
  return {
    of: axis.title,
    names: knobs.map((knob) => fixed(knob, axis.decimals)),
    columns: [
      ...lines.map(
        (line) => /** @type {const} */ ([line.title, line.shares ?? none, plain]),
      ),
      ...(band ? [band] : []).map((band) => {
        const found = knobs.map((knob) => {
          const place = band.values.findIndex((value) => Math.abs(value - knob) < SAME);
          return place < 0 ? Number.NaN : band.shares[place];
        });
        return /** @type {const} */ ([band.title, found, band.words]);
      }),
    ],
  };
}
