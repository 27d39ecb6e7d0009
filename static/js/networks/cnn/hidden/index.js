/**
 * The hidden layer: all its units, and one of them as a sum over every map of Pool2 and as
 * what it gives to the logits.
 * @import { BeneathActions } from "../../../convolution/beneath/index.js"
 * @import { Tensor, TraceOf, ViewStore } from "../../../types.js"
 * @import { Actions, Cnn, CnnSizes, CnnSlice, Output } from "../types.js"
 */
import { contributions } from "../../../convolution/beneath/contributions.js";
import { mountBeneath } from "../../../convolution/beneath/index.js";
import { focusedDigit } from "../../../core/state.js";
import { givenTo } from "../../../kinds/classes/softmax.js";
import { largestOf } from "../../../lib/arithmetic.js";
import { grouped } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { POOL, reachOf, sidesOf } from "../places.js";
import { sizesOf } from "../state.js";
import { mountUnits } from "./all.js";
import { mountGiven } from "./given.js";
import { mountSum } from "./sum.js";
import { unitsBefore } from "./units.js";

const WORDS = {
  unit: "activation after pooling",
  reader: "weights",
  check: "Worked out on this page from Pool2's maps, before ReLU",
  precision:
    "it has the unit after ReLU, and maps come in half precision, which keeps about three digits",
  named: 12,
};

/**
 * The layer as it read one image.
 * @typedef {object} Hidden
 * @property {Tensor} maps (maps, side, side), Pool2
 * @property {Float64Array} before (units), before ReLU, worked out here
 * @property {Float32Array} after (units), as the trace says
 */

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Cnn, "pool2" | "hidden", "dense" | "output">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  const units = mountUnits(findElement(root, "[data-units]"), actions);
  const unit = findElement(root, "[data-unit]");
  const sum = mountSum(unit);
  const given = mountGiven(findElement(root, "[data-given]"), actions);
  const below = findElement(root, "[data-beneath]");
  const beneath = mountBeneath(
    below,
    {
      lookAt: actions.lookAt,
      chooseMap: actions.chooseMap2,
      lookBeneath: actions.lookAtInputs,
      openPixel({ row, column }) {
        const state = store.get();
        if (state === null) return;
        const { conv2 } = sidesOf(sizesOf(state.model));
        actions.choosePixel2(row * POOL * conv2 + column * POOL); // in that window
        actions.openView("pool2");
      },
    },
    WORDS,
  );
  const showBeneath = showSeenFirst(below, beneath.show);

  const readLayer = memoize(hiddenOf);
  const workOut = memoize(beneathOf);
  const giveTo = memoize(givenTo);
  const nameShape = memoize((/** @type {Hidden} */ { maps, after }) => {
    const [count, rows, columns] = maps.shape;
    shape.textContent = `${count}×${rows}×${columns} = ${grouped(count * rows * columns)} values → ${after.length} units`;
  });

  store.watch(
    ["trace", "model", "dense", "output", "digit", "unit", "map2", "units", "inputs"],
    (state) => {
      const { trace, model, dense, output } = state;
      const layer = readLayer(trace, dense);
      const digit = focusedDigit(state);
      nameShape(layer);
      const adds = giveTo(output, layer.after, digit);
      const number = state.unit ?? largestOf(adds);
      units.show(layer, adds, {
        number,
        look: state.units,
        name: model.class_names[digit],
      });
      const shown = workOut(layer.maps, dense, number, sizesOf(model));
      sum.show(shown.parts, number);
      given.show(output, layer.after[number], {
        unit: number,
        digit,
        names: model.class_names,
      });
      showBeneath(shown, {
        map: state.map2,
        look: state.inputs,
        name: "before ReLU",
        traced: layer.after[number],
      });
    },
  );
}

/**
 * @param {TraceOf<"pool2" | "hidden">} trace
 * @param {NonNullable<CnnSlice["dense"]>} dense
 * @returns {Hidden}
 */
function hiddenOf({ tensors }, dense) {
  const maps = tensors.pool2;
  return { maps, before: unitsBefore(maps, dense), after: tensors.hidden.data };
}

/**
 * A unit reads every map of Pool2 as a whole, as a kernel as large as the maps would.
 * @param {Tensor} maps
 * @param {NonNullable<CnnSlice["dense"]>} dense
 * @param {number} unit
 * @param {CnnSizes} sizes
 */
function beneathOf(maps, dense, unit, sizes) {
  const window = { row: 0, column: 0, size: maps.shape[1] };
  const parts = contributions(maps, dense, unit, window);
  return { maps, reach: reachOf(sizes).pool2, window, parts };
}
