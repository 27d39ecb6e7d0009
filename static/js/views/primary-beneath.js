/**
 * Where one number of the chosen capsule comes from: its window on every map of Conv1, the
 * kernel that reads it, and what each map adds to the sum.
 * @import { AppState, BeneathLook, PrimaryKernels } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Place, Primary } from "./primary.js"
 */
import { windowOfCapsule } from "../geometry/receptive-field.js";
import { contributions } from "../lib/contributions.js";
import { onChange } from "../lib/on-change.js";
import { listenToChoices, pressChoice } from "../parts/choices.js";
import { findElement } from "../parts/find.js";
import { mountBeneathMap } from "./primary-beneath-map.js";
import { mountShares } from "./primary-shares.js";
import { mountSheet } from "./primary-sheet.js";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountBeneath(root, actions) {
  const title = findElement(root, "[data-beneath-title]");
  const windowSize = findElement(root, "[data-window-size]");
  const body = findElement(root, "[data-beneath-body]");
  const waiting = findElement(root, "[data-beneath-waiting]");
  const dimensions = findElement(root, "[data-dimensions]");
  const shows = findElement(root, "[data-shows]");
  const orders = findElement(root, "[data-orders]");
  const sheet = mountSheet(findElement(root, "[data-sheet]"), actions);
  const shares = mountShares(findElement(root, "[data-shares]"), actions);
  const map = mountBeneathMap(findElement(root, "[data-one-map]"), actions);

  listenToChoices(shows, (value) =>
    actions.lookBeneath({ shown: /** @type {BeneathLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    actions.lookBeneath({ order: value === "number" ? value : "share" }),
  );
  const makeButtons = onChange((/** @type {number} */ count) => {
    const [name] = dimensions.children;
    dimensions.replaceChildren(name, ...Array.from({ length: count }, numberButton));
    listenToChoices(dimensions, (value) => actions.chooseDimension(Number(value)));
  });
  const workOut = onChange(
    (
      /** @type {Primary} */ layer,
      /** @type {PrimaryKernels} */ kernels,
      /** @type {number} */ dimension,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => {
      const window = windowOfCapsule(layer.sizes, row, column);
      const parts = contributions(layer.maps, kernels, dimension, window);
      return { layer, window, dimension, parts };
    },
  );

  return {
    /**
     * @param {Primary} layer
     * @param {Place} place
     * @param {Pick<AppState, "primaryKernels" | "capsule" | "dimension" | "map" | "beneath">} state
     */
    show(layer, place, { primaryKernels, capsule, dimension, map: chosen, beneath }) {
      const { type, row, column } = place;
      const { kernel_size: side, primary_dim } = layer.sizes;
      windowSize.textContent = `${side}×${side}`;
      makeButtons(primary_dim);
      pressChoice(dimensions, String(dimension));
      pressChoice(shows, beneath.shown);
      pressChoice(orders, beneath.order);
      title.textContent = `Where number ${dimension + 1} comes from`;
      const kernels = primaryKernels?.type === type ? primaryKernels : null;
      // The last picture stays, dimmed, until the kernels of another type are here.
      body.classList.toggle("is-old", kernels === null);
      waiting.hidden = kernels !== null;
      if (kernels === null) return;
      body.hidden = false;
      const shown = workOut(layer, kernels, dimension, row, column);
      sheet.show(shown, chosen, beneath);
      const traced = layer.pre.data[capsule * layer.sizes.primary_dim + dimension];
      shares.show(shown, chosen, traced);
      map.show(shown, chosen);
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
