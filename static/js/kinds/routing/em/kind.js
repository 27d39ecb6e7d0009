/**
 * EM routing (Hinton, Sabour & Frosst 2018).
 * @import { Kind, Layer, TraceOf } from "../../types.js"
 * @import { LearnedRole, Route, RouteRole } from "./types.js"
 */
import { choice, whole } from "../../../core/schema.js";
import { sequential } from "../../../lib/color.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { POSE } from "../../matrices.js";
import { iterationFields, ROUTING } from "../index.js";
import { glance } from "./glance.js";

/** The tensors of a route, behind its prefix. @type {readonly RouteRole[]} */
export const ROLES = [
  "presence",
  "votes",
  "assignments",
  "means",
  "deviations",
  "activations",
  "costs",
];

/** What the layer above has learned, behind the prefix. @type {readonly LearnedRole[]} */
export const LEARNED = ["betaU", "betaA", "lambda"];

/**
 * EM routing, to the classes and to the layers of capsules below them. Its tensors and
 * weights, and the routes among its words: those that `routes` names. Its words: `network`,
 * what its network is called.
 * @type {Kind}
 */
export const emRouting = {
  ...ROUTING,
  markup: () => "routing-em",
  fields: (model, layer) => ({
    ...iterationFields(model, layer),
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
  folds: {
    flow: [],
    assignments: [],
    distances: [],
    beside: [],
    numbers: ["entry"],
  },
  beside: "beside",
  comparison: {
    needs: ["presence", "assignments"],
    markup: () => "compared-routing-em",
    load: () => import("./compared.js"),
  },
  form: () => import("./form.js"),
  script: "kinds/routing/em/index.js",
  load: () => import("./index.js"),
};

/** @param {Layer} layer @param {string} id of the layer above @returns {Route} */
export function routeTo({ words }, id) {
  return (
    words.routes.find((/** @type {Route} */ { to }) => to === id) ?? words.routes[0]
  );
}

/**
 * What a layer of EM routing is described with.
 * @param {readonly (readonly [to: string, from: string])[]} pairs ids of layers; first those
 *   of the routing to the classes, whose tensors bear no layer's name
 */
export function routes(...pairs) {
  const made = pairs.map(([to, from], i) => ({
    ...{ to, from },
    prefix: i === 0 ? "" : `${to}.`,
  }));
  const figures = [
    "assignments",
    "means",
    "deviations",
    "activations",
    "costs",
    "flow",
  ];
  const tensors = made.flatMap(({ from, prefix }) => [
    [`${prefix}presence`, `${from}.activations`],
    [`${prefix}votes`, `${prefix}votes`],
    ...figures.map((figure) => [`${prefix}${figure}`, `${prefix}routing.${figure}`]),
  ]);
  const weights = made.flatMap(({ to, prefix }) => [
    [`${prefix}betaU`, `${to}.beta_u`],
    [`${prefix}betaA`, `${to}.beta_a`],
    [`${prefix}lambda`, `${to}.inverse_temperature`],
  ]);
  return {
    tensors: Object.fromEntries(tensors),
    weights: Object.fromEntries(weights),
    routes: made,
  };
}
