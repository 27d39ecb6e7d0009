/**
 * A slider for each number of the pose in focus: in a list, or arranged as in its matrix.
 * @import { Bench, EditRange } from "./pose.js"
 * @import { PoseSlider } from "./slider.js"
 * @import { DecoderStore } from "./types.js"
 */
import { clamp } from "../../lib/arithmetic.js";
import { fixed, signed } from "../../lib/format.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { entryPlace } from "../matrices.js";
import { followsInFull, followsInShort, followsOf } from "./following.js";
import { meaningInFull, meaningInShort, meaningOf } from "./meanings.js";
import {
  benchOf,
  editing,
  isEdited,
  poseOf,
  roundedEdit,
  shareOf,
  widened,
} from "./pose.js";
import { poseSlider } from "./slider.js";

/** @param {HTMLElement} root @param {DecoderStore} store @param {boolean} isMatrix */
export function mountSliders(root, store, isMatrix) {
  const list = findElement(root, "[data-sliders]");
  const title = findElement(root, "[data-pose-title]");
  const note = findElement(root, "[data-range-note]");
  const named = root.querySelector("[data-named]");
  const resetClass = find(root, "[data-reset-digit]", HTMLButtonElement);
  const resetAll = find(root, "[data-reset-all]", HTMLButtonElement);
  const { edit, reset } = editing(store);
  /** @type {PoseSlider[]} */
  let sliders = [];
  /** @type {Bench | null} */
  let bench = null;
  /** @type {EditRange[]} kept while a thumb is dragged, else it would run away */
  let ranges = [];

  /** @param {number} index @param {number} difference */
  function move(index, difference) {
    if (bench === null) return;
    const { low, high } = ranges[index];
    edit(bench.classIndex, index, roundedEdit(clamp(difference, low, high)));
  }

  store.watch(["model"], () => {
    const trace = store.get()?.trace;
    const count = trace ? poseOf(trace.tensors.poses, 0).length : 0;
    sliders = Array.from({ length: count }, (_, index) =>
      poseSlider({
        id: `pose-${index + 1}`,
        ...nameOf(index, isMatrix),
        move: (difference) => move(index, difference),
        back: () => move(index, 0),
      }),
    );
    bench = null;
    list.replaceChildren(...sliders.map(({ element }) => element));
  });
  resetClass.addEventListener("click", () => {
    if (bench !== null) reset(bench.classIndex);
  });
  resetAll.addEventListener("click", () => reset(null));

  store.watch(["trace", "model", "classIndex", "edits", "layer"], (state) => {
    const before = bench;
    const current = benchOf(state);
    bench = current;
    const isSame =
      before?.trace === current.trace && before.classIndex === current.classIndex;
    ranges = isSame
      ? ranges.map((range, i) => widened(range, current.edits[i]))
      : current.ranges;
    sliders.forEach((slider, i) => {
      if (isSame && before.edits[i] === current.edits[i]) return;
      slider.show(shownOf(current, i, ranges[i], isMatrix ? 2 : 3));
    });
    showWords(current, state.layer.words.fallback);
    resetAll.disabled = Object.keys(state.edits).length === 0;
  });

  /** @param {Bench} now @param {number} fallback */
  function showWords(now, fallback) {
    const name = now.model.class_names[now.classIndex];
    const what = isMatrix ? "pose" : "capsule";
    setText(title, `The ${now.original.length} numbers of ${name}’s ${what}`);
    setText(
      note,
      now.model.card.pose_ranges
        ? `Each slider spans the values of nearly all test images of ${name}, and the one here.`
        : `This model’s card records no ranges: each slider spans ${fallback} to either side.`,
    );
    const isNamed = followsOf(now.model, now.classIndex, 0) !== null;
    named?.toggleAttribute("hidden", !isNamed);
    setText(resetClass, `Reset ${name}`);
    resetClass.disabled = !isEdited(now);
  }
}

/** @param {number} index @param {boolean} isMatrix where it stands says which it is */
function nameOf(index, isMatrix) {
  const { row, column } = entryPlace(index);
  return isMatrix
    ? { kind: `Row ${row + 1}, column ${column + 1}`, name: "" }
    : { kind: "Dimension", name: String(index + 1) };
}

/**
 * @param {Bench} bench
 * @param {number} i which of its numbers
 * @param {EditRange} range @param {number} decimals
 * @returns {import("./slider.js").Shown}
 */
function shownOf(bench, i, range, decimals) {
  const [difference, original, value] = [
    bench.edits[i],
    bench.original[i],
    bench.pose[i],
  ];
  return {
    difference,
    range,
    origin: shareOf(range, 0),
    at: shareOf(range, difference),
    value: fixed(value, decimals),
    moved: difference === 0 ? "" : signed(difference, decimals),
    ends: [fixed(original + range.low, 2), fixed(original + range.high, 2)],
    ...noteOn(bench, i),
    spoken:
      difference === 0
        ? `${fixed(value)}, the network’s own`
        : `${fixed(value)}, ${signed(difference)} from the network’s ${fixed(original)}`,
  };
}

/**
 * What a number means, or follows, as far as it was measured.
 * @param {Bench} bench @param {number} index
 */
function noteOn({ model, classIndex }, index) {
  const follows = followsOf(model, classIndex, index);
  if (follows !== null)
    return { note: followsInShort(follows), noteTitle: followsInFull(follows) };
  const meaning = meaningOf(model, classIndex, index);
  const measured = model.card.meanings;
  if (meaning === null || measured === undefined) return { note: "" };
  return {
    note: meaningInShort(meaning),
    noteTitle: meaningInFull(meaning, measured, model.class_names[classIndex]),
  };
}
