/**
 * Where one number of the chosen capsule comes from: what each map below adds to it.
 * @import { KindActions, Layer } from "../types.js"
 * @import { CapsulesState, CapsulesStore, TypeKernels } from "./types.js"
 */
import { fieldAt, ITSELF } from "../../geometry/windows.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, make, setText } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";
import { mountBeneath } from "../convolution/beneath.js";
import { contributions } from "../convolution/reading.js";
import { isOf } from "./kernels.js";
import { gridOf, placeIn } from "./places.js";
import { belowOf, cutOf, orderOf, sourceOf, sourceWords } from "./source.js";

const NAMED = 8; // maps that are told one by one

/**
 * @param {HTMLElement} view @param {CapsulesStore} store @param {KindActions} actions
 * @param {Layer} layer
 */
export function mountNumber(view, store, actions, layer) {
  const root = findElement(view, "[data-beneath]");
  const title = findElement(root, "[data-beneath-title]");
  const words = findElement(root, "[data-source-words]");
  const dimensions = findElement(root, "[data-dimensions]");
  const below = belowOf(layer);
  const beneath = mountBeneath(
    root,
    {
      lookAt: actions.lookAt,
      chooseMap: (mapBelow) => store.set({ mapBelow }),
      lookBeneath(look) {
        const state = store.get();
        if (state !== null) store.set({ beneath: { ...state.beneath, ...look } });
      },
      openPixel: (pixel) => actions.openUnit(layer.below ?? "", pixel),
    },
    {
      below: below?.title ?? "",
      unit: "activation after ReLU",
      reader: "kernel",
      precision: "maps and capsules come in half precision",
      named: NAMED,
    },
  );

  const makeButtons = memoize((/** @type {number} */ count) => {
    const [name] = dimensions.children;
    dimensions.replaceChildren(name, ...Array.from({ length: count }, numberButton));
    listenToChoices(dimensions, (value) => store.set({ dimension: Number(value) }));
  });
  const workOut = memoize(workedOut);
  const show = showSeenFirst(root, draw);
  store.watch(
    [
      "trace",
      "model",
      "capsule",
      "dimension",
      "kernels",
      "weights",
      "mapBelow",
      "beneath",
    ],
    (state) => show(state),
  );

  /**
   * @param {Pick<CapsulesState, "trace" | "model" | "capsule" | "dimension" | "kernels" | "weights" | "mapBelow" | "beneath">} state
   */
  function draw({
    trace,
    model,
    capsule,
    dimension,
    kernels,
    weights,
    mapBelow,
    beneath: look,
  }) {
    const { before } = trace.tensors;
    const [numbers] = before.shape.slice(-1);
    const { type } = placeIn(gridOf(before.shape), capsule);
    makeButtons(numbers);
    pressChoice(dimensions, String(dimension));
    setText(title, `Where number ${dimension + 1} comes from`);
    setText(words, sourceWords(orderOf(layer), cutOf(layer, model), capsule));
    const all = weights.kernels ? allOf(weights) : kernels;
    const own = all !== null && isOf(all, type) ? all : null;
    beneath.show(own && workOut(layer, trace, model, own, capsule, dimension), {
      map: mapBelow,
      look,
      name: `number ${dimension + 1}`,
      traced: before.data[capsule * numbers + dimension],
    });
  }
}

/** Those of all types; the same for the same. */
const allOf = memoizeByObject(
  (/** @type {CapsulesState["weights"]} */ { kernels }) => kernels,
  ({ kernels, bias }) => ({ type: null, kernels, bias }),
);

/** @param {unknown} _ @param {number} dimension */
function numberButton(_, dimension) {
  return make("button", { "data-value": String(dimension) }, String(dimension + 1));
}

/**
 * One number of a capsule as the sum over the maps below.
 * @param {Layer} layer @param {CapsulesState["trace"]} trace
 * @param {CapsulesState["model"]} model
 * @param {TypeKernels} kernels those of its type, or all
 * @param {number} capsule @param {number} dimension
 */
function workedOut(layer, trace, model, kernels, capsule, dimension) {
  const source = sourceOf(orderOf(layer), cutOf(layer, model), capsule, dimension);
  const { below: maps } = trace.tensors;
  const window = fieldAt(layer.window?.(model) ?? ITSELF, source);
  const kernel = kernels.type === null ? source.map : dimension;
  const parts = contributions(maps, kernels, kernel, window);
  return { maps, reach: belowOf(layer)?.reach(model) ?? ITSELF, window, parts };
}
