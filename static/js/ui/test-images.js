/**
 * The pictures of test images, fetched when they are first looked at.
 * @import { Pixels } from "../types.js"
 */
import { paintPixels } from "../paint/heatmap.js";

const AT_ONCE = 100; // in one request

/** @typedef {{ pixels: Pixels, canvas: HTMLCanvasElement }} Picture */

/**
 * @param {(dataset: string, indexes: readonly number[]) => Promise<Pixels[]>} fetchPictures
 * @param {() => void} arrived called when some have come
 */
export function createPictures(fetchPictures, arrived) {
  /** @type {Map<number, Picture>} */
  let known = new Map();
  /** @type {Set<number>} */
  const wanted = new Set();
  let dataset = "";
  let isThere = false;
  let isUnderWay = false;

  /** @param {readonly number[]} indexes */
  async function fetchSome(indexes) {
    const [from, into] = [dataset, known];
    const pictures = await fetchPictures(from, indexes);
    indexes.forEach((index, i) => {
      const canvas = document.createElement("canvas");
      paintPixels(canvas, pictures[i]);
      into.set(index, { pixels: pictures[i], canvas });
    });
  }

  async function fetchWanted() {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      while (wanted.size > 0) {
        const some = [...wanted].slice(0, AT_ONCE);
        for (const index of some) wanted.delete(index);
        await fetchSome(some);
        arrived();
      }
    } catch {
      wanted.clear(); // looking at them again asks again
    } finally {
      isUnderWay = false;
    }
  }

  return {
    /** @param {string} id of the data set @param {boolean} isHere whether it is there */
    useSet(id, isHere) {
      isThere = isHere;
      if (id === dataset) return;
      dataset = id;
      known = new Map();
      wanted.clear();
    },

    /**
     * @param {readonly number[]} indexes
     * @returns {(Picture | null)[]} null for what is on its way
     */
    of(indexes) {
      const missing = indexes.filter((index) => !known.has(index));
      if (isThere && missing.length > 0) {
        for (const index of missing) wanted.add(index);
        queueMicrotask(fetchWanted);
      }
      return indexes.map((index) => known.get(index) ?? null);
    },

    /** @param {readonly number[]} indexes @returns {Promise<Picture[]>} */
    async fetched(indexes) {
      const missing = indexes.filter((index) => !known.has(index));
      if (missing.length > 0) await fetchSome(missing);
      return indexes.map((index) => /** @type {Picture} */ (known.get(index)));
    },
  };
}
