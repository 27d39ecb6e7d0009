/**
 * Small charts of values over steps.
 * @import { Frame } from "../geometry/curves.js"
 */

import { linePoints, stepX, valueY } from "../geometry/curves.js";
import { clamp } from "../lib/arithmetic.js";
import { tickDecimals } from "../lib/decimals.js";
import { fixed } from "../lib/format.js";
import { setAll, svg } from "./dom.js";

const SIZE = { width: 186, height: 112 };
const PLACE = { left: 46, right: 178, top: 8, bottom: 90 };

/**
 * @typedef {object} Line
 * @property {readonly number[]} values one for each iteration
 * @property {string} look class names
 */

/**
 * A small chart of values over the iterations: thin lines, one of them or more set off,
 * and a mark at the iteration on show.
 * @param {SVGSVGElement} picture filled once
 * @param {(step: number) => void} choose on a click; 0 first
 */
export function smallChart(picture, choose) {
  const [levels, steps, lines, dots] = ["g", "g", "g", "g"].map((name) =>
    svg(/** @type {"g"} */ (name)),
  );
  const now = svg("line", { class: "now-line", y1: PLACE.top, y2: PLACE.bottom });
  setAll(picture, { viewBox: `0 0 ${SIZE.width} ${SIZE.height}` });
  picture.append(levels, now, lines, dots, steps);
  /** @type {Frame} */
  let frame = { ...PLACE, low: 0, high: 1 };
  /** @type {readonly Line[]} */
  let shown = [];
  let count = 1;

  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * SIZE.width;
    const share = (x - PLACE.left) / (PLACE.right - PLACE.left);
    choose(clamp(Math.round(share * (count - 1)), 0, count - 1));
  });

  return {
    /**
     * @param {readonly Line[]} next those set off last, to lie on top
     * @param {readonly number[]} ticks of the values' axis, lowest first
     */
    show(next, ticks) {
      shown = next;
      count = next[0].values.length;
      frame = { ...PLACE, low: ticks[0], high: ticks[ticks.length - 1] };
      const decimals = tickDecimals(ticks);
      fit(levels, ticks.length, () => levelMark());
      ticks.forEach((tick, i) => {
        const y = valueY(tick, frame);
        const [line, text] = levels.children[i].children;
        setAll(/** @type {SVGElement} */ (line), { y1: y, y2: y });
        setAll(/** @type {SVGElement} */ (text), { y });
        text.textContent = fixed(tick, decimals);
      });
      fit(steps, count, () => svg("text", { y: PLACE.bottom + 15, class: "tick" }));
      for (let i = 0; i < count; i++) {
        setAll(child(steps, i), { x: stepX(i, count, frame) });
        steps.children[i].textContent = String(i + 1);
      }
      fit(lines, next.length, () => svg("polyline"));
      fit(dots, next.length, () => svg("circle", { r: 3.5 }));
      next.forEach(({ values, look }, i) => {
        setAll(child(lines, i), {
          points: linePoints(values, frame),
          class: `curve ${look}`,
        });
        setAll(child(dots, i), { class: `curve-point ${look}` });
      });
    },

    /** @param {number} step 0 first */
    mark(step) {
      const x = stepX(step, count, frame);
      setAll(now, { x1: x, x2: x });
      shown.forEach(({ values }, i) => {
        setAll(child(dots, i), { cx: x, cy: valueY(values[step], frame) });
      });
      for (let i = 0; i < count; i++)
        steps.children[i].classList.toggle("is-shown", i === step);
    },
  };
}

/** @param {SVGElement} group @param {number} i */
function child(group, i) {
  return /** @type {SVGElement} */ (group.children[i]);
}

function levelMark() {
  const mark = svg("g");
  mark.append(
    svg("line", { x1: PLACE.left, x2: PLACE.right, class: "grid-line" }),
    svg("text", { x: PLACE.left - 5, class: "tick is-left" }),
  );
  return mark;
}

/** @param {SVGGElement} group @param {number} count @param {() => SVGElement} make */
function fit(group, count, make) {
  while (group.childElementCount > count) group.lastElementChild?.remove();
  while (group.childElementCount < count) group.append(make());
}

/** Sizes in the picture's own units; CSS gives it its extent. */
const WIDTH = 96;
const HEIGHT = 24;
const FRAME = {
  left: 4,
  right: WIDTH - 4,
  top: 3,
  bottom: HEIGHT - 3,
  low: 0,
  high: 1,
};

/**
 * A line the size of a word: how one value went from step to step.
 * @param {readonly number[]} values in 0..1, at least one
 * @returns {SVGSVGElement}
 */
export function sparkline(values) {
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "sparkline",
    "aria-hidden": "true",
  });
  const line = svg("polyline", { points: linePoints(values, FRAME) });
  const base = svg("line", {
    x1: FRAME.left,
    x2: FRAME.right,
    y1: FRAME.bottom,
    y2: FRAME.bottom,
  });
  const dots = values.map((value, i) => {
    const isLast = i === values.length - 1;
    return svg("circle", {
      cx: stepX(i, values.length, FRAME),
      cy: valueY(value, FRAME),
      r: isLast ? 2.6 : 1.6,
    });
  });
  picture.append(base, line, ...dots);
  return picture;
}
