/**
 * The lengths as bars on an axis from 0 to 1, with what training asked of them, and how
 * routing came to each of them.
 * @import { Actions, CapsModel, DigitsStore, DigitsTrace } from "../types.js"
 * @import { ScoreRow } from "../../../ui/bars.js"
 */

import { focusedDigit, knownLabel } from "../../../core/state.js";
import { ranked, sum } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { fillScoreAxis, scoreRows } from "../../../ui/bars.js";
import { sparkline } from "../../../ui/charts.js";
import { findElement } from "../../../ui/dom.js";
import { lengthsOverIterations } from "../routing/sums.js";
import { marginsOf } from "./margins.js";

/**
 * @param {HTMLElement} root
 * @param {DigitsStore} store
 * @param {Actions} actions
 */
export function mountLengths(root, store, actions) {
  const axis = findElement(root, "[data-axis]");
  const rows = scoreRows(findElement(root, "[data-rows]"), actions.focusDigit);
  const verdict = findElement(root, "[data-verdict]");
  const sum = findElement(root, "[data-sum]");
  const historyHead = findElement(root, "[data-history-head]");

  store.watch(["model"], ({ model }) => {
    rows.name(model.class_names);
    showMargins(root, axis, model);
  });
  store.watch(["trace", "model", "source"], ({ trace, model, source }) => {
    const label = knownLabel(source, model);
    verdict.textContent = verdictWords(trace, model, label);
    sum.textContent = sumWords(trace.tensors["digits.lengths"].data);
    rows.show(rowsOf(trace, label));
    const capsules = trace.tensors["routing.capsules"];
    historyHead.textContent = `over ${capsules.shape[0]} iterations`;
    showHistory(rows, lengthsOverIterations(capsules));
  });
  store.watch(["digit", "trace", "model"], (state) => {
    rows.focus(focusedDigit(state));
  });
}

/**
 * Ticks, and the two margins as lines through all rows.
 * @param {HTMLElement} root
 * @param {HTMLElement} axis
 * @param {CapsModel} model
 */
function showMargins(root, axis, { card }) {
  const { present, absent } = marginsOf(card);
  root.style.setProperty("--absent", String(absent));
  root.style.setProperty("--present", String(present));
  fillScoreAxis(axis, [
    { text: `m⁻ ${absent}`, at: absent },
    { text: `m⁺ ${present}`, at: present },
  ]);
  findElement(root, "[data-note]").textContent =
    `Dashed: the margins of the loss. In training, the capsule of the digit that is there costs nothing once it is longer than m⁺\u00a0=\u00a0${present}, and every other capsule costs nothing while it is shorter than m⁻\u00a0=\u00a0${absent}. The lines on the right show each length after every iteration of routing, also from 0 to 1.`;
}

/**
 * @param {DigitsTrace} trace
 * @param {number | null} label
 * @returns {ScoreRow[]}
 */
function rowsOf(trace, label) {
  const lengths = trace.tensors["digits.lengths"].data;
  const [first, second] = ranked(lengths);
  return Array.from(lengths, (length, digit) => ({
    score: length,
    number: fixed(length, 3),
    isFirst: digit === first,
    tags: [
      digit === first ? "longest" : "",
      digit === second ? "runner-up" : "",
      digit === label ? "true label" : "",
    ].filter((tag) => tag !== ""),
  }));
}

/**
 * @param {ReturnType<typeof scoreRows>} rows
 * @param {number[][]} lengths [class][iteration]
 */
function showHistory(rows, lengths) {
  lengths.forEach((steps, digit) => {
    const place = rows.more(digit);
    place.replaceChildren(sparkline(steps));
    place.title = steps
      .map((length, i) => `iteration ${i + 1}: ${fixed(length, 3)}`)
      .join("\n");
  });
}

/**
 * @param {DigitsTrace} trace
 * @param {CapsModel} model
 * @param {number | null} label
 */
function verdictWords(trace, { class_names: names, card }, label) {
  const lengths = trace.tensors["digits.lengths"].data;
  const [first, second] = ranked(lengths);
  const words = [
    `The network reads ${names[first]}: its capsule is the longest, ${fixed(lengths[first], 3)}.`,
    `The runner-up is ${names[second]}, ${fixed(lengths[second], 3)}.`,
  ];
  if (label !== null) {
    words.push(
      label === first
        ? `The true label is ${names[label]} too.`
        : `The true label is ${names[label]}: the network is wrong.`,
    );
  }
  if (lengths[first] < marginsOf(card).absent)
    words.push(
      "Even the longest capsule is shorter than m⁻: to the network, no digit is there.",
    );
  return words.join(" ");
}

/** @param {Float32Array} lengths */
function sumWords(lengths) {
  return `The ${lengths.length} lengths sum to ${fixed(sum(lengths), 3)}. They need not sum to 1, because they are not shares of a whole: each tells by itself how present its digit is. Several can be long, or none.`;
}
