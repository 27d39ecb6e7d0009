/**
 * How a figure of one or two runs went, on a logarithmic axis, over images or seconds. The
 * moment on show is marked; a click goes to another.
 * @import { Axes } from "../geometry/curves.js"
 */
import { axesIn, linePoints, logTicks, placeOn, valueOn } from "../geometry/curves.js";
import { clamp } from "../lib/arithmetic.js";
import { ticksTo } from "../lib/decimals.js";
import { grouped } from "../lib/format.js";
import { make, setAll, svg } from "../ui/dom.js";

const HEIGHT = 168;

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
 * @property {number} least the axis of y goes no lower
 * @property {string} words what the picture shows, for those who do not see it
 */

/**
 * @param {HTMLElement} root filled
 * @param {(x: number) => void} choose told of a click, in the axis's own unit
 * @param {(x: number | null) => void} point told where the pointer is
 */
export function createChart(root, choose, point) {
  const picture = svg("svg", { role: "img" });
  const [levels, times, lines] = [svg("g"), svg("g"), svg("g")];
  const mark = svg("line", { class: "train-mark" });
  picture.append(levels, times, lines, mark);
  const legend = make("p", "train-legend fine");
  root.append(legend, picture);
  let width = 480;
  /** @type {Chart | null} */
  let shown = null;
  /** @type {number | null} */
  let at = null;

  /**
   * @param {number} end of the axis of x
   * @param {readonly number[]} ticks of the axis of y
   */
  const axesOf = (end, ticks) =>
    axesIn(
      { left: 46, right: width - 24, top: 8, bottom: HEIGHT - 36 },
      { low: 0, high: end },
      { low: ticks[0], high: ticks[ticks.length - 1], isLog: true },
    );
  let axes = axesOf(1, [0.1, 1]);
  /** @param {MouseEvent} event */
  const valueAt = ({ clientX }) =>
    valueOn(axes.x, clientX - picture.getBoundingClientRect().left);

  function draw() {
    if (shown === null) return;
    const all = shown.lines.flatMap(({ points }) => points.map(({ y }) => y));
    const { least } = shown;
    const drawn = all.filter((value) => value > 0);
    const lowest = Math.max(least, Math.min(1, ...drawn));
    const ticks = logTicks(lowest, Math.max(lowest, ...drawn));
    const steps = ticksTo(shown.end, width < 420 ? 3 : 6);
    axes = axesOf(steps[steps.length - 1], ticks);
    const { from, to } = axes.x;
    setAll(picture, { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
    picture.setAttribute("aria-label", shown.words);
    levels.replaceChildren(...ticks.flatMap((tick) => levelMarks(tick, axes, shown)));
    times.replaceChildren(
      ...steps.map((step) =>
        svg(
          "text",
          { x: placeOn(axes.x, step), y: HEIGHT - 20, class: "tick" },
          grouped(step),
        ),
      ),
      svg("text", { x: (from + to) / 2, y: HEIGHT - 4, class: "tick" }, shown.over),
    );
    lines.replaceChildren(
      ...shown.lines.map(({ points, look, hasDots }) => {
        const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
        const line = svg("polyline", {
          points: linePoints(axes, xs, ys),
          class: "curve",
        });
        const dots = (hasDots ? points : []).map(({ x, y }) =>
          svg("circle", { cx: placeOn(axes.x, x), cy: placeOn(axes.y, y), r: 2.4 }),
        );
        const group = svg("g", { class: look });
        group.append(line, ...dots);
        return group;
      }),
    );
    legend.replaceChildren(
      ...shown.lines.map(({ name, look }) => make("span", "", make("i", look), name)),
    );
    drawMark();
  }

  function drawMark() {
    mark.style.visibility = at === null ? "hidden" : "visible";
    const x = placeOn(axes.x, clamp(at ?? 0, 0, axes.x.high));
    setAll(mark, { x1: x, x2: x, y1: axes.y.to, y2: axes.y.from });
  }

  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === 0) return;
    width = contentRect.width;
    draw();
  }).observe(root);
  picture.addEventListener("click", (event) => choose(valueAt(event)));
  picture.addEventListener("pointermove", (event) => point(valueAt(event)));
  picture.addEventListener("pointerleave", () => point(null));

  return {
    /** @param {Chart} next */
    show(next) {
      shown = next;
      draw();
    },

    /** @param {number | null} x the moment on show */
    mark(x) {
      at = x;
      drawMark();
    },
  };
}

/** @param {number} tick @param {Axes} axes @param {Chart | null} chart */
function levelMarks(tick, { x, y: upward }, chart) {
  const y = placeOn(upward, tick);
  return [
    svg("line", { x1: x.from, x2: x.to, y1: y, y2: y, class: "grid-line" }),
    svg("text", { x: x.from - 6, y, class: "tick is-left" }, chart?.tick(tick) ?? ""),
  ];
}
