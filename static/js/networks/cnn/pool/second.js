/**
 * Pool2: pooling of Conv2's maps.
 * @import { TraceOf, ViewStore } from "../../../types.js"
 * @import { Actions, Cnn } from "../types.js"
 * @import { Pool2Need } from "./needs.js"
 */
import { memoizeByObject } from "../../../lib/memoize.js";
import { movedTrace } from "./moved/keep.js";
import { NEEDS } from "./needs.js";
import { poolView } from "./view.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Cnn, Pool2Need>} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const view = poolView(root, actions, {
    layers: { own: "pool2", below: "conv2" },
    chooseMap: actions.chooseMap2,
    choosePixel: actions.choosePixel2,
  });
  store.watch(
    ["trace", "model", "map2", "pixel2", "pooling", "shift", "moved"],
    (state) => {
      const moved = movedTrace(state, NEEDS.pool2);
      view.show({
        ...state,
        map: state.map2,
        pixel: state.pixel2,
        run: runOf(state.trace),
        moved: moved && runOf(moved),
      });
    },
  );
  store.watch(["field"], ({ field }) => view.lookAt(field));
}

const runOf = memoizeByObject(
  (/** @type {TraceOf<Pool2Need>} */ trace) => trace,
  ({ pixels, prediction, tensors }) => ({
    pixels,
    prediction,
    scores: tensors.scores.data,
    layer: {
      below: tensors["conv2.relu"],
      pooled: tensors.pool2,
      winners: tensors["pool2.winners"],
    },
  }),
);
