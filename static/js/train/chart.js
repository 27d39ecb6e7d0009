/**
 * How a figure of one or two runs went, on a logarithmic axis, over images or seconds. The
 * moment on show is marked; a click goes to another.
 * @import { Frame } from "../geometry/curves.js"
 */
import { logTicks, logY, polyline } from "../geometry/curves.js";
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
  let end = 1;
  /** @type {Chart | null} */
  let shown = null;
  /** @type {number | null} */
  let at = null;

  const place = () => ({ left: 46, right: width - 24, top: 8, bottom: HEIGHT - 36 });
  const xOf = (/** @type {number} */ x) => {
    const { left, right } = place();
    return left + (clamp(x, 0, end) / end) * (right - left);
  };
  /** @param {MouseEvent} event */
  function valueAt({ clientX }) {
    const { left, right } = place();
    const x = clientX - picture.getBoundingClientRect().left;
    return clamp((x - left) / (right - left), 0, 1) * end;
  }

  function draw() {
    if (shown === null) return;
    const all = shown.lines.flatMap(({ points }) => points.map(({ y }) => y));
    const { least } = shown;
    const drawn = all.filter((value) => value > 0);
    const lowest = Math.max(least, Math.min(1, ...drawn));
    const ticks = logTicks(lowest, Math.max(lowest, ...drawn));
    const steps = ticksTo(shown.end, width < 420 ? 3 : 6);
    end = steps[steps.length - 1];
    const frame = { ...place(), low: ticks[0], high: ticks[ticks.length - 1] };
    setAll(picture, { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
    picture.setAttribute("aria-label", shown.words);
    levels.replaceChildren(...ticks.flatMap((tick) => levelMarks(tick, frame, shown)));
    const { left, right } = frame;
    times.replaceChildren(
      ...steps.map((step) =>
        svg("text", { x: xOf(step), y: HEIGHT - 20, class: "tick" }, grouped(step)),
      ),
      svg("text", { x: (left + right) / 2, y: HEIGHT - 4, class: "tick" }, shown.over),
    );
    lines.replaceChildren(
      ...shown.lines.map(({ points, look, hasDots }) => {
        const places = points.map(({ x, y }) => ({ x: xOf(x), y: logY(y, frame) }));
        const line = svg("polyline", { points: polyline(places), class: "curve" });
        const dots = hasDots
          ? places.map(({ x: cx, y: cy }) => svg("circle", { cx, cy, r: 2.4 }))
          : [];
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
    const { top, bottom } = place();
    const x = xOf(at ?? 0);
    setAll(mark, { x1: x, x2: x, y1: top, y2: bottom });
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

/** @param {number} tick @param {Frame} frame @param {Chart | null} chart */
function levelMarks(tick, frame, chart) {
  const y = logY(tick, frame);
  return [
    svg("line", { x1: frame.left, x2: frame.right, y1: y, y2: y, class: "grid-line" }),
    svg(
      "text",
      { x: frame.left - 6, y: y + 4, class: "tick is-left" },
      chart?.tick(tick) ?? "",
    ),
  ];
}
