/**
 * How logits become probabilities: softmax, or a sigmoid for each class, with the numbers
 * of this image; the logit in focus as the sum over the units below, and what each of these
 * adds to it.
 * @import { Content } from "../../ui/h.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { Act, Scene } from "./panels.js"
 */
import { decidesOnEach } from "../../core/scores.js";
import { barsTable, sumBars } from "../../draw/bars.js";
import { sheet } from "../../draw/sheet.js";
import { legend } from "../../draw/tiles.js";
import { largestOf, ranked, reach, sum } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { exactShare, powerOfE } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { formula, mfrac, mi, mn, mo, mrow, msup } from "../../ui/math.js";
import { valuesTable } from "../../ui/values.js";
import { givenTo, logitSum, unitsAcross } from "../dense/units.js";
import * as arithmetic from "./softmax.js";
import { checkWords, rivalWords } from "./words.js";

const SHOWN = 12; // terms of a logit by name

const plain = (/** @type {number} */ value) => fixed(value, 3);
const i = (/** @type {string} */ letter) => h("i", {}, letter);
const sup = (/** @type {Content[]} */ ...content) => h("sup", {}, content);
/** From logits to probabilities, number by number. @type {Panel<Scene, ReturnType<typeof sharesOf>, Act>} */
export const softmax = {
  id: "softmax",
  title: ({ model }) =>
    `From logits to probabilities: ${decidesOnEach(model) ? "sigmoid" : "softmax"}`,
  numbers: sharesOf,
  picture({ table, worked, name, own, traced, model, classIndex, ...all }, { set }) {
    const { logits, probabilities } = all;
    const focus = (/** @type {MouseEvent} */ { target }) => {
      const row = /** @type {Element} */ (target).closest("tbody tr");
      const at = row ? [...(row.parentElement?.children ?? [])].indexOf(row) : -1;
      if (at >= 0 && at < model.classes) set({ classIndex: at });
    };
    const rows = { look: "softmax-table", of: "class", names: model.class_names };
    const shares = model.class_names.map((each, at) => ({
      name: button(each, () => set({ classIndex: at }), { pressed: at === classIndex }),
      bars: [logits[at]],
      values: [signed(logits[at], 2), exactShare(probabilities[at])],
    }));
    return [
      barsTable("Logits of all classes", ["class", "logit", "probability"], shares),
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
      h(
        "p",
        { class: "fine" },
        "Here ",
        i("z"),
        " is the logit of ",
        h("b", {}, name),
        `. Worked out here from the trace’s logits: ${exactShare(own, 6)} for ${name}. The network’s trace says ${exactShare(traced, 6)}.`,
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
            ...[" divided by the sum over all classes. A large logit would make e"],
            ...[
              sup(i("z")),
              " larger than a computer can hold, so the largest logit, ",
            ],
            ...[i("m"), ", is subtracted from all of them first. Numerator and sum "],
            "shrink by the same factor, so the quotient stays the same.",
          ],
        ],
};

/** @param {Scene} scene */
function sharesOf(scene) {
  const { trace, model, classIndex } = scene;
  const { logits, scores } = trace.tensors;
  const z = logits.data[classIndex];
  const all = [...logits.data];
  const isOfEach = decidesOnEach(model);
  const made = arithmetic.softmax(all);
  const probabilities = isOfEach ? all.map(arithmetic.sigmoid) : made.probabilities;
  const own = probabilities[classIndex];
  const of = {
    ...{ name: model.class_names[classIndex], own, model, classIndex },
    ...{ logits: all, probabilities },
  };
  /** @typedef {[Content, Content[]]} Column */
  /** @type {Column[]} */
  const [first, last] = [
    [["logit ", i("z")], all.map(plain)],
    ["probability", probabilities.map((share) => exactShare(share))],
  ];
  return {
    ...{ ...of, traced: scores.data[classIndex] },
    ...(isOfEach ? sigmoidOf() : softmaxOf()),
  };

  function sigmoidOf() {
    /** @type {Column[]} */
    const columns = [
      first,
      [["e", sup("−", i("z"))], all.map((logit) => powerOfE(-logit))],
      last,
    ];
    const worked = formula(
      ...[
        mi("p"),
        mo("="),
        mfrac(mn("1"), mrow(mn("1"), mo("+"), msup(mi("e"), mn(plain(-z))))),
      ],
      ...[mo("="), mfrac(mn("1"), mrow(mn("1"), mo("+"), mn(powerOfE(-z))))],
      ...[mo("="), mn(exactShare(own))],
    );
    return { table: { columns }, worked };
  }

  function softmaxOf() {
    const { largest, exponentials, logSum } = made;
    const [power, total] = [powerOfE(z), powerOfE(logSum)];
    /** @type {Column[]} */
    const columns = [
      first,
      [["e", sup(i("z"))], all.map((logit) => powerOfE(logit))],
      [[i("z"), " − ", i("m")], all.map((logit) => plain(logit - largest))],
      [["e", sup(i("z"), "−", i("m"))], exponentials.map((each) => exactShare(each))],
      last,
    ];
    const sums = ["", total, "", fixed(made.sum, 4), fixed(sum(probabilities), 4)];
    const sumOfPowers = mrow(mo("Σ"), msup(mi("e"), mi("z")));
    const worked = [
      formula(
        ...[mi("p"), mo("="), mfrac(msup(mi("e"), mn(plain(z))), sumOfPowers), mo("=")],
        ...[mfrac(mn(power), mn(total)), mo("="), mn(exactShare(own))],
      ),
      h(
        "div",
        { class: "formula-in-parts" },
        formula(mi("ln"), mi("p"), mo("="), mi("z"), mo("−"), mi("ln"), sumOfPowers),
        formula(
          ...[mo("="), mn(plain(z)), mo("−"), mn(plain(logSum))],
          ...[mo("="), mn(plain(z - logSum))],
        ),
      ),
    ];
    return {
      table: { columns, last: /** @type {const} */ (["sum", ...sums]) },
      worked,
    };
  }
}

/** What the logit in focus is the sum of. @param {Scene} scene */
function sumsOf(scene) {
  const { trace, model, weights, classIndex } = scene;
  const { below, logits } = trace.tensors;
  const rival = ranked(logits.data).find((each) => each !== classIndex) ?? classIndex;
  const shares = givenTo(weights, below.data, classIndex);
  return {
    ...{ shares, unit: scene.unit ?? largestOf(shares), layer: scene.layer },
    ...{ name: model.class_names[classIndex], rival: model.class_names[rival] },
    ...{
      own: logitSum(weights, below.data, classIndex),
      traced: logits.data[classIndex],
    },
    other: logitSum(weights, below.data, rival),
  };
}

/** The logit in focus, beside that of its closest rival. @type {Panel<Scene, ReturnType<typeof sumsOf>, Act>} */
export const logit = {
  id: "logit",
  look: "answer-logit",
  title({ model, classIndex }) {
    return `Where the logit of ${model.class_names[classIndex]} comes from`;
  },
  numbers: sumsOf,
  line: ({ own, other, name, rival }) => rivalWords(own, other, name, rival),
  picture({ own, other, name, rival, unit, layer, traced }, { set, actions }) {
    const { units } = layer.words;
    const title = layer.network.find(({ id }) => id === units)?.title;
    return [
      sumBars({
        caption:
          "What the hidden units add to the logit in focus and to that of its closest rival",
        heads: ["hidden unit", `adds to ${name}`, `to ${rival}`],
        ...{ sums: [own, other], shown: SHOWN, term: "unit", total: "logit" },
        ...{ pressed: unit, choose: (to) => set({ unit: to }) },
      }),
      h("p", { class: "fine" }, checkWords(own.total, traced)),
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

/** What every unit adds to the logit in focus: the largest first. @type {Panel<Scene, ReturnType<typeof sumsOf>, Act>} */
export const terms = {
  id: "terms",
  hook: "all-terms",
  title({ model, classIndex, weights }) {
    const [, units] = weights.weights.shape;
    return `All ${units} units, what adds most to ${model.class_names[classIndex]} first`;
  },
  numbers: sumsOf,
  picture({ shares, unit, name }, { set }) {
    const scale = diverging(reach(shares) || 1);
    const cells = { count: shares.length, rows: 1, columns: 1, gap: 0 };
    const note = (/** @type {{ tile: number }} */ { tile }) =>
      `unit ${tile}: ${signed(shares[tile])}`;
    return [
      sheet({
        label: "What each hidden unit adds to the logit in focus, the most first",
        ...{ data: shares, scale, order: ranked(shares), step: "place" },
        layout: { ...cells, across: unitsAcross(cells, false) },
        narrow: unitsAcross(cells, true),
        chosen: { tile: unit, row: 0, column: 0 },
        choose: ({ tile }) => set({ unit: tile }),
        words: (at) => `${note(at)} to the logit of ${name}`,
        note,
      }),
      legend(scale, `adds to the logit of ${name}`, 3),
    ];
  },
};
