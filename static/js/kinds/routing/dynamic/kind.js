/**
 * Dynamic routing, routing by agreement (Sabour, Frosst & Hinton 2017).
 * @import { Kind, TraceOf } from "../../types.js"
 * @import { DynamicState } from "./types.js"
 */
import { choice, group, transient } from "../../../core/schema.js";
import { largestOf, reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { keepKernels } from "../../capsules/kernels.js";
import { gridOf, placeIn } from "../../capsules/places.js";
import { belowOf } from "../../capsules/source.js";
import { iterationFields, ROUTING, voterOf } from "../index.js";
import { mountBadge } from "../surgery/badge.js";
import { surgeryFields } from "../surgery/link.js";
import { COMPARED, keepOperated, keepStrongest } from "../surgery/operated.js";
import {
  keepOnRequest,
  OPERABLE,
  PICTURED,
  strongestCapsule,
  wanted,
} from "./answers.js";
import { endsOf } from "./ends.js";
import { glance } from "./glance.js";
import { beyondEven, evidenceOfCapsules } from "./sums.js";

/**
 * Routing by agreement. Its tensors: `lengths` of the capsules below; `logits`, `couplings`
 * and `agreement` of each with each class, and `capsules`, the classes', by iteration;
 * `scores` and `decoded`, what came of it; `types`, couplings by type, for the thumbnail; `none`,
 * what no class gets, of networks whose routing has none of the above. Those that come on
 * request: `votes`; `pre` and `found`, the capsules below before and after squash; `beneath`,
 * the maps that they are read from. Its words: `network`, what its network is called; `beneath`,
 * what the layer of those maps is called.
 * @type {Kind}
 */
export const dynamicRouting = {
  ...ROUTING,
  markup: () => "routing-dynamic",
  values: voterOf,
  fields: dynamicFields,
  folds: {
    two: [],
    flow: ["flow"],
    couplings: [],
    tree: [],
    where: ["where", "where-scale"],
    votes: [],
    capsule: ["capsule"],
    type: [],
    surgery: ["silence", "routing", "pin", "shown"],
  },
  needs: [...PICTURED, ...COMPARED],
  shape(model, layer) {
    const [types, rows, columns] = layer.shapeOf(model, "lengths");
    return `${types * rows * columns}→${model.classes}`;
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
  wants: wanted,
  start(store, services, layer) {
    keepStrongest(store, strongestCapsule);
    keepOperated(store, services, layer, OPERABLE);
    keepOnRequest(store, services, layer);
    const below = belowOf(layer);
    if (below === undefined) return;
    keepKernels(store, services, below, (state) =>
      state.view === layer.id && state.seesTree
        ? placeIn(gridOf(layer.shapeOf(state.model, "lengths")), state.capsule).type
        : null,
    );
  },
  tasks: { ...ROUTING.tasks, "gives-most": givesMost, "silenced-below": silencedBelow },
  comparison: {
    needs: ["couplings", "agreement", "capsules"],
    markup: () => "compared-routing-dynamic",
    load: () => import("./compared.js"),
  },
  form: () => import("./form.js"),
  notice: mountBadge,
  script: "kinds/routing/dynamic/index.js",
  load: () => import("./index.js"),
};

/** @type {NonNullable<Kind["fields"]>} */
function dynamicFields(model, layer) {
  const [types, rows, columns] = layer.shapeOf(model, "lengths");
  const cells = rows * columns;
  const capsules = types * cells;
  const { iterations, step } = iterationFields(model);
  return {
    // Links of this network have always said how many run.
    iterations: {
      ...iterations,
      write: (link, count) => link.set("iterations", String(count)),
    },
    step,
    look: group({
      flow: choice("flow", ["moved", "all", "two"]),
      where: choice("where", ["for", "rather", "none"]),
      scale: choice("where-scale", ["all", "own"]),
      pace: choice("pace", ["usual", "slow"]),
    }),
    ...surgeryFields({ capsules, cells, classes: model.classes }),
    seesVotes: transient(false),
    seesTree: transient(false),
    asked: transient({}),
  };
}

/**
 * The chosen capsule gives the class in focus more than any other.
 * @param {DynamicState} state @param {{ classIndex: number | null }} asked
 */
function givesMost({ trace, capsule, classIndex, followsStrongest }, asked) {
  const tensors = trace?.tensors;
  if (!tensors?.couplings || !tensors.agreement || !tensors.capsules) return false;
  if (followsStrongest || classIndex !== asked.classIndex) return false;
  const last = tensors.couplings.shape[0] - 1;
  return (
    largestOf(evidenceOfCapsules(tensors, last, asked.classIndex ?? 0)) === capsule
  );
}

/**
 * With types silent, and nothing else changed, the capsule of a class is shorter than asked.
 * @param {DynamicState} state
 * @param {{ classIndex: number | null, than: number | null }} asked
 */
function silencedBelow({ operated, pixels, surgery, layer }, { classIndex, than }) {
  const scores = operated?.tensors[layer.tensors.scores]?.data;
  const isOwn = operated?.pixels === pixels && operated?.surgery === surgery;
  const isOnly = surgery.routing === "agreement" && surgery.pins.length === 0;
  if (scores === undefined || !isOwn || !isOnly) return false;
  return surgery.silenced.length > 0 && scores[classIndex ?? 0] < (than ?? 0);
}
