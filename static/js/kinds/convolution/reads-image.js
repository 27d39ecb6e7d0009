/**
 * How a pixel of a map comes about where kernels read the image: patch × kernel, the sum,
 * the bias, ReLU. It is worked out here from pixels and kernel, with the network's own
 * value beside it where it has one.
 * @import { Panel } from "../../ui/panel.js"
 * @import { KernelPart } from "./focus.js"
 * @import { Chosen, Field, Place, Pointing, Reading, Scene } from "./types.js"
 */

import { fieldAt, paddingWords, spanWords, within } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { ink } from "../../lib/color.js";
import { restOf } from "../../lib/decimals.js";
import { capitalized, fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { channelName, isColour } from "../../lib/pixels.js";
import { checkWords, roundingOfSum } from "../../lib/precision.js";
import { findElement, setText } from "../../ui/dom.js";
import { h, note } from "../../ui/h.js";
import { choices } from "../../ui/inputs.js";
import { mapValues } from "../../ui/values.js";
import { mapOf } from "./maps.js";
import { normWords } from "./norm.js";
import { biasedSum, kernelPicture, productGrids } from "./products.js";
import { sumAt } from "./reading.js";

const SUM_DECIMALS = 3; // those of the sum below it
const HALVES = "the trace is in half precision, which keeps about three digits";

const INK = ink();

/**
 * The kernel, a slice for each channel of the image.
 * @param {HTMLElement} root @param {object} actions
 * @param {(field: Field | null) => void} actions.lookAt
 * @param {(change: Partial<Chosen>) => void} actions.set
 * @param {(change: Partial<Pointing>) => void} actions.keep what is pointed at
 * @returns {KernelPart}
 */
export function mountKernel(root, { lookAt, set, keep }) {
  const kernel = kernelPicture(findElement(root, "[data-kernel]"), {
    point,
    choose: (channel) => set({ channel }),
  });
  const name = findElement(root, "[data-kernel-name]");
  const bias = findElement(root, "[data-bias]");
  /** @type {{ reading: Reading, field: Field } | null} */
  let lying = null;

  const showKernel = memoize((/** @type {Reading} */ reading) => {
    kernel.show(reading.weights, reading.kernel);
    setText(name, `${reading.kernelName}${slicesOf(reading)}`);
    setText(bias, `bias ${fixed(reading.bias)}`);
  });

  /** @param {Place | null} cell of the kernel */
  function point(cell) {
    kernel.point(cell);
    if (cell) keep({ cell });
    if (cell === null || lying === null) return lookAt(null);
    const { row, column } = lying.field;
    const pixel = { row: row + cell.row, column: column + cell.column, size: 1 };
    lookAt(within(pixel, lying.reading.pixels));
  }

  return {
    point,
    show(reading, position, { channel }) {
      lying = { reading, field: fieldAt(reading.reach, position) };
      kernel.choose(channel);
      showKernel(reading);
    },
    overInput(pixel) {
      if (lying === null) return;
      const { field } = lying;
      const cell = pixel && {
        row: pixel.row - field.row,
        column: pixel.column - field.column,
      };
      const kernel = { rows: field.size, columns: field.columns ?? field.size };
      point(cell && within({ ...cell, size: 1 }, kernel) ? cell : null);
      if (pixel !== null) lookAt({ row: pixel.row, column: pixel.column, size: 1 });
    },
  };
}

/** What stands where in a kernel's picture. @param {Reading} reading */
function slicesOf({ below }) {
  const [channels] = below.shape;
  if (isColour({ channels }))
    return ": its weights for red, green, blue, and all in one";
  return channels > 1 ? `: a slice for each of ${channels} channels` : "";
}

/** @type {NonNullable<Panel<Scene>["table"]>} */
export const imageTable = {
  title: "The kernel and its maps as tables",
  of({ reading }) {
    const { kernelName, mapName, weights, kernel, below } = reading;
    const { before, after, across } = reading;
    const [channels] = below.shape;
    const kernels = { shape: [channels, kernel.rows, kernel.columns], data: weights };
    const slices = Array.from({ length: channels }, (_, channel) => {
      const name = channels > 1 ? `, ${channelName(channel, channels)}` : "";
      return mapValues(
        `${capitalized(kernelName)}${name}`,
        mapOf(kernels, channel),
        kernel.columns,
      );
    });
    return [
      ...slices,
      mapValues(`${mapName} before ReLU`, before, across),
      mapValues(`${mapName} after ReLU`, after, across),
    ];
  },
};

/** @type {Panel<Scene & { pointed: Pointing }>} */
export const arithmetic = {
  id: "arithmetic",
  look: "layer-arithmetic",
  title: "The arithmetic of this pixel",
  picture({ id, reading, position: chosen, pointed, channel }, { set, point }) {
    const position = pointed.pixel ?? chosen;
    const { kernel, weights, bias, across, pixels, norm } = reading;
    const { field, parts } = sumAt(reading, position.row, position.column);
    const { windows, products, shares, total } = parts;
    const cells = kernel.rows * kernel.columns;
    /** @template {Float32Array | Float64Array} T @param {T} values */
    const sliceOf = (values) => values.subarray(channel * cells, (channel + 1) * cells);
    const count = shares.length;
    const names = Array.from(shares, (_, index) => channelName(index, count));
    const sum = restOf(total, [bias], SUM_DECIMALS);
    const traced = reading.before[position.row * across + position.column];
    const most = roundingOfSum(products, traced);
    return [
      count > 1 && choices("Channel", names, channel, (channel) => set({ channel })),
      productGrids({
        told: `${id}-product`,
        columns: kernel.columns,
        where: `input ${spanWords(field)}${paddingWords(field, pixels)}`,
        patch: sliceOf(windows),
        weights: sliceOf(weights),
        products: sliceOf(products),
        most: reach(weights),
        scale: INK,
        unit: count > 1 ? names[channel] : "ink",
        cell: pointed.cell,
        point,
      }),
      count > 1 &&
        h("p", { "data-channel-words": "" }, channelWords(names, shares, sum)),
      biasedSum(parts, `sum of the ${weights.length} products`),
      windows.every((value) => value <= 0) &&
        note(
          "Every pixel under the kernel is 0 here, so all products are 0 and only the bias is left.",
        ),
      norm && note(normWords(norm, reading.mapName, Math.max(0, total))),
      h(
        "p",
        { class: "fine", "data-check": "" },
        `${checkWords(total, traced, most, HALVES)} Cells show rounded values; the sum uses the exact products.`,
      ),
    ];
  },
};

/**
 * What the products of each channel come to, written so that they come to the sum.
 * @param {readonly string[]} names @param {ArrayLike<number>} shares of the channels
 * @param {number} sum as it is written
 */
export function channelWords(names, shares, sum) {
  const others = Array.from(shares).slice(0, -1);
  const terms = [...others, restOf(sum, others, SUM_DECIMALS)].map(
    (share, i) => `${names[i]} ${fixed(share, SUM_DECIMALS)}`,
  );
  return `Over all channels: ${terms.join(" + ")} = ${fixed(sum, SUM_DECIMALS)}.`;
}
