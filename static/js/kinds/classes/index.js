/**
 * The classes: how present the network finds each, and what that is made of. A class has a
 * capsule, whose pose is a vector or a matrix, or a logit that softmax makes a probability;
 * or nothing is known but the scores.
 * @import { Kind } from "../types.js"
 * @import { ClassesTrace } from "./types.js"
 */
import { optional } from "../../core/schema.js";
import { barsOf, saidOf } from "../../core/scores.js";
import { paintBars } from "../../paint/pictures.js";
import { entryField } from "../matrices.js";
import { glance } from "./glance.js";

const BAR_SIZE = { width: 100, height: 64 };

/** @type {Kind} */
export const classes = {
  name: "classes",
  words: ({ network }) => ({
    decoder: network.find(({ kind }) => kind.name === "decoder")?.id,
  }),
  values: ({ form = "scores" }) => ({ form }),
  fields(model, layer) {
    const [units = 0] = layer.shapeOf(model, "below");
    return {
      ...(layer.form === "matrices" && { entry: entryField() }),
      ...(units > 0 && { unit: optional({ link: "unit", most: units - 1 }) }),
    };
  },
  needs: ["scores", "poses", "history", "means", "logits", "below"],
  glance,
  thumbnail: {
    needs: ["scores"],
    paint(canvas, { tensors, prediction }) {
      const { data } = tensors.scores;
      const most = Math.max(...data);
      // Scores of any size have an axis of their own.
      const isWithin = Math.min(...data) >= 0 && most <= 1;
      const bars = isWithin ? data : barsOf(data, "score");
      paintBars(canvas, bars, { ...BAR_SIZE, emphasized: prediction });
    },
  },
  tryFirst: () => runnerUp,
  shape: (model, layer) =>
    layer.shapeOf(model, "poses" in layer.tensors ? "poses" : "scores").join("×"),
  script: "kinds/classes/panels.js",
  load: () => import("./panels.js"),
};

/** The best of the classes that are not named comes into focus. */
export const runnerUp = {
  words: "What does the network say of the next best class?",
  button: "Focus it",
  at: ':is([data-values], [data-poses]) canvas, [data-rows] [aria-pressed="true"]',
  change(
    /** @type {{ trace: ClassesTrace, model: import("./types.js").ClassesModel }} */ {
      trace,
      model,
    },
  ) {
    const { data } = trace.tensors.scores;
    const { named, order } = saidOf(data, model);
    const next = order.slice(1).find((classIndex) => !named.includes(classIndex));
    return next === undefined ? null : { classIndex: next };
  },
};
