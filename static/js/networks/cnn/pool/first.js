/**
 * Pool1: pooling of Conv1's maps.
 * @import { TraceOf, ViewStore } from "../../../types.js"
 * @import { Actions, Cnn } from "../types.js"
 * @import { Pool1Need } from "./needs.js"
 */
import { memoizeByObject } from "../../../lib/memoize.js";
import { movedTrace } from "./moved/keep.js";
import { NEEDS } from "./needs.js";
import { poolView } from "./view.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Cnn, Pool1Need>} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const view = poolView(root, actions, {
    layers: { own: "pool1", below: "conv1" },
    chooseMap: actions.chooseMap,
    choosePixel: actions.choosePixel,
  });
  store.watch(
    ["trace", "model", "map", "pixel", "pooling", "shift", "moved"],
    (state) => {
      const moved = movedTrace(state, NEEDS.pool1);
      view.show({ ...state, run: runOf(state.trace), moved: moved && runOf(moved) });
    },
  );
  store.watch(["field"], ({ field }) => view.lookAt(field));
}

const runOf = memoizeByObject(
  (/** @type {TraceOf<Pool1Need>} */ trace) => trace,
  ({ pixels, prediction, tensors }) => ({
    pixels,
    prediction,
    scores: tensors.scores.data,
    layer: {
      below: tensors["conv1.relu"],
      pooled: tensors.pool1,
      winners: tensors["pool1.winners"],
    },
  }),
);
