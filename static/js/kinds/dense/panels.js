/**
 * A dense layer: all its units, and one of them as a sum over every map below and as what
 * it gives to the logits.
 * @import { Panel } from "../../ui/panel.js"
 * @import { Kernels } from "../convolution/types.js"
 * @import { LayerMount, Tensor } from "../types.js"
 * @import { DenseState, UnitsLook } from "./types.js"
 * @import { Output } from "./units.js"
 */
import { createScenes } from "../../core/scenes.js";
import { focusedClass } from "../../core/state.js";
import { addedBars } from "../../draw/bars.js";
import { sheet } from "../../draw/sheet.js";
import { legend } from "../../draw/tiles.js";
import { largestOf, ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { productInWords } from "../../lib/decimals.js";
import { fixed, grouped, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText, writer } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { choices } from "../../ui/inputs.js";
import { mountPanels } from "../../ui/panel.js";
import { showSeenFirst } from "../../ui/seen.js";
import { mountBeneath } from "../convolution/beneath.js";
import { biasedSum } from "../convolution/products.js";
import { contributions } from "../convolution/reading.js";
import { countActive, givenBy, givenTo, unitsAcross, unitsBefore } from "./units.js";
import { activeWords, givenWords, reluWords } from "./words.js";

const DECIMALS = 3;

/**
 * The layer as it read one image.
 * @typedef {object} Read
 * @property {Tensor} maps (maps, rows, columns), those below
 * @property {Kernels} kernels as large as the maps
 * @property {Output} output
 * @property {Float64Array} before (units), before ReLU, worked out here
 * @property {Float32Array} after (units), as the trace says
 */

/**
 * @typedef {object} Scene
 * @property {Read} read
 * @property {ArrayLike<number>} given what each unit adds to the logit in focus
 * @property {number} unit the chosen one
 * @property {number} classIndex in focus
 * @property {readonly string[]} names of the classes
 * @property {UnitsLook} look
 */

/** @typedef {{ choose: (unit: number) => void, look: (look: Partial<UnitsLook>) => void, focus: (classIndex: number) => void }} Act */

/** @type {LayerMount<DenseState>} */
export function mount(root, store, actions, _services, layer) {
  const below = layer.network.find(({ id }) => id === layer.below);
  const readLayer = memoize(readFrom);
  const giveTo = memoize(givenTo);
  const scenes = createScenes(store, (/** @type {DenseState} */ state) => {
    const { trace, weights, model, look } = state;
    const read = readLayer(trace, weights);
    const classIndex = focusedClass(state);
    const given = giveTo(read.output, read.after, classIndex);
    const unit = state.unit ?? largestOf(given);
    return { read, given, unit, classIndex, names: model.class_names, look };
  });
  /** @param {"look" | "beneath"} key @param {object} change */
  function lookAnew(key, change) {
    const state = store.get();
    if (state !== null) store.set({ [key]: { ...state[key], ...change } });
  }
  const act = {
    choose: (/** @type {number} */ unit) => store.set({ unit }),
    look: (/** @type {Partial<UnitsLook>} */ look) => lookAnew("look", look),
    focus: actions.focusClass,
  };
  mountPanels(root, { scenes, act }, [units, given]);

  const write = writer(findElement(root, "[data-unit]"));
  const sumPlace = findElement(root, "[data-unit-sum]");
  const place = findElement(root, "[data-beneath]");
  const beneath = mountBeneath(
    place,
    {
      lookAt: actions.lookAt,
      chooseMap: (mapBelow) => store.set({ mapBelow }),
      lookBeneath: (change) => lookAnew("beneath", change),
      openPixel: (pixel) => actions.openUnit(layer.below ?? "", pixel),
    },
    {
      below: below?.title ?? "",
      unit: layer.words.below,
      reader: "weights",
      isRectified: true,
      precision: "maps come in half precision, which keeps about three digits",
    },
  );
  const showBeneath = showSeenFirst(place, beneath.show);
  const workOut = memoize(
    (/** @type {Read} */ { maps, kernels }, /** @type {number} */ unit) => {
      const [, rows, columns] = maps.shape;
      const window = { row: 0, column: 0, size: rows, columns };
      return { window, parts: contributions(maps, kernels, unit, window) };
    },
  );
  const shape = findElement(root, "[data-shape]");
  scenes.watch(({ read: { maps, after } }) => {
    const [count, rows, columns] = maps.shape;
    const values = grouped(count * rows * columns);
    setText(
      shape,
      `${count}×${rows}×${columns} = ${values} values → ${after.length} units`,
    );
  });
  store.watch(
    ["trace", "model", "weights", "classIndex", "unit", "mapBelow", "beneath"],
    ({ model, mapBelow: map, beneath: look }) => {
      const scene = scenes.shown();
      if (scene === null) return;
      const { read, unit } = scene;
      const { window, parts } = workOut(read, unit);
      const what = `what the ${parts.shares.length} maps of ${below?.title} add, through ${parts.weights.length} weights`;
      fill(sumPlace, biasedSum(parts, what));
      write("unit-title", `Unit ${unit}`);
      write("relu-words", reluWords(parts.total, Math.max(0, parts.total)));
      showBeneath(
        {
          maps: read.maps,
          reach: below?.reach(model) ?? { size: 1, step: 1 },
          ...{ window, parts },
        },
        { map, look, name: "before ReLU", traced: read.after[unit] },
      );
    },
  );
}

const SHOWN = /** @type {const} */ (["before", "after", "given"]);
const ORDERS = /** @type {const} */ (["number", "given"]);

/** All units in one picture, a cell each. @type {Panel<Scene, ReturnType<typeof unitsIn>, Act>} */
export const units = {
  id: "units",
  look: "hidden-units",
  title: ({ given }) => `All ${given.length} units`,
  numbers: unitsIn,
  line: ({ scene: { read } }) =>
    activeWords(countActive(read.after), read.after.length),
  picture({ scene, name, ...of }, { choose, look }) {
    const { read, given, unit } = scene;
    const { shown, order } = scene.look;
    const written = shown === "given" ? signed : fixed;
    const texts = ["Before ReLU", "After ReLU", `What each adds to ${name}`];
    const orders = ["number", `what adds most to ${name}`];
    return [
      h(
        "div",
        { class: "controls" },
        choices("Show", texts, SHOWN.indexOf(shown), (i) => look({ shown: SHOWN[i] })),
        choices("Order", orders, ORDERS.indexOf(order), (i) =>
          look({ order: ORDERS[i] }),
        ),
      ),
      sheet({
        ...{ label: "All hidden units, row by row", ...of, step: "place" },
        chosen: { tile: unit, row: 0, column: 0 },
        choose: ({ tile }) => choose(tile),
        words: ({ tile }) =>
          `unit ${tile}: before ReLU ${fixed(read.before[tile])}, after ${fixed(read.after[tile])}; adds ${signed(given[tile])} to the logit of ${name}`,
        note: ({ tile }) => `unit ${tile}: ${written(of.data[tile])}`,
      }),
      legend(of.scale, unitOf(shown, name), 3),
    ];
  },
};

/** @param {Scene} scene */
function unitsIn(scene) {
  const { read, given, names, classIndex, look } = scene;
  const data = { after: read.after, before: read.before, given }[look.shown];
  const most = reach(data) || 1;
  const cells = { count: data.length, rows: 1, columns: 1, gap: 0 };
  return {
    ...{ scene, name: names[classIndex], data },
    layout: { ...cells, across: unitsAcross(cells, false) },
    narrow: unitsAcross(cells, true),
    scale: look.shown === "after" ? sequential(0, most) : diverging(most),
    order: look.order === "given" ? ranked(given) : undefined,
  };
}

/** @param {UnitsLook["shown"]} shown @param {string} name */
const unitOf = (shown, name) =>
  shown === "given" ? `adds to the logit of ${name}` : `value ${shown} ReLU`;

/** What the chosen unit gives to each logit. @type {Panel<Scene, Scene, Act>} */
export const given = {
  id: "given",
  look: "hidden-given",
  title: "What it gives to each logit",
  line: (scene) => givenWords(addedIn(scene), scene.names),
  picture: (scene, { focus }) =>
    addedBars({
      caption: "What the chosen unit adds to the logit of each class",
      ...{ of: "class", names: scene.names, values: addedIn(scene) },
      ...{ pressed: scene.classIndex, choose: focus },
    }),
  words({ read, unit, classIndex, names }) {
    const { shape, data } = read.output.weights;
    const weight = data[classIndex * shape[1] + unit];
    const product = productInWords(read.after[unit], weight, DECIMALS);
    return [`To ${names[classIndex]}: value × weight = ${product}`];
  },
};

/** @param {Scene} scene */
const addedIn = ({ read, unit }) => givenBy(read.output, unit, read.after[unit]);

/**
 * A unit reads every map below as a whole, as a kernel as large as the maps would.
 * @param {DenseState["trace"]} trace @param {DenseState["weights"]} weights
 * @returns {Read}
 */
function readFrom({ tensors }, { kernels, bias, output, outputBias }) {
  const maps = tensors.below;
  const [units] = kernels.shape;
  const own = { kernels: { shape: [units, ...maps.shape], data: kernels.data }, bias };
  return {
    maps,
    kernels: own,
    output: { weights: output, bias: outputBias },
    before: unitsBefore(maps, own),
    after: tensors.values.data,
  };
}
