/**
 * How logits become probabilities: softmax, or a sigmoid for each class, with the numbers
 * of this image, the logit in focus as the sum over the units below, and what each of these adds to it.
 * @import { Actions } from "../../core/actions.js"
 * @import { LogitSum, Output } from "../dense/units.js"
 * @import { ClassesStore, ClassesTrace } from "./types.js"
 */
import { decidesOnEach } from "../../core/scores.js";
import { focusedClass } from "../../core/state.js";
import { largestOf, ranked, reach, sum } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { exactShare, powerOfE } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { fillSumRows, termButton } from "../../ui/bars.js";
import { pressChoice } from "../../ui/controls.js";
import { find, findElement, writer } from "../../ui/dom.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { showSeenFirst } from "../../ui/seen.js";
import { fillRows } from "../../ui/tables.js";
import { givenTo, logitSum, unitsAcross } from "../dense/units.js";
import { sigmoid, softmax } from "./softmax.js";
import { rivalWords } from "./words.js";

const DECIMALS = 3;
const SHOWN = 12; // terms of a logit by name

/**
 * The layer as it read one image.
 * @typedef {object} Answer
 * @property {Float32Array} below (units) values after ReLU
 * @property {Float32Array} logits (classes)
 * @property {Float32Array} scores (classes) the trace's probabilities
 * @property {number[]} order classes, the largest logit first
 */

/** @typedef {{ names: readonly string[], classIndex: number, unit: number }} Chosen */

/** @param {HTMLElement} root @param {ClassesStore} store @param {Actions} actions */
export function mountLogits(root, store, actions) {
  const choose = (/** @type {number} */ unit) => store.set({ unit });
  const softmaxPanel = findElement(root, "[data-softmax]");
  const sigmoidPanel = findElement(root, "[data-sigmoid]");
  const showSoftmax = mountSoftmax(softmaxPanel, actions);
  const showSigmoid = mountSigmoid(sigmoidPanel, actions);
  const beneath = findElement(root, "[data-logit]");
  const showLogit = showSeenFirst(beneath, mountLogit(beneath, store, actions, choose));
  const all = findElement(root, "[data-all-terms]");
  const showTerms = showSeenFirst(all, mountTerms(all, choose));
  const read = memoize(answerOf);
  store.watch(["trace", "model", "classIndex", "weights", "unit"], (state) => {
    const { model, weights: output } = state;
    const answer = read(state.trace);
    const classIndex = focusedClass(state);
    const unit = state.unit ?? largestOf(givenTo(output, answer.below, classIndex));
    const chosen = { names: model.class_names, classIndex, unit };
    const isOfEach = decidesOnEach(model);
    softmaxPanel.hidden = isOfEach;
    sigmoidPanel.hidden = !isOfEach;
    for (const words of root.querySelectorAll("[data-by]"))
      words.toggleAttribute(
        "hidden",
        (words.getAttribute("data-by") === "sigmoid") !== isOfEach,
      );
    (isOfEach ? showSigmoid : showSoftmax)(answer, chosen);
    showLogit(answer, output, chosen);
    showTerms(answer, output, chosen);
  });
}

/** @param {ClassesTrace} trace @returns {Answer} */
function answerOf({ tensors }) {
  const [below, logits, scores] = [tensors.below, tensors.logits, tensors.scores];
  return {
    ...{ below: below.data, logits: logits.data, scores: scores.data },
    order: ranked(logits.data),
  };
}

/**
 * Softmax: e to each logit, the sum, the quotients.
 * @param {HTMLElement} root @param {Actions} actions
 */
function mountSoftmax(root, actions) {
  const body = find(root, "[data-softmax-rows]", HTMLTableSectionElement);
  const formula = findElement(root, "[data-formula]");
  const write = writer(root);
  focusByRow(body, actions);

  /** @param {Answer} answer @param {Chosen} chosen */
  return ({ logits, scores }, { names, classIndex }) => {
    const made = softmax(logits);
    const { largest, exponentials, logSum, probabilities } = made;
    const all = Array.from(logits);
    fillRows(
      body,
      all.map((logit, each) => ({
        head: { text: names[each] },
        cells: [
          { text: fixed(logit, DECIMALS) },
          { text: powerOfE(logit) },
          { text: fixed(logit - largest, DECIMALS) },
          { text: exactShare(exponentials[each]) },
          { text: exactShare(probabilities[each]) },
        ],
        isFocused: each === classIndex,
      })),
    );
    write("power-sum", powerOfE(logSum));
    write("exponential-sum", fixed(made.sum, 4));
    write("share-sum", fixed(sum(probabilities), 4));
    fillNumbers(formula, {
      logit: fixed(logits[classIndex], DECIMALS),
      power: powerOfE(logits[classIndex]),
      sum: powerOfE(logSum),
      share: exactShare(probabilities[classIndex]),
      log: fixed(logSum, DECIMALS),
      difference: fixed(logits[classIndex] - logSum, DECIMALS),
    });
    write("focus-name", names[classIndex]);
    write(
      "softmax-check",
      `Worked out on this page from the trace's logits: ${exactShare(probabilities[classIndex], 6)} for ${names[classIndex]}. The network's trace says ${exactShare(scores[classIndex], 6)}.`,
    );
  };
}

/**
 * A sigmoid for each class.
 * @param {HTMLElement} root @param {Actions} actions
 */
function mountSigmoid(root, actions) {
  const body = find(root, "[data-sigmoid-rows]", HTMLTableSectionElement);
  const formula = findElement(root, "[data-formula]");
  const write = writer(root);
  focusByRow(body, actions);

  /** @param {Answer} answer @param {Chosen} chosen */
  return ({ logits, scores }, { names, classIndex }) => {
    const all = Array.from(logits, (logit) => ({ logit, share: sigmoid(logit) }));
    fillRows(
      body,
      all.map(({ logit, share }, each) => ({
        head: { text: names[each] },
        cells: [
          { text: fixed(logit, DECIMALS) },
          { text: powerOfE(-logit) },
          { text: exactShare(share) },
        ],
        isFocused: each === classIndex,
      })),
    );
    const { logit, share } = all[classIndex];
    fillNumbers(formula, {
      logit: fixed(-logit, DECIMALS),
      power: powerOfE(-logit),
      share: exactShare(share),
    });
    write("focus-name", names[classIndex]);
    write(
      "sigmoid-check",
      `Worked out on this page from the trace's logits: ${exactShare(share, 6)} for ${names[classIndex]}. The network's trace says ${exactShare(scores[classIndex], 6)}.`,
    );
  };
}

/**
 * A row puts its class in focus, as everywhere; buttons for this stand above.
 * @param {HTMLTableSectionElement} body @param {Actions} actions
 */
function focusByRow(body, actions) {
  body.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (row !== null) actions.focusClass(row.sectionRowIndex);
  });
}

/**
 * @param {HTMLElement} formula its `mn`s name the number that belongs there
 * @param {Record<string, string>} texts
 */
function fillNumbers(formula, texts) {
  for (const number of formula.querySelectorAll("[data-number]"))
    number.textContent = texts[number.getAttribute("data-number") ?? ""];
}

/**
 * The logit in focus, beside that of its closest rival.
 * @param {HTMLElement} root @param {ClassesStore} store @param {Actions} actions
 * @param {(unit: number) => void} choose
 */
function mountLogit(root, store, actions, choose) {
  const axis = findElement(root, "[data-logit-axis]");
  const body = findElement(root, "[data-logit-rows]");
  const open = root.querySelector("[data-open-unit]"); // where the units have a view
  open?.addEventListener("click", () =>
    actions.openView(store.get()?.layer.words.units),
  );
  const write = writer(root);

  const workOut = memoize(
    (
      /** @type {Answer} */ { below, order },
      /** @type {Output} */ output,
      /** @type {number} */ classIndex,
    ) => {
      const rival = order.find((each) => each !== classIndex) ?? classIndex;
      return {
        rival,
        own: logitSum(output, below, classIndex),
        other: logitSum(output, below, rival),
      };
    },
  );

  const fill = memoize((/** @type {LogitSum} */ own, /** @type {LogitSum} */ other) =>
    fillSumRows(
      axis,
      body,
      [own, other],
      {
        term: (unit) => termButton(`unit ${unit}`, unit, choose),
        rest: (count) => `the other ${count} units`,
        total: "logit",
      },
      SHOWN,
    ),
  );

  /** @param {Answer} answer @param {Output} output @param {Chosen} chosen */
  return (answer, output, { names, classIndex, unit }) => {
    const { rival, own, other } = workOut(answer, output, classIndex);
    const [name, rivalName] = [names[classIndex], names[rival]];
    fill(own, other);
    pressChoice(body, String(unit)); // rows stay, and so does the focus
    write("logit-title", `Where the logit of ${name} comes from`);
    write("own-name", `adds to ${name}`);
    write("rival-name", `to ${rivalName}`);
    write("rival-words", rivalWords(own, other, name, rivalName));
    if (open !== null) write("open-unit-name", String(unit));
    const traced = answer.logits[classIndex];
    const apart = signed(traced - own.total, 4);
    write(
      "logit-check",
      `Worked out on this page: ${fixed(own.total, 4)}. The network's trace says ${fixed(traced, 4)}, ${Number(apart) === 0 ? "the same" : `a difference of ${apart}`}.`,
    );
  };
}

/**
 * What every unit adds to the logit in focus, in one picture: the largest first.
 * @param {HTMLElement} root @param {(unit: number) => void} choose
 */
function mountTerms(root, choose) {
  const title = findElement(root, "[data-terms-title]");
  const readout = findElement(root, "[data-terms-readout]");
  const legend = findElement(root, "[data-terms-legend]");
  /** @type {{ shares: Float64Array, unit: number, name: string } | null} */
  let shown = null;

  /** @param {number} unit */
  function words(unit) {
    return shown === null ? "" : `unit ${unit}: ${signed(shown.shares[unit])}`;
  }
  /** @param {number} unit */
  function tell(unit) {
    readout.textContent = `${words(unit)} to the logit of ${shown?.name}`;
  }
  const sheet = tileSheet(findElement(root, "[data-terms]"), {
    across: unitsAcross,
    choose: choose,
    hover: (at) => tell(at?.tile ?? shown?.unit ?? 0),
    note: ({ tile }) => words(tile),
  });
  const workOut = memoize(givenTo);
  const tilesOf = memoize((/** @type {Float64Array} */ shares) => {
    const scale = diverging(reach(shares) || 1);
    const cells = { count: shares.length, rows: 1, columns: 1, gap: 0 };
    const tiles = { values: shares, ...cells, scaleOf: () => scale };
    return { tiles, order: ranked(shares) };
  });

  /** @param {Answer} answer @param {Output} output @param {Chosen} chosen */
  return ({ below }, output, { names, classIndex, unit }) => {
    const name = names[classIndex];
    const shares = workOut(output, below, classIndex);
    shown = { shares, unit, name };
    const { tiles, order } = tilesOf(shares);
    title.textContent = `All ${shares.length} units, what adds most to ${name} first`;
    showLegend(legend, tiles.scaleOf(), {
      unit: `adds to the logit of ${name}`,
      decimals: 3,
    });
    sheet.show(tiles, order, unit);
    tell(unit);
  };
}
