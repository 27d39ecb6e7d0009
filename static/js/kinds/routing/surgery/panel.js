/**
 * Surgery on routing: what the network would say if some capsules kept silent, if nothing
 * were routed, or if a coupling were held; beside what it says.
 * @import { Actions } from "../../../core/actions.js"
 * @import { Content } from "../../../ui/h.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Layer, LayerStore, Tensor, Trace } from "../../types.js"
 * @import { ComparedTrace, Experiment, Intact, OperableState, Pin, RoutingModel, Surgery } from "../types.js"
 */

import { holds, isSamePass } from "../../../core/rooms.js";
import { createScenes, withPointed } from "../../../core/scenes.js";
import { focusedClass } from "../../../core/state.js";
import { painted } from "../../../draw/picture.js";
import { legend } from "../../../draw/tiles.js";
import { differenceOf } from "../../../lib/arithmetic.js";
import { diverging, ink } from "../../../lib/color.js";
import { presence, restOf } from "../../../lib/decimals.js";
import { signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { greyOf, isColour, shapeOf } from "../../../lib/pixels.js";
import { paintHeatmap, paintImage } from "../../../paint/heatmap.js";
import { h, note } from "../../../ui/h.js";
import { button } from "../../../ui/inputs.js";
import { mountPanels } from "../../../ui/panel.js";
import { MEAN } from "../../../ui/pictures.js";
import { traceBy } from "../../layer-state.js";
import { isIntact, NO_SURGERY, surgeryInWords } from "./changes.js";
import { comparedIn, stagedOptions } from "./run.js";
import { holdTool, presetsTool, routingTool, typesTool } from "./tools.js";
import { answerInWords, readIn } from "./words.js";

/** The same for every picture, so that differences can be compared. */
const DIFFERENCE_SCALE = diverging(1);

/**
 * @typedef {object} SurgeryScene what every part of the panel is drawn from
 * @property {RoutingModel} model
 * @property {Surgery} surgery
 * @property {OperableState["trace"]} intact
 * @property {ComparedTrace} changed the run on stage; the intact one where nothing is changed
 * @property {boolean} isLate whether one of them is about to be replaced
 * @property {number} classIndex in focus
 * @property {string} name of that class
 * @property {number} capsule the chosen one
 * @property {ArrayLike<number>} shares (types), what each gives to the class in focus
 * @property {number} types
 * @property {number} rows of a type's grid
 * @property {number} columns
 * @property {boolean} hasPictures whether runs are decoded
 * @property {Pin | null} [pointed] the coupling that the slider is at, if it was moved
 */

/**
 * @typedef {object} Part of routing, which says what it is about
 * @property {(tensors: any, classIndex: number) => ArrayLike<number>} sharesOf (types) what
 *   each gives to a class, as a share of all; the same object for the same
 * @property {(intact: Intact) => Experiment[]} experiments
 * @property {boolean} [isOnce] whether votes are compared once, by attention
 */

/**
 * What readers do.
 * @typedef {object} Act
 * @property {LayerStore<OperableState>["set"]} set
 * @property {(surgery: Surgery) => void} operate
 * @property {(pin: Pin) => void} point the slider to a coupling
 * @property {Actions["focusClass"]} focusClass
 */

/**
 * @param {HTMLElement} root
 * @param {object} room
 * @param {LayerStore<OperableState>} room.store
 * @param {Layer} room.layer
 * @param {Pick<Actions, "focusClass">} room.actions
 * @param {Part} part
 */
export function mountSurgery(root, { store, layer, actions }, part) {
  const scenes = withPointed(
    createScenes(store, (state) => surgerySceneOf(state, layer, part.sharesOf)),
    /** @type {Pin | null} */ (null),
  );
  const { set } = store;
  const operate = (/** @type {Surgery} */ surgery) => set({ surgery });
  const { focusClass } = actions;
  const act = { set, operate, focusClass, point: scenes.point };
  mountPanels(root, { scenes, act }, panels(part));
}

/**
 * @param {OperableState} state @param {Layer} layer
 * @param {Part["sharesOf"]} sharesOf
 * @returns {SurgeryScene}
 */
function surgerySceneOf(state, layer, sharesOf) {
  const { model, surgery, trace, capsule, pixels } = state;
  const classIndex = focusedClass(state);
  // Until the intact run comes, the changed one stands in for it, dimmed.
  const run = state.intact && !isIntact(surgery) ? traceBy(layer, state.intact) : trace;
  const isThere = holds(run, model, comparedIn(layer)) && run.pixels === trace.pixels;
  const intact = /** @type {OperableState["trace"]} */ (isThere ? run : trace);
  const options = stagedOptions(state);
  const [types, rows = 1, columns = 1] = trace.tensors.lengths.shape;
  const wish = pixels && { model: model.id, pixels, options };
  return {
    model,
    surgery,
    classIndex,
    capsule,
    types,
    rows,
    columns,
    intact,
    changed: trace,
    isLate: !isThere || !isSamePass(/** @type {Trace} */ (trace), wish),
    name: model.class_names[classIndex],
    hasPictures: comparedIn(layer).includes("decoded"),
    shares: sharesOf(intact.tensors, classIndex),
  };
}

export const panels = (/** @type {Part} */ part) => [surgeryPanel(part)];

/** @param {Part} part @returns {Panel<SurgeryScene, SurgeryScene, Act>} */
function surgeryPanel(part) {
  let verdict = ""; // while a run is on its way, that of the run before stays
  return {
    id: "surgery",
    isFolded: true,
    title: "Surgery: what would it read if …?",
    line(scene) {
      if (!scene.isLate) verdict = answerInWords(scene);
      return verdict;
    },
    picture: (scene, act) => pictureOf(scene, part, act),
  };
}

/** @param {SurgeryScene} scene @param {Part} part @param {Act} act */
function pictureOf(scene, part, act) {
  const { surgery, types, rows, columns, isLate, model, intact, changed } = scene;
  const [was, is] = [intact, changed].map((run) => readIn(run, model));
  const isOther = was.named.join() !== is.named.join();
  const isChanged = !isIntact(surgery);
  const undo = { "data-reset": "", disabled: !isChanged };
  const changes = surgeryInWords(surgery, {
    types,
    cells: rows * columns,
    names: model.class_names,
  });
  return h(
    "div",
    { class: `surgery ${isChanged ? "is-operated" : ""}` },
    note(
      "Silence capsules, switch routing off, or hold a coupling where you want it, and see how the lengths change. Every view shows the network with your changes; here it stands beside the unchanged one. Your changes stay while you draw.",
    ),
    h(
      "div",
      { class: "surgery-status" },
      h(
        "output",
        { "aria-label": "What is changed", "data-surgery-words": "" },
        changes,
      ),
      button("Undo all", () => act.operate(NO_SURGERY), undo),
    ),
    h(
      "div",
      { class: "surgery-layout" },
      h(
        "div",
        { class: "surgery-tools" },
        presetsTool(scene, part, act),
        typesTool(scene, part, act),
        routingTool(scene, part, act),
        holdTool(scene, act),
      ),
      h(
        "div",
        { class: `surgery-result ${isLate ? "is-old" : ""}`, "data-result": "" },
        lengthsTable(scene, act),
        scene.hasPictures && picturesOf(scene),
      ),
    ),
    h(
      "p",
      {
        class: `surgery-verdict ${isOther ? "is-other" : ""}`,
        "data-bar": "",
        role: "status",
        "data-surgery-verdict": "",
      },
      answerInWords(scene),
    ),
  );
}

/** The lengths of both runs. @param {SurgeryScene} scene @param {Act} act */
function lengthsTable({ model, intact, changed, classIndex }, { focusClass }) {
  const before = intact.tensors.scores.data;
  const after = changed.tensors.scores.data;
  const bar = (/** @type {string} */ look, /** @type {number} */ length) =>
    h("i", { class: look, "--width": `${100 * length}%` });
  const head = (/** @type {Content} */ name, look = {}) =>
    h("th", { scope: "col", ...look }, name);
  const swatch = (/** @type {string} */ look) => h("i", { class: `swatch ${look}` });
  const rows = model.class_names.map((name, j) => {
    const figures = [
      presence(before[j]),
      presence(after[j]),
      signed(restOf(after[j], [before[j]], 3)),
    ];
    return h(
      "tr",
      { class: j === classIndex && "is-focused", onclick: () => focusClass(j) },
      h("th", { scope: "row" }, name),
      h(
        "td",
        { class: "surgery-bars" },
        bar("is-before", before[j]),
        bar("is-after", after[j]),
      ),
      figures.map((figure) => h("td", {}, figure)),
    );
  });
  return h(
    "table",
    { class: "values surgery-lengths" },
    h("caption", { class: "unseen" }, "Lengths of the class capsules"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head("class"),
        head("length, 0 to 1", { class: "surgery-bars-head" }),
        head([swatch("is-before"), "intact"]),
        head([swatch("is-after"), "changed"]),
        head("difference"),
      ),
    ),
    h("tbody", { "data-surgery-lengths": "" }, rows),
  );
}

/** The same for the same: then it is painted. */
const pairOf = memoize((/** @type {Tensor} */ before, /** @type {Tensor} */ after) => ({
  before,
  after,
}));

/** What each of the two runs is decoded to, and the difference. @param {SurgeryScene} scene */
function picturesOf({ model, intact, changed }) {
  const shape = shapeOf(model);
  const runs = /** @type {const} */ ([
    ["intact", intact],
    ["changed", changed],
  ]);
  const decoded = runs.map(([name, { tensors, prediction }]) => {
    const isNone = tensors.scores.data[prediction] === 0;
    const caption = `${isNone ? "none" : model.class_names[prediction]}, ${name}`;
    const look = { role: "img", "aria-label": `Reconstruction of ${caption}` };
    const paint = (
      /** @type {HTMLCanvasElement} */ canvas,
      /** @type {{ data: Float32Array }} */ { data },
    ) => paintImage(canvas, data, shape);
    return h(
      "figure",
      {},
      painted(tensors.decoded, paint, { ...look, [`data-${name}`]: "" }),
      h("figcaption", {}, caption),
    );
  });
  const { rows, columns } = shape;
  const label = "The difference of the two reconstructions";
  const difference = painted(
    pairOf(intact.tensors.decoded, changed.tensors.decoded),
    (canvas, pair) => {
      const [before, after] = [pair.before, pair.after].map(({ data }) =>
        greyOf(data, shape),
      );
      const scale = DIFFERENCE_SCALE;
      paintHeatmap(canvas, differenceOf(after, before), { rows, columns, scale });
    },
    { role: "img", "aria-label": label, "data-change": "" },
  );
  return h(
    "div",
    { class: "surgery-shown", "data-together": "" },
    h(
      "div",
      { class: "surgery-pictures" },
      decoded,
      h("figure", {}, difference, h("figcaption", {}, "difference")),
    ),
    h(
      "div",
      { class: "surgery-legends" },
      !isColour(shape) && legend(ink(), "ink", 0),
      legend(DIFFERENCE_SCALE, `changed − intact${isColour(shape) ? MEAN : ""}`, 0),
    ),
  );
}
