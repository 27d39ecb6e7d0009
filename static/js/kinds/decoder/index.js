/**
 * The decoder: the picture that it draws from the pose of one class, and what becomes of it
 * when the pose's numbers are moved. Poses are vectors or matrices.
 * @import { Decoded, Kind, Layer } from "../types.js"
 * @import { DecoderModel, DecoderState } from "./types.js"
 */
import { holds } from "../../core/rooms.js";
import { transient } from "../../core/schema.js";
import { focusedClass } from "../../core/state.js";
import { largestOf } from "../../lib/arithmetic.js";
import { readEdits, withEdit, writeEdits } from "../../lib/edits.js";
import { shapeOf } from "../../lib/pixels.js";
import { latest } from "../../lib/timing.js";
import { paintImage } from "../../paint/heatmap.js";
import { glance } from "./glance.js";
import {
  decodedImage,
  editedPose,
  isOf,
  ownersWish,
  poseOf,
  roundedEdit,
  tellsOwners,
} from "./pose.js";

/** @type {Kind} */
export const decoder = {
  name: "decoder",
  // A vector is shorter than 1, so no number moves further than from -1 to 1; matrices are not
  // bounded, and no decoder needs a number moved further.
  words: ({ form }) =>
    form === "matrix"
      ? { isMatrix: true, reach: 20, fallback: 2 }
      : { reach: 2, fallback: 0.3, onRequest: ["input"] },
  markup({ form, network }) {
    const classes = network.find(({ kind }) => kind.name === "classes");
    const isOnce = form === "vector" && !("history" in (classes?.tensors ?? {}));
    return `decoder-${form}${isOnce ? "-once" : ""}`;
  },
  fields: (model, layer) => ({
    edits: editsOf(model, layer),
    decoded: transient(null),
    owned: transient([]),
  }),
  needs: ["poses", "scores", "image"],
  glance,
  thumbnail: {
    needs: ["image"],
    follows: ["classIndex", "edits", "decoded", "view"],
    paint(canvas, { tensors }, state) {
      const values = shownImage(state) ?? tensors.image.data;
      paintImage(canvas, values, shapeOf(state.model));
    },
  },
  tryFirst: () => zeroed,
  start(store, services, layer) {
    keepDecoded(store, services, layer);
    keepOwned(store, services, layer);
  },
  tasks: {
    /** A number of a pose has been changed. */
    edited: ({ edits }) => Object.keys(edits).length > 0,
  },
  comparison: { needs: ["image"], load: () => import("./compared.js") },
  script: "kinds/decoder/view.js",
  load: () => import("./view.js"),
};

/**
 * @param {DecoderModel} model @param {Layer} layer
 * @returns {import("../../core/schema.js").Field<DecoderState["edits"]>}
 */
function editsOf({ classes, ...model }, layer) {
  const [, ...pose] = layer.shapeOf(/** @type {DecoderModel} */ (model), "poses");
  const count = pose.reduce((product, size) => product * size, 1);
  const { reach } = layer.words;
  return {
    start: () => ({}),
    step: () => "numbers of the pose",
    write: writeEdits,
    read: (link) => readEdits(link.getAll("edit"), { classes, count, reach }),
  };
}

/** One number of the decoded pose becomes zero: the largest, so that something is seen. */
export const zeroed = {
  words: "What does the largest number of the pose draw?",
  button: "Set it to zero",
  at: ".is-edited input",
  change(/** @type {Pick<DecoderState, "classIndex" | "edits" | "trace">} */ state) {
    const { edits, trace } = state;
    const classIndex = focusedClass(state);
    const pose = poseOf(trace.tensors.poses, classIndex);
    const index = largestOf(pose.map(Math.abs));
    const count = pose.length;
    const difference = roundedEdit(-pose[index]);
    return { edits: withEdit(edits, { classIndex, index, difference, count }) };
  },
};

/**
 * The picture that was decoded of the pose in focus, where it is not the trace's own.
 * @param {DecoderState} state
 * @returns {Float32Array | null} null where there is none, or only an earlier one: while
 *   the view is open its answer is on the way
 */
function shownImage(state) {
  const { trace, model, view, layer } = state;
  if (!holds(trace, model, ["image", "poses"])) return null;
  const picture = decodedImage(state);
  return picture?.isCurrent || view === layer.id ? (picture?.data ?? null) : null;
}

/**
 * Have the pose in focus decoded while the view is open, always the newest one next.
 * @type {NonNullable<Kind["start"]>}
 */
function keepDecoded(store, { server, guarded }, layer) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, classIndex, pose }) => {
      const body = { digit: classIndex, poses: [pose] };
      const { images } = await server.computeTensors(model, "reconstruct", body);
      if (store.get()?.model === model)
        store.set({ decoded: { classIndex, pose, data: images.data } });
    }),
  );
  store.watch(["trace", "classIndex", "edits", "view", "model"], (state) => {
    const wish = state.view === layer.id ? decodeWish(state) : null;
    if (wish !== null) ask(wish);
  });
  store.watch(["pixels"], ({ pixels }) => {
    if (pixels === null) store.set({ decoded: null });
  });
}

/**
 * Have both digits decoded, and one that is not there, where a network names two, while the
 * view is open.
 * @type {NonNullable<Kind["start"]>}
 */
function keepOwned(store, { server, guarded }, layer) {
  const ask = latest(
    guarded(async (/** @type {import("./pose.js").OwnersWish} */ { model, poses }) => {
      const known = store.get()?.owned ?? [];
      const owned = await Promise.all(
        poses.map(async (wanted) => {
          const picture = known.find((/** @type {Decoded} */ picture) =>
            isOf(picture, wanted),
          );
          if (picture) return picture;
          const { classIndex: digit, pose } = wanted;
          const body = { digit, poses: [pose] };
          const { images } = await server.computeTensors(model, "reconstruct", body);
          return { ...wanted, data: images.data };
        }),
      );
      if (store.get()?.model === model) store.set({ owned });
    }),
  );
  store.watch(["trace", "classIndex", "edits", "view", "model"], (state) => {
    const { trace, model, view } = state;
    if (view !== layer.id || !tellsOwners(model)) return;
    if (holds(trace, model, ["poses", "scores"])) ask(ownersWish(state));
  });
}

/** @typedef {{ model: DecoderModel, classIndex: number, pose: number[] }} Wish */

/**
 * The pose that is to be decoded anew: that of the class in focus, when it is edited or is
 * not the one that the trace was decoded from.
 * @param {Pick<DecoderState, "classIndex" | "edits" | "model"> & { trace: DecoderState["trace"] | null }} state
 * @returns {Wish | null}
 */
export function decodeWish({ trace, classIndex: chosen, edits, model }) {
  if (!holds(trace, model, ["poses"])) return null;
  const classIndex = focusedClass({ classIndex: chosen, trace });
  const differences = edits[classIndex];
  if (classIndex === trace.prediction && differences === undefined) return null;
  return {
    model,
    classIndex,
    pose: editedPose(poseOf(trace.tensors.poses, classIndex), differences),
  };
}
