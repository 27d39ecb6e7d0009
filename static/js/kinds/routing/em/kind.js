/**
 * EM routing (Hinton, Sabour & Frosst 2018).
 * @import { Kind, Layer, Model, TraceOf } from "../../types.js"
 * @import { Route } from "./types.js"
 */
import { choice, whole } from "../../../core/schema.js";
import { sequential } from "../../../lib/color.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { gridOf } from "../../capsules/places.js";
import { POSE } from "../../matrices.js";
import { iterationFields, ROUTING } from "../index.js";
import { mountBadge } from "../surgery/badge.js";
import { NO_SURGERY_FIELDS, surgeryFields } from "../surgery/link.js";
import { runsAsAsked } from "../surgery/run.js";
import { operated, stageOf } from "../surgery/stage.js";
import { glance } from "./glance.js";
import { ROLES, routeTo } from "./routes.js";

/**
 * EM routing, to the classes and to the layers of capsules below them. Its tensors and
 * weights, behind the prefix of their route: `ROLES` and `LEARNED`. Its words: `routes`, of which
 * the first leads to the classes.
 * @type {Kind}
 */
export const emRouting = {
  ...ROUTING,
  markup: () => "routing-em",
  fields: (model, layer) => ({
    ...iterationFields(model, layer),
    ...(runsAsAsked(model) ? surgeryFields(sizesOf(layer, model)) : NO_SURGERY_FIELDS),
    routed: choice(
      "routed",
      layer.words.routes.map((/** @type {Route} */ { to }) => to),
    ),
    entry: whole({ link: "entry", most: POSE - 1 }),
  }),
  needs: [...ROLES],
  shape(model, layer) {
    const [types, rows, columns] = layer.shapeOf(model, "presence");
    return `${types * rows * columns}→${model.classes}`;
  },
  glance,
  thumbnail: {
    needs: ["activations"],
    /** How present each class is after each iteration, row by row. */
    paint(canvas, /** @type {TraceOf<"activations">} */ { tensors }) {
      const { shape, data } = tensors.activations;
      const [rows, columns] = shape;
      paintHeatmap(canvas, data, { rows, columns, scale: sequential(0, 1) });
    },
  },
  /** What routing to a layer of capsules is drawn from, while it is on show. */
  wants({ view, routed }, layer) {
    const { prefix } = routeTo(layer, routed);
    if (view !== layer.id || prefix === "") return [];
    return Object.entries(layer.tensors).flatMap(([role, name]) =>
      role.startsWith(prefix) ? [name] : [],
    );
  },
  operate: (state, gesture) =>
    operated(state, gridOf(state.layer.shapeOf(state.model, "presence")), gesture),
  staged(state) {
    const shape = state.layer.shapeOf(state.model, "presence");
    return stageOf(state, { types: shape[0], ...gridOf(shape) });
  },
  notice: mountBadge,
  /** The route from a layer below. */
  focus({ layer }, { below }) {
    const route = layer.words.routes.find(
      (/** @type {Route} */ { from }) => from === below,
    );
    return route ? { routed: route.to } : {};
  },
  folds: { assignments: [], numbers: ["entry"] },
  shares: ({ tensors }) => ({ name: "assignment", tensor: tensors.assignments }),
  script: "kinds/routing/em/panels.js",
  load: () => import("./panels.js"),
};

/** What surgery can name. @param {Layer} layer @param {Model} model */
function sizesOf(layer, model) {
  const shape = layer.shapeOf(model, "presence");
  const { rows, columns } = gridOf(shape);
  return { types: shape[0], cells: rows * columns, names: model.class_names };
}
