/**
 * The patches that made a type's capsules longest: from the data set where this machine
 * has it, else as the network decodes them.
 * @import { Layer, Model, Services } from "../types.js"
 * @import { Portraits } from "./types.js"
 */

/**
 * @typedef {object} Patches
 * @property {boolean} isReal whether they are of the data set
 * @property {number} count
 * @property {number} side in px
 * @property {Float32Array} data (count, side, side)
 */

/**
 * The decoded patches, which come with the portraits.
 * @param {Pick<Portraits, "decoded">} portraits @param {number} type
 * @returns {Patches}
 */
export function decodedPatches({ decoded: { shape, data } }, type) {
  const [, count, side] = shape;
  const size = count * side * side;
  const own = data.subarray(type * size, (type + 1) * size);
  return { isReal: false, count, side, data: own };
}

/**
 * Where a type's longest capsules were.
 * @param {Pick<Portraits, "best">} portraits @param {number} type
 * @returns {{ index: number, row: number, column: number }[]}
 */
export function bestOf({ best: { shape, data } }, type) {
  const [, count, each] = shape;
  return Array.from({ length: count }, (_, place) => {
    const from = (type * count + place) * each;
    return { index: data[from], row: data[from + 1], column: data[from + 2] };
  });
}

/**
 * Fetches real patches, each image once.
 * @param {Services["server"]} server
 * @param {Pick<Layer, "field">} layer of the capsules
 */
export function patchReader({ fetchDatasets, fetchImage }, layer) {
  /** @type {Promise<string[]> | null} */
  let known = null;
  /** @type {Map<string, ReturnType<typeof fetchImage>>} */
  const digits = new Map();

  /**
   * The id of the test set that a model was measured on, if it is there.
   * @param {Model} model
   */
  async function testSetOf({ card }) {
    known ??= fetchDatasets().then(({ datasets }) =>
      datasets.flatMap(({ id, dataset }) => [dataset, id]),
    );
    const pairs = await known;
    const at = pairs.findIndex((name, i) => i % 2 === 0 && name === card.dataset);
    return at < 0 ? null : pairs[at + 1];
  }

  /** @param {string} dataset @param {number} index */
  function digitOf(dataset, index) {
    const key = `${dataset}/${index}`;
    const found = digits.get(key) ?? fetchImage(dataset, index);
    digits.set(key, found);
    return found;
  }

  return {
    /**
     * @param {Model} model @param {Portraits} portraits @param {number} type
     * @returns {Promise<Patches | null>} null where the data set is missing
     */
    async read(model, portraits, type) {
      const dataset = await testSetOf(model);
      if (dataset === null) return null;
      const places = bestOf(portraits, type);
      const images = await Promise.all(
        places.map(({ index }) => digitOf(dataset, index)),
      );
      const side = portraits.mean.shape[1];
      const data = new Float32Array(places.length * side * side);
      const [across] = model.input_shape.slice(-1);
      images.forEach(({ pixels }, i) => {
        const { row, column } = places[i];
        const field = layer.field(model, row, column);
        if (field !== null)
          data.set(cut(pixels.bytes, across, field, side), i * side * side);
      });
      return { isReal: true, count: places.length, side, data };
    },
  };
}

/**
 * @param {ArrayLike<number>} pixels bytes
 * @param {number} across @param {{ row: number, column: number }} from
 * @param {number} side
 */
export function cut(pixels, across, from, side) {
  return Float32Array.from({ length: side * side }, (_, i) => {
    const row = from.row + Math.floor(i / side);
    const column = from.column + (i % side);
    return pixels[row * across + column] / 255;
  });
}
