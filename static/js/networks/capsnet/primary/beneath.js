/**
 * Where one number of the chosen capsule comes from: what each map of Conv1 adds to it.
 * @import { Place, Primary } from "./index.js"
 * @import { Actions, CapsState, PrimaryKernels } from "../types.js"
 */
import { contributions } from "../../../convolution/beneath/contributions.js";
import { mountBeneath } from "../../../convolution/beneath/index.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { findElement } from "../../../ui/dom.js";
import { sidesOf, windowOfCapsule } from "../places.js";

const WORDS = {
  unit: "activation after ReLU",
  reader: "kernel",
  check: "Worked out on this page from Conv1's maps",
  precision: "maps and capsules come in half precision",
  named: 8,
};

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountNumber(root, actions) {
  const title = findElement(root, "[data-beneath-title]");
  const dimensions = findElement(root, "[data-dimensions]");
  let across = 1;
  const openPixel = (/** @type {{ row: number, column: number }} */ pixel) => {
    actions.choosePixel(pixel.row * across + pixel.column);
    actions.lookAtLayer({ shown: "relu" });
    actions.openView("conv1");
  };
  const beneath = mountBeneath(root, { ...actions, openPixel }, WORDS);

  const makeButtons = memoize((/** @type {number} */ count) => {
    const [name] = dimensions.children;
    dimensions.replaceChildren(name, ...Array.from({ length: count }, numberButton));
    listenToChoices(dimensions, (value) => actions.chooseDimension(Number(value)));
  });
  const workOut = memoize(
    (
      /** @type {Primary} */ { maps, sizes },
      /** @type {PrimaryKernels} */ kernels,
      /** @type {number} */ dimension,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => {
      const window = windowOfCapsule(sizes, row, column);
      const parts = contributions(maps, kernels, dimension, window);
      return { maps, reach: { size: sizes.kernel_size, step: 1 }, window, parts };
    },
  );

  return {
    /**
     * @param {Primary} layer
     * @param {Place} place
     * @param {Pick<CapsState, "primaryKernels" | "capsule" | "dimension" | "map" | "beneath">} state
     */
    show(layer, place, { primaryKernels, capsule, dimension, map, beneath: look }) {
      const { type, row, column } = place;
      const { primary_dim } = layer.sizes;
      across = sidesOf(layer.sizes).conv1;
      makeButtons(primary_dim);
      pressChoice(dimensions, String(dimension));
      title.textContent = `Where number ${dimension + 1} comes from`;
      const kernels = primaryKernels?.type === type ? primaryKernels : null;
      beneath.show(kernels && workOut(layer, kernels, dimension, row, column), {
        map,
        look,
        name: `number ${dimension + 1}`,
        traced: layer.pre.data[capsule * primary_dim + dimension],
      });
    },
  };
}

/**
 * @param {unknown} _
 * @param {number} dimension
 */
function numberButton(_, dimension) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.value = String(dimension);
  button.textContent = String(dimension + 1);
  return button;
}
