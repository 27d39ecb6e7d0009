/**
 * The primary capsules: all of them by length, and one of them number by number.
 * @import { AppState, CapsNetSizes, Pixels, Tensor } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { capsulePlace } from "../geometry/receptive-field.js";
import { onChange } from "../lib/on-change.js";
import { lengthsOf } from "../lib/squash.js";
import { findElement } from "../parts/find.js";
import { sizesOf } from "../state.js";
import { mountCurve } from "./primary-curve.js";
import { mountType } from "./primary-type.js";
import { mountTypes } from "./primary-types.js";
import { mountValues } from "./primary-values.js";

/**
 * The layer as it read one image.
 * @typedef {object} Primary
 * @property {CapsNetSizes} sizes
 * @property {Pixels} pixels the image that the capsules are of
 * @property {Tensor} pre s (types, rows, columns, dim), before squash
 * @property {Tensor} capsules u, same shape, after squash
 * @property {Tensor} lengths ‖u‖ (types, rows, columns), 0..1
 * @property {Float64Array} lengthsBefore ‖s‖, as many
 */

/** @typedef {{ type: number, row: number, column: number }} Place */

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountPrimary(root, store, actions) {
  const body = findElement(root, "[data-body]");
  const waiting = findElement(root, "[data-waiting]");
  const shape = findElement(root, "[data-shape]");
  const types = mountTypes(root, actions);
  const type = mountType(root, actions);
  const values = mountValues(findElement(root, "[data-values]"));
  const curve = mountCurve(findElement(root, "[data-squash]"));
  /** @type {Primary | null} */
  let layer = null;

  const readLayer = onChange(
    (
      /** @type {AppState["trace"]} */ trace,
      /** @type {AppState["model"]} */ model,
    ) => {
      const found = primaryOf({ trace, model });
      // The last picture stays, dimmed, until the next is complete.
      body.classList.toggle("is-old", found === null);
      waiting.hidden = found !== null || trace === null;
      if (trace === null) layer = null;
      if (found === null) return;
      layer = found;
      shape.textContent = shapeInWords(found.pre);
    },
  );
  store.watch(["view", "trace", "model", "capsule"], (state) => {
    if (state.view !== "primary") return;
    readLayer(state.trace, state.model);
    body.hidden = layer === null;
    if (layer === null) return;
    const place = capsulePlace(layer.sizes, state.capsule);
    types.show(layer, place);
    type.show(layer, place);
    values.show(layer, state.capsule);
    curve.show(layer, state.capsule);
  });
  store.watch(["view", "field"], ({ view, field }) => {
    if (view === "primary") type.lookAt(field);
  });
}

/**
 * @param {Pick<AppState, "trace" | "model">} state
 * @returns {Primary | null} null while a part of it is on its way
 */
export function primaryOf({ trace, model }) {
  if (trace === null || model === null || trace.model !== model.id) return null;
  const {
    "primary.pre": pre,
    "primary.capsules": capsules,
    "primary.lengths": lengths,
  } = trace.tensors;
  if (!pre || !capsules || !lengths) return null;
  const lengthsBefore = lengthsOf(pre.data, pre.shape[3]);
  const sizes = sizesOf(model);
  return { sizes, pixels: trace.pixels, pre, capsules, lengths, lengthsBefore };
}

/** @param {Tensor} tensor (types, rows, columns, dim) */
function shapeInWords({ shape: [types, rows, columns, dim] }) {
  const count = types * rows * columns;
  return `${types} types × ${rows}×${columns} places = ${count} capsules of ${dim} numbers`;
}
