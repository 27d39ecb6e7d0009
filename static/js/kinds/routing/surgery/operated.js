/**
 * Keeps the run under surgery current, tells which run is on show, and follows the capsule
 * that gives the most.
 * @import { KeepingStore, Layer, Model, Options, Pixels, Services } from "../../types.js"
 * @import { Operable, OperableState, Pin, RoutingModel, Surgery } from "../types.js"
 */
import { merged } from "../../../core/live.js";
import { holds, isSamePass } from "../../../core/rooms.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { latest } from "../../../lib/timing.js";
import { traceBy } from "../../seeing.js";
import { isIntact, NO_SURGERY } from "./changes.js";

/** What the two runs are compared by. */
export const COMPARED = /** @type {const} */ (["scores", "decoded"]);

/**
 * What two runs of a network are compared by: without a decoder, only by their scores.
 * @param {Pick<Layer, "tensors">} layer
 */
export const comparedIn = ({ tensors }) => COMPARED.filter((role) => role in tensors);

/**
 * Whether or not all has come.
 * @typedef {Omit<OperableState, "trace"> & Pick<import("../../../types.js").AppState, "trace">} State
 */

/**
 * Until somebody chooses a capsule, the one in focus is the one that gives the most to the
 * class in focus.
 * @param {KeepingStore<any>} store
 * @param {(state: any) => number | null} strongestCapsule null while it is not known
 */
export function keepStrongest(store, strongestCapsule) {
  store.watch(
    ["followsStrongest", "capsule", "trace", "classIndex", "model"],
    (state) => {
      const capsule = state.followsStrongest ? strongestCapsule(state) : null;
      if (capsule !== null && capsule !== state.capsule) store.set({ capsule });
    },
  );
}

/** What a wish for the run under surgery is made from. */
const OPERATED = /** @type {const} */ ([
  "pixels",
  "model",
  "iterations",
  "view",
  "surgery",
  "showsOperated",
  "operated",
  "trace",
  "classIndex",
]);

/**
 * @typedef {object} Wish
 * @property {RoutingModel} model
 * @property {Pixels} pixels
 * @property {Options} options
 * @property {Surgery} surgery
 * @property {string[]} names
 */

/**
 * Keep the run under surgery that of the image on show, while the view is open: there it
 * stands beside the intact run.
 * @param {KeepingStore<State>} store @param {Services} services @param {Layer} layer
 * @param {Operable} operable
 */
export function keepOperated(store, { server, guarded }, layer, operable) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, pixels, options, surgery, names }) => {
      const run = await server
        .fetchTrace(model, pixels, names, options)
        .catch((error) => {
          // Better no run on show than that of another image.
          if (store.get()?.operated?.pixels !== pixels) store.set({ operated: null });
          throw error;
        });
      const now = store.get();
      if (now === null || now.pixels === null || now.model !== model) return; // changed
      const operated = merged(now.operated, { ...run, surgery });
      store.set({ operated, problem: null });
    }),
  );
  store.watch(
    /** @type {typeof OPERATED[number][]} */ ([
      ...OPERATED,
      ...(operable.follows ?? []),
    ]),
    (state) => {
      const isGone = isIntact(state.surgery) || state.pixels === null;
      if (isGone && state.operated !== null) store.set({ operated: null });
      const wish = operatedWish(state, layer, operable);
      if (wish !== null) ask(wish);
    },
  );
}

/**
 * What must be asked so that the run under surgery can be shown; null when nothing.
 * @param {Pick<State, typeof OPERATED[number]>} state @param {Layer} layer
 * @param {Operable} operable
 * @returns {Wish | null}
 */
export function operatedWish(state, layer, { pictured, wants }) {
  const { pixels, model, surgery, operated } = state;
  const isWanted = state.view === layer.id && !isIntact(surgery);
  if (!isWanted || pixels === null) return null;
  const compared = comparedIn(layer);
  const roles = state.showsOperated ? [...compared, ...pictured] : compared;
  const needed = roles.map((role) => layer.tensors[role]);
  if (state.showsOperated) needed.push(...(wants?.(state, layer) ?? []));
  const options = operatedOptions(state);
  const isKnown = isSamePass(operated, { model: model.id, pixels, options });
  const known = isKnown && operated !== null ? operated.tensors : {};
  const names = needed.filter((name) => !(name in known));
  return names.length === 0 ? null : { model, pixels, options, surgery, names };
}

/**
 * What a run under surgery is asked with.
 * @param {Pick<State, "iterations" | "surgery" | "model">} state
 * @returns {Options}
 */
export function operatedOptions({ iterations, surgery, model }) {
  const { silenced: silence, routing, pins } = surgery;
  return {
    ...intactOptions({ iterations, model }),
    silence,
    routing,
    pin: pinsAsAsked(pins),
  };
}

/**
 * Whether a network runs as many iterations as it is asked for, and what is changed in them.
 * @param {Pick<Model, "routing_iterations">} model
 */
export const runsAsAsked = ({ routing_iterations: trained }) =>
  (trained ?? null) !== null;

/**
 * What a run with nothing changed is asked with.
 * @param {Pick<State, "iterations" | "model">} state
 * @returns {Options}
 */
export const intactOptions = ({ iterations, model }) =>
  iterations !== undefined && runsAsAsked(model) ? { iterations } : {};

/** Held couplings under the API's names; the same for the same, as passes are told apart. */
const pinsAsAsked = memoizeByObject(
  (/** @type {readonly Pin[]} */ pins) => pins,
  (pins) =>
    pins.map(({ capsule, classIndex, coupling }) => ({
      capsule,
      digit: classIndex,
      coupling,
    })),
);

/** @typedef {Pick<OperableState["trace"], "tensors" | "pixels">} Run */

/**
 * The run on show.
 * @param {Pick<OperableState, "trace" | "operated" | "surgery" | "showsOperated" | "model" | "layer">} state
 * @param {Operable} operable
 * @returns {{ trace: Run, ran: Surgery } | null} null while the run under surgery is on its
 *   way
 */
export function runOf(state, { pictured }) {
  const { trace, operated, surgery, showsOperated, model, layer } = state;
  if (!showsOperated || isIntact(surgery)) return { trace, ran: NO_SURGERY };
  const found = operated && traceBy(layer, operated);
  return operated && holds(found, model, pictured)
    ? { trace: /** @type {any} */ (found), ran: operated.surgery }
    : null;
}
