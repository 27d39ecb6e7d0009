/**
 * The chosen capsule's numbers before and after squash, as pairs of bars from zero, squash's
 * formula with its numbers, and its place on squash's curve.
 * @import { Content, Part } from "../../ui/h.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { Layer, Model, Tensor } from "../types.js"
 * @import { Act, Scene } from "./panels.js"
 */

import { barsTable } from "../../draw/bars.js";
import { lengthsOf } from "../../lib/arithmetic.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { keepNumbers } from "../../lib/numbers.js";
import { written } from "../../lib/written.js";
import { make, svg } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { bold, formula, mfrac, mi, mn, mo, mrow, msup } from "../../ui/math.js";
import { isAlone, isCut, isDepthwise } from "./forms.js";
import { belowOf, cutOf, orderOf, sourceWords } from "./source.js";
import { isKnownSquash, saturatedLength, squashCurve, squashOf } from "./squash.js";
import { lengthWords } from "./words.js";

/** Of lengths. */
const DECIMALS = 3;

/** The chosen capsule's numbers. @type {Panel<Scene, ReturnType<typeof numbersOf>, Act>} */
export const values = {
  id: "values",
  look: "capsule-values",
  title: ({ layer }) =>
    "before" in layer.tensors ? "Its numbers before and after squash" : "Its numbers",
  numbers: numbersOf,
  picture({ stages, before, after, dimension, length, traced, layer }, { set }) {
    const named = (/** @type {string} */ look, /** @type {string} */ text) => [
      before && h("i", { class: `swatch ${look}` }),
      text,
    ];
    const rows = Array.from(after, (_, i) => ({
      name: button(String(i + 1), () => set({ dimension: i }), {
        pressed: i === dimension,
        title: `Choose number ${i + 1}`,
      }),
      bars: stages.map((stage) => stage[i]),
      values: stages.map((stage) => fixed(stage[i])),
    }));
    const heads = [
      ...(before ? [named("is-before", "before, s")] : []),
      named("is-after", before ? "after, u" : "u"),
    ];
    const isWorked = before !== null && isKnownSquash(layer);
    const squashed = isWorked ? squashOf(layer)(length) : Math.hypot(...after);
    const worked = { dim: after.length, length: squashed, isBefore: isWorked };
    return [
      barsTable("The numbers of the chosen capsule", ["number", ...heads], rows),
      isWorked && h("div", { class: "formulas" }, formulas(layer, length)),
      h("p", { class: "fine", "data-check": "" }, lengthWords(worked, traced)),
    ];
  },
  words: ({ before, source, layer }) => [
    ...(source ? [source] : []),
    ...(before && isKnownSquash(layer)
      ? [
          "Squash shortens it to less than 1 and keeps its direction: all bars shrink alike.",
        ]
      : []),
  ],
};

/** @param {Scene} scene */
function numbersOf({ trace, model, layer, capsule, dimension }) {
  const { before: pre, poses, activation } = trace.tensors;
  const [dim] = poses.shape.slice(-1);
  const numbersIn = (/** @type {Tensor} */ { data }) =>
    data.subarray(capsule * dim, (capsule + 1) * dim);
  const [before, after] = [pre ? numbersIn(pre) : null, numbersIn(poses)];
  const stages = before ? [before, after] : [after];
  const length = Math.hypot(...stages[0]);
  const traced = activation.data[capsule];
  const source = fromWords(layer, model, capsule, dim);
  return { layer, dimension, stages, before, after, length, traced, source };
}

/**
 * Which maps its numbers come from.
 * @param {Layer} layer @param {Model} model @param {number} capsule @param {number} count of its
 *   numbers
 */
function fromWords(layer, model, capsule, count) {
  if (isCut(layer)) return sourceWords(orderOf(layer), cutOf(layer, model), capsule);
  if (!isDepthwise(layer)) return null;
  const first = capsule * count;
  return `Its numbers are of maps ${first} to ${first + count - 1} of ${belowOf(layer)?.title}: of each the sum of its pixels, weighted by a kernel, and a bias.`;
}

/**
 * What squash makes of a vector, and of its length in numbers.
 * @param {Layer} layer @param {number} length before squash, ‖s‖
 */
function formulas(layer, length) {
  const normOf = (/** @type {string} */ letter) => mrow(mo("‖"), bold(letter), mo("‖"));
  const direction = mfrac(bold("s"), normOf("s"));
  const square = (/** @type {Content} */ of) => msup(of, mn("2"));
  const onePlus = (/** @type {Content} */ of) => mrow(mn("1"), mo("+"), of);
  if (squashOf(layer) === saturatedLength) {
    const power = (/** @type {Content} */ of) => msup(mi("e"), mrow(mo("−"), of));
    const { inputs, steps } = written(
      [length],
      [[([s]) => Math.exp(-s)], [(_, [rest]) => 1 - rest]],
      DECIMALS,
    );
    const [before, rest, squashed] = [...inputs, ...steps].map((text) => mn(text));
    const share = mrow(mo("("), mn("1"), mo("−"), power(normOf("s")), mo(")"));
    return [
      formula(bold("u"), mo("="), share, direction),
      formula(
        ...[normOf("u"), mo("="), mn("1"), mo("−"), power(before), mo("=")],
        ...[mn("1"), mo("−"), rest, mo("="), squashed],
      ),
    ];
  }
  const share = mfrac(square(normOf("s")), onePlus(square(normOf("s"))));
  const { inputs, steps } = written(
    [length],
    [
      [([s]) => s ** 2],
      [(_, [squared]) => 1 + squared],
      [(_, [above, below]) => above / below],
    ],
    DECIMALS,
  );
  const [before, above, below, squashed] = [...inputs, ...steps].map((text) =>
    mn(text),
  );
  return [
    formula(bold("u"), mo("="), share, direction),
    formula(
      ...[normOf("u"), mo("="), mfrac(square(before), onePlus(square(before)))],
      ...[mo("="), mfrac(above, below), mo("="), squashed],
    ),
  ];
}

/** Where it is on squash's curve. @type {Panel<Scene, Scene, Act>} */
export const squash = {
  id: "squash",
  look: "squash-panel",
  title: "On the squash curve",
  picture: ({ trace, layer, capsule }) =>
    h(curve, {
      trace,
      layer,
      capsule,
      others: isAlone(layer) ? "other capsules" : "others of its type",
    }),
};

/** @type {Part<Pick<Scene, "trace" | "layer" | "capsule"> & { others: string }>} */
function curve() {
  const picture = /** @type {SVGSVGElement} */ (
    svg("svg", { class: "squash-curve", role: "img", "data-curve": "" })
  );
  const text = make("b");
  const others = make("span");
  const swatch = (/** @type {string} */ name) => make("i", `swatch ${name}`);
  const point = make("span", "", swatch("is-point"), "this capsule: ", text);
  const key = make(
    "div",
    "squash-key",
    point,
    make("span", "", swatch("is-other"), others),
  );
  /** @type {ReturnType<typeof squashCurve> | null} */
  let drawn = null;
  const read = memoize((/** @type {Scene["trace"]} */ { tensors }) => ({
    lengths: tensors.activation,
    lengthsBefore: lengthsOf(tensors.before.data, tensors.before.shape.slice(-1)[0]),
  }));
  return {
    element: make("div", "", picture, key),
    show(now) {
      keepNumbers(picture, () => {
        const { lengths, lengthsBefore } = read(now.trace);
        const rows = Array.from(lengthsBefore, (before, i) => [
          i,
          before,
          lengths.data[i],
        ]);
        return [{ head: ["capsule", "before squash", "after squash"], rows }];
      });
      drawn ??= squashCurve(picture, text, squashOf(now.layer));
      drawn.show(read(now.trace), now.capsule);
      others.textContent = now.others;
    },
  };
}
