/**
 * What hands did, one step after another, to take back and do again: strokes and images, and
 * whatever fields of a network's or an experiment's state say what a change of them is called.
 * @import { AppState, Model, Network, Store } from "../types.js"
 * @import { Field, Schema } from "./schema.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { ownOf } from "../lib/own.js";
import { experimentSlice, LAB, openExperiment } from "./state.js";

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
      name: nameOf(from, to),
      isHere,
      back: () => put(from),
      forward: () => put(to),
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
    const { model, network, experiments } = now;
    if (model !== null && network !== null && was.slices !== now.slices) {
      const { id } = model;
      const put = (/** @type {object} */ patch) => {
        const { slices } = store.get();
        store.set({ slices: { ...slices, [id]: { ...ownOf(slices, id), ...patch } } });
      };
      const isHere = () => store.get().model?.id === id;
      const slices = [ownOf(was.slices, id), ownOf(now.slices, id)];
      for (const { key, from, to, step } of changesIn(
        slices,
        schemaOf({ network, model }),
      ))
        tell(
          { of: `${id} ${key}`, from, to },
          (to) => put({ [key]: to }),
          step,
          isHere,
        );
    }
    for (const experiment of was.lab === now.lab ? [] : experiments) {
      const { id, title, schema } = experiment;
      const put = (/** @type {object} */ patch) => {
        const state = store.get();
        const slice = { ...experimentSlice(state, experiment), ...patch };
        const slices = { ...state.lab.slices, [id]: slice };
        store.set({ lab: { ...state.lab, slices } });
      };
      const isHere = () => {
        const state = store.get();
        return state.mode === LAB && openExperiment(state)?.id === id;
      };
      // What links keep is what hands choose.
      const slices = [was, now].map((state) => experimentSlice(state, experiment));
      for (const { key, from, to } of changesIn(slices, schema, ({ write }) => write))
        tell(
          ...[
            { of: `${id} ${key}`, from, to },
            (/** @type {any} */ to) => put({ [key]: to }),
          ],
          ...[() => `change in ${title}`, isHere],
        );
    }
  });
}

const schemaOf = memoizeByObject(
  (/** @type {{ network: Network, model: Model }} */ { model }) => model,
  ({ network, model }) => network.schema(model),
);

/**
 * @param {readonly any[]} slices of the state before and now @param {Schema} schema
 * @param {(field: Field<any>) => unknown} [isStep] which fields count
 */
function changesIn([was, now], schema, isStep = ({ step }) => step) {
  if (!was || !now || was === now) return [];
  return Object.entries(schema).flatMap(([key, field]) =>
    isStep(field) && was[key] !== now[key]
      ? [{ key, from: was[key], to: now[key], step: field.step ?? (() => key) }]
      : [],
  );
}
