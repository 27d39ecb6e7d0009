/**
 * Attention routing (Mazzia, Salvetti & Chiaberge 2021).
 * @import { Kind, TraceOf } from "../../types.js"
 * @import { AttentionState } from "./types.js"
 */
import { whole } from "../../../core/schema.js";
import { focusedClass } from "../../../core/state.js";
import { largestOf, reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { followingFields } from "../../capsules/index.js";
import { choosing } from "../../capsules/places.js";
import { belowOf } from "../../capsules/source.js";
import { keyOf } from "../../layer-state.js";
import { ROUTING } from "../index.js";
import { mountBadge } from "../surgery/badge.js";
import { isSameSurgery } from "../surgery/changes.js";
import { NO_SURGERY_FIELDS, surgeryFields } from "../surgery/link.js";
import {
  COMPARED,
  keepStrongest,
  ranIn,
  runsAsAsked,
  stagedOptions,
} from "../surgery/run.js";
import { operated, stageOf } from "../surgery/stage.js";
import { glance } from "./glance.js";
import { figuresOf, PICTURED, strongestCapsule } from "./numbers.js";

/** Capsules that stand on no grid. */
const ALONE = { rows: 1, columns: 1 };

/**
 * Attention routing of a few capsules to the classes, in one step. Its tensors: `poses` and
 * `lengths` of the capsules below; `votes`; `agreement` of each with the sum of all for the
 * same class; `shares`, their softmax; `couplings`, these with
 * the prior; `capsules`, the classes'; `scores` and `decoded`, what came of it. Its weights:
 * `transforms` and `prior`. It shares the chosen capsule with the layer below.
 * @type {Kind}
 */
export const attentionRouting = {
  name: "routing",
  markup: () => "routing-attention",
  words: ROUTING.words,
  values: ({ words: { voter } }) => ({ voter }),
  // What is chosen below is chosen here, too.
  keys(layer) {
    const below = belowOf(layer);
    const shared = ["capsule", "followsStrongest"];
    return Object.fromEntries(
      shared.map((key) => [key, below ? keyOf(below, key) : key]),
    );
  },
  fields(model, layer) {
    const [capsules, , dim] = layer.shapeOf(model, "votes");
    const capsule = whole({ link: "capsule-below", most: capsules - 1 });
    return {
      // Where the layer below does not: as a rule it has them.
      ...followingFields(capsule),
      entry: whole({ link: "entry", most: dim - 1 }),
      ...(runsAsAsked(model)
        ? surgeryFields({ types: capsules, cells: 1, names: model.class_names })
        : NO_SURGERY_FIELDS),
    };
  },
  folds: { surgery: ["silence", "routing", "pin"] },
  shares: ({ tensors }) => ({ name: "share", tensor: tensors.shares, isOnce: true }),
  needs: [...PICTURED, ...COMPARED],
  compares: [...PICTURED, ...COMPARED],
  shape(model, layer) {
    const [capsules, classes] = layer.shapeOf(model, "votes");
    return `${capsules}→${classes}`;
  },
  glance,
  thumbnail: {
    needs: ["couplings"],
    paint(canvas, /** @type {TraceOf<"couplings">} */ { tensors }) {
      const { shape, data } = tensors.couplings;
      const [rows, columns] = shape;
      paintHeatmap(canvas, data, { rows, columns, scale: diverging(reach(data) || 1) });
    },
  },
  tryFirst: () => ({
    words: "Which vote adds the least to the class in focus?",
    button: "Choose it",
    at: "[data-couplings] canvas",
    change: (/** @type {AttentionState} */ state) => ({
      ...choosing(largestOf(evidenceIn(state).map((evidence) => -evidence))),
    }),
  }),
  tasks: {
    /** The chosen capsule gives the class in focus more than any other, and somebody chose it. */
    "gives-most"(state, { classIndex }) {
      const { trace, capsule, followsStrongest } = state;
      if (!trace?.tensors.votes || !trace.tensors.couplings) return false;
      if (followsStrongest || state.classIndex !== classIndex) return false;
      return largestOf(evidenceIn(state)) === capsule;
    },
    /** Attention is ignored, nothing else is changed, and the answer has come. */
    "attention-ignored"({ surgery, trace, pixels }) {
      const isOnly = surgery.silenced.length === 0 && surgery.pins.length === 0;
      const isOwn = trace?.pixels === pixels && isSameSurgery(ranIn(trace), surgery);
      return surgery.routing === "uniform" && isOnly && isOwn;
    },
  },
  options: stagedOptions,
  unchanged: ROUTING.unchanged,
  isOperable: ROUTING.isOperable,
  operate: (state, gesture) => operated(state, ALONE, gesture),
  staged: (state) =>
    stageOf(state, { types: state.layer.shapeOf(state.model, "votes")[0], ...ALONE }),
  start: (store) => keepStrongest(store, strongestCapsule),
  notice: mountBadge,
  script: "kinds/routing/attention/panels.js",
  load: () => import("./panels.js"),
};

/** What each capsule gives to the class in focus. @param {AttentionState} state */
function evidenceIn(state) {
  return figuresOf(state.trace.tensors).evidence(focusedClass(state));
}
