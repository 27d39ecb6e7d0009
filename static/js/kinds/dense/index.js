/**
 * A dense layer: every unit reads all values of the maps below, each with a weight of its
 * own.
 * @import { Kind, Layer, Model, TraceOf } from "../types.js"
 */
import { choice, group, optional } from "../../core/schema.js";
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { paintTiles } from "../../paint/heatmap.js";
import { mountBadge } from "../routing/surgery/badge.js";
import { NO_SURGERY } from "../routing/surgery/changes.js";
import { NO_SURGERY_FIELDS, silenceFields } from "../routing/surgery/link.js";
import { stagedOptions } from "../routing/surgery/run.js";
import { operated, stageOf } from "../routing/surgery/stage.js";
import { glance } from "./glance.js";

/** Maps are silenced as a whole. */
const WHOLE = { rows: 1, columns: 1 };

/** What silence is told by: maps below. @param {Layer} layer @param {Model} model */
const toldIn = (layer, model) => ({
  types: layer.shapeOf(model, "below")[0],
  cells: 1,
  names: model.class_names,
  one: "map",
});

/** @param {Layer} layer @param {Model} model */
const isOperable = (layer, model) =>
  model.silenceable_maps === layer.shapeOf(model, "below")[0];

/**
 * A dense layer whose units are read into the logits. Its tensors: `below`, the maps that
 * it reads, which can be silenced where the model says so; `values`, the units after ReLU. Its weights: `kernels` and `bias`, and those of
 * the logits, `output` and `outputBias`.
 * @type {Kind}
 */
export const dense = {
  name: "dense",
  fields: (model, layer) => ({
    unit: optional({ link: "unit", most: layer.shapeOf(model, "values")[0] - 1 }),
    look: group({
      mode: choice("units", ["after", "before", "given"]),
      order: choice("units-order", ["number", "given"]),
    }),
    ...(isOperable(layer, model)
      ? silenceFields(toldIn(layer, model))
      : NO_SURGERY_FIELDS),
  }),
  folds: { values: [] },
  needs: ["below", "values"],
  glance,
  thumbnail: { needs: ["values"], paint: paintUnits },
  tryFirst: () => ({
    words: "See which units add most to the class in focus.",
    button: "Put them first",
    at: "[data-units] canvas",
    change: () => ({ look: { mode: "given", order: "given" } }),
  }),
  focus: (_state, { column, below, tile }) =>
    below === undefined ? { unit: column } : { mapBelow: tile },
  options: stagedOptions,
  unchanged: { surgery: NO_SURGERY },
  isOperable,
  operate: (state, gesture) => operated(state, WHOLE, gesture),
  staged: (state) => stageOf(state, { ...WHOLE, ...toldIn(state.layer, state.model) }),
  notice: (root, store, actions, layer) =>
    mountBadge(root, store, actions, layer, toldIn),
  script: "kinds/dense/panels.js",
  load: () => import("./panels.js"),
};

/**
 * Every unit a cell, row by row, in a picture twice as wide as it is high.
 * @param {HTMLCanvasElement} canvas @param {TraceOf<"values">} trace
 */
function paintUnits(canvas, { tensors }) {
  const { data } = tensors.values;
  const across = Math.ceil(Math.sqrt(2 * data.length));
  const layout = { count: data.length, across, rows: 1, columns: 1, gap: 0 };
  const brightest = sequential(0, reach(data) || 1);
  paintTiles(canvas, data, layout, () => brightest);
}
