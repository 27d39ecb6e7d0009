/**
 * The scores of all classes as bars on an axis from 0 to 1, with what training asked of
 * them, and how routing came to each, or of which logit it was made.
 * @import { Actions, Tensor } from "../../types.js"
 * @import { ScoreRow } from "../../ui/bars.js"
 * @import { Layer } from "../types.js"
 * @import { ClassesModel, ClassesStore, ClassesTrace } from "./types.js"
 */
import { nextWord, presentIn } from "../../core/scores.js";
import { focusedClass, knownLabels } from "../../core/state.js";
import { sparkline } from "../../draw/plot.js";
import { ranked } from "../../lib/arithmetic.js";
import { exactShare } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { fillScoreAxis, scoreRows } from "../../ui/bars.js";
import { findElement, setText } from "../../ui/dom.js";
import { fill } from "../../ui/h.js";
import { sumWords, verdictWords } from "./words.js";

/** The paper's (Sabour et al. 2017, eq. 4), for cards that record none. */
const PAPER = { present_margin: 0.9, absent_margin: 0.1 };

/** What the first of all scores is called. */
const FIRST = {
  length: "longest",
  activation: "most active",
  probability: "most probable",
};

/** @param {HTMLElement} root @param {ClassesStore} store @param {Actions} actions */
export function mountScores(root, store, actions) {
  const axis = findElement(root, "[data-axis]");
  const rows = scoreRows(findElement(root, "[data-rows]"), actions.focusClass);
  const verdict = findElement(root, "[data-verdict]");
  const sum = root.querySelector("[data-sum]");
  const hasMargins = root.querySelector("[data-note]") !== null;
  fillScoreAxis(axis);

  store.watch(["model", "layer"], ({ model, layer }) => {
    rows.name(model.class_names);
    if (model.scores === "length" && hasMargins) showMargins(root, axis, model, layer);
  });
  store.watch(["trace", "model", "source"], ({ trace, model, source }) => {
    const labels = knownLabels(source, model) ?? [];
    const { absent } = marginsOf(model.card);
    setText(verdict, verdictWords(trace, model, labels, absent));
    if (sum !== null) setText(sum, sumWords(trace.tensors.scores.data, model));
    rows.show(rowsOf(trace, model, labels));
    const { history, logits } = trace.tensors;
    if (history !== undefined) showHistory(root, rows, historyOf(history));
    else
      logits?.data.forEach((logit, classIndex) => {
        rows.more(classIndex).textContent = fixed(logit, 2);
      });
  });
  store.watch(["classIndex", "trace", "model"], (state) =>
    rows.focus(focusedClass(state)),
  );
}

/**
 * Ticks, and the two margins as lines through all rows.
 * @param {HTMLElement} root @param {HTMLElement} axis @param {ClassesModel} model
 * @param {Pick<Layer, "tensors">} layer
 */
function showMargins(root, axis, { card }, { tensors }) {
  const { present, absent } = marginsOf(card);
  const course =
    "history" in tensors
      ? " The lines on the right show each length after every iteration of routing, also from 0 to 1."
      : "";
  root.style.setProperty("--absent", String(absent));
  root.style.setProperty("--present", String(present));
  fillScoreAxis(axis, [
    { text: `m⁻ ${absent}`, at: absent },
    { text: `m⁺ ${present}`, at: present },
  ]);
  setText(
    findElement(root, "[data-note]"),
    `Dashed: the margins of the loss. In training, the capsule of the class that is there costs nothing once it is longer than m⁺\u00a0=\u00a0${present}, and every other capsule costs nothing while it is shorter than m⁻\u00a0=\u00a0${absent}.${course}`,
  );
}

/**
 * What training asked of lengths: a present class costs nothing above one margin, an absent
 * class nothing below the other.
 * @param {Pick<ClassesModel["card"], "loss">} card
 */
export function marginsOf({ loss }) {
  const { present_margin: present, absent_margin: absent } = { ...PAPER, ...loss };
  return { present, absent };
}

/**
 * @param {ClassesTrace} trace @param {Pick<ClassesModel, "scores" | "present">} model
 * @param {readonly number[]} labels
 * @returns {ScoreRow[]}
 */
export function rowsOf({ tensors }, model, labels) {
  const { data: scores } = tensors.scores;
  const kind = model.scores;
  // Logits tell apart what probabilities round to the same.
  const order = ranked((tensors.logits ?? tensors.scores).data);
  const several = model.present.at_most > 1 ? presentIn(scores, model) : [];
  const next = order.find((each) => each !== order[0] && !several.includes(each));
  const tagOf = (/** @type {number} */ each) => {
    if (several.includes(each)) return "named";
    if (each === order[0]) return FIRST[kind];
    return each === next ? nextWord(several) : "";
  };
  return Array.from(scores, (score, classIndex) => ({
    score,
    number: kind === "probability" ? exactShare(score) : fixed(score, 3),
    isFirst: several.includes(classIndex) || classIndex === order[0],
    tags: [tagOf(classIndex), labels.includes(classIndex) ? "true label" : ""].filter(
      (tag) => tag !== "",
    ),
  }));
}

/**
 * The scores after each iteration of routing.
 * @param {Tensor} tensor (iterations, classes), or (iterations, classes, numbers): then the
 *   score is the length of these
 * @returns {number[][]} [class][iteration]
 */
export function historyOf({ shape: [iterations, classes, size = 1], data }) {
  return Array.from({ length: classes }, (_, classIndex) =>
    Array.from({ length: iterations }, (_, step) => {
      const from = (step * classes + classIndex) * size;
      return size === 1 ? data[from] : Math.hypot(...data.subarray(from, from + size));
    }),
  );
}

/**
 * @param {HTMLElement} root @param {ReturnType<typeof scoreRows>} rows
 * @param {number[][]} history [class][iteration]
 */
function showHistory(root, rows, history) {
  setText(
    findElement(root, "[data-history-head]"),
    `over ${history[0].length} iterations`,
  );
  history.forEach((steps, classIndex) => {
    const place = rows.more(classIndex);
    fill(place, sparkline(steps));
    place.title = steps
      .map((score, i) => `iteration ${i + 1}: ${fixed(score, 3)}`)
      .join("\n");
  });
}
