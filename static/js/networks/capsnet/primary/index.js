/**
 * The primary capsules: all of them by length, and one of them number by number.
 * @import { Services, Tensor } from "../../../types.js"
 * @import { Actions, CapsModel, CapsNetSizes, PrimaryStore, PrimaryTrace } from "../types.js"
 */

import { lengthsOf, squashCurve } from "../../../kinds/capsules/squash.js";
import { memoize } from "../../../lib/memoize.js";
import { inkOf } from "../../../lib/pixels.js";
import { find, findElement } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { capsulePlace } from "../places.js";
import { mountPortrait } from "../portraits/index.js";
import { sizesOf } from "../state.js";
import { mountNumber } from "./beneath.js";
import { mountType } from "./type.js";
import { mountTypes } from "./types.js";
import { mountValues } from "./values.js";

/**
 * The layer as it read one image.
 * @typedef {object} Primary
 * @property {CapsNetSizes} sizes
 * @property {Float64Array} ink (side, side), the image that the capsules are of
 * @property {Tensor} maps (maps, rows, columns), Conv1 after ReLU
 * @property {Tensor} pre s (types, rows, columns, dim), before squash
 * @property {Tensor} capsules u, same shape, after squash
 * @property {Tensor} lengths ‖u‖ (types, rows, columns), 0..1
 * @property {Float64Array} lengthsBefore ‖s‖, as many
 */

/** @typedef {{ type: number, row: number, column: number }} Place */

/**
 * @param {HTMLElement} root
 * @param {PrimaryStore} store
 * @param {Actions} actions
 * @param {Services} services
 */
export function mount(root, store, actions, { server }) {
  const shape = findElement(root, "[data-shape]");
  const types = mountTypes(root, actions);
  const type = mountType(root, actions);
  const parts = {
    values: findElement(root, "[data-values]"),
    curve: findElement(root, "[data-squash]"),
    beneath: findElement(root, "[data-beneath]"),
  };
  const curve = squashCurve(
    find(parts.curve, "[data-curve]", SVGSVGElement),
    findElement(parts.curve, "[data-curve-text]"),
  );
  const showCurve = showSeenFirst(parts.curve, curve.show);
  const showValues = showSeenFirst(
    parts.values,
    mountValues(parts.values, actions).show,
  );
  const showBeneath = showSeenFirst(
    parts.beneath,
    mountNumber(parts.beneath, actions).show,
  );

  const portrait = mountPortrait(findElement(root, "[data-portrait]"), server);
  const readLayer = memoize(layerOf);
  const showCapsule = memoize(
    (/** @type {Primary} */ shown, /** @type {number} */ capsule) => {
      const place = capsulePlace(shown.sizes, capsule);
      shape.textContent = shapeInWords(shown.pre);
      types.show(shown, place);
      type.show(shown, place);
      showCurve(shown, capsule);
    },
  );
  store.watch(
    ["trace", "model", "capsule", "dimension", "primaryKernels", "map", "beneath"],
    (state) => {
      const { trace, model, capsule, dimension } = state;
      const layer = readLayer(trace, model);
      showCapsule(layer, capsule);
      showValues(layer, capsule, dimension);
      showBeneath(layer, capsulePlace(layer.sizes, capsule), state);
    },
  );
  store.watch(["portraits", "capsule", "model"], ({ portraits, capsule, model }) =>
    portrait.show(model, portraits, capsulePlace(sizesOf(model), capsule).type),
  );
  store.watch(["field"], ({ field }) => type.lookAt(field));
}

/**
 * @param {PrimaryTrace} trace
 * @param {CapsModel} model
 * @returns {Primary}
 */
function layerOf({ tensors, pixels }, model) {
  const pre = tensors["primary.pre"];
  return {
    sizes: sizesOf(model),
    ink: inkOf(pixels),
    maps: tensors["conv1.relu"],
    pre,
    capsules: tensors["primary.capsules"],
    lengths: tensors["primary.lengths"],
    lengthsBefore: lengthsOf(pre.data, pre.shape[3]),
  };
}

/** @param {Tensor} tensor (types, rows, columns, dim) */
function shapeInWords({ shape: [types, rows, columns, dim] }) {
  const count = types * rows * columns;
  return `${types} types × ${rows}×${columns} places = ${count} capsules of ${dim} numbers`;
}
