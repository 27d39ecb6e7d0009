/**
 * A dense layer: all its units, and one of them as a sum over every map below and as what
 * it gives to the logits.
 * @import { Output } from "./units.js"
 * @import { Kernels } from "../convolution/types.js"
 * @import { DenseState } from "./types.js"
 * @import { LayerMount, Tensor } from "../types.js"
 */
import { focusedClass } from "../../core/state.js";
import { largestOf, reach } from "../../lib/arithmetic.js";
import { productInWords, ticksTo } from "../../lib/decimals.js";
import { grouped } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { signedAxis, sumRow, termButton } from "../../ui/bars.js";
import { pressChoice } from "../../ui/controls.js";
import { findElement, writer } from "../../ui/dom.js";
import { kept } from "../../ui/guard.js";
import { showSeenFirst } from "../../ui/seen.js";
import { mountBeneath } from "../convolution/beneath.js";
import { writeSum } from "../convolution/products.js";
import { contributions } from "../convolution/reading.js";
import { mountUnits } from "./all.js";
import { givenBy, givenTo, unitsBefore } from "./units.js";
import { givenWords, reluWords } from "./words.js";

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

/** @type {LayerMount<DenseState>} */
export function mount(root, store, actions, _services, layer) {
  const shape = findElement(root, "[data-shape]");
  const units = mountUnits(findElement(root, "[data-units]"), {
    choose: (unit) => store.set({ unit }),
    look: (change) => lookAnew("look", change),
  });
  const write = writer(findElement(root, "[data-unit]"));
  const given = mountGiven(findElement(root, "[data-given]"), actions.focusClass);
  const below = findElement(root, "[data-beneath]");
  const title = layer.network.find(({ id }) => id === layer.below)?.title;
  const beneath = mountBeneath(
    below,
    {
      lookAt: actions.lookAt,
      chooseMap: (mapBelow) => store.set({ mapBelow }),
      lookBeneath: (change) => lookAnew("beneath", change),
      openPixel: (pixel) => actions.openUnit(layer.below ?? "", pixel),
    },
    {
      unit: layer.words.below,
      reader: "weights",
      check: `Worked out on this page from ${title}'s maps, before ReLU`,
      isRectified: true,
      precision: "maps come in half precision, which keeps about three digits",
    },
  );
  const showBeneath = showSeenFirst(below, beneath.show);
  const showUnits = kept(findElement(root, "[data-units]"), units.show);
  const showGiven = kept(findElement(root, "[data-given]"), given.show);

  /** @param {"look" | "beneath"} key @param {object} change */
  function lookAnew(key, change) {
    const state = store.get();
    if (state !== null) store.set({ [key]: { ...state[key], ...change } });
  }

  const readLayer = memoize(readFrom);
  const giveTo = memoize(givenTo);
  const workOut = memoize(
    (/** @type {Read} */ { maps, kernels }, /** @type {number} */ unit) => {
      const [, rows, columns] = maps.shape;
      const window = { row: 0, column: 0, size: rows, columns };
      return { window, parts: contributions(maps, kernels, unit, window) };
    },
  );
  const nameShape = memoize((/** @type {Read} */ { maps, after }) => {
    const [count, rows, columns] = maps.shape;
    shape.textContent = `${count}×${rows}×${columns} = ${grouped(count * rows * columns)} values → ${after.length} units`;
  });

  store.watch(
    ["trace", "model", "weights", "classIndex", "unit", "mapBelow", "look", "beneath"],
    (state) => {
      const { trace, weights, model, look } = state;
      const read = readLayer(trace, weights);
      const classIndex = focusedClass(state);
      const names = model.class_names;
      nameShape(read);
      const adds = giveTo(read.output, read.after, classIndex);
      const unit = state.unit ?? largestOf(adds);
      showUnits({ read, given: adds, number: unit, look, name: names[classIndex] });
      const { window, parts } = workOut(read, unit);
      writeUnit(write, parts, unit);
      showGiven(read.output, read.after[unit], { unit, classIndex, names });
      const seen = layer.network.find(({ id }) => id === layer.below)?.reach(model);
      showBeneath(
        { maps: read.maps, reach: seen ?? { size: 1, step: 1 }, window, parts },
        {
          map: state.mapBelow,
          look: state.beneath,
          name: "before ReLU",
          traced: read.after[unit],
        },
      );
    },
  );
}

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

/**
 * The chosen unit as the sum that it is: what the maps below add, the bias, ReLU.
 * @param {ReturnType<typeof writer>} write
 * @param {ReturnType<typeof contributions>} parts @param {number} unit
 */
function writeUnit(write, { shares, bias, total, weights }, unit) {
  write("unit-title", `Unit ${unit}`);
  write("count", String(shares.length));
  write("weights", String(weights.length));
  writeSum(write, { bias, total });
  write("relu-words", reluWords(total, Math.max(0, total)));
}

/**
 * What the chosen unit gives to each logit: its value times a weight for each class.
 * @param {HTMLElement} root @param {(classIndex: number) => void} focus
 */
function mountGiven(root, focus) {
  const axis = findElement(root, "[data-given-axis]");
  const body = findElement(root, "[data-given-rows]");
  const words = findElement(root, "[data-given-words]");
  const product = findElement(root, "[data-given-product]");

  const fill = memoize(
    (/** @type {Float64Array} */ given, /** @type {readonly string[]} */ names) => {
      const ticks = ticksTo(reach(given), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...signedAxis(ticks));
      body.replaceChildren(
        ...Array.from(given, (added, classIndex) =>
          sumRow(termButton(names[classIndex], classIndex, focus), [added], end),
        ),
      );
      words.textContent = givenWords(given, names);
    },
  );
  const workOut = memoize(givenBy);

  return {
    /**
     * @param {Output} output
     * @param {number} value of the unit after ReLU
     * @param {{ unit: number, classIndex: number, names: readonly string[] }} chosen
     */
    show(output, value, { unit, classIndex, names }) {
      fill(workOut(output, unit, value), names);
      pressChoice(body, String(classIndex)); // rows stay, and so does the focus
      const weight = output.weights.data[classIndex * output.weights.shape[1] + unit];
      product.textContent = `To ${names[classIndex]}: value × weight = ${productInWords(value, weight, DECIMALS)}`;
    },
  };
}
