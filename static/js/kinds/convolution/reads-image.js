/**
 * How a pixel of a map comes about where kernels read the image: patch × kernel, the sum,
 * the bias, ReLU. It is worked out here from pixels and kernel, with the network's own
 * value beside it where it has one.
 * @import { Part } from "./focus.js"
 * @import { Field, Place, Reading } from "./types.js"
 */

import { fieldAt, paddingWords, spanWords, within } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { ink } from "../../lib/color.js";
import { restOf } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { channelName, isColour } from "../../lib/pixels.js";
import { differenceWords, roundingOfSum } from "../../lib/precision.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, make, setText, writer } from "../../ui/dom.js";
import { gridTable } from "../../ui/tables.js";
import { mapTables } from "./focus.js";
import { mapOf } from "./maps.js";
import { kernelPicture, productGrids, writeSum } from "./products.js";
import { summed } from "./reading.js";

const CHECK_DECIMALS = 5;
const SUM_DECIMALS = 3; // those of the sum below it

const OWN_TEXT =
  "Worked out on this page alone: the network has no such kernel. Cells show rounded values; the sum uses the exact products.";

/**
 * @param {HTMLElement} root
 * @param {object} actions
 * @param {(field: Field | null) => void} actions.lookAt
 * @param {(channel: number) => void} actions.chooseChannel
 * @returns {Part}
 */
export function imagePart(root, { lookAt, chooseChannel }) {
  const panel = findElement(root, "[data-arithmetic]");
  const kernel = kernelPicture(findElement(root, "[data-kernel]"), {
    point,
    choose: chooseChannel,
  });
  const arithmetic = mountArithmetic(panel, point, chooseChannel);
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
    arithmetic.point(cell);
    if (cell === null || lying === null) return lookAt(null);
    const { row, column } = lying.field;
    const pixel = { row: row + cell.row, column: column + cell.column, size: 1 };
    lookAt(within(pixel, lying.reading.pixels));
  }

  return {
    panel,
    show(reading, place, { channel }) {
      lying = { reading, field: fieldAt(reading.reach, place) };
      kernel.choose(channelIn(reading, channel));
      showKernel(reading);
    },
    explain: (reading, place, { channel }) =>
      arithmetic.show(reading, place, channelIn(reading, channel)),
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
    list: memoize((/** @type {Reading} */ reading) => [
      ...kernelTables(reading),
      ...mapTables(reading),
    ]),
  };
}

/** What stands where in a kernel's picture. @param {Reading} reading */
function slicesOf({ below }) {
  const [channels] = below.shape;
  if (isColour({ channels }))
    return ": its weights for red, green, blue, and all in one";
  return channels > 1 ? `: a slice for each of ${channels} channels` : "";
}

/** A kernel of one's own reads all channels as one. @param {Reading} reading @param {number} channel */
const channelIn = ({ below }, channel) => Math.min(channel, below.shape[0] - 1);

/** @param {Reading} reading */
function kernelTables({ kernelName, weights, kernel: { rows, columns }, below }) {
  const [channels] = below.shape;
  const kernel = { shape: [channels, rows, columns], data: weights };
  return Array.from({ length: channels }, (_, channel) => {
    const name = channels > 1 ? `, ${channelName(channel, channels)}` : "";
    return gridTable(`${kernelName}${name}`, mapOf(kernel, channel), columns);
  });
}

/**
 * @param {HTMLElement} root
 * @param {(cell: Place | null) => void} onPoint told which cell of the kernel is pointed at
 * @param {(channel: number) => void} chooseChannel
 */
function mountArithmetic(root, onPoint, chooseChannel) {
  const grids = productGrids(root, onPoint);
  const check = findElement(root, "[data-check]");
  const noInk = findElement(root, "[data-no-ink]");
  const words = findElement(root, "[data-channel-words]");
  const channels = findElement(root, "[data-channels]");
  const scale = ink();
  const write = writer(root);
  const offerChannels = memoize((/** @type {number} */ count) => {
    for (const button of channels.querySelectorAll("button")) button.remove();
    for (let channel = 0; channel < count; channel++) {
      const button = make("button", { "data-value": String(channel) });
      button.append(channelName(channel, count));
      channels.append(button);
    }
    listenToChoices(channels, (value) => chooseChannel(Number(value)));
  });

  /**
   * @param {Float64Array} shares of the channels @param {number} channel in focus
   * @param {number} sum of all, as it is written
   */
  function showChannels(shares, channel, sum) {
    const count = shares.length;
    words.hidden = channels.hidden = count === 1;
    if (count === 1) return;
    const names = Array.from(shares, (_, each) => channelName(each, count));
    offerChannels(count);
    pressChoice(channels, String(channel));
    setText(words, channelWords(names, shares, sum));
  }

  return {
    point: grids.point,

    /**
     * @param {Reading} reading @param {Place} place of the pixel on the map
     * @param {number} channel whose products are shown
     */
    show(reading, place, channel) {
      const { kernel, weights, bias, across, below, pixels } = reading;
      const field = fieldAt(reading.window, place);
      const { windows, products, shares, total } = summed(below, weights, bias, field);
      const cells = kernel.rows * kernel.columns;
      /** @template {Float32Array | Float64Array} T @param {T} values */
      const own = (values) => values.subarray(channel * cells, (channel + 1) * cells);
      const count = shares.length;
      const unit = count > 1 ? channelName(channel, count) : "ink";
      grids.show({
        ...{ patch: own(windows), weights: own(weights), products: own(products) },
        ...{ most: reach(weights), columns: kernel.columns, scale, unit },
      });
      showChannels(shares, channel, restOf(total, [bias], SUM_DECIMALS));
      write("where", `input ${spanWords(field)}${paddingWords(field, pixels)}`);
      write("count", String(weights.length));
      writeSum(write, { bias, total });
      const traced = reading.before[place.row * across + place.column];
      const most = roundingOfSum(products, traced);
      check.textContent = reading.isTraced ? checkText(total, traced, most) : OWN_TEXT;
      noInk.hidden = windows.some((value) => value > 0);
      return total;
    },
  };
}

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

/** @param {number} worked @param {number} traced @param {number} most that rounding explains */
export function checkText(worked, traced, most) {
  const difference = restOf(traced, [worked], CHECK_DECIMALS);
  const why = differenceWords(
    traced - worked,
    most,
    "the trace is in half precision, which keeps about three digits",
  );
  const apart =
    Number(difference.toFixed(CHECK_DECIMALS)) === 0
      ? "the same"
      : `a difference of ${signed(difference, CHECK_DECIMALS)}: ${why}`;
  return `Worked out on this page: ${fixed(worked, CHECK_DECIMALS)}. The network's trace says ${fixed(traced, CHECK_DECIMALS)}, ${apart}. Cells show rounded values; the sum uses the exact products.`;
}
