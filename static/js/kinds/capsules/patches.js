/**
 * The patches that made a type's capsules longest: from the data set where this machine
 * has it, else as the network decodes them.
 * @import { ImageShape, Pixels } from "../../types.js"
 * @import { Layer, Model, Services } from "../types.js"
 * @import { Portraits } from "./types.js"
 */

/**
 * @typedef {object} Patches
 * @property {boolean} isReal whether they are of the data set
 * @property {number} count
 * @property {ImageShape} shape of a patch
 * @property {Float32Array} data (count, channels, rows, columns)
 */

/**
 * The shape of each picture in a tensor of them.
 * @param {readonly number[]} shape (types, …, rows, columns); of several channels, with an
 *   axis for these before the rows
 * @param {number} before axes before those of a picture
 * @returns {ImageShape}
 */
export function patchShape(shape, before) {
  const [columns, rows, channels = 1] = shape.slice(before).toReversed();
  return { channels, rows, columns };
}

/**
 * The decoded patches, which come with the portraits.
 * @param {Pick<Portraits, "decoded">} portraits @param {number} type
 * @returns {Patches}
 */
export function decodedPatches({ decoded: { shape, data } }, type) {
  const [types, count] = shape;
  const size = data.length / types;
  const own = data.subarray(type * size, (type + 1) * size);
  return { isReal: false, count, shape: patchShape(shape, 2), data: own };
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
      const shape = patchShape(portraits.mean.shape, 1);
      const size = shape.channels * shape.rows * shape.columns;
      const data = new Float32Array(places.length * size);
      images.forEach(({ pixels }, i) => {
        const { row, column } = places[i];
        const field = layer.field(model, row, column);
        if (field !== null) data.set(cut(pixels, field, shape), i * size);
      });
      return { isReal: true, count: places.length, shape, data };
    },
  };
}

/**
 * @param {Pixels} pixels @param {{ row: number, column: number }} from
 * @param {ImageShape} shape of what is cut out
 * @returns {Float32Array} 0..1
 */
export function cut({ bytes, rows: down, columns: across }, from, shape) {
  const { channels, rows, columns } = shape;
  return Float32Array.from({ length: channels * rows * columns }, (_, i) => {
    const channel = Math.floor(i / (rows * columns));
    const row = from.row + (Math.floor(i / columns) % rows);
    const column = from.column + (i % columns);
    return bytes[(channel * down + row) * across + column] / 255;
  });
}
