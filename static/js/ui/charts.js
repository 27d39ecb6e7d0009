/**
 * Small charts of values over steps.
 */

import { axesIn, linePoints, placeOn, valueOn } from "../geometry/curves.js";
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
  let axes = axesOf(1, PLACE, 0, 1);
  /** @type {readonly Line[]} */
  let shown = [];

  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * SIZE.width;
    choose(Math.round(valueOn(axes.x, x)));
  });

  return {
    /**
     * @param {readonly Line[]} next those set off last, to lie on top
     * @param {readonly number[]} ticks of the values' axis, lowest first
     */
    show(next, ticks) {
      shown = next;
      const count = next[0].values.length;
      axes = axesOf(count, PLACE, ticks[0], ticks[ticks.length - 1]);
      const decimals = tickDecimals(ticks);
      fit(levels, ticks.length, () => levelMark());
      ticks.forEach((tick, i) => {
        const y = placeOn(axes.y, tick);
        const [line, text] = levels.children[i].children;
        setAll(/** @type {SVGElement} */ (line), { y1: y, y2: y });
        setAll(/** @type {SVGElement} */ (text), { y });
        text.textContent = fixed(tick, decimals);
      });
      fit(steps, count, () => svg("text", { y: PLACE.bottom + 15, class: "tick" }));
      for (let i = 0; i < count; i++) {
        setAll(child(steps, i), { x: placeOn(axes.x, i) });
        steps.children[i].textContent = String(i + 1);
      }
      fit(lines, next.length, () => svg("polyline"));
      fit(dots, next.length, () => svg("circle", { r: 3.5 }));
      next.forEach(({ values, look }, i) => {
        setAll(child(lines, i), {
          points: linePoints(axes, [...values.keys()], values, 2),
          class: `curve ${look}`,
        });
        setAll(child(dots, i), { class: `curve-point ${look}` });
      });
    },

    /** @param {number} step 0 first */
    mark(step) {
      const x = placeOn(axes.x, step);
      setAll(now, { x1: x, x2: x });
      shown.forEach(({ values }, i) => {
        setAll(child(dots, i), { cx: x, cy: placeOn(axes.y, values[step]) });
      });
      [...steps.children].forEach((each, i) => {
        each.classList.toggle("is-shown", i === step);
      });
    },
  };
}

/**
 * The axes of values over steps.
 * @param {number} count of steps @param {typeof PLACE} frame
 * @param {number} low @param {number} high
 */
const axesOf = (count, frame, low, high) =>
  axesIn(frame, { low: 0, high: count - 1 }, { low, high });

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
};

/**
 * A line the size of a word: how one value went from step to step.
 * @param {readonly number[]} values in 0..1, at least one
 * @returns {SVGSVGElement}
 */
export function sparkline(values) {
  const axes = axesOf(values.length, FRAME, 0, 1);
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "sparkline",
    "aria-hidden": "true",
  });
  const line = svg("polyline", {
    points: linePoints(axes, [...values.keys()], values, 2),
  });
  const base = svg("line", {
    x1: FRAME.left,
    x2: FRAME.right,
    y1: FRAME.bottom,
    y2: FRAME.bottom,
  });
  const dots = values.map((value, i) => {
    const isLast = i === values.length - 1;
    return svg("circle", {
      cx: placeOn(axes.x, i),
      cy: placeOn(axes.y, value),
      r: isLast ? 2.6 : 1.6,
    });
  });
  picture.append(base, line, ...dots);
  return picture;
}
