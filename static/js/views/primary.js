/**
 * The primary capsules: all of them by length, and one of them number by number.
 * @import { AppState, CapsNetSizes, Tensor } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { capsulePlace } from "../geometry/receptive-field.js";
import { onChange } from "../lib/on-change.js";
import { inkOf } from "../lib/pixels.js";
import { lengthsOf } from "../lib/squash.js";
import { findElement } from "../parts/find.js";
import { showSeenFirst } from "../parts/seen.js";
import { sizesOf } from "../state.js";
import { mountBeneath } from "./primary-beneath.js";
import { mountCurve } from "./primary-curve.js";
import { mountType } from "./primary-type.js";
import { mountTypes } from "./primary-types.js";
import { mountValues } from "./primary-values.js";

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

const WATCHED = /** @type {const} */ ([
  "view",
  "trace",
  "model",
  "capsule",
  "dimension",
  "primaryKernels",
  "map",
  "beneath",
]);

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
  const parts = {
    values: findElement(root, "[data-values]"),
    curve: findElement(root, "[data-squash]"),
    beneath: findElement(root, "[data-beneath]"),
  };
  const showValues = showSeenFirst(
    parts.values,
    mountValues(parts.values, actions).show,
  );
  const showCurve = showSeenFirst(parts.curve, mountCurve(parts.curve).show);
  const showBeneath = showSeenFirst(
    parts.beneath,
    mountBeneath(parts.beneath, actions).show,
  );
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
  const showCapsule = onChange(
    (/** @type {Primary} */ shown, /** @type {number} */ capsule) => {
      const place = capsulePlace(shown.sizes, capsule);
      types.show(shown, place);
      type.show(shown, place);
      showCurve(shown, capsule);
    },
  );
  store.watch(WATCHED, (state) => {
    if (state.view !== "primary") return;
    readLayer(state.trace, state.model);
    body.hidden = layer === null;
    if (layer === null) return;
    showCapsule(layer, state.capsule);
    showValues(layer, state.capsule, state.dimension);
    showBeneath(layer, capsulePlace(layer.sizes, state.capsule), state);
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
    "conv1.relu": maps,
    "primary.pre": pre,
    "primary.capsules": capsules,
    "primary.lengths": lengths,
  } = trace.tensors;
  if (!maps || !pre || !capsules || !lengths) return null;
  const lengthsBefore = lengthsOf(pre.data, pre.shape[3]);
  const sizes = sizesOf(model);
  const ink = inkOf(trace.pixels);
  return { sizes, ink, maps, pre, capsules, lengths, lengthsBefore };
}

/** @param {Tensor} tensor (types, rows, columns, dim) */
function shapeInWords({ shape: [types, rows, columns, dim] }) {
  const count = types * rows * columns;
  return `${types} types × ${rows}×${columns} places = ${count} capsules of ${dim} numbers`;
}
