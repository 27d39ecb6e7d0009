/**
 * The picture of the whole network, made of what the kinds of its layers bring.
 * @import { Layer, Model, NetworkState, Trace } from "./types.js"
 * @import { Column, Overview, Scene } from "../overview/types.js"
 */
import { holds } from "../core/rooms.js";
import { keysOf, seenBy, traceBy } from "./seeing.js";

/**
 * @param {readonly Layer[]} layers
 * @param {(layer: Layer, model: Model) => string} sizeOf such as 256×20×20
 * @returns {Overview}
 */
export function overviewOf(layers, sizeOf) {
  const shown = layers.filter(({ kind }) => kind.glance !== undefined);
  const needs = [...new Set(shown.flatMap(needsOf))];
  /** @type {{ trace: Trace, model: Model, body: Omit<Scene, "step">, scene?: Scene } | null} */
  let last = null;
  // The routing to the classes is the last; its iteration is the one on show.
  const routed = layers.findLast(({ kind }) => kind.name === "routing");

  /** Arrays stay the same for the same trace. @param {NetworkState} state @returns {Scene | null} */
  function of(state) {
    const { trace, model } = state;
    if (!holds(trace, model, needs)) return null;
    if (last?.trace !== trace || last.model !== model)
      last = { trace, model, body: bodyOf(model, trace) };
    const { body } = last;
    const { step = body.steps } = routed ? seenBy(routed, state) : {};
    const at = Math.min(step, body.steps) - 1;
    if (last.scene?.step !== at) last.scene = { ...body, step: at };
    return last.scene;
  }

  /** @param {Model} model @param {Trace} trace @returns {Omit<Scene, "step">} */
  function bodyOf(model, trace) {
    /** @type {Column[]} */
    const columns = [];
    /** @type {Scene["rivers"][number][]} */
    const rivers = [];
    /** @type {Pick<Scene, "classes" | "drawn">} */
    const ends = { classes: null, drawn: null };
    for (const layer of shown) {
      const found = layer.kind.glance?.of(traceBy(layer, trace), layer) ?? null;
      const { id, title, below = null } = layer;
      const titled = { id, title, size: sizeOf(layer, model) };
      // Where layers are joined, what a unit sees of one of them depends on its map.
      const isJoined = (layer.beside ?? []).length > 0;
      const window = (!isJoined && layer.window?.(model)) || null;
      if (found?.form === "tiles") columns.push({ ...found, ...titled, below, window });
      if (found?.form === "rivers") {
        // What is made of it, where that is not the classes.
        const made = shown.find((each) => each.below === id && !isOfClasses(each));
        for (const each of found.rivers)
          rivers.push({ ...each, ...titled, above: each.above ?? made?.id ?? null });
      }
      if (found?.form === "classes") ends.classes = { ...found, ...titled };
      if (found?.form === "picture") ends.drawn = { ...found, ...titled };
    }
    const steps = Math.max(1, ...rivers.map((each) => each.steps));
    return {
      ...{ pixels: trace.pixels, columns, rivers, ...ends, steps },
      names: model.class_names,
      measure: model.scores,
      prediction: trace.prediction,
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
    ...{ needs, of, stepOf },
    stepTo: (step) => (routed ? keysOf(routed, { step: step + 1 }) : {}),
  };
}

/** @param {Layer} layer */
const isOfClasses = ({ kind }) => kind.name === "classes";

/** The tensors that a layer's part is made of. @param {Layer} layer @returns {string[]} */
function needsOf(layer) {
  const { needs = [] } = layer.kind.glance ?? {};
  const roles = typeof needs === "function" ? needs(layer) : needs;
  return roles.flatMap((role) => layer.tensors[role] ?? []);
}
