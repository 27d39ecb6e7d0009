/**
 * The pose on the bench: the numbers of one class's capsule as the network found them, what
 * has been moved in them, how far each may be moved, and the picture that belongs to them.
 * @import { Tensor, Trace } from "../../types.js"
 * @import { DecoderModel, DecoderState, DecoderStore } from "./types.js"
 */
import { focusedClass } from "../../core/state.js";
import { ranked } from "../../lib/arithmetic.js";
import { withEdit, withoutEdits } from "../../lib/edits.js";

/** What an edit is rounded to; a link keeps no more. */
const EDIT_DECIMALS = 3;

/** Sliders move by whole ones of these, so that 0 can be reached. */
export const EDIT_STEP = 0.001;

/** @typedef {{ low: number, high: number }} EditRange differences; low <= 0 <= high */

/**
 * @typedef {object} Bench
 * @property {DecoderModel} model
 * @property {DecoderState["trace"]} trace that the pose was found in
 * @property {number} classIndex the class whose it is
 * @property {number[]} original as the network found it
 * @property {readonly number[]} edits differences from that; none is all zeros
 * @property {number[]} pose with the edits
 * @property {EditRange[]} ranges how far each number may be moved
 */

/**
 * @param {Pick<DecoderState, "model" | "trace" | "classIndex" | "edits" | "layer">} state
 * @returns {Bench}
 */
export function benchOf(state) {
  const { model, trace, layer } = state;
  const classIndex = focusedClass(state);
  const original = poseOf(trace.tensors.poses, classIndex);
  const edits = state.edits[classIndex] ?? original.map(() => 0);
  const used = model.card.pose_ranges?.[classIndex];
  const { fallback } = layer.words;
  return {
    model,
    trace,
    classIndex,
    original,
    edits,
    pose: editedPose(original, edits),
    ranges: original.map((value, i) => editRange(used?.[i], value, edits[i], fallback)),
  };
}

/** @param {Pick<Bench, "edits">} bench */
export function isEdited({ edits }) {
  return edits.some((difference) => difference !== 0);
}

/** @param {Tensor} poses (classes, …) @param {number} classIndex @returns {number[]} */
export function poseOf({ shape: [classes], data }, classIndex) {
  const size = data.length / classes;
  return Array.from(data.subarray(classIndex * size, (classIndex + 1) * size));
}

/**
 * @param {readonly number[]} pose
 * @param {readonly number[] | undefined} differences none when absent
 * @returns {number[]}
 */
export function editedPose(pose, differences) {
  return pose.map((value, i) => value + (differences?.[i] ?? 0));
}

/** @param {readonly number[]} pose */
export function lengthOf(pose) {
  return Math.hypot(...pose);
}

/** @param {number} difference */
export function roundedEdit(difference) {
  return Number(difference.toFixed(EDIT_DECIMALS)) + 0; // never -0
}

/** The ways in which a hand changes poses. @param {DecoderStore} store */
export function editing(store) {
  /** @param {(state: DecoderState) => DecoderState["edits"]} change */
  function update(change) {
    const state = store.get();
    if (state !== null) store.set({ edits: change(state) });
  }
  return {
    /**
     * Move one number of one class's pose away from what the network found.
     * @param {number} classIndex @param {number} index
     * @param {number} difference 0 takes the edit back
     */
    edit(classIndex, index, difference) {
      update(({ edits, trace }) => {
        const count = poseOf(trace.tensors.poses, classIndex).length;
        return withEdit(edits, { classIndex, index, difference, count });
      });
    },

    /** @param {number | null} classIndex whose edits to take back; null: all */
    reset: (classIndex) => update(({ edits }) => withoutEdits(edits, classIndex)),
  };
}

/**
 * How far a number may be moved, in differences from the network's own value.
 * @param {readonly [number, number] | undefined} used what the test set uses, as values
 * @param {number} original the network's own value
 * @param {number} edit the present difference; the range includes it
 * @param {number} fallback the span to either side where the card says nothing
 * @returns {EditRange} never empty, ends on whole steps
 */
export function editRange(used, original, edit, fallback) {
  const isKnown = used !== undefined && used[1] > used[0];
  const [low, high] = isKnown ? used : [original - fallback, original + fallback];
  return widened(
    {
      low: outward(Math.min(low - original, 0), Math.floor),
      high: outward(Math.max(high - original, 0), Math.ceil),
    },
    edit,
  );
}

/**
 * @param {EditRange} range @param {number} edit
 * @returns {EditRange} that holds the edit too
 */
export function widened(range, edit) {
  return { low: Math.min(range.low, edit), high: Math.max(range.high, edit) };
}

/**
 * Where a difference stands on its slider.
 * @param {EditRange} range @param {number} difference
 * @returns {number} in 0..1, left to right
 */
export function shareOf({ low, high }, difference) {
  return (difference - low) / (high - low);
}

/** @param {number} difference @param {(value: number) => number} round away from 0 */
function outward(difference, round) {
  const slack = 1e-6 * Math.sign(difference); // 0.3 / 0.001 is 299.99999999999994
  return roundedEdit(round(difference / EDIT_STEP - slack) * EDIT_STEP);
}

/**
 * What of the state tells which picture the decoder drew of the pose in focus.
 * @typedef {Pick<DecoderState, "classIndex" | "edits" | "decoded" | "trace">} Pictured
 */

/**
 * The picture of the pose in focus: the one that came with the trace, or the last one that
 * was asked for.
 * @param {Pictured} state
 * @returns {{ data: Float32Array, isCurrent: boolean } | null} ink in 0..1, row by row, and
 *   whether it is of the pose as it is now; null when nothing has been decoded yet
 */
export function decodedImage(state) {
  const { trace, edits, decoded } = state;
  const classIndex = focusedClass(state);
  if (classIndex === trace.prediction && edits[classIndex] === undefined)
    return { data: trace.tensors.image.data, isCurrent: true };
  if (decoded === null) return null;
  const wanted = editedPose(poseOf(trace.tensors.poses, classIndex), edits[classIndex]);
  const isCurrent =
    decoded.classIndex === classIndex &&
    wanted.every((value, i) => value === decoded.pose[i]);
  return { data: decoded.data, isCurrent };
}

/**
 * Whether a network says of two classes whose ink is whose; the colours of owners need grey
 * images.
 * @param {Pick<DecoderModel, "present" | "input_shape">} model
 */
export function tellsOwners({ present, input_shape: [channels] }) {
  return present.at_most > 1 && channels === 1;
}

/**
 * Of which classes the pictures are: the two with the highest scores, and one of the others:
 * that in focus, else the highest.
 * @param {Pick<DecoderState, "classIndex"> & { trace: Pick<Trace, "prediction"> & { tensors: { scores: { data: Float32Array } } } }} state
 * @returns {[one: number, other: number, absent: number]}
 */
export function ownersIn(state) {
  const [first, other, third] = ranked(state.trace.tensors.scores.data);
  const focused = focusedClass(state);
  return [first, other, focused === first || focused === other ? third : focused];
}

/** @typedef {{ model: DecoderModel, poses: { classIndex: number, pose: number[] }[] }} OwnersWish */

/**
 * The poses to decode for the pictures, with what was edited in them.
 * @param {Pick<DecoderState, "classIndex" | "edits" | "model" | "trace">} state
 * @returns {OwnersWish}
 */
export function ownersWish({ classIndex, edits, model, trace }) {
  const { poses } = trace.tensors;
  return {
    model,
    poses: ownersIn({ classIndex, trace }).map((classIndex) => ({
      classIndex,
      pose: editedPose(poseOf(poses, classIndex), edits[classIndex]),
    })),
  };
}

/**
 * Whether a picture is that of a pose.
 * @param {{ classIndex: number, pose: readonly number[] }} picture
 * @param {{ classIndex: number, pose: readonly number[] }} wanted
 */
export const isOf = (picture, wanted) =>
  picture.classIndex === wanted.classIndex &&
  picture.pose.every((value, i) => value === wanted.pose[i]);
