/**
 * A slider for each number of the capsule in focus. The tick is where the network put
 * the number; the bar from there to the thumb is how far it has been moved.
 * @import { EditRange } from "./range.js"
 * @import { Capsule } from "./capsule.js"
 * @import { Actions, DecodingStore } from "../types.js"
 */
import { clamp } from "../../../lib/arithmetic.js";
import { fixed, signed } from "../../../lib/format.js";
import { find, findElement } from "../../../ui/dom.js";
import { meaningInFull, meaningInShort, meaningOf } from "../meanings/words.js";
import { capsuleInFocus, isEdited } from "./capsule.js";
import { roundedEdit } from "./pose.js";
import { EDIT_STEP, FALLBACK, shareOf, widened } from "./range.js";
import { listenToSlider, poseSlider } from "./slider.js";

/** What an arrow key moves by. */
const KEY_STEP = 0.01;

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 */
export function mountSliders(root, store, actions) {
  const list = findElement(root, "[data-sliders]");
  const title = findElement(root, "[data-pose-title]");
  const note = findElement(root, "[data-range-note]");
  const resetDigit = find(root, "[data-reset-digit]", HTMLButtonElement);
  const resetAll = find(root, "[data-reset-all]", HTMLButtonElement);
  /** @type {ReturnType<typeof poseSlider>[]} */
  let sliders = [];
  /** @type {Capsule | null} */
  let capsule = null;
  /** @type {EditRange[]} kept while a thumb is dragged, else it would run away */
  let ranges = [];

  /** @param {number} dimension @param {number} difference */
  function edit(dimension, difference) {
    if (capsule === null) return;
    const { low, high } = ranges[dimension];
    const kept = clamp(difference, low, high);
    actions.edit(capsule.digit, dimension, roundedEdit(kept));
  }

  store.watch(["model"], ({ model }) => {
    sliders = Array.from({ length: model.pose_dim }, (_, dimension) => {
      const name = String(dimension + 1);
      const slider = poseSlider({
        id: `pose-${name}`,
        name,
        kind: "Dimension",
        step: EDIT_STEP,
      });
      listenToSlider(slider, {
        keyStep: KEY_STEP,
        move: (difference) => edit(dimension, difference),
        back: () => edit(dimension, 0),
      });
      return slider;
    });
    list.replaceChildren(...sliders.map(({ element }) => element));
  });

  resetDigit.addEventListener("click", () => {
    if (capsule !== null) actions.resetEdits(capsule.digit);
  });
  resetAll.addEventListener("click", () => actions.resetEdits(null));

  store.watch(["trace", "model", "digit", "edits"], (state) => {
    const before = capsule;
    const now = capsuleInFocus(state);
    capsule = now;
    const isSame = before?.trace === now.trace && before.digit === now.digit;
    ranges = isSame
      ? ranges.map((range, i) => widened(range, now.edits[i]))
      : now.ranges;
    sliders.forEach((slider, i) => {
      if (isSame && before.edits[i] === now.edits[i]) return;
      const [difference, original] = [now.edits[i], now.original[i]];
      const range = ranges[i];
      slider.show({
        difference,
        range,
        own: shareOf(range, 0),
        at: shareOf(range, difference),
        value: fixed(now.pose[i]),
        moved: difference === 0 ? "" : signed(difference),
        ends: [fixed(original + range.low, 2), fixed(original + range.high, 2)],
        ...noteOn(now, i),
        spoken:
          difference === 0
            ? `${fixed(now.pose[i])}, the network’s own`
            : `${fixed(now.pose[i])}, ${signed(difference)} from the network’s ${fixed(original)}`,
      });
    });
    showWords(now);
    resetAll.disabled = Object.keys(state.edits).length === 0;
  });

  /** @param {Capsule} now */
  function showWords(now) {
    const name = now.model.class_names[now.digit];
    title.textContent = `The ${now.original.length} numbers of ${name}’s capsule`;
    note.textContent = now.model.card.pose_ranges
      ? `Each slider spans what nearly all test images of ${name} use, and the value here.`
      : `This model’s card records no ranges: each slider spans ${FALLBACK} to either side.`;
    resetDigit.textContent = `Reset ${name}`;
    resetDigit.disabled = !isEdited(now);
  }
}

/**
 * What a number means, as far as it was measured.
 * @param {Capsule} capsule
 * @param {number} dimension
 */
function noteOn({ model, digit }, dimension) {
  const meaning = meaningOf(model, digit, dimension);
  const measured = model.card.meanings;
  if (meaning === null || measured === undefined) return { note: "" };
  return {
    note: meaningInShort(meaning),
    noteTitle: meaningInFull(meaning, measured, model.class_names[digit]),
  };
}
