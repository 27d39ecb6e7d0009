/**
 * Sliders that move many numbers at once: along a property, such as slant, or along the
 * principal directions of a digit's capsules. Chosen in place of those for each number.
 * @import { Capsule } from "./capsule.js"
 * @import { Path } from "../meanings/ways.js"
 * @import { Actions, CapsModel, CapsSlice, DecodingStore, PoseMeasures } from "../types.js"
 */

import { fixed, percent, signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { findElement } from "../../../ui/dom.js";
import {
  amountOn,
  failingWays,
  movedTo,
  principalPaths,
  propertyPaths,
} from "../meanings/ways.js";
import { nameOf, PROPERTIES, truthOf } from "../meanings/words.js";
import { capsuleInFocus } from "./capsule.js";
import { shareOf } from "./range.js";
import { listenToSlider, poseSlider } from "./slider.js";

const STEP = 0.01;
const KEY_STEP = 0.1;

/** How far apart two amounts must be to differ; edits are rounded to 0.001. */
const SAME = 0.05;

/** @typedef {CapsSlice["sliders"]} Set */

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 */
export function mountPathSliders(root, store, actions) {
  const choice = findElement(root, "[data-slider-sets]");
  const numbers = findElement(root, "[data-numbers-set]");
  const list = findElement(root, "[data-paths]");
  const note = findElement(root, "[data-paths-note]");
  /** @type {{ path: Path, slider: ReturnType<typeof poseSlider> }[]} */
  let rows = [];
  /** @type {Capsule | null} */
  let capsule = null;
  /** Where a drag began: edits are rounded, and must not add up. @type {readonly number[] | null} */
  let held = null;

  listenToChoices(choice, (value) => actions.chooseSliders(/** @type {Set} */ (value)));
  list.addEventListener("pointerdown", () => {
    held = capsule?.edits ?? null;
  });
  for (const end of ["pointerup", "pointercancel"])
    list.addEventListener(end, () => {
      held = null;
    });

  /** @param {Path} path @param {number} amount */
  function move(path, amount) {
    if (capsule === null) return;
    actions.editAll(capsule.digit, movedTo(path, held ?? capsule.edits, amount));
  }

  const makeRows = memoize(
    (
      /** @type {CapsModel} */ model,
      /** @type {PoseMeasures} */ measures,
      /** @type {Set} */ set,
      /** @type {number} */ digit,
      /** @type {Capsule["trace"]} */ _trace,
    ) => {
      const paths = pathsOf(set, model, measures, digit, capsule?.original ?? []);
      rows = paths.map((path) => ({ path, slider: sliderFor(path, move) }));
      list.replaceChildren(...rows.map(({ slider }) => slider.element));
      note.textContent = noteOn(set, model, digit);
    },
  );

  store.watch(
    ["trace", "model", "digit", "edits", "poseMeasures", "sliders"],
    (state) => {
      const { model, poseMeasures, trace } = state;
      const set = poseMeasures === null ? "numbers" : state.sliders;
      choice.hidden = poseMeasures === null;
      pressChoice(choice, set);
      numbers.hidden = set !== "numbers";
      list.hidden = note.hidden = set === "numbers";
      capsule = capsuleInFocus(state);
      if (set === "numbers" || poseMeasures === null) return;
      makeRows(model, poseMeasures, set, capsule.digit, trace);
      for (const { path, slider } of rows) slider.show(shownOf(path, capsule));
    },
  );
}

/**
 * @param {Set} set
 * @param {CapsModel} model
 * @param {PoseMeasures} measures
 * @param {number} digit
 * @param {readonly number[]} original
 * @returns {Path[]}
 */
function pathsOf(set, model, measures, digit, original) {
  return set === "properties"
    ? propertyPaths(model, measures, digit)
    : principalPaths(measures, digit, original);
}

/**
 * @param {Path} path
 * @param {(path: Path, amount: number) => void} move
 */
function sliderFor(path, move) {
  const isProperty = path.way !== null;
  const slider = poseSlider({
    id: `path-${path.id}`,
    name: isProperty ? nameOf(path.id) : path.id,
    kind: isProperty ? "Property" : "Principal direction",
    step: STEP,
  });
  slider.element.classList.toggle("is-property", isProperty);
  listenToSlider(slider, {
    keyStep: KEY_STEP,
    move: (amount) => move(path, amount),
    back: () => move(path, path.own),
  });
  return slider;
}

/**
 * @param {Path} path
 * @param {Pick<Capsule, "edits">} capsule
 */
export function shownOf(path, { edits }) {
  const { own, reach, way, share } = path;
  const read = amountOn(path, edits);
  const amount = Math.abs(read - own) < SAME ? own : read;
  const range = {
    low: Math.min(-reach, own, amount),
    high: Math.max(reach, own, amount),
  };
  const words = way === null ? deviations : inUnitsOf(way);
  return {
    difference: amount,
    range,
    own: shareOf(range, own),
    at: shareOf(range, amount),
    value: words(amount),
    moved: way === null && amount !== own ? signed(amount - own, 2) : "",
    ends: /** @type {const} */ ([words(range.low), words(range.high)]),
    note: way === null ? `${percent(share, 0)} of the variance` : truthOf(way),
    noteTitle: "",
    spoken:
      amount === own
        ? `${words(amount)}, the network’s own`
        : `${words(amount)} in all`,
  };
}

/** @param {number} amount */
function deviations(amount) {
  return `${signed(amount, 1)} σ`;
}

/**
 * What a slider's amount does to the property, as it was measured.
 * @param {NonNullable<Path["way"]>} way
 */
function inUnitsOf({ property, change }) {
  const { unit, decimals } = PROPERTIES[property] ?? { unit: "", decimals: 2 };
  return (/** @type {number} */ amount) =>
    amount === 0
      ? `${fixed(0, decimals)}${unit}`
      : `${signed(amount * change, decimals)}${unit}`;
}

/**
 * @param {Set} set
 * @param {CapsModel} model
 * @param {number} digit
 */
function noteOn(set, model, digit) {
  const name = model.class_names[digit];
  const images = model.card.meanings?.images ?? 0;
  if (set === "principal")
    return `Each slider goes along one principal direction of ${name}’s capsules on up to ${images} test images; σ is their standard deviation along it, 0 their mean.`;
  const failing = failingWays(model, digit).map(({ property }) => nameOf(property));
  const rest =
    failing.length === 0
      ? ""
      : ` Without a slider, because no direction changes it well enough alone: ${failing.join(", ")}.`;
  return `Each slider moves all numbers along the direction that changes one property most and the others least, as measured on training images. Its value is the mean change over up to ${images} test images of ${name}. Below it stand the correlation r and the property that changes second most; properties are compared in units of about one standard deviation.${rest}`;
}
