/**
 * The class capsules: the activation of each and how routing came to it, and the pose
 * matrices of all.
 * @import { TraceOf, ViewStore } from "../../../types.js"
 * @import { Actions, Matrix, MatrixModel } from "../types.js"
 */
import { focusedDigit, knownLabel } from "../../../core/state.js";
import { ranked } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { fillScoreAxis, scoreRows } from "../../../ui/bars.js";
import { sparkline } from "../../../ui/charts.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { valueTable } from "../../../ui/tables.js";
import { POSE } from "../places.js";
import { mountPoses } from "./poses.js";

/** @typedef {TraceOf<"scores" | "classes.poses" | "routing.activations" | "routing.means">} ClassesTrace */

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "scores" | "classes.poses" | "routing.activations" | "routing.means">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const rows = scoreRows(findElement(root, "[data-rows]"), actions.focusDigit);
  const verdict = findElement(root, "[data-verdict]");
  const head = findElement(root, "[data-history-head]");
  const poses = mountPoses(findElement(root, "[data-poses]"), actions);
  fillScoreAxis(findElement(root, "[data-axis]"));

  store.watch(["model"], ({ model }) => {
    rows.name(model.class_names);
    setText(findElement(root, "[data-shape]"), `${model.classes} poses of 4×4 numbers`);
  });
  store.watch(["trace", "model", "source"], ({ trace, model, source }) => {
    const label = knownLabel(source, model);
    setText(verdict, verdictWords(trace, model, label));
    rows.show(rowsOf(trace, label));
    const history = activationsOf(trace);
    setText(head, `over ${history[0].length} iterations`);
    history.forEach((steps, digit) => {
      const place = rows.more(digit);
      place.replaceChildren(sparkline(steps));
      place.title = steps
        .map((activation, i) => `iteration ${i + 1}: ${fixed(activation, 3)}`)
        .join("\n");
    });
  });
  store.watch(["digit", "trace", "model"], (state) => rows.focus(focusedDigit(state)));
  store.watch(["digit", "trace", "model", "entry", "step"], (state) => {
    const { trace, model, entry, step } = state;
    poses.show({ trace, model, entry, step, digit: focusedDigit(state) });
  });
  mountTable(root, store);
}

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "scores" | "classes.poses" | "routing.activations" | "routing.means">} store
 */
function mountTable(root, store) {
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  function fill() {
    const state = store.shown();
    if (!folder.open || state === null) return;
    const { trace, model } = state;
    table.replaceChildren(...tablesOf(trace, model));
  }
  store.watch(["trace", "model"], fill);
  folder.addEventListener("toggle", fill);
}

/**
 * @param {ClassesTrace} trace
 * @param {MatrixModel} model
 */
function tablesOf(trace, { class_names: rowNames, classes: rows }) {
  const entries = Array.from(
    { length: POSE },
    (_, i) => `${Math.floor(i / 4) + 1},${(i % 4) + 1}`,
  );
  const poses = valueTable(trace.tensors["classes.poses"].data, {
    rows,
    columns: POSE,
    rowNames,
    columnNames: entries,
    corner: "class",
  });
  const history = activationsOf(trace);
  const course = valueTable(history.flat(), {
    rows,
    columns: history[0].length,
    rowNames,
    columnNames: history[0].map((_, step) => `iteration ${step + 1}`),
    corner: "class",
  });
  poses.createCaption().textContent = "Poses, by row and column of the matrix";
  course.createCaption().textContent = "Activations after each iteration";
  return [course, poses];
}

/**
 * @param {Pick<ClassesTrace, "tensors">} trace
 * @returns {number[][]} [class][iteration]
 */
function activationsOf({ tensors }) {
  const { shape, data } = tensors["routing.activations"];
  const [iterations, classes] = shape;
  return Array.from({ length: classes }, (_, digit) =>
    Array.from({ length: iterations }, (_, step) => data[step * classes + digit]),
  );
}

/**
 * @param {ClassesTrace} trace
 * @param {number | null} label
 */
function rowsOf({ tensors }, label) {
  const { data: scores } = tensors.scores;
  const [first, second] = ranked(scores);
  return Array.from(scores, (score, digit) => ({
    score,
    number: fixed(score, 3),
    isFirst: digit === first,
    tags: [
      digit === first ? "most active" : "",
      digit === second ? "runner-up" : "",
      digit === label ? "true label" : "",
    ].filter((tag) => tag !== ""),
  }));
}

/**
 * @param {ClassesTrace} trace
 * @param {MatrixModel} model
 * @param {number | null} label
 */
export function verdictWords({ tensors }, { class_names: names }, label) {
  const { data: scores } = tensors.scores;
  const [first, second] = ranked(scores);
  const words = [
    `The network reads ${names[first]}: its capsule is the most active, ${fixed(scores[first], 3)}.`,
  ];
  if (second !== undefined)
    words.push(`The runner-up is ${names[second]}, ${fixed(scores[second], 3)}.`);
  if (label !== null)
    words.push(
      label === first
        ? `The true label is ${names[label]} too.`
        : `The true label is ${names[label]}: the network is wrong.`,
    );
  if (scores[first] < 0.5)
    words.push(
      "Even the most active capsule is below 0.5: to the network, no class is there.",
    );
  return words.join(" ");
}
