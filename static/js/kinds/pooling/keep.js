/**
 * Keeps the pass over the moved image, while a pooling layer is open and the image is
 * moved.
 * @import { Layer, Pixels, Pooled, Services, Tensor, Trace } from "../types.js"
 * @import { PoolingState, PoolingStore } from "./types.js"
 * @import { Shift } from "../../lib/shift.js"
 */
import { merged } from "../../core/live.js";
import { holds } from "../../core/rooms.js";
import { memoize } from "../../lib/memoize.js";
import { isMoved, movedPixels, sameShift } from "../../lib/shift.js";
import { latest } from "../../lib/timing.js";

/** Whether no layer of its kind stands below it. @param {Layer} layer */
export const isFirst = (layer) =>
  layer.network.find(({ kind }) => kind.name === "pooling")?.id === layer.id;

/** Roles of the tensors that the view is drawn from. */
export const NEEDS = ["below", "values", "winners", "scores"];

/**
 * @typedef {object} Wish
 * @property {PoolingState["model"]} model
 * @property {Pixels} from
 * @property {Shift} shift
 * @property {Pixels} pixels moved
 * @property {string[]} names
 */

/** @param {PoolingStore} store @param {Services} services @param {Layer} layer */
export function keepMoved(store, { server, guarded }, layer) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, from, shift, pixels, names }) => {
      const found = await server.fetchTrace(model, pixels, names);
      const now = store.get();
      // An answer to an older question must not stand beside a newer image.
      if (now?.model !== model || now.pixels !== from) return;
      if (!sameShift(now.shift, shift)) return;
      const before = now.moved?.trace.pixels === pixels ? now.moved.trace : null;
      store.set({ moved: { from, shift, trace: merged(before, found) } });
    }),
  );
  store.watch(["pixels", "model", "view", "shift", "moved"], (state) => {
    const wish = movedWish(state, layer);
    if (wish !== null) ask(wish);
  });
}

/** The same for layers that share a move, so that their answers stand together. */
const move = memoize(movedPixels);

/**
 * What must be asked so that the open view can compare; null when nothing.
 * @param {Pick<PoolingState, "pixels" | "model" | "view" | "shift" | "moved">} state
 * @param {Layer} layer
 * @returns {Wish | null}
 */
export function movedWish({ pixels: from, model, view, shift, moved }, layer) {
  if (view !== layer.id || from === null || !isMoved(shift)) return null;
  const known = isOf(moved, { model, from, shift }) ? moved.trace : null;
  const names = namesOf(layer).filter((name) => !known?.tensors[name]);
  if (names.length === 0) return null;
  const pixels = known?.pixels ?? move(from, shift);
  return { model, from, shift, pixels, names };
}

/** @param {Layer} layer */
const namesOf = ({ tensors }) => NEEDS.map((role) => tensors[role]);

/**
 * The pass over the moved image that belongs beside a trace.
 * @param {Pick<PoolingState, "trace" | "model" | "shift" | "moved">} state
 * @param {Layer} layer
 * @returns {Trace | null} null while it is on its way, or nothing is moved
 */
export function movedTrace({ trace, model, shift, moved }, layer) {
  if (!isOf(moved, { model, from: trace.pixels, shift })) return null;
  return holds(moved.trace, model, namesOf(layer)) ? moved.trace : null;
}

/**
 * @param {PoolingState["moved"]} moved
 * @param {{ model: { id: string }, from: Pixels, shift: Shift }} wanted
 * @returns {moved is NonNullable<PoolingState["moved"]>}
 */
function isOf(moved, { model, from, shift }) {
  return (
    moved !== null &&
    moved.trace.model === model.id &&
    moved.from === from &&
    sameShift(moved.shift, shift)
  );
}

/**
 * The layer as it read an image.
 * @param {Pick<Trace, "tensors">} trace that holds what the view needs
 * @param {Layer} layer
 * @returns {Pooled}
 */
export function poolingOf({ tensors }, layer) {
  const of = (/** @type {string} */ role) =>
    /** @type {Tensor} */ (tensors[layer.tensors[role]]);
  return { below: of("below"), pooled: of("values"), winners: of("winners") };
}
