/**
 * What hands did, one step after another, to take back and do again: strokes and images, and
 * whatever fields of a network's or an experiment's state say what a change of them is called.
 * @import { AppState, Model, Network, Store } from "../types.js"
 * @import { Schema } from "./schema.js"
 */
import { memoizeByObject } from "../lib/memoize.js";

const ONE_MS = 400; // what a slider changes so soon is one step
const MOST = 100;

/**
 * @typedef {object} Step
 * @property {string} name such as "type 18 silent"
 * @property {() => void} back
 * @property {() => void} forward
 * @property {() => boolean} [isHere] whether it is of what is on show; absent: always
 */

/**
 * A change of a field.
 * @typedef {{ of: string, from: unknown, to: unknown, at: number }} Change
 */

/** Whether a slider is being moved. */
const isSliding = () =>
  document.activeElement instanceof HTMLInputElement &&
  document.activeElement.type === "range";

/**
 * @param {Store<AppState>} store
 * @param {{ now?: () => number, isSliding?: () => boolean }} [by]
 */
export function createSteps(
  store,
  { now = () => performance.now(), isSliding: slides = isSliding } = {},
) {
  /** @type {Step[]} */
  let done = [];
  /** @type {Step[]} */
  let undone = [];
  /** The last step, where it was a change of a field. @type {(Change & { step: Step }) | null} */
  let last = null;
  /** @type {(() => void)[]} */
  const told = [];
  let isStepping = false;

  function tell() {
    for (const each of told) each();
  }

  /** @param {Step} step */
  function add(step) {
    done = [...done, step].slice(-MOST);
    undone = [];
    last = null;
    tell();
  }

  /**
   * @param {Pick<Change, "of" | "from" | "to">} change
   * @param {(value: any) => void} put
   * @param {(before: any, after: any) => string} nameOf @param {() => boolean} isHere
   */
  function addChange({ of, from: was, to }, put, nameOf, isHere) {
    const at = now();
    const isOne = last?.of === of && slides() && at - last.at < ONE_MS;
    const from = isOne && last ? last.from : was;
    if (isOne && last?.step === done.at(-1)) done = done.slice(0, -1);
    const step = {
      ...{ name: nameOf(from, to), isHere },
      ...{ back: () => put(from), forward: () => put(to) },
    };
    add(step);
    last = { of, from, to, at, step };
  }

  /**
   * The last step of what is on show.
   * @param {readonly Step[]} steps
   */
  const next = (steps) => steps.findLast(({ isHere = () => true }) => isHere());

  /** @param {Step | undefined} step @param {"back" | "forward"} way */
  function take(step, way) {
    isStepping = true;
    step?.[way]();
    isStepping = false;
    last = null;
    tell();
    return step !== undefined;
  }

  watchFields(store, (change, ...by) => {
    if (!isStepping) addChange(change, ...by);
  });
  store.watch(["model", "mode"], tell);

  return {
    add,
    /** @returns {boolean} whether there was one */
    undo() {
      const step = next(done);
      done = done.filter((each) => each !== step);
      if (step) undone = [...undone, step];
      return take(step, "back");
    },
    /** @returns {boolean} whether there was one */
    redo() {
      const step = next(undone);
      undone = undone.filter((each) => each !== step);
      if (step) done = [...done, step];
      return take(step, "forward");
    },
    /** What has been done so far cannot be taken back. */
    forget() {
      [done, undone, last] = [[], [], null];
      tell();
    },
    /** What would be taken back, and done again; undefined where nothing would. */
    earlier: () => next(done)?.name,
    later: () => next(undone)?.name,
    /** @param {() => void} job called when there is something else to take back */
    watch: (job) => void told.push(job),
  };
}

/** @typedef {ReturnType<typeof createSteps>} Steps */

/**
 * Tell of every change of a field that has a name for it.
 * @param {Store<AppState>} store
 * @param {(change: Pick<Change, "of" | "from" | "to">, put: (value: any) => void,
 *   nameOf: (before: any, after: any) => string, isHere: () => boolean) => void} tell
 */
function watchFields(store, tell) {
  let before = store.get();
  store.watch(["slices", "lab", "model", "network"], () => {
    const was = before;
    const now = store.get();
    before = now;
    const { model, network } = now;
    if (model !== null && network !== null && was.slices !== now.slices) {
      const { id } = model;
      compare(
        ...[was.slices[id], now.slices[id], schemaOf({ network, model })],
        (key, change, nameOf) => {
          const put = (/** @type {unknown} */ value) => {
            const all = store.get().slices;
            store.set({ slices: { ...all, [id]: { ...all[id], [key]: value } } });
          };
          const isHere = () => store.get().model?.id === id;
          tell({ of: `${id} ${key}`, ...change }, put, nameOf, isHere);
        },
      );
    }
  });
}

const schemaOf = memoizeByObject(
  (/** @type {{ network: Network, model: Model }} */ { model }) => model,
  ({ network, model }) => network.schema(model),
);

/**
 * @param {any} was @param {any} now slices of the state @param {Schema} schema
 * @param {(key: string, change: { from: unknown, to: unknown },
 *   nameOf: (before: any, after: any) => string) => void} tell of each field that differs
 */
function compare(was, now, schema, tell) {
  if (!was || !now || was === now) return;
  for (const [key, { step }] of Object.entries(schema))
    if (step && was[key] !== now[key])
      tell(key, { from: was[key], to: now[key] }, step);
}
