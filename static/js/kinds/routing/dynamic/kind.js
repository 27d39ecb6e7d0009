/**
 * Dynamic routing, routing by agreement (Sabour, Frosst & Hinton 2017).
 * @import { Kind, Layer, Model, TraceOf } from "../../types.js"
 * @import { DynamicState } from "./types.js"
 */
import { optional, transient, whole } from "../../../core/schema.js";
import { largestOf, reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { capitalized } from "../../../lib/format.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { followingFields } from "../../capsules/index.js";
import { belowOf } from "../../capsules/source.js";
import { keyOf } from "../../layer-state.js";
import { iterationFields, ROUTING } from "../index.js";
import { mountBadge } from "../surgery/badge.js";
import { isSameSurgery } from "../surgery/changes.js";
import { NO_SURGERY_FIELDS, surgeryFields } from "../surgery/link.js";
import { COMPARED, keepStrongest, ranIn } from "../surgery/run.js";
import { operated, stageOf } from "../surgery/stage.js";
import { keepOnRequest, PICTURED, strongestCapsule, wanted } from "./answers.js";
import {
  endsOf,
  gridBelow,
  isOperable,
  madeBy,
  nounsOf,
  seenInTheMiddle,
} from "./ends.js";
import { glance } from "./glance.js";
import { beyondEven, evidenceOfCapsules } from "./sums.js";

/**
 * Routing by agreement. Its tensors: `lengths` of the capsules below; `logits`, `couplings`
 * and `agreement` of each with each class, and `capsules`, the classes', by iteration;
 * `scores` and `decoded`, what came of it; `types`, couplings by type, for the thumbnail; `none`,
 * what no class gets, of networks whose routing has none of the above. Those that come on
 * request: `votes`.
 * @type {Kind}
 */
export const dynamicRouting = {
  ...ROUTING,
  markup: () => "routing-dynamic",
  values: namesIn,
  lens: seenInTheMiddle,
  keys: keysIn,
  fields: dynamicFields,
  folds: { capsule: ["capsule"], surgery: ["silence", "routing", "pin"] },
  shares: ({ tensors }) => ({ name: "coupling", tensor: tensors.couplings }),
  needs: [...PICTURED, ...COMPARED],
  compares: [...PICTURED, ...COMPARED],
  shape(model, layer) {
    const { types, rows, columns } = gridBelow(layer, model);
    return `${types * rows * columns}→${layer.shapeOf(model, "capsules")[1]}`;
  },
  glance,
  thumbnail: {
    needs: ["types"],
    /** Couplings beyond even, a row for each class. */
    paint(canvas, /** @type {TraceOf<"types">} */ { tensors }, { layer, model }) {
      const { shape, data } = tensors.types;
      const [columns, rows] = shape;
      const beyond = beyondEven(data, endsOf({ layer, model }).length);
      const turned = data.map(
        (_, i) => beyond[(i % columns) * rows + Math.floor(i / columns)],
      );
      paintHeatmap(canvas, turned, {
        rows,
        columns,
        scale: diverging(reach(beyond) || 1),
      });
    },
  },
  /** In the middle: one of the capsules that it makes. */
  focus: ({ layer }, { column, below, above }) =>
    madeBy(layer) ? { classIndex: below === undefined ? column : above } : {},
  isOperable,
  operate: (state, gesture) =>
    operated(state, gridBelow(state.layer, state.model), gesture),
  staged: (state) => stageOf(state, gridBelow(state.layer, state.model)),
  wants: wanted,
  start(store, services, layer) {
    keepStrongest(store, strongestCapsule);
    keepOnRequest(store, services, layer);
  },
  tasks: { ...ROUTING.tasks, "gives-most": givesMost, "silenced-below": silencedBelow },
  notice: mountBadge,
  script: "kinds/routing/dynamic/panels.js",
  load: () => import("./panels.js"),
};

/**
 * What its markup calls the capsules below, and those above.
 * @param {Layer} layer @param {Model} model
 */
function namesIn(layer, model) {
  const { singular: end, plural: ends } = nounsOf(layer);
  const { group } = gridBelow(layer, model);
  const groups = group === "capsule" ? "capsules" : `${group}s of capsules`;
  const heading = layer.title === "Routing" ? "Routing by agreement" : layer.title;
  const { voter } = layer.words;
  return { voter, heading, end, ends, group, groups, End: capitalized(end) };
}

/**
 * What is chosen below is chosen in that layer too; in the middle, which of the capsules
 * above is in focus, and which iteration is on show, is the layer's own.
 * @type {NonNullable<Kind["keys"]>}
 */
function keysIn(layer) {
  const { id } = layer;
  const below = belowOf(layer);
  const shared = ["capsule", "followsStrongest"].map((key) => [
    key,
    below ? keyOf(below, key) : key,
  ]);
  const ownKeys = ["classIndex", "step", "iterations", "surgery", "requests"];
  return {
    ...Object.fromEntries(shared),
    ...(madeBy(layer) &&
      Object.fromEntries(ownKeys.map((key) => [key, `${id}.${key}`]))),
  };
}

/** What fields are called in links: in the middle, with the layer's id. @param {Layer} layer */
const fieldNames = (layer) => (/** @type {string} */ name) =>
  madeBy(layer) ? `${layer.id}-${name}` : name;

/** @type {NonNullable<Kind["fields"]>} */
function dynamicFields(model, layer) {
  const isInTheMiddle = madeBy(layer) !== undefined;
  const named = fieldNames(layer);
  const { types, rows, columns } = gridBelow(layer, model);
  const cells = rows * columns;
  const capsules = types * cells;
  const { iterations, step } = iterationFields(model, layer, named);
  const [, targets] = layer.shapeOf(model, "capsules");
  const capsule = whole({ link: named("capsule-below"), most: capsules - 1 });
  return {
    // Where the layer below does not: as a rule it has them.
    ...followingFields(capsule),
    // Links of this network have always said how many run.
    iterations: {
      ...iterations,
      ...(isOperable(layer, model) && {
        write: (link, count) => link.set("iterations", String(count)),
      }),
    },
    step,
    ...(isOperable(layer, model)
      ? surgeryFields({ types, cells, names: model.class_names })
      : NO_SURGERY_FIELDS),
    ...(isInTheMiddle && {
      classIndex: optional({ link: named("capsule"), most: targets - 1 }),
    }),
    requests: transient({}),
  };
}

/**
 * The chosen capsule gives the class in focus more than any other.
 * @param {DynamicState} state @param {{ classIndex: number | null }} task
 */
function givesMost({ trace, capsule, classIndex, followsStrongest }, task) {
  const tensors = trace?.tensors;
  if (!tensors?.couplings || !tensors.agreement || !tensors.capsules) return false;
  if (followsStrongest || classIndex !== task.classIndex) return false;
  const last = tensors.couplings.shape[0] - 1;
  return largestOf(evidenceOfCapsules(tensors, last, task.classIndex ?? 0)) === capsule;
}

/**
 * With types silent, and nothing else changed, the capsule of a class is shorter than asked.
 * @param {DynamicState} state
 * @param {{ classIndex: number | null, than: number | null }} asked
 */
function silencedBelow({ trace, pixels, surgery }, { classIndex, than }) {
  const scores = trace?.tensors.scores?.data;
  const isOwn = trace?.pixels === pixels && isSameSurgery(ranIn(trace), surgery);
  const isOnly = surgery.routing === "agreement" && surgery.pins.length === 0;
  if (scores === undefined || !isOwn || !isOnly) return false;
  return surgery.silenced.length > 0 && scores[classIndex ?? 0] < (than ?? 0);
}
