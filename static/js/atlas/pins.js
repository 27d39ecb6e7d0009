/**
 * Sample digits in place of test images that have no pictures here: each stands on the map
 * where the test image does that the network sees as most like it.
 * @import { Model, Pixels, Sample, Services } from "../types.js"
 * @import { Picture } from "../ui/test-images.js"
 */
import { READ_DIGITS, trainedOn } from "../core/state.js";
import { isSameShape, shapeOf } from "../lib/pixels.js";
import { paintPixels } from "../paint/heatmap.js";

/** @typedef {Picture & { sample: Sample, index: number }} Pin index: of the test image */

/** @param {Pixels} pixels */
function paintedOf(pixels) {
  const canvas = document.createElement("canvas");
  paintPixels(canvas, pixels);
  return canvas;
}

/**
 * @param {Pick<Services["server"], "fetchNearest">} server
 * @param {() => void} arrived called when there is another
 * @param {(pixels: Pixels) => HTMLCanvasElement} [paint]
 */
export function createPins({ fetchNearest }, arrived, paint = paintedOf) {
  /** @type {Map<string, Pin[]>} by model */
  const known = new Map();

  return {
    /** @param {Pick<Model, "id">} model @returns {readonly Pin[]} those that are placed */
    of: ({ id }) => known.get(id) ?? NONE,

    /**
     * Place those that the network reads, unless they are, or are on their way.
     * @param {Model} model @param {readonly Sample[]} samples
     */
    async pin(model, samples) {
      const shape = shapeOf(model);
      const isOfDigits = READ_DIGITS.includes(trainedOn(model));
      if (known.has(model.id) || !isOfDigits || samples.length === 0) return;
      known.set(model.id, []);
      for (const sample of samples) {
        if (!isSameShape(sample.pixels, shape)) continue;
        const [first] = await fetchNearest(model, sample.pixels, 1);
        const placed = known.get(model.id) ?? [];
        if (first === undefined || placed.some(({ index }) => index === first.index))
          continue; // one picture a place
        const { pixels } = sample;
        const pin = { pixels, canvas: paint(pixels), sample, index: first.index };
        known.set(model.id, [...placed, pin]);
        arrived();
      }
    },
  };
}

/** @type {readonly Pin[]} */
const NONE = [];
