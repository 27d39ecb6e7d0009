/**
 * The alarm as it is drawn: this digit's reconstruction errors against the threshold, and
 * the ROC curve over test images, before that of random noise.
 * @import { Roc } from "./alarm.js"
 */
import { blindPoints, foundY, LEAST, rateX, rocPoints } from "../../geometry/curves.js";
import { fixed, percent } from "../../lib/format.js";
import { setAll, setText, svg } from "../../ui/dom.js";
import { numberTable } from "../shared/table.js";
import { rocNumbers } from "./alarm.js";

const SIZE = { width: 320, height: 176 };
const FRAME = { left: 40, right: SIZE.width - 24, top: 10, bottom: SIZE.height - 40 };
const RATES = [LEAST, 0.01, 0.1, 1];
const LEVELS = [0, 0.5, 1];

/** How far the scale of errors reaches beyond the largest. */
const ROOM = 1.1;

/** @param {HTMLElement} root filled */
export function mountAlarm(root) {
  const errors = mountErrors();
  const words = document.createElement("p");
  words.className = "fine";
  const picture = drawnRoc();
  const table = numberTable();
  const figure = document.createElement("figure");
  figure.className = "alarm-roc";
  const legend = document.createElement("p");
  legend.className = "fine";
  figure.append(legend, picture.element, table.element);
  root.append(errors.element, words, figure);

  return {
    /**
     * @param {readonly { title: string, error: number }[] | null} digit
     * @param {number | null} threshold
     * @param {Roc | null} roc
     * @param {string} told of the ROC curve, or why there is none
     */
    show(digit, threshold, roc, told) {
      root.hidden = digit === null;
      if (digit === null) return;
      errors.show(digit, threshold);
      setText(words, told);
      figure.hidden = roc === null;
      if (roc === null) return;
      const grey = roc.noise === null ? "" : " Grey: random noise of the same ε.";
      setText(legend, `Line: ${roc.name}.${grey} Dotted: an alarm at random.`);
      picture.show(roc, told);
      table.show(() => rocNumbers(roc));
    },
  };
}

/** A bar for each of this digit's errors, and the threshold across all. */
function mountErrors() {
  const element = document.createElement("div");
  element.className = "alarm-errors";
  const title = document.createElement("p");
  title.className = "fine";
  const list = document.createElement("ul");
  element.append(title, list);

  return {
    element,
    /**
     * @param {readonly { title: string, error: number }[]} errors
     * @param {number | null} threshold
     */
    show(errors, threshold) {
      const most = Math.max(...errors.map(({ error }) => error), threshold ?? 0);
      const share = (/** @type {number} */ value) =>
        `${(100 * value) / (ROOM * most)}%`;
      const limit =
        threshold === null ? "" : `; the line: alarm above ${fixed(threshold, 4)}`;
      setText(title, `Reconstruction error of this digit${limit}`);
      list.replaceChildren(
        ...errors.map(({ title: name, error }) => {
          const row = document.createElement("li");
          const [bar, mark] = ["i", "b"].map((tag) => document.createElement(tag));
          bar.style.width = share(error);
          mark.style.left = share(threshold ?? 0);
          mark.hidden = threshold === null;
          const track = document.createElement("span");
          track.className = "alarm-track";
          track.append(bar, mark);
          const label = document.createElement("span");
          label.textContent = name;
          const value = document.createElement("output");
          value.textContent = fixed(error, 4);
          row.classList.toggle("is-alarm", threshold !== null && error > threshold);
          row.append(label, track, value);
          return row;
        }),
      );
    },
  };
}

function drawnRoc() {
  const { width, height } = SIZE;
  const element = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  const blind = svg("polyline", { class: "roc-blind", points: blindPoints(FRAME) });
  const noise = svg("polyline", { class: "roc-noise" });
  const line = svg("polyline", { class: "lab-line" });
  const point = svg("circle", { class: "roc-threshold", r: 5 });
  element.append(...axes(), blind, noise, line, point);

  return {
    element,
    /** @param {Roc} roc @param {string} words */
    show({ rates, found, threshold, noise: control }, words) {
      element.setAttribute("aria-label", words);
      setAll(line, { points: rocPoints(FRAME, rates, found) });
      const behind = control === null ? "" : rocPoints(FRAME, rates, control.found);
      setAll(noise, { points: behind });
      const [cx, cy] = [rateX(FRAME, threshold.rate), foundY(FRAME, threshold.found)];
      setAll(point, { cx, cy });
    },
  };
}

/** Grid, ticks and titles. */
function axes() {
  const { left, right, top, bottom } = FRAME;
  const levels = LEVELS.flatMap((level) => {
    const y = foundY(FRAME, level);
    return [
      svg("line", { x1: left, x2: right, y1: y, y2: y, class: "grid-line" }),
      svg(
        "text",
        { x: left - 4, y: y + (level === 0 ? 0 : 4), class: "tick is-left" },
        percent(level, 0),
      ),
    ];
  });
  const rates = RATES.flatMap((rate) => {
    const x = rateX(FRAME, rate);
    const text = percent(rate, rate < 0.01 ? 1 : 0);
    return [
      svg("line", { x1: x, x2: x, y1: top, y2: bottom, class: "grid-line" }),
      svg("text", { x, y: bottom + 14, class: "tick" }, text),
    ];
  });
  const middle = (left + right) / 2;
  const titles = [
    svg(
      "text",
      { x: middle, y: SIZE.height - 8, class: "tick" },
      "unchanged images that raise the alarm",
    ),
    svg(
      "text",
      { x: left + 6, y: top + 11, class: "tick is-title" },
      "changed images found",
    ),
  ];
  return [...levels, ...rates, ...titles];
}
