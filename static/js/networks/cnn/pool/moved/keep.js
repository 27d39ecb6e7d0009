/**
 * Keeps the trace of the moved image that of the image on show, while a pooling layer is
 * open and the image is moved.
 * @import { NetworkState, NetworkStore, Pixels, Services, Trace, TraceOf } from "../../../../types.js"
 * @import { Cnn, CnnModel } from "../../types.js"
 * @import { Shift } from "./shift.js"
 */
import { merged } from "../../../../core/live.js";
import { holds } from "../../../../core/rooms.js";
import { latest } from "../../../../lib/timing.js";
import { NEEDS } from "../needs.js";
import { isMoved, movedPixels, sameShift } from "./shift.js";

/**
 * A pass over the moved image.
 * @typedef {object} Moved
 * @property {Pixels} from the image before it was moved
 * @property {Shift} shift
 * @property {Trace} trace of the moved image
 */

/** What a wish is made from. */
const WATCHED = /** @type {const} */ (["pixels", "model", "view", "shift", "moved"]);

/**
 * @typedef {object} Wish
 * @property {CnnModel} model
 * @property {Pixels} from
 * @property {Shift} shift
 * @property {Pixels} pixels moved
 * @property {string[]} names
 */

/**
 * @param {NetworkStore<Cnn>} store
 * @param {Services} services
 */
export function keepMoved(store, { server, guarded }) {
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
  store.watch(WATCHED, (state) => {
    const wish = movedWish(state);
    if (wish !== null) ask(wish);
  });
}

/**
 * What must be asked so that the open view can compare; null when nothing.
 * @param {Pick<NetworkState<Cnn>, typeof WATCHED[number]>} state
 * @returns {Wish | null}
 */
export function movedWish({ pixels: from, model, view, shift, moved }) {
  if (view !== "pool1" && view !== "pool2") return null;
  if (from === null || !isMoved(shift)) return null;
  const known = isOf(moved, { model, from, shift }) ? moved.trace : null;
  const names = NEEDS[view].filter((name) => !known?.tensors[name]);
  if (names.length === 0) return null;
  const pixels = known?.pixels ?? movedPixels(from, shift);
  return { model, from, shift, pixels, names };
}

/**
 * The pass over the moved image that belongs beside a trace.
 * @template {string} Need
 * @param {{ trace: Trace | TraceOf<Need>, model: CnnModel, shift: Shift, moved: Moved | null }} state
 * @param {readonly Need[]} needs
 * @returns {TraceOf<Need> | null} null while it is on its way, or nothing is moved
 */
export function movedTrace({ trace, model, shift, moved }, needs) {
  if (!isOf(moved, { model, from: trace.pixels, shift })) return null;
  return holds(moved.trace, model, needs) ? moved.trace : null;
}

/**
 * @param {Moved | null} moved
 * @param {{ model: CnnModel, from: Pixels, shift: Shift }} wanted
 * @returns {moved is Moved}
 */
function isOf(moved, { model, from, shift }) {
  return (
    moved !== null &&
    moved.trace.model === model.id &&
    moved.from === from &&
    sameShift(moved.shift, shift)
  );
}
