/**
 * A dense layer: all its units, and of one of them what it gives to the logits, and its
 * values.
 * @import { Panel } from "../../ui/panel.js"
 * @import { Kernels } from "../convolution/types.js"
 * @import { LayerMount, Tensor } from "../types.js"
 * @import { DenseState, UnitsLook } from "./types.js"
 * @import { Output } from "./units.js"
 */
import { createScenes } from "../../core/scenes.js";
import { focusedClass } from "../../core/state.js";
import { choiceBars } from "../../draw/bars.js";
import { grid } from "../../draw/grid.js";
import { sheet } from "../../draw/sheet.js";
import { legend, writtenTiles } from "../../draw/tiles.js";
import { largestOf, ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { compact } from "../../lib/decimals.js";
import { fixed, grouped, numbered, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { checkWords, roundingOfSum } from "../../lib/precision.js";
import { productInWords } from "../../lib/written.js";
import { findElement, setText } from "../../ui/dom.js";
import { h, note } from "../../ui/h.js";
import { choices } from "../../ui/inputs.js";
import { mountPanels } from "../../ui/panel.js";
import { mapOf } from "../convolution/maps.js";
import {
  beforeRelu,
  countActive,
  givenBy,
  givenTo,
  unitsAcross,
  unitsBefore,
} from "./units.js";
import { activeWords, givenWords, reluWords } from "./words.js";

const DECIMALS = 3;

const HALVES = "maps and values come in half precision, which keeps about three digits";

/**
 * The layer as it read one image.
 * @typedef {object} Read
 * @property {Tensor} maps (maps, rows, columns), those below
 * @property {Kernels} kernels as large as the maps
 * @property {Output} output
 * @property {Float64Array} worked (units), before ReLU, worked out here
 * @property {Float64Array} before (units), the same as the network has it
 * @property {Float32Array} after (units), as the trace says
 */

/**
 * @typedef {object} Scene
 * @property {Read} read
 * @property {ArrayLike<number>} gifts what each unit adds to the logit in focus
 * @property {number} unit the chosen one
 * @property {number} classIndex in focus
 * @property {readonly string[]} names of the classes
 * @property {UnitsLook} look
 */

/** @typedef {{ choose: (unit: number) => void, look: (look: Partial<UnitsLook>) => void, focus: (classIndex: number) => void }} Act */

/** @type {LayerMount<DenseState>} */
export function mount(root, store, actions) {
  const readLayer = memoize(readFrom);
  const giveTo = memoize(givenTo);
  const scenes = createScenes(store, (/** @type {DenseState} */ state) => {
    const { trace, weights, model, look } = state;
    const read = readLayer(trace, weights);
    const classIndex = focusedClass(state);
    const gifts = giveTo(read.output, read.after, classIndex);
    const unit = state.unit ?? largestOf(gifts);
    return { read, gifts, unit, classIndex, names: model.class_names, look };
  });
  const act = {
    choose: (/** @type {number} */ unit) => store.set({ unit }),
    look(/** @type {Partial<UnitsLook>} */ change) {
      const state = store.get();
      if (state !== null) store.set({ look: { ...state.look, ...change } });
    },
    focus: actions.focusClass,
  };
  mountPanels(root, { scenes, act }, panels);

  const shape = findElement(root, "[data-shape]");
  scenes.watch(({ read: { maps, after } }) => {
    const [count, rows, columns] = maps.shape;
    const values = grouped(count * rows * columns);
    setText(
      shape,
      `${count}×${rows}×${columns} = ${values} values → ${after.length} units`,
    );
  });
}

const SHOWN = /** @type {const} */ (["before", "after", "given"]);
const ORDERS = /** @type {const} */ (["number", "given"]);

/** All units in one picture, a cell each. @type {Panel<Scene, ReturnType<typeof unitsIn>, Act>} */
const units = {
  id: "units",
  look: "hidden-units",
  title: ({ gifts }) => `All ${gifts.length} units`,
  numbers: unitsIn,
  line: ({ scene: { read } }) =>
    activeWords(countActive(read.after), read.after.length),
  picture({ scene, name, ...of }, { choose, look }) {
    const { read, gifts, unit } = scene;
    const { mode, order } = scene.look;
    const written = mode === "given" ? signed : fixed;
    const texts = ["Before ReLU", "After ReLU", `What each adds to ${name}`];
    const orders = ["number", `what adds most to ${name}`];
    return [
      h(
        "div",
        { class: "controls" },
        choices("Show", texts, SHOWN.indexOf(mode), (i) => look({ mode: SHOWN[i] })),
      ),
      sheet({
        label: "All hidden units, row by row",
        ...of,
        step: "place",
        chosen: { tile: unit, row: 0, column: 0 },
        choose: ({ tile }) => choose(tile),
        words: ({ tile }) =>
          `unit ${tile}: before ReLU ${fixed(read.before[tile])}, after ${fixed(read.after[tile])}; adds ${signed(gifts[tile])} to the logit of ${name}`,
        note: ({ tile }) => `unit ${tile}: ${written(of.data[tile])}`,
      }),
      h(
        "div",
        { class: "controls" },
        choices("Order", orders, ORDERS.indexOf(order), (i) =>
          look({ order: ORDERS[i] }),
        ),
      ),
      legend(of.scale, unitOf(mode, name), 3),
    ];
  },
};

/** @param {Scene} scene */
function unitsIn(scene) {
  const { read, gifts, names, classIndex, look } = scene;
  const data = { after: read.after, before: read.before, given: gifts }[look.mode];
  const most = reach(data) || 1;
  const cells = { count: data.length, rows: 1, columns: 1, gap: 0 };
  return {
    scene,
    name: names[classIndex],
    data,
    layout: { ...cells, across: unitsAcross(cells, false) },
    narrow: unitsAcross(cells, true),
    scale: look.mode === "after" ? sequential(0, most) : diverging(most),
    order: look.order === "given" ? ranked(gifts) : undefined,
  };
}

/** @param {UnitsLook["mode"]} mode @param {string} name */
const unitOf = (mode, name) =>
  mode === "given" ? `adds to the logit of ${name}` : `value ${mode} ReLU`;

/** What the chosen unit gives to each logit. @type {Panel<Scene, Scene, Act>} */
const logits = {
  id: "given",
  look: "hidden-given",
  title: ({ unit }) => `What unit ${unit}, framed, gives to each logit`,
  line: (scene) => givenWords(addedIn(scene), scene.names),
  picture: (scene, { focus }) =>
    choiceBars({
      caption: "What the chosen unit adds to the logit of each class",
      of: "class",
      shows: "adds",
      names: scene.names,
      values: addedIn(scene),
      pressed: scene.classIndex,
      choose: focus,
    }),
  words({ read, unit, classIndex, names }) {
    const { shape, data } = read.output.weights;
    const weight = data[classIndex * shape[1] + unit];
    const product = productInWords(read.after[unit], weight, DECIMALS);
    return [`To ${names[classIndex]}: value × weight = ${product}`];
  },
};

const BESIDE = 8; // units whose numbers stand side by side

/** @param {Scene} scene */
function valuesIn({ read: { maps, kernels, worked, before, after }, unit }) {
  const first = unit - (unit % BESIDE);
  const last = Math.min(first + BESIDE, after.length);
  const beside = (/** @type {Float64Array | Float32Array} */ all) => [
    ...all.subarray(first, last),
  ];
  const weights = mapOf(kernels.kernels, unit);
  const most = roundingOfSum(
    maps.data.map((value, i) => value * weights[i]),
    after[unit],
  );
  const check = checkWords(Math.max(0, worked[unit]), after[unit], most, HALVES);
  return {
    unit,
    first,
    before,
    after,
    check,
    neighbours: [...beside(before), ...beside(after)],
  };
}

/** The chosen unit's values, beside those of its neighbours. @type {Panel<Scene, ReturnType<typeof valuesIn>, Act>} */
const values = {
  id: "values",
  look: "layer-values",
  isFolded: true,
  title: ({ unit }) => `The values of unit ${unit}`,
  numbers: valuesIn,
  line: ({ before, after, unit }) => reluWords(before[unit], after[unit]),
  picture({ unit, first, before, neighbours: values }, { choose }) {
    const count = values.length / 2;
    const scale = diverging(reach(before) || 1);
    return [
      grid({
        label: "Values of the chosen unit and its neighbours, before and after ReLU",
        isBare: true,
        rows: { of: "moment", names: ["before ReLU", "after ReLU"] },
        columns: { of: "unit", names: numbered(count, first) },
        mark: writtenTiles({
          name: "value",
          data: Float64Array.from(values),
          scale,
          format: (value) => compact(value, 2),
        }),
        chosen: { row: 1, column: unit - first },
        choose: ({ column }) => choose(first + column),
        words: ({ column }) =>
          `unit ${first + column}: before ReLU ${fixed(values[column])}, after ${fixed(values[count + column])}`,
      }),
      note(
        `Units ${first} to ${first + count - 1}: before ReLU above, after it below.`,
      ),
      legend(scale, "value, one scale for all units", 3),
    ];
  },
  words: ({ check }) => [
    "Each is the sum of all values of the maps below, times the unit's weights, and its bias. What ReLU lets through is the network's own; what it stops is worked out here.",
    `After ReLU, of the chosen unit. ${check}`,
  ],
  table: {
    title: "The values of all units as a table",
    of: ({ before, after }) => [
      {
        of: "unit",
        columns: [
          ["before ReLU", before],
          ["after ReLU", after],
        ],
      },
    ],
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
  const layer = {
    kernels: { shape: [units, ...maps.shape], data: kernels.data },
    bias,
  };
  const worked = unitsBefore(maps, layer);
  return {
    maps,
    kernels: layer,
    output: { weights: output, bias: outputBias },
    worked,
    before: beforeRelu(worked, tensors.values.data),
    after: tensors.values.data,
  };
}

export const panels = [units, logits, values];
