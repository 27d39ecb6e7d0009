/**
 * The picture of the whole network, made of what the kinds of its layers bring.
 * @import { Layer, Model, NetworkState, Trace } from "./types.js"
 * @import { Column, Overview, River, Scene, Titled } from "../overview/types.js"
 */
import { holds } from "../core/rooms.js";
import { memoizeByObject } from "../lib/memoize.js";
import { keysOf, MEASURED, seenBy, traceBy } from "./layer-state.js";
import { soughtIn } from "./sought.js";

/**
 * @param {readonly Layer[]} layers
 * @param {(layer: Layer, model: Model) => string} sizeOf such as 256×20×20
 * @returns {Overview}
 */
export function overviewOf(layers, sizeOf) {
  const drawn = layers.filter(({ kind }) => kind.glance !== undefined);
  const needs = [...new Set(drawn.flatMap(needsOf))];
  /** @typedef {Omit<Scene, "step" | "stage" | "before" | "sought" | "isEmpty">} Body */
  /** What is on show, and what it was made of. @type {{ from: unknown[], scene: Scene } | null} */
  let last = null;
  // The routing to the classes is the last; its iteration is the one on show.
  const routed = layers.findLast(({ kind }) => kind.name === "routing");
  // The same for the same.
  const bodyOf = memoizeByObject(
    (/** @type {{ model: Model, trace: Trace }} */ { trace }) => trace,
    ({ model, trace }) => bodyFrom(model, trace),
  );

  /** Arrays stay the same for the same trace. @param {NetworkState} state @returns {Scene | null} */
  function of(state) {
    const { trace, intact, model } = state;
    if (!holds(trace, model, needs)) return emptyOf(state);
    const body = bodyOf({ model, trace });
    const { step = body.steps } = routed ? seenBy(routed, state) : {};
    const at = Math.min(step, body.steps) - 1;
    const from = [trace, intact, model, at, state[MEASURED]];
    if (last?.from.every((value, i) => value === from[i])) return last.scene;
    const operable = operableIn(layers, state);
    const stage = operable?.kind.staged?.(seenBy(operable, state)) ?? null;
    const isBeside = stage?.isChanged === true && intact?.pixels === trace.pixels;
    const before =
      isBeside && holds(intact, model, needs) ? bodyOf({ model, trace: intact }) : null;
    const sought = soughtIn(drawn, state);
    const scene = { ...body, step: at, stage, before, sought, isEmpty: false };
    last = { from, scene };
    return scene;
  }

  /** The network in its place while it reads nothing. @param {NetworkState} state */
  function emptyOf({ pixels, model }) {
    if (pixels !== null || last === null || last.from[2] !== model) return null;
    if (last.scene.isEmpty) return last.scene;
    const { steps } = last.scene;
    const scene = { ...last.scene, step: steps - 1, stage: null, before: null };
    last = { from: [null, null, model, null], scene: { ...scene, isEmpty: true } };
    return last.scene;
  }

  /** @param {Model} model @param {Trace} trace @returns {Body} */
  function bodyFrom(model, trace) {
    /** @type {Column[]} */
    const columns = [];
    /** @type {Scene["rivers"][number][]} */
    const rivers = [];
    /** @type {Pick<Scene, "classes" | "drawn">} */
    const ends = { classes: null, drawn: null };
    for (const layer of drawn) {
      const glance = layer.kind.glance?.of(traceBy(layer, trace), layer, model);
      const { id, title, below = null } = layer;
      const titled = { id, title, size: sizeOf(layer, model) };
      switch (glance?.form) {
        case "tiles":
          columns.push({ ...glance, ...titled, below, window: windowOf(layer, model) });
          break;
        case "rivers":
          rivers.push(...riversOf(glance.rivers, titled, drawn));
          break;
        case "classes":
          ends.classes = { ...glance, ...titled };
          break;
        case "picture":
          ends.drawn = { ...glance, ...titled };
      }
    }
    const steps = Math.max(1, ...rivers.map((river) => river.steps));
    return {
      pixels: trace.pixels,
      columns,
      rivers,
      ...ends,
      steps,
      names: model.class_names,
      measure: model.scores,
      prediction: trace.prediction,
      saying: model,
      present: trace.present,
    };
  }

  /** @type {Overview["stepOf"]} */
  function stepOf(state) {
    const { step, iterations } = routed ? seenBy(routed, state) : {};
    if (step === undefined || iterations === 1) return null;
    return { at: Math.min(step, iterations) - 1, count: iterations };
  }

  return {
    needs,
    of,
    stepOf,
    stepTo: (step) => (routed ? keysOf(routed, { step: step + 1 }) : {}),
  };
}

/**
 * The layer of which something can be changed.
 * @param {readonly Layer[]} layers @param {NetworkState} state
 */
export const operableIn = (layers, { model }) =>
  layers.find((layer) => layer.kind.isOperable?.(layer, model));

/**
 * Where layers are joined, what a unit sees of one of them depends on its map.
 * @param {Layer} layer @param {Model} model
 */
function windowOf({ beside = [], window }, model) {
  return beside.length > 0 ? null : (window?.(model) ?? null);
}

/**
 * They lead to what is made of them, where that is not the classes.
 * @param {readonly River[]} rivers @param {Titled} titled @param {readonly Layer[]} layers
 */
function riversOf(rivers, titled, layers) {
  const reader = layers.find(
    (layer) => layer.below === titled.id && !isOfClasses(layer),
  );
  return rivers.map((river) => ({
    ...river,
    ...titled,
    above: river.above ?? reader?.id ?? null,
  }));
}

/** @param {Layer} layer */
const isOfClasses = ({ kind }) => kind.name === "classes";

/** The tensors that a layer's part is made of. @param {Layer} layer @returns {string[]} */
function needsOf(layer) {
  const { needs = [] } = layer.kind.glance ?? {};
  const roles = typeof needs === "function" ? needs(layer) : needs;
  return roles.flatMap((role) => layer.tensors[role] ?? []);
}
