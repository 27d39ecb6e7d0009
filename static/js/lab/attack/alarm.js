/**
 * The alarm over the test set: its ROC curve for the chosen attack, and what to say of
 * it.
 * @import { Attacked } from "./ask.js"
 * @import { AlarmEntry, AttackerEntry } from "./controls.js"
 * @import { Choices } from "./experiment.js"
 * @import { Model } from "../../types.js"
 */

import { axesIn, linePoints, placeOn } from "../../geometry/curves.js";
import { fixed, grouped, percent } from "../../lib/format.js";
import { make, setAll, setText, svg } from "../../ui/dom.js";
import { numberTable } from "../../ui/tables.js";
import { nearestTo } from "../shared/words.js";
import { errorOf } from "./ask.js";
import { measuredAttacker, NAMES } from "./words.js";

/** How each measured attacker is called. */
const ATTACKERS = /** @type {Record<string, string>} */ ({
  ...NAMES,
  aware: `${NAMES.pgd} that avoids the alarm`,
});

/**
 * @typedef {object} Roc
 * @property {string} name of the attacker
 * @property {number} eps the measured value nearest to the knob's
 * @property {number} images of the test set
 * @property {readonly number[]} rates shares of unchanged images that raise an alarm
 * @property {readonly number[]} found shares of attacked ones that do, at the same limits
 * @property {number} area under the curve
 * @property {{ rate: number, found: number }} threshold the same two shares at the threshold
 * @property {{ found: readonly number[], area: number, atThreshold: number } | null} noise
 *   of the same ε; null where the attack is noise itself, or that was not measured
 */

/**
 * The ROC curve of the alarm for the chosen attack, over the test set.
 * @param {AlarmEntry | null} entry of the card of the attacked network
 * @param {Pick<Attacked, "model" | "from">} found @param {Choices} choices
 * @param {number} eps where the knob stands
 * @returns {Roc | null} null where this attack was not measured, or there is none
 */
export function rocOf(entry, { model, from }, choices, eps) {
  const key = measuredAttacker(choices);
  const isOwn = from === model || choices.method === "noise";
  const own = key === null || !isOwn ? undefined : entry?.attacks[key];
  if (entry === null || key === null || own === undefined || eps === 0) return null;
  const place = nearestTo(own.values, eps);
  return {
    ...{ name: ATTACKERS[key], eps: own.values[place], images: entry.images },
    ...{ rates: entry.false_alarms, found: own.roc[place], area: own.roc_area[place] },
    threshold: { rate: entry.clean.alarms, found: own.alarms[place] },
    noise: key === "noise" ? null : noiseAt(entry.attacks.noise, own.values[place]),
  };
}

/** @param {AttackerEntry | undefined} noise @param {number} eps */
function noiseAt(noise, eps) {
  const place = noise?.values.indexOf(eps) ?? -1;
  if (noise === undefined || place < 0) return null;
  return {
    found: noise.roc[place],
    area: noise.roc_area[place],
    atThreshold: noise.alarms[place],
  };
}

/** What the curve tells. @param {Roc} roc @param {number} eps where the knob stands */
export function rocWords({ name, images, threshold, area, noise, ...roc }, eps) {
  const nearest =
    fixed(roc.eps, 2) === fixed(eps, 2) ? "" : ", the nearest ε that was measured";
  const control =
    noise === null
      ? ""
      : ` Of random noise of the same ε it finds ${percent(noise.atThreshold, 1)}; area ${fixed(noise.area, 3)}.`;
  return `ROC curve of the alarm for ${name} with ε = ${fixed(roc.eps, 2)}${nearest}, ${grouped(images)} test images: at its threshold (the point) it finds ${percent(threshold.found, 1)} of the changed images, and ${percent(threshold.rate, 1)} of the unchanged ones raise it. Area under the curve ${fixed(area, 3)}.${control}`;
}

/**
 * Why there is no curve.
 * @param {AlarmEntry | null} entry
 * @param {Pick<Attacked, "from"> & { model: Model }} found @param {number} eps
 */
export function noRocWords(entry, { model }, eps) {
  if (!model.can.reconstruct) return "";
  if (entry === null)
    return "The alarm was not measured over test images of this network.";
  if (eps === 0) return "With ε = 0 nothing is changed, so there is nothing to find.";
  const known = Object.keys(entry.attacks).map((key) => ATTACKERS[key] ?? key);
  return `The alarm is not measured over test images for this attack. It is for ${known.join(", ")}: away from the class, by the network's own gradient of the gap, through all iterations.`;
}

/**
 * This digit's reconstruction error as it was, with noise, and attacked.
 * @param {Attacked} found
 * @returns {{ title: string, error: number }[] | null} null without a reconstruction
 */
export function errorsOf({ clean, noisy, attacked }) {
  const reads = { unchanged: clean, noise: noisy, attacked };
  const errors = Object.entries(reads).flatMap(([title, read]) => {
    const error = errorOf(read);
    return error === null ? [] : [{ title, error }];
  });
  return errors.length === Object.keys(reads).length ? errors : null;
}

/**
 * The same figures as a table.
 * @param {Roc} roc
 * @returns {import("../../ui/tables.js").Numbers}
 */
export function rocNumbers({ rates, found, noise, threshold, name }) {
  const heads = ["Unchanged images that raise it", `${name}: found`];
  const rows = [
    ...rates.map((rate, i) => ({ rate, own: found[i], control: noise?.found[i] })),
    { rate: threshold.rate, own: threshold.found, control: noise?.atThreshold },
  ];
  const last = rows.length - 1;
  return {
    heads: noise === null ? heads : [...heads, "random noise: found"],
    rows: rows.map(({ rate, own, control }, i) => [
      `${percent(rate, 1)}${i === last ? " (threshold)" : ""}`,
      percent(own, 1),
      ...(control === undefined ? [] : [percent(control, 1)]),
    ]),
  };
}

const SIZE = { width: 320, height: 176 };
const FRAME = { left: 40, right: SIZE.width - 24, top: 10, bottom: SIZE.height - 40 };

/** Rates of false alarms, logarithmic, since an alarm must be rare among unchanged images. */
const RATES = [0.001, 0.01, 0.1, 1];
const AXES = axesIn(
  FRAME,
  { low: RATES[0], high: 1, isLog: true },
  { low: 0, high: 1 },
);

/** The diagonal: an alarm there finds as many as it raises falsely, so it tells nothing. */
const BLIND = Array.from({ length: 41 }, (_, i) => RATES[0] ** (1 - i / 40));

const LEVELS = [0, 0.5, 1];

/** How far the scale of errors reaches beyond the largest. */
const ROOM = 1.1;

/**
 * Draw this digit's reconstruction errors against the threshold, and the ROC curve over
 * test images before that of random noise.
 * @param {HTMLElement} root filled
 */
export function mountAlarm(root) {
  const errors = mountErrors();
  const words = make("p", "fine");
  const picture = drawnRoc();
  const table = numberTable();
  const figure = make("figure", "alarm-roc");
  const legend = make("p", "fine");
  figure.append(legend, picture.element, table.element);
  root.append(errors.element, words, figure);

  return {
    /**
     * @param {readonly { title: string, error: number }[] | null} classIndex
     * @param {number | null} threshold @param {Roc | null} roc
     * @param {string} told of the ROC curve, or why there is none
     */
    show(classIndex, threshold, roc, told) {
      root.hidden = classIndex === null;
      if (classIndex === null) return;
      errors.show(classIndex, threshold);
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
  const element = make("div", "alarm-errors");
  const title = make("p", "fine");
  const list = make("ul");
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
      setText(title, `Reconstruction error of this image${limit}`);
      list.replaceChildren(
        ...errors.map(({ title: name, error }) => {
          const row = make("li");
          const [bar, mark] = ["i", "b"].map((tag) => document.createElement(tag));
          bar.style.width = share(error);
          mark.style.left = share(threshold ?? 0);
          mark.hidden = threshold === null;
          const track = make("span", "alarm-track", bar, mark);
          const label = make("span", "", name);
          const value = make("output", "", fixed(error, 4));
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
  const blind = svg("polyline", {
    class: "roc-blind",
    points: linePoints(AXES, BLIND, BLIND),
  });
  const noise = svg("polyline", { class: "roc-noise" });
  const line = svg("polyline", { class: "lab-line" });
  const point = svg("circle", { class: "roc-threshold", r: 5 });
  element.append(...axes(), blind, noise, line, point);

  return {
    element,
    /** @param {Roc} roc @param {string} words */
    show({ rates, found, threshold, noise: control }, words) {
      element.setAttribute("aria-label", words);
      // It ends where every image raises the alarm.
      const pointsOf = (/** @type {readonly number[]} */ shares) =>
        linePoints(AXES, [...rates, 1], [...shares, 1]);
      setAll(line, { points: pointsOf(found) });
      const behind = control === null ? "" : pointsOf(control.found);
      setAll(noise, { points: behind });
      const [cx, cy] = [
        placeOn(AXES.x, threshold.rate),
        placeOn(AXES.y, threshold.found),
      ];
      setAll(point, { cx, cy });
    },
  };
}

/** Grid, ticks and titles. */
function axes() {
  const { left, right, top, bottom } = FRAME;
  const levels = LEVELS.flatMap((level) => {
    const y = placeOn(AXES.y, level);
    return [
      svg("line", { x1: left, x2: right, y1: y, y2: y, class: "grid-line" }),
      svg("text", { x: left - 4, y, class: "tick is-left" }, percent(level, 0)),
    ];
  });
  const rates = RATES.flatMap((rate) => {
    const x = placeOn(AXES.x, rate);
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
