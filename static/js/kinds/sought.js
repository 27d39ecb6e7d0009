/**
 * What the types of a layer look for, as far as it was measured: the patch that each answered
 * to most, as the decoder redraws it; without a decoder, the mean of a few of these.
 * @import { Layer, Model, NetworkState, Tensor } from "./types.js"
 * @import { Sought } from "../overview/types.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { glanceOf, MEASURED } from "./layer-state.js";
import { isOfAnything } from "./legibility.js";

/** @param {Pick<Model, "measured">} model @param {string} part */
export function wasMeasured({ measured = [] }, part) {
  return measured.some(({ name }) => name.startsWith(`${part}.`));
}

/** What holds such patches, without its part. */
const PICTURES = ["decoded", "strongest"];

/** @param {Layer} layer @param {Pick<Model, "measured">} model @returns {readonly number[]} (types, patches, …); none where that was not measured */
function shapeIn({ measured: part }, { measured = [] }) {
  const names = PICTURES.map((role) => `${part}.${role}`);
  return measured.find(({ name }) => names.includes(name))?.shape ?? [];
}

/**
 * Whether it was measured, and pictures tell its types apart.
 * @param {Layer} layer @param {Model} model
 */
export function isSought(layer, model) {
  const [types = 0] = layer.measured === undefined ? [] : shapeIn(layer, model);
  return Array.from({ length: types }, (_, type) => type).some(
    (type) => !isOfAnything(model, type),
  );
}

/**
 * @param {readonly Layer[]} layers @param {NetworkState} state
 * @returns {Readonly<Record<string, Sought>>} by layer
 */
export function soughtIn(layers, { model, ...state }) {
  if (model === null) return {};
  return Object.fromEntries(
    layers
      .filter((layer) => isSought(layer, model))
      .map((layer) => {
        const [columns, rows, ...others] = shapeIn(layer, model).toReversed();
        const part = layer.measured ?? "";
        const known = state[MEASURED][part] ?? state[MEASURED][glanceOf(part)] ?? {};
        const patches = known.decoded ?? known.strongest;
        return [
          layer.id,
          {
            pictures: patches ? firstOf(patches) : null,
            shape: { channels: others.length > 2 ? others[0] : 1, rows, columns },
            isOfAnything: (/** @type {number} */ type) => isOfAnything(model, type),
          },
        ];
      }),
  );
}

/** Of the patches of each type the one that it answered to most. */
const firstOf = memoizeByObject(
  (/** @type {Tensor} */ patches) => patches,
  ({ shape: [types, count], data }) => {
    const size = data.length / types / count;
    const first = new Float32Array(types * size);
    for (let type = 0; type < types; type++) {
      const from = type * count * size;
      first.set(data.subarray(from, from + size), type * size);
    }
    return first;
  },
);
