/**
 * Surgery on routing: what the network would say if some capsules kept silent, if nothing
 * were routed, or if a coupling were held; beside what it says.
 * @import { Actions } from "../../../core/actions.js"
 * @import { Layer, LayerStore, Trace } from "../../types.js"
 * @import { ComparedTrace, Experiment, Intact, OperableState, RoutingModel, Surgery } from "../types.js"
 */
import { holds, isSamePass } from "../../../core/rooms.js";
import { presentIn, scoreWords } from "../../../core/scores.js";
import { focusedClass } from "../../../core/state.js";
import { differenceOf } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { fixed, listed, signed } from "../../../lib/format.js";
import { greyOf, isColour, shapeOf } from "../../../lib/pixels.js";
import { paintHeatmap, paintImage } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, make, setText } from "../../../ui/dom.js";
import { MEAN, showInkLegend, showLegend } from "../../../ui/pictures.js";
import { onRow } from "../../../ui/pointing.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { fillRows } from "../../../ui/tables.js";
import { traceBy } from "../../seeing.js";
import { isIntact, NO_SURGERY, surgeryInWords } from "./changes.js";
import { comparedIn, intactOptions, operatedOptions } from "./operated.js";
import { mountHold, mountPresets, mountRoutingChoice, mountTypes } from "./tools.js";

/** What of the state the panel is drawn from. */
const WATCHED = /** @type {const} */ ([
  "trace",
  "operated",
  "surgery",
  "showsOperated",
  "pixels",
  "iterations",
  "classIndex",
  "capsule",
  "model",
]);

/** The same for every picture, so that differences can be compared. */
const DIFFERENCE_SCALE = diverging(1);

/**
 * @typedef {object} SurgeryScene what every part of the panel is drawn from
 * @property {RoutingModel} model
 * @property {Surgery} surgery
 * @property {OperableState["trace"]} intact
 * @property {ComparedTrace} changed the run under surgery; the intact one where nothing is changed
 * @property {boolean} isLate whether `changed` is about to be replaced
 * @property {number} classIndex in focus
 * @property {string} name of that class
 * @property {number} capsule the chosen one
 * @property {ArrayLike<number>} shares (types), what each gives to the class in focus
 * @property {number} types
 * @property {number} rows of a type's grid
 * @property {number} columns
 */

/** @typedef {(found: SurgeryScene) => void} Show */

/**
 * @typedef {object} Part of routing, which says what it is about
 * @property {(tensors: any, classIndex: number) => ArrayLike<number>} sharesOf (types) what
 *   each gives to a class, as a share of all; the same object for the same
 * @property {(intact: Intact) => Experiment[]} experiments
 */

/**
 * @param {HTMLElement} root
 * @param {object} room
 * @param {LayerStore<OperableState>} room.store
 * @param {Layer} room.layer
 * @param {Pick<Actions, "focusClass">} room.actions
 * @param {Part} part
 */
export function mountSurgery(
  root,
  { store, layer, actions },
  { sharesOf, experiments },
) {
  const panel = findElement(root, "[data-surgery]");
  const words = findElement(panel, "[data-surgery-words]");
  const shows = find(panel, "[data-shows-operated]", HTMLInputElement);
  const reset = find(panel, "[data-reset]", HTMLButtonElement);
  const result = findElement(panel, "[data-result]");
  const operate = (/** @type {Surgery} */ surgery) => store.set({ surgery });
  const parts = [mountPresets(experiments), mountTypes, mountRoutingChoice, mountHold]
    .map((mount) => mount(panel, operate))
    .concat(mountLengths(panel, actions), mountPictures(panel, layer));
  shows.addEventListener("change", () => store.set({ showsOperated: shows.checked }));
  reset.addEventListener("click", () => operate(NO_SURGERY));

  /** @param {Pick<OperableState, typeof WATCHED[number]>} state */
  function draw(state) {
    const found = surgerySceneOf(state, layer, sharesOf);
    const { surgery, types, rows, columns } = found;
    setText(words, surgeryInWords(surgery, { types, cells: rows * columns }));
    reset.disabled = isIntact(surgery);
    shows.checked = state.showsOperated;
    result.classList.toggle("is-old", found.isLate);
    for (const show of parts) show(found);
  }
  store.watch(WATCHED, showSeenFirst(findElement(panel, ".surgery"), draw));
  const finding = findElement(panel, "[data-finding]");
  /** @param {Pick<OperableState, typeof WATCHED[number]>} state */
  function sayFound(state) {
    const found = surgerySceneOf(state, layer, sharesOf);
    if (!found.isLate) setText(finding, answerInWords(found));
  }
  store.watch(WATCHED, showSeenFirst(finding, sayFound));
  store.watch(["surgery"], ({ surgery }) =>
    panel.classList.toggle("is-operated", !isIntact(surgery)),
  );
}

/**
 * @param {Pick<OperableState, typeof WATCHED[number]>} state @param {Layer} layer
 * @param {Part["sharesOf"]} sharesOf
 * @returns {SurgeryScene}
 */
function surgerySceneOf(state, layer, sharesOf) {
  const { model, surgery, trace, operated, capsule, pixels } = state;
  const classIndex = focusedClass(state);
  // Until the changed run comes, the intact one stands in for it, dimmed.
  const run = operated && !isIntact(surgery) ? traceBy(layer, operated) : null;
  const changed = holds(run, model, comparedIn(layer)) ? run : trace;
  const options = isIntact(surgery) ? intactOptions(state) : operatedOptions(state);
  const [types, rows = 1, columns = 1] = trace.tensors.lengths.shape;
  const wish = pixels && { model: model.id, pixels, options };
  return {
    ...{ model, surgery, changed, classIndex, capsule, types, rows, columns },
    intact: trace,
    isLate: !isSamePass(/** @type {Trace} */ (changed), wish),
    name: model.class_names[classIndex],
    shares: sharesOf(trace.tensors, classIndex),
  };
}

/**
 * The class that a run reads.
 * @param {Pick<ComparedTrace, "prediction" | "tensors">} run
 * @param {Pick<RoutingModel, "scores">} model
 * @returns {number | null} null where even the longest capsule is too short to be there
 */
function readIn({ prediction, tensors }, model) {
  return tensors.scores.data[prediction] < scoreWords(model).unsure ? null : prediction;
}

/**
 * What both runs read, and what becomes of the length of the intact one's answer.
 * @param {Pick<SurgeryScene, "model" | "surgery" | "intact" | "changed">} found
 */
export function answerInWords(found) {
  const { model, surgery, intact, changed } = found;
  if (model.present.at_most > 1) return answersInWords(found);
  const names = model.class_names;
  const before = intact.tensors.scores.data;
  const after = changed.tensors.scores.data;
  const [saw, sees] = [readIn(intact, model), readIn(changed, model)];
  const { prediction: was } = intact;
  const [from, to] = [fixed(before[was]), fixed(after[was])];
  if (isIntact(surgery))
    return saw === null
      ? `The network sees none of its classes: the longest, ${names[was]}, has length ${from}.`
      : `The network reads ${names[was]}, with length ${from}.`;
  const changes = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
  if (sees === null) {
    const none = `The network ${saw === null ? "still" : "now"} sees none of its classes`;
    const { prediction: longest } = changed;
    if (after[longest] === 0)
      return `${none}: every length is 0; that of ${names[was]} was ${from}.`;
    return longest === was
      ? `${none}: the longest is still ${names[was]}, and its length ${changes}.`
      : `${none}: the longest, ${names[longest]}, has length ${fixed(after[longest])}; the length of ${names[was]} ${changes}.`;
  }
  if (sees === was)
    return `The network ${saw === null ? "now" : "still"} reads ${names[sees]}; its length ${changes}.`;
  return `The network now reads ${names[sees]}, with length ${fixed(after[sees])}; the length of ${names[was]} ${changes}.`;
}

/**
 * The same of a network that names several classes.
 * @param {Pick<SurgeryScene, "model" | "surgery" | "intact" | "changed">} found
 */
function answersInWords({ model, surgery, intact, changed }) {
  const [before, after] = [intact, changed].map(({ tensors }) => tensors.scores.data);
  const [saw, sees] = [before, after].map((scores) => presentIn(scores, model));
  const named = (/** @type {number[]} */ some) =>
    listed(some.map((each) => model.class_names[each]));
  const reads = sees.length === 0 ? "sees none of its classes" : `reads ${named(sees)}`;
  const told = saw.length === 0 ? [intact.prediction] : saw;
  if (isIntact(surgery)) {
    const lengths = listed(told.map((each) => fixed(before[each])));
    const answer =
      saw.length === 0
        ? `${reads}: the longest, ${named(told)}, has length ${lengths}`
        : `${reads}, with ${told.length > 1 ? "lengths" : "length"} ${lengths}`;
    return `The network ${answer}.`;
  }
  const isSame = named(saw.toSorted()) === named(sees.toSorted());
  const courses = told.map((each) => {
    const [from, to] = [before, after].map((scores) => fixed(scores[each]));
    const course = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
    return `the length of ${model.class_names[each]} ${course}`;
  });
  return `The network ${isSame ? "still" : "now"} ${reads}; ${listed(courses)}.`;
}

/**
 * The lengths of both runs, and what has become of the answer.
 * @param {HTMLElement} panel @param {Pick<Actions, "focusClass">} actions
 * @returns {Show}
 */
function mountLengths(panel, { focusClass }) {
  const verdict = findElement(panel, "[data-surgery-verdict]");
  const body = find(panel, "[data-surgery-lengths]", HTMLTableSectionElement);
  onRow(body, focusClass);
  return (found) => {
    const { model, intact, changed, classIndex } = found;
    const before = intact.tensors.scores.data;
    const after = changed.tensors.scores.data;
    setText(verdict, answerInWords(found));
    verdict.classList.toggle(
      "is-other",
      readIn(changed, model) !== readIn(intact, model),
    );
    fillRows(
      body,
      model.class_names.map((name, j) => ({
        head: { text: name },
        isFocused: j === classIndex,
        cells: [
          { text: "" },
          { text: fixed(before[j]) },
          { text: fixed(after[j]) },
          { text: signed(after[j] - before[j]) },
        ],
      })),
    );
    [...body.rows].forEach((row, j) => {
      showBars(row.cells[1], [before[j], after[j]]);
    });
  };
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {readonly number[]} lengths before and after, 0..1
 */
function showBars(cell, lengths) {
  if (cell.childElementCount === 0) {
    cell.className = "surgery-bars";
    cell.append(make("i", "is-before"), make("i", "is-after"));
  }
  lengths.forEach((length, i) => {
    /** @type {HTMLElement} */ (cell.children[i]).style.width = `${100 * length}%`;
  });
}

/**
 * What each of the two runs is decoded to, and the difference; nothing without a decoder.
 * @param {HTMLElement} panel @param {Layer} layer
 * @returns {Show}
 */
function mountPictures(panel, layer) {
  if (!comparedIn(layer).includes("decoded")) {
    for (const part of panel.querySelectorAll(".surgery-pictures, .surgery-legends"))
      part.remove();
    return () => {};
  }
  const pictures = ["intact", "changed"].map((name) => ({
    canvas: findCanvas(panel, `[data-${name}]`),
    caption: findElement(panel, `[data-${name}-name]`),
  }));
  const change = findCanvas(panel, "[data-change]");
  const inkLegend = findElement(panel, "[data-ink-legend]");
  const changeLegend = findElement(panel, "[data-change-legend]");

  return ({ model, intact, changed }) => {
    const shape = shapeOf(model);
    const runs = [intact, changed];
    showInkLegend(inkLegend, shape);
    const unit = `changed − intact${isColour(shape) ? MEAN : ""}`;
    showLegend(changeLegend, DIFFERENCE_SCALE, { unit, decimals: 0 });
    const [before, after] = runs.map(({ tensors, prediction }, i) => {
      const { canvas, caption } = pictures[i];
      const isNone = tensors.scores.data[prediction] === 0;
      const name = isNone ? "none" : model.class_names[prediction];
      paintImage(canvas, tensors.decoded.data, shape);
      setText(caption, `${name}, ${["intact", "changed"][i]}`);
      canvas.setAttribute("aria-label", `Reconstruction of ${caption.textContent}`);
      return greyOf(tensors.decoded.data, shape);
    });
    const { rows, columns } = shape;
    const difference = differenceOf(after, before);
    paintHeatmap(change, difference, { rows, columns, scale: DIFFERENCE_SCALE });
  };
}
