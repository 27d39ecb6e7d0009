/**
 * How logits become probabilities: softmax, or a sigmoid for each class, with the numbers
 * of this image; and the logit in focus as the sum over the units below.
 * @import { Content } from "../../ui/h.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { Act, Scene } from "./panels.js"
 */
import { decidesOnEach } from "../../core/scores.js";
import { sumBars } from "../../draw/bars.js";
import { largestOf, ranked } from "../../lib/arithmetic.js";
import { fixed } from "../../lib/format.js";
import { checkWords, roundingOfSum } from "../../lib/precision.js";
import { h, note } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { formula, mfrac, mi, mn, mo, mrow, msup } from "../../ui/math.js";
import { valuesTable } from "../../ui/values.js";
import { givenTo, logitSum } from "../dense/units.js";
import * as arithmetic from "./softmax.js";
import { rivalWords } from "./words.js";

const MOST_TERMS = 12; // terms of a logit by name

/** Single precision keeps a number to this share of it, and adds up as closely. */
const SINGLE = 2 ** -20;

const HALVES = "the units come in half precision, which keeps about three digits";

const i = (/** @type {string} */ letter) => h("i", {}, letter);
const sup = (/** @type {Content[]} */ ...content) => h("sup", {}, content);
/** From logits to probabilities, number by number. @type {Panel<Scene, ReturnType<typeof sharesOf>, Act>} */
export const softmax = {
  id: "softmax",
  title: ({ model }) =>
    `From logits to probabilities: ${decidesOnEach(model) ? "sigmoid" : "softmax"}`,
  numbers: sharesOf,
  picture(
    { table, worked, name, probability, traced, most, model, classIndex },
    { set },
  ) {
    const focus = (/** @type {MouseEvent} */ { target }) => {
      const row = /** @type {Element} */ (target).closest("tbody tr");
      const at = row ? [...(row.parentElement?.children ?? [])].indexOf(row) : -1;
      if (at >= 0 && at < model.classes) set({ classIndex: at });
    };
    const rows = { look: "softmax-table", of: "class", names: model.class_names };
    return [
      h(
        "div",
        {
          class: "scroll",
          tabindex: "0",
          role: "region",
          "aria-label": "From logits to probabilities",
          onclick: focus,
        },
        valuesTable({ ...rows, ...table, focused: classIndex }),
      ),
      h("div", { class: "formulas" }, worked),
      note(
        "Here ",
        i("z"),
        " is the logit of ",
        h("b", {}, name),
        `. ${Math.abs(traced - probability) <= most ? "The network’s trace says the same." : `Worked out here from the trace’s logits: ${fixed(probability, 6)} for ${name}. The network’s trace says ${fixed(traced, 6)}, which no rounding explains: the layer is described wrongly, or this page reads it wrongly.`}`,
      ),
    ];
  },
  words: ({ model }) =>
    decidesOnEach(model)
      ? [
          [
            ...["A probability is 1 divided by 1 + e", sup("−", i("z"))],
            ": 0.5 where the logit is 0, and near 1 where it is large. No other class has a part in it.",
          ],
        ]
      : [
          [
            ...["A probability is e", sup(i("z"))],
            " divided by the sum over all classes.",
          ],
        ],
};

/** @param {Scene} scene */
function sharesOf(scene) {
  const { trace, model, classIndex } = scene;
  const { logits, scores } = trace.tensors;
  const all = [...logits.data];
  const isOfEach = decidesOnEach(model);
  const soft = arithmetic.softmax(all);
  const probabilities = isOfEach ? all.map(arithmetic.sigmoid) : soft.probabilities;
  const probability = probabilities[classIndex];
  const traced = scores.data[classIndex];
  const most =
    SINGLE *
    (1 + probability * (1 - probability) * Math.abs(soft.largest) * all.length);
  /** @typedef {[Content, Content[]]} Column */
  return {
    name: model.class_names[classIndex],
    probability,
    traced,
    most,
    model,
    classIndex,
    ...(isOfEach ? sigmoidOf() : softmaxOf()),
  };

  function sigmoidOf() {
    const { opposite, powers, shares, decimals } = arithmetic.writtenSigmoids(all);
    /** @type {Column[]} */
    const columns = [
      [["logit ", i("z")], all.map((logit) => fixed(logit, decimals))],
      [["e", sup("−", i("z"))], powers],
      ["probability", shares],
    ];
    const [minus, power] = [opposite, powers].map((texts) => mn(texts[classIndex]));
    const worked = formula(
      ...[
        mi("p"),
        mo("="),
        mfrac(mn("1"), mrow(mn("1"), mo("+"), msup(mi("e"), minus))),
      ],
      ...[
        mo("="),
        mfrac(mn("1"), mrow(mn("1"), mo("+"), power)),
        ...shareIn(shares[classIndex]),
      ],
    );
    return { table: { columns }, worked };
  }

  function softmaxOf() {
    const { logits, powers, total, shares, whole } = arithmetic.writtenShares(all);
    const sumOfPowers = mrow(mo("Σ"), msup(mi("e"), mi("z")));
    /** @type {Column[]} */
    const columns = [
      [["logit ", i("z")], logits],
      [["e", sup(i("z"))], powers],
      ["probability", shares],
    ];
    const worked = formula(
      ...[mi("p"), mo("="), mfrac(msup(mi("e"), mn(logits[classIndex])), sumOfPowers)],
      ...[mo("="), mfrac(mn(powers[classIndex]), mn(total))],
      ...[...shareIn(shares[classIndex])],
    );
    return {
      table: { columns, last: /** @type {const} */ (["sum", "", total, whole]) },
      worked,
    };
  }
}

/** A probability as it is written, after its sign. @param {string} share */
const shareIn = (share) =>
  share.startsWith(">") ? [mo(">"), mn(share.slice(1))] : [mo("="), mn(share)];

/** What the logit in focus is the sum of. @param {Scene} scene */
function sumsOf(scene) {
  const { trace, model, weights, classIndex } = scene;
  const { below, logits } = trace.tensors;
  const rival = ranked(logits.data).find((other) => other !== classIndex) ?? classIndex;
  const shares = givenTo(weights, below.data, classIndex);
  return {
    shares,
    unit: scene.unit ?? largestOf(shares),
    layer: scene.layer,
    name: model.class_names[classIndex],
    rival: model.class_names[rival],
    sum: logitSum(weights, below.data, classIndex),
    traced: logits.data[classIndex],
    most: roundingOfSum(shares, logits.data[classIndex]),
    rivalSum: logitSum(weights, below.data, rival),
  };
}

/** The logit in focus, beside that of its closest rival. @type {Panel<Scene, ReturnType<typeof sumsOf>, Act>} */
export const logit = {
  id: "logit",
  title({ model, classIndex }) {
    return `Where the logit of ${model.class_names[classIndex]} comes from`;
  },
  numbers: sumsOf,
  line: ({ sum, rivalSum, name, rival }) => rivalWords(sum, rivalSum, name, rival),
  picture({ sum, rivalSum, name, rival, unit, layer, traced, most }, { set, actions }) {
    const { units } = layer.words;
    const title = layer.network.find(({ id }) => id === units)?.title;
    return [
      sumBars({
        caption:
          "What the hidden units add to the logit in focus and to that of its closest rival",
        heads: ["hidden unit", `adds to ${name}`, `to ${rival}`],
        sums: [sum, rivalSum],
        shown: MOST_TERMS,
        term: "unit",
        total: "logit",
        pressed: unit,
        choose: (to) => set({ unit: to }),
      }),
      note(checkWords(sum.total, traced, most, HALVES)),
      title &&
        h(
          "p",
          {},
          button(`Open unit ${unit} in ${title}`, () => actions.openView(units), {
            "data-open-unit": "",
          }),
        ),
    ];
  },
  words: [
    "Bars and order: value after ReLU × weight, the largest first, whatever its sign.",
  ],
};
