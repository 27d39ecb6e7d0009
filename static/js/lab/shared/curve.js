/**
 * This digit's score over the knob, a thin bright line, before the share of test images that
 * are read right, a band. The knob's place is marked; a click or a key goes elsewhere.
 * @import { Axes } from "../../geometry/curves.js"
 * @import { Measurement } from "../../types.js"
 */

import {
  areaPoints,
  axesIn,
  linePoints,
  placeOn,
  valueOn,
} from "../../geometry/curves.js";
import { clamp } from "../../lib/arithmetic.js";
import { tickDecimals } from "../../lib/decimals.js";
import { fixed, percent } from "../../lib/format.js";
import { hasModifier, listenToDrag } from "../../ui/controls.js";
import { make, setAll, setAria, setText, svg } from "../../ui/dom.js";
import { numberTable } from "../../ui/tables.js";
import { curveNumbers } from "./table.js";
import { measuredWords } from "./words.js";

const HEIGHT = 118;
const LEVELS = [0, 0.5, 1];

/**
 * What the knob is, for axis and keys.
 * @typedef {object} Axis
 * @property {string} title such as "Turn, °"
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
 * @property {Omit<Band, "values">} [band] in place of the share of test images read right
 * @property {Second} [second] another line, dashed, and what was measured of its kind
 * @property {string} [words] below the curve; absent: of a share of test images
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
 * @property {Measurement | null} test
 * @property {string} tested what was measured, in the table
 */

/**
 * What stands behind the lines, each where it was measured.
 * @param {CurveData} data
 * @returns {{ first: Band | null, second: Band | null }}
 */
function bandsOf({ test, band, second }) {
  const { title = "test images read right", ...own } = band ?? {};
  return {
    first: test && { ...accuracyBand(test, title), ...own },
    second: second?.test ? accuracyBand(second.test, second.tested) : null,
  };
}

/** @param {Measurement} test @param {string} title @returns {Band} */
function accuracyBand({ values, accuracy }, title) {
  return { values, shares: accuracy, title, words: (share) => percent(share, 1) };
}

/**
 * @param {HTMLElement} root filled
 * @param {(value: number) => void} choose
 */
export function mountCurve(root, choose) {
  const { handle, words, table, draw, drawMark } = createPicture(root);
  /** @type {CurveData | null} */
  let data = null;
  let knob = 0;
  let isOnCurve = true;
  let width = 320;

  const axesNow = (/** @type {Axis} */ { low, high }) => {
    const frame = { left: 34, right: width - 18, top: 8, bottom: HEIGHT - 24 };
    return axesIn(frame, { low, high }, { low: 0, high: 1 });
  };
  function showMark() {
    if (data === null) return;
    drawMark(axesNow(data.axis), isOnCurve ? knob : null);
    setAria(handle, {
      "aria-valuenow": String(knob),
      "aria-valuetext": fixed(knob, data.axis.decimals),
    });
  }
  function show() {
    if (data === null) return;
    draw(data, axesNow(data.axis), width);
    showMark();
  }

  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === 0) return;
    width = contentRect.width;
    show();
  }).observe(handle);

  listenToDrag(handle, (event) => {
    goTo(event);
    return goTo;
  });
  /** @param {PointerEvent} event */
  function goTo(event) {
    if (data === null) return;
    const { axis } = data;
    const x = event.clientX - handle.getBoundingClientRect().left;
    choose(rounded(valueOn(axesNow(axis).x, x), axis.step));
  }
  handle.addEventListener("keydown", (event) => {
    const next = data && steppedTo(event.key, knob, data.axis);
    if (next === null || hasModifier(event)) return;
    event.preventDefault();
    choose(next);
  });

  return {
    /** @param {CurveData} next */
    show(next) {
      data = next;
      const { axis, score, test } = next;
      setAria(handle, {
        "aria-label": `${axis.title}: ${score}`,
        "aria-valuemin": String(axis.low),
        "aria-valuemax": String(axis.high),
      });
      setText(words, next.words ?? measuredWords(score, test));
      const { first, second } = bandsOf(next);
      const bands = [first, second].filter((each) => each !== null);
      table.show(() => curveNumbers(next, bands));
      show();
    },

    /** @param {number | null} value of the knob; null where it is nowhere on the curve */
    mark(value) {
      knob = value ?? knob;
      isOnCurve = value !== null;
      showMark();
    },
  };
}

/** @param {HTMLElement} root filled with the words, the picture and its table */
function createPicture(root) {
  const picture = svg("svg", { "aria-hidden": "true" });
  const [grid, ticks] = [svg("g"), svg("g")];
  const band = svg("polygon", { class: "lab-band" });
  const edge = svg("polyline", { class: "lab-band-edge" });
  const edgeOfSecond = svg("polyline", { class: "lab-band-edge is-second" });
  const line = svg("polyline", { class: "lab-line" });
  const second = svg("polyline", { class: "lab-line is-second" });
  const mark = svg("line", { class: "lab-mark" });
  picture.append(grid, band, edge, edgeOfSecond, line, second, mark, ticks);
  const handle = make("div", { class: "lab-curve", role: "slider" }, picture);
  handle.tabIndex = 0;
  const words = make("p", "fine lab-curve-words");
  const table = numberTable();
  root.append(words, handle, table.element);

  return {
    ...{ handle, words, table },

    /** @param {CurveData} data @param {Axes} axes @param {number} width */
    draw(data, axes, width) {
      const { axis, knobs, shares } = data;
      setAll(picture, { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
      grid.replaceChildren(...LEVELS.flatMap((level) => levelMarks(axes, level)));
      ticks.replaceChildren(...axis.ticks.map((tick) => tickMark(axes, tick, axis)));
      const pointsOf = (/** @type {Pick<Band, "values" | "shares"> | null} */ found) =>
        found ? linePoints(axes, found.values, found.shares) : "";
      const { first, second: behind } = bandsOf(data);
      setAll(band, {
        points: first ? areaPoints(axes, first.values, first.shares) : "",
      });
      setAll(edge, { points: pointsOf(first) });
      setAll(edgeOfSecond, { points: pointsOf(behind) });
      setAll(line, { points: pointsOf(shares && { values: knobs, shares }) });
      const other = data.second?.shares;
      setAll(second, {
        points: pointsOf(other ? { values: knobs, shares: other } : null),
      });
    },

    /**
     * @param {Axes} axes
     * @param {number | null} knob null where it is nowhere on the curve
     */
    drawMark({ x: across, y }, knob) {
      mark.style.visibility = knob === null ? "hidden" : "visible";
      if (knob === null) return;
      const x = placeOn(across, clamp(knob, across.low, across.high));
      setAll(mark, { x1: x, x2: x, y1: y.to, y2: y.from });
    },
  };
}

/** @param {Axes} axes @param {number} tick @param {Axis} axis */
function tickMark({ x }, tick, { ticks }) {
  const place = { x: placeOn(x, tick), y: HEIGHT - 6, class: "tick" };
  return svg("text", place, fixed(tick, tick % 1 === 0 ? 0 : tickDecimals(ticks)));
}

/** @param {Axes} axes @param {number} level */
function levelMarks({ x, y: upward }, level) {
  const y = placeOn(upward, level);
  return [
    svg("line", { x1: x.from, x2: x.to, y1: y, y2: y, class: "grid-line" }),
    svg("text", { x: x.from - 6, y, class: "tick is-left" }, String(level)),
  ];
}

/** @param {number} value @param {number} step */
export function rounded(value, step) {
  return Number((Math.round(value / step) * step).toFixed(6));
}

/**
 * Where a key leads.
 * @param {string} key @param {number} value
 * @param {Pick<Axis, "low" | "high" | "step">} axis
 * @returns {number | null} null: nowhere
 */
export function steppedTo(key, value, { low, high, step }) {
  const large = Math.max(step, rounded((high - low) / 12, step));
  const by = {
    ArrowRight: step,
    ArrowUp: step,
    ArrowLeft: -step,
    ArrowDown: -step,
    PageUp: large,
    PageDown: -large,
    Home: low - value,
    End: high - value,
  }[key];
  if (by === undefined) return null;
  return clamp(Number((value + by).toFixed(6)), low, high);
}
