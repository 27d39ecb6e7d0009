/**
 * Sliders that move many numbers at once: along a property, such as slant, or along the
 * principal directions of a class's capsules. Chosen in place of those for each number.
 * @import { Bench } from "./pose.js"
 * @import { PoseSlider } from "./slider.js"
 * @import { DecoderModel, DecoderStore, PoseMeasures, SliderSet } from "./types.js"
 * @import { Path } from "./ways.js"
 */
import { fixed, percent, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { nameOf, PROPERTIES } from "../../lib/properties.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement } from "../../ui/dom.js";
import { truthOf } from "./meanings.js";
import { benchOf, editing, shareOf } from "./pose.js";
import { listenToSlider, poseSlider } from "./slider.js";
import {
  amountOn,
  failingWays,
  movedTo,
  principalPaths,
  propertyPaths,
} from "./ways.js";

const STEP = 0.01;
const KEY_STEP = 0.1;

/** How far apart two amounts must be to differ; edits are rounded to 0.001. */
const SAME = 0.05;

/** @param {HTMLElement} root @param {DecoderStore} store */
export function mountPathSliders(root, store) {
  const choice = findElement(root, "[data-slider-sets]");
  const numbers = findElement(root, "[data-numbers-set]");
  const list = findElement(root, "[data-paths]");
  const note = findElement(root, "[data-paths-note]");
  /** @type {{ path: Path, slider: PoseSlider }[]} */
  let rows = [];
  /** @type {Bench | null} */
  let bench = null;
  /** Where a drag began: edits are rounded, and must not add up. @type {readonly number[] | null} */
  let held = null;

  const { editAll } = editing(store);
  listenToChoices(choice, (value) =>
    store.set({ sliders: /** @type {SliderSet} */ (value) }),
  );
  list.addEventListener("pointerdown", () => {
    held = bench?.edits ?? null;
  });
  for (const end of ["pointerup", "pointercancel"])
    list.addEventListener(end, () => {
      held = null;
    });

  /** @param {Path} path @param {number} amount */
  function move(path, amount) {
    if (bench === null) return;
    editAll(bench.classIndex, movedTo(path, held ?? bench.edits, amount));
  }

  const makeRows = memoize(
    (
      /** @type {DecoderModel} */ model,
      /** @type {PoseMeasures} */ measures,
      /** @type {SliderSet} */ set,
      /** @type {number} */ classIndex,
      /** @type {Bench["trace"]} */ _trace,
    ) => {
      const paths = pathsOf(set, model, measures, classIndex, bench?.original ?? []);
      rows = paths.map((path) => ({ path, slider: sliderFor(path, move) }));
      list.replaceChildren(...rows.map(({ slider }) => slider.element));
      note.textContent = noteOn(set, model, classIndex);
    },
  );

  store.watch(
    ["trace", "model", "classIndex", "edits", "measured", "sliders", "layer"],
    (state) => {
      const { model, measured, trace } = state;
      const set = measured === null ? "numbers" : state.sliders;
      choice.hidden = measured === null;
      pressChoice(choice, set);
      numbers.hidden = set !== "numbers";
      list.hidden = note.hidden = set === "numbers";
      bench = benchOf(state);
      if (set === "numbers" || measured === null) return;
      makeRows(model, measured, set, bench.classIndex, trace);
      for (const { path, slider } of rows) slider.show(shownOf(path, bench));
    },
  );
}

/**
 * @param {SliderSet} set @param {DecoderModel} model @param {PoseMeasures} measures
 * @param {number} classIndex @param {readonly number[]} original
 * @returns {Path[]}
 */
function pathsOf(set, model, measures, classIndex, original) {
  return set === "properties"
    ? propertyPaths(model, measures, classIndex)
    : principalPaths(measures, classIndex, original);
}

/** @param {Path} path @param {(path: Path, amount: number) => void} move */
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

/** @param {Path} path @param {Pick<Bench, "edits">} capsule */
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

/** @param {SliderSet} set @param {DecoderModel} model @param {number} classIndex */
function noteOn(set, model, classIndex) {
  const name = model.class_names[classIndex];
  const images = model.card.meanings?.images ?? 0;
  if (set === "principal")
    return `Each slider goes along one principal direction of ${name}’s capsules on up to ${images} test images; σ is their standard deviation along it, 0 their mean.`;
  const failing = failingWays(model, classIndex).map(({ property }) =>
    nameOf(property),
  );
  const rest =
    failing.length === 0
      ? ""
      : ` Without a slider, because no direction changes it well enough alone: ${failing.join(", ")}.`;
  return `Each slider moves all numbers along the direction that changes one property most and the others least, as measured on training images. Its value is the mean change over up to ${images} test images of ${name}. Below it stand the correlation r and the property that changes second most; properties are compared in units of about one standard deviation.${rest}`;
}
