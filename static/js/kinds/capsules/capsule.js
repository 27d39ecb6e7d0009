/**
 * The chosen capsule: what it sees of the input, and its pose where that is a matrix.
 * @import { Pixels } from "../../types.js"
 * @import { Field, Layer, Model } from "../types.js"
 * @import { CapsulesStore } from "./types.js"
 */
import { sizeWords } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { compact } from "../../lib/decimals.js";
import { capitalized, fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { numberGrid } from "../../ui/number-grid.js";
import { framedPicture, showInkLegend, showLegend } from "../../ui/pictures.js";
import { entryAt, entryPlace, POSE, SIDE } from "../matrices.js";
import { isAlone } from "./index.js";
import { capsuleInWords, gridOf } from "./places.js";
import { fieldOf } from "./source.js";

/** @param {HTMLElement} root @param {CapsulesStore} store @param {Layer} layer */
export function mountSeen(root, store, layer) {
  const input = framedPicture(findElement(root, "[data-input]"));
  const title = findElement(root, "[data-capsule-title]");
  const seen = findElement(root, "[data-seen]");
  const legend = findElement(root, "[data-input-legend]");
  const showInput = memoize((/** @type {Pixels} */ pixels) => {
    input.showInput(pixels);
    showInkLegend(legend, pixels);
  });

  store.watch(["trace", "model", "capsule"], ({ trace, model, capsule }) => {
    const field = fieldOf(layer, model, capsule);
    setText(
      title,
      capitalized(capsuleInWords(gridOf(trace.tensors.activation.shape), capsule)),
    );
    showInput(trace.pixels);
    if (field === null) return;
    setText(
      seen,
      isAlone(layer)
        ? seenWords(field, model.input_shape)
        : `it sees ${sizeWords(field)} pixels`,
    );
    input.frame(field);
  });
  store.watch(["field"], ({ field }) => input.point(field));
}

/**
 * @param {Field} seen by every capsule
 * @param {Model["input_shape"]} shape
 */
export function seenWords({ row, column, size, columns = size }, [, down, across]) {
  /** @param {number} count @param {string} one */
  const last = (count, one) => {
    if (count === 0) return [];
    return [count === 1 ? `the last ${one}` : `the last ${count} ${one}s`];
  };
  const missed = [
    ...last(down - row - size, "row"),
    ...last(across - column - columns, "column"),
  ];
  const rest =
    missed.length === 0 ? "" : ` None sees ${missed.join(" and ")} of the input.`;
  return `Every capsule sees the same ${size}×${columns} pixels.${rest}`;
}

/** @param {HTMLElement} root @param {CapsulesStore} store */
export function mountPose(root, store) {
  const pose = numberGrid(findElement(root, "[data-pose]"));
  const legend = findElement(root, "[data-pose-legend]");
  const active = findElement(root, "[data-activation]");
  let entry = 0;
  pickFromGrid(pose.canvas, {
    layout: pose.layout,
    step: "cell",
    chosen: () => ({ place: 0, ...entryPlace(entry) }),
    choose: (cell) => store.set({ entry: entryAt(cell) }),
    hover: pose.point,
  });
  store.watch(["trace", "capsule", "entry"], ({ trace, capsule, entry: entryNow }) => {
    entry = entryNow;
    const { poses, activation } = trace.tensors;
    const values = poses.data.subarray(capsule * POSE, (capsule + 1) * POSE);
    const scale = diverging(reach(values) || 1);
    const format = (/** @type {number} */ value) => compact(value, 3);
    setText(active, `activation ${fixed(activation.data[capsule])}`);
    pose.show(values, { rows: SIDE, columns: SIDE, scale, format });
    pose.choose(entryPlace(entry));
    showLegend(legend, scale, { unit: "number in the pose M" });
  });
}
