/**
 * Sliders that move all numbers of a capsule at once, each along a property such as slant.
 * @import { Bench } from "./pose.js"
 * @import { PoseSlider } from "./slider.js"
 * @import { DecoderModel, DecoderStore, PoseMeasures } from "./types.js"
 * @import { Path } from "./ways.js"
 */
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { nameOf, PROPERTIES } from "../../lib/properties.js";
import { findElement, setText } from "../../ui/dom.js";
import { truthOf } from "./meanings.js";
import { benchOf, editing, shareOf } from "./pose.js";
import { listenToSlider, poseSlider } from "./slider.js";
import { amountOn, failingWays, movedTo, propertyPaths, REACH } from "./ways.js";

const STEP = 0.01;
const KEY_STEP = 0.1;

/** How far apart two amounts must be to differ; edits are rounded to 0.001. */
const SAME = 0.05;

/** @param {HTMLElement} root @param {DecoderStore} store */
export function mountPathSliders(root, store) {
  const part = findElement(root, "[data-properties]");
  const list = findElement(part, "[data-paths]");
  const note = findElement(part, "[data-paths-note]");
  /** @type {{ path: Path, slider: PoseSlider }[]} */
  let rows = [];
  /** @type {Bench | null} */
  let bench = null;
  /** Where a drag began: edits are rounded, and must not add up. @type {readonly number[] | null} */
  let held = null;

  const { editAll } = editing(store);
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
      /** @type {PoseMeasures | null} */ measures,
      /** @type {number} */ classIndex,
    ) => {
      const paths = measures ? propertyPaths(model, measures, classIndex) : [];
      rows = paths.map((path) => ({ path, slider: sliderFor(path, move) }));
      list.replaceChildren(...rows.map(({ slider }) => slider.element));
      part.hidden = rows.length === 0;
      setText(note, noteOn(model, classIndex));
    },
  );

  store.watch(
    ["trace", "model", "classIndex", "edits", "measured", "layer"],
    (state) => {
      bench = benchOf(state);
      makeRows(state.model, state.measured, bench.classIndex);
      for (const { path, slider } of rows) slider.show(shownOf(path, bench));
    },
  );
}

/** @param {Path} path @param {(path: Path, amount: number) => void} move */
function sliderFor(path, move) {
  const { property } = path.way;
  const slider = poseSlider({
    id: `path-${property}`,
    name: nameOf(property),
    kind: "Property",
    step: STEP,
  });
  slider.element.classList.add("is-property");
  listenToSlider(slider, {
    keyStep: KEY_STEP,
    move: (amount) => move(path, amount),
    back: () => move(path, 0),
  });
  return slider;
}

/** @param {Path} path @param {Pick<Bench, "edits">} capsule */
export function shownOf(path, { edits }) {
  const read = amountOn(path, edits);
  const amount = Math.abs(read) < SAME ? 0 : read;
  const range = { low: Math.min(-REACH, amount), high: Math.max(REACH, amount) };
  const words = inUnitsOf(path.way);
  return {
    difference: amount,
    range,
    own: shareOf(range, 0),
    at: shareOf(range, amount),
    value: words(amount),
    moved: "",
    ends: /** @type {const} */ ([words(range.low), words(range.high)]),
    note: truthOf(path.way),
    noteTitle: "",
    spoken:
      amount === 0 ? `${words(amount)}, the network’s own` : `${words(amount)} in all`,
  };
}

/**
 * What a slider's amount does to the property, as it was measured.
 * @param {Path["way"]} way
 */
function inUnitsOf({ property, change }) {
  const { unit, decimals } = PROPERTIES[property] ?? { unit: "", decimals: 2 };
  return (/** @type {number} */ amount) =>
    amount === 0
      ? `${fixed(0, decimals)}${unit}`
      : `${signed(amount * change, decimals)}${unit}`;
}

/** @param {DecoderModel} model @param {number} classIndex */
function noteOn(model, classIndex) {
  const name = model.class_names[classIndex];
  const images = model.card.meanings?.images ?? 0;
  const failing = failingWays(model, classIndex).map(({ property }) =>
    nameOf(property),
  );
  const rest =
    failing.length === 0
      ? ""
      : ` Without a slider, because no direction changes it well enough alone: ${failing.join(", ")}.`;
  return `Each slider moves all numbers along the direction that changes one property most and the others least, as measured on training images. Its value is the mean change over up to ${images} test images of ${name}. Below it stand the correlation r and the property that changes second most; properties are compared in units of about one standard deviation.${rest}`;
}
