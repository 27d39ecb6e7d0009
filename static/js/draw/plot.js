/**
 * Lines over two axes. The pointer reads their values, and where readers may choose, a click
 * or a key leads to another place on the axis of x.
 * @import { Axes } from "../geometry/curves.js"
 * @import { Content, Part } from "../ui/h.js"
 */
import {
  areaPoints,
  axesIn,
  linePoints,
  placeOn,
  valueOn,
} from "../geometry/curves.js";
import { clamp, nearestTo } from "../lib/arithmetic.js";
import { tickDecimals } from "../lib/decimals.js";
import { fixed } from "../lib/format.js";
import { keepNumbers } from "../lib/numbers.js";
import { hasModifier, listenToDrag } from "../ui/controls.js";
import { make, makeReadout, setText, svg } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { markAt, marksAlong, namesAtEnds, roomForNames } from "./line-marks.js";

/**
 * @typedef {object} Line
 * @property {ArrayLike<number>} y
 * @property {readonly number[]} [x] ascending, one for each of these; 0, 1, 2 … when absent
 * @property {"line" | "area" | "dots"} [as] how it is drawn; a line when absent
 * @property {string} [look] class names
 * @property {number} [mark] along it, of a shape of its own: it is named at its end, too
 * @property {string} [name] in the legend and the readout; it is in neither when absent
 * @property {(y: number) => string} [write] a value in the readout; as a tick when absent
 */

/**
 * @typedef {object} Axis
 * @property {number} low
 * @property {number} high
 * @property {readonly number[]} ticks
 * @property {string} [title]
 * @property {boolean} [isLog] logarithmic, from a `low` above 0
 * @property {string} [unit] after a value in the readout
 * @property {(value: number) => string} [write] with the decimals of its ticks when absent
 */

/**
 * @typedef {object} Plot
 * @property {string} label its accessible name
 * @property {Axis} x
 * @property {Axis} y
 * @property {number | null} [at] the place that is marked
 * @property {(x: number) => void} [choose] another place
 * @property {number} [step] of the places that can be chosen; without it, keys choose none
 * @property {(x: number | null) => void} [point] told where the pointer is
 * @property {boolean} [isSilent] without a readout
 * @property {readonly Span[]} [spans] marked along the axis of x
 * @property {string} [spansName] in the legend
 * @property {number} [height] in CSS pixels
 * @property {string} [note] in the middle, while lines are missing or of something else
 */

/**
 * A stretch of the axis of x.
 * @typedef {object} Span
 * @property {number} from
 * @property {number} to
 * @property {number} [row] counted down from the axis; the first when absent
 * @property {string} [look] class names
 */

/** @param {readonly Line[]} lines those on top last @param {Plot} axes */
export const plot = (lines, axes) => h(plotPart, { lines, ...axes });

const HEIGHT = 118;
const SPARK = { width: 96, height: 24 };

/**
 * A line the size of a word: how one value went from step to step.
 * @param {readonly number[]} values in 0..1, at least one
 */
export function sparkline(values) {
  const frame = { left: 4, right: SPARK.width - 4, top: 3, bottom: SPARK.height - 3 };
  const axes = axesIn(frame, { low: 0, high: values.length - 1 }, { low: 0, high: 1 });
  const { left, right, bottom } = frame;
  const box = `0 0 ${SPARK.width} ${SPARK.height}`;
  return h(
    "svg",
    { viewBox: box, class: "sparkline", "aria-hidden": "true" },
    h("line", { x1: left, x2: right, y1: bottom, y2: bottom }),
    h("polyline", { points: linePoints(axes, [...values.keys()], values, 2) }),
    values.map((value, i) => {
      const r = i === values.length - 1 ? 2.6 : 1.6;
      return h("circle", { cx: placeOn(axes.x, i), cy: placeOn(axes.y, value), r });
    }),
  );
}

/** @type {Part<Plot & { lines: readonly Line[] }>} */
function plotPart() {
  const picture = svg("svg", { "aria-hidden": "true" });
  const handle = make("div");
  const legend = make("div");
  const readout = makeReadout();
  /** @type {Plot & { lines: readonly Line[] }} */
  let now;
  /** @type {number | null} */
  let pointed = null;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {number | null} */
  let aimed = null;
  let room = 320;

  const axes = () => axesOf(now, room);
  function tell() {
    const at = pointed ?? now.at ?? null;
    if (!now.isSilent) setText(readout, at === null ? "" : readAt(now, at));
  }
  function draw() {
    const { height = HEIGHT, choose, step, label, x, at } = now;
    const isSlider = choose !== undefined && step !== undefined;
    const range = isSlider && {
      tabindex: "0",
      "aria-valuemin": x.low,
      "aria-valuemax": x.high,
      "aria-valuenow": at ?? x.low,
      "aria-valuetext": writer(x)(at ?? x.low) + (x.unit ?? ""),
    };
    for (const [name, value] of Object.entries({
      class: `plot ${choose ? "is-chosen-from" : ""}`.trim(),
      "aria-label": label,
      role: isSlider ? "slider" : "img",
      "aria-describedby": readout.id,
      ...range,
    }))
      handle.setAttribute(name, String(value));
    const frame = { viewBox: `0 0 ${room} ${height}`, width: room, height };
    for (const [name, value] of Object.entries(frame))
      picture.setAttribute(name, String(value));
    fill(picture, drawn(now, axes(), hasNames(room)));
    fill(legend, legendOf(now));
    tell();
  }
  const valueAt = (/** @type {MouseEvent} */ { clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    const x = ((clientX - left) / width) * room;
    return rounded(valueOn(axes().x, x), now.step);
  };
  /** @param {number} x */
  function choose(x) {
    aimed = x;
    now.choose?.(x);
  }
  /** @param {number | null} x */
  function point(x) {
    pointed = x;
    now.point?.(x);
    tell();
  }
  const goTo = (/** @type {PointerEvent} */ event) => choose(valueAt(event));
  listenToDrag(handle, (event) => {
    if (!now.choose) return null;
    goTo(event);
    return now.step === undefined ? null : goTo;
  });
  handle.addEventListener("pointermove", (event) => point(valueAt(event)));
  handle.addEventListener("pointerleave", () => point(null));
  handle.addEventListener("keydown", (event) => {
    const { x, step, at } = now;
    if (!now.choose || step === undefined || hasModifier(event)) return;
    const next = steppedTo(event.key, aimed ?? at ?? x.low, { ...x, step });
    if (next === null) return;
    event.preventDefault();
    choose(next);
  });
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === 0 || contentRect.width === room) return;
    room = contentRect.width;
    draw();
  }).observe(handle);
  handle.append(picture);
  // Lines without names are told apart by their panel's table alone.
  keepNumbers(picture, () =>
    now.lines.every(({ name }) => name)
      ? now.lines.map((line) => tableOf(line, now.x))
      : [],
  );

  return {
    element: make("div", "", legend, handle, readout),
    /** @param {Plot & { lines: readonly Line[] }} next */
    show(next) {
      now = next;
      aimed = null;
      readout.hidden = now.isSilent ?? false;
      draw();
    },
  };
}

/** @param {Line} line @param {Axis} x */
const tableOf = ({ name, y, x: xs }, { title = "x" }) => ({
  title: name,
  head: [title, "y"],
  rows: Array.from(y, (value, i) => [xs?.[i] ?? i, value]),
});

const WIDE = 480; // px from which lines are named at their ends
const LETTER = 7; // the width of a tick's character
const ROW = 6; // from one row of spans to the next

/** What further rows of spans need below the axis. @param {Pick<Plot, "spans">} plot */
const roomOf = ({ spans = [] }) =>
  ROW * Math.max(0, ...spans.map(({ row = 0 }) => row));

/**
 * Where both axes stand: beside and above what is written at them.
 * @param {Plot & { lines: readonly Line[] }} plot @param {number} width @returns {Axes}
 */
function axesOf({ x, y, lines, spans, height = HEIGHT }, width) {
  const left =
    13 + LETTER * Math.max(0, ...y.ticks.map((tick) => writer(y)(tick).length));
  const bottom = height - (x.title ? 40 : 24) - roomOf({ spans });
  const last = writer(x)(x.ticks[x.ticks.length - 1] ?? 0).length;
  const names = hasNames(width) ? roomForNames(endsOf(lines)) : 0;
  const right = width - Math.max(18, 4 + (LETTER * last) / 2, names); // half of what is written there
  return axesIn({ left, right, top: 8, bottom }, x, y);
}

/** Those that are named at their ends, too. @param {readonly Line[]} lines */
const endsOf = (lines) => lines.filter(({ mark, name }) => mark !== undefined && name);

/** @param {number} width */
const hasNames = (width) => width >= WIDE;

/** @param {Axis} axis @returns {(value: number) => string} */
const writer = ({ ticks, write }) =>
  write ?? ((value) => fixed(value, tickDecimals(ticks)));

/**
 * @param {Plot & { lines: readonly Line[] }} plot @param {Axes} axes
 * @param {boolean} hasNames whether there is room for names at the lines' ends
 * @returns {Content}
 */
function drawn({ x, y, lines, at = null, spans = [], note }, axes, hasNames) {
  const { from: left, to: right } = axes.x;
  const { from: bottom, to: top } = axes.y;
  const below = bottom + roomOf({ spans });
  const across = (/** @type {number} */ value) =>
    placeOn(axes.x, clamp(value, axes.x.low, axes.x.high));
  const upright = (/** @type {number} */ value, /** @type {string} */ look) =>
    h("line", {
      x1: across(value),
      x2: across(value),
      y1: top,
      y2: bottom,
      class: look,
    });
  // What is too close to be read is left out.
  const texts = x.ticks.map(writer(x));
  const longest = Math.max(1, ...texts.map(({ length }) => length));
  const apart = (right - left) / Math.max(1, texts.length - 1);
  const every = Math.ceil((LETTER * longest) / apart);
  return [
    y.ticks.map((tick) => {
      const at = placeOn(axes.y, tick);
      return [
        h("line", { x1: left, x2: right, y1: at, y2: at, class: "grid-line" }),
        h("text", { x: left - 6, y: at, class: "tick is-left" }, writer(y)(tick)),
      ];
    }),
    lines.map((line) => drawnLine(line, axes)),
    hasNames &&
      namesAtEnds(
        endsOf(lines).map(({ name = "", look = "", y }) => {
          return { name, look, y: placeOn(axes.y, y[y.length - 1]) };
        }),
        { x: right, top, bottom },
      ),
    spans.map(({ from, to, row = 0, look = "" }) => {
      const y = bottom + 3 + ROW * row;
      return h("line", {
        x1: across(from) - 2,
        x2: across(to) + 2,
        y1: y,
        y2: y,
        class: `plot-span ${look}`.trim(),
      });
    }),
    at !== null && upright(at, "now-line"),
    at !== null &&
      lines.flatMap(({ x: xs, y: ys, look }) => {
        const i = xs ? xs.indexOf(at) : at;
        const place = { cx: across(at), cy: placeOn(axes.y, ys[i]), r: 3.5 };
        return i in ys
          ? [h("circle", { ...place, class: `curve-point ${look ?? ""}` })]
          : [];
      }),
    x.ticks.map((tick, i) => {
      const look = `tick ${tick === at ? "is-shown" : ""}`.trim();
      const place = { x: across(tick), y: below + 17, class: look };
      return (i % every === 0 || tick === at) && h("text", place, texts[i]);
    }),
    x.title &&
      h("text", { x: (left + right) / 2, y: below + 33, class: "tick" }, x.title),
    note &&
      h(
        "text",
        { x: (left + right) / 2, y: (top + bottom) / 2, class: "tick is-note" },
        note,
      ),
  ];
}

/** @param {Line} line @param {Axes} axes @returns {Content} */
function drawnLine(
  { y, x = Array.from(y, (_, i) => i), as = "line", look = "", mark },
  axes,
) {
  if (as === "dots")
    return x.map((each, i) => {
      const place = { cx: placeOn(axes.x, each), cy: placeOn(axes.y, y[i]), r: 2.6 };
      return h("circle", { ...place, class: `curve-dot ${look}`.trim() });
    });
  const [tag, points, name] =
    as === "area"
      ? ["polygon", areaPoints, "curve-area"]
      : ["polyline", linePoints, "curve"];
  const path = y.length === 0 ? "" : points(axes, x, y);
  const line = h(tag, { points: path, class: `${name} ${look}`.trim() });
  if (mark === undefined) return line;
  const places = x.map((each, i) => [placeOn(axes.x, each), placeOn(axes.y, y[i])]);
  return h("g", { class: look }, line, marksAlong(mark, places));
}

/** What each line is, behind a piece of it. @param {Plot & { lines: readonly Line[] }} plot */
function legendOf({ lines, spans = [], spansName }) {
  const named = lines.filter(({ name }) => name);
  const sampleOf = (/** @type {Line} */ { as, look = "", mark }) => {
    if (as === "dots")
      return h("circle", { cx: 11, cy: 5, r: 2.6, class: `curve-dot ${look}` });
    return as === "area"
      ? h("rect", { y: 1, width: 22, height: 8, class: `curve-area ${look}` })
      : h(
          "g",
          { class: look },
          h("polyline", { points: "0,5 22,5", class: `curve ${look}` }),
          mark !== undefined && markAt(mark, 11, 5),
        );
  };
  const sample = { viewBox: "0 0 22 10", "aria-hidden": "true" };
  const entries = named.map((line) => [sampleOf(line), line.name]);
  if (spansName && spans.length > 0) {
    const span = { x1: 2, x2: 20, y1: 5, y2: 5, class: "plot-span" };
    entries.push([h("line", span), spansName]);
  }
  return (
    entries.length > 0 &&
    h(
      "ul",
      { class: "plot-legend fine" },
      entries.map(([look, name]) =>
        h("li", {}, h("svg", sample, look), h("span", {}, name)),
      ),
    )
  );
}

/**
 * The values of all named lines at the place nearest to `at` where one of them has a value,
 * and that place. A line that has none there is read at its own nearest place, which is said.
 * @param {Pick<Plot, "x" | "y"> & { lines: readonly Line[] }} plot @param {number} at
 */
export function readAt({ x, y, lines }, at) {
  const named = lines.flatMap((line) => {
    const places = line.x ?? Array.from(line.y, (_, i) => i);
    return line.name && places.length > 0 ? [{ ...line, places }] : [];
  });
  const all = named.flatMap(({ places }) => places);
  const place = all[nearestTo(all, at)] ?? at;
  const unit = x.unit ?? "";
  const placeText = (/** @type {number} */ value) => `${writer(x)(value)}${unit}`;
  const values = named.map(({ name, places, y: ys, write = writer(y) }) => {
    const i = nearestTo(places, place);
    const elsewhere = places[i] === place ? "" : ` (at ${placeText(places[i])})`;
    return `${name} ${write(ys[i])}${elsewhere}`;
  });
  // The axis says the unit once for all its ticks; here the value has it.
  const title = x.title && `${x.title.replace(`, ${unit.trim()}`, "")} `;
  return [`${title ?? ""}${placeText(place)}`, values.join(", ")]
    .filter(Boolean)
    .join(": ");
}

/** @param {number} value @param {number} [step] none: as it is */
export const rounded = (value, step) =>
  step === undefined ? value : Number((Math.round(value / step) * step).toFixed(6));

/**
 * Where a key leads.
 * @param {string} key @param {number} value
 * @param {{ low: number, high: number, step: number }} axis
 * @returns {number | null} null: nowhere
 */
export function steppedTo(key, value, { low, high, step }) {
  const large = Math.max(step, rounded((high - low) / 12, step));
  const by = {
    ArrowRight: step,
    ArrowUp: step,
    PageUp: large,
    End: high - value,
    ArrowLeft: -step,
    ArrowDown: -step,
    PageDown: -large,
    Home: low - value,
  }[key];
  if (by === undefined) return null;
  return clamp(Number((value + by).toFixed(6)), low, high);
}
