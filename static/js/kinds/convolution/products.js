/**
 * A kernel and what lies under it, cell by cell: the kernel's picture, three grids of
 * numbers that point together, and the sum that they come to.
 * @import { Scale } from "../../lib/color.js"
 * @import { Content } from "../../ui/h.js"
 * @import { Place } from "./types.js"
 */
import { grid } from "../../draw/grid.js";
import { sum } from "../../draw/sum.js";
import { legend, writtenTiles } from "../../draw/tiles.js";
import { tileAt, tilePlace } from "../../geometry/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { compact, restOf } from "../../lib/decimals.js";
import { fixed, numbered, signed } from "../../lib/format.js";
import { channelName, isColour } from "../../lib/pixels.js";
import { productInWords } from "../../lib/written.js";
import { colourImage } from "../../paint/heatmap.js";
import { findCanvas, findElement, READ_OUT } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { mapPicture } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { inColours, mosaics, sliceLayout } from "./maps.js";

/**
 * @typedef {object} Multiplied
 * @property {string} told id of the readout
 * @property {string} where it lies
 * @property {ArrayLike<number>} patch what lies under the kernel
 * @property {ArrayLike<number>} weights
 * @property {ArrayLike<number>} products of both, cell by cell
 * @property {number} columns cells in a row of all three
 * @property {Scale} scale of the patch, from zero to the most that it can hold
 * @property {string} unit what the patch's values are
 * @property {number} [most] the largest weight there is, where these are not all
 * @property {Place | null} cell pointed at last
 * @property {(cell: Place | null) => void} point
 */

const HINT = "Choose a cell to see its product.";
const DECIMALS = 3;

/** Patch × kernel = products. @param {Multiplied} of */
export function productGrids({ told: readoutId, where, ...of }) {
  const { patch, weights, products, columns, scale, unit, cell, point } = of;
  const rows = weights.length / columns;
  const most = (of.most ?? reach(weights)) || 1;
  const chosen = {
    row: Math.min(cell?.row ?? 0, rows - 1),
    column: Math.min(cell?.column ?? 0, columns - 1),
  };
  const at = chosen.row * columns + chosen.column;
  /**
   * @param {string} part @param {string} label @param {Content} caption
   * @param {ArrayLike<number>} data @param {Scale} scale @param {string} unit
   */
  const figure = (part, label, caption, data, scale, unit) =>
    h("figure", { [`data-${part}`]: "", "aria-label": label }, [
      h("figcaption", {}, caption),
      grid({
        label,
        told: readoutId,
        isBare: true,
        chosen,
        choose: point,
        hover: point,
        rows: { of: "row", names: numbered(rows) },
        columns: { of: "column", names: numbered(columns) },
        mark: writtenTiles({
          name: unit,
          data,
          scale,
          framed: cell && chosen,
          format: scale.name === "diverging" ? signedCell : plainCell,
        }),
      }),
      legend(scale, unit, scale.name === "ink" ? 0 : DECIMALS),
    ]);
  const sign = (/** @type {string} */ text) =>
    h("span", { class: "product-sign" }, text);
  const location = h("span", { "data-where": "" }, where);
  // No product is beyond the largest weight times the most that a patch can hold.
  const largest = diverging(most * scale.high);
  return [
    h("div", { class: "product-grids", "--cells": columns }, [
      figure(
        "patch",
        "What lies under the kernel",
        ["patch: ", location],
        patch,
        scale,
        unit,
      ),
      sign("×"),
      figure(
        "weights",
        "The kernel's weights",
        "kernel",
        weights,
        diverging(most),
        "weight",
      ),
      sign("="),
      figure(
        "products",
        "The products of patch and kernel",
        "products, cell by cell",
        products,
        largest,
        "product",
      ),
    ]),
    h(
      "output",
      { ...READ_OUT, id: readoutId, "data-product-readout": "" },
      cell
        ? `row ${chosen.row}, column ${chosen.column}: ${productInWords(patch[at], weights[at], DECIMALS)}`
        : HINT,
    ),
  ];
}

/** @param {number} value */
const plainCell = (value) => compact(value, 2);

/** @param {number} value */
const signedCell = (value) => compact(value, DECIMALS);

/**
 * A kernel in colours from its largest weight down to minus that, to point at: a slice for
 * each channel that it reads. Those for red, green and blue stand beside all three in one,
 * which has their colours.
 * @param {HTMLElement} root a figure with a picture and a legend
 * @param {object} hooks
 * @param {(cell: Place | null) => void} hooks.point a cell of a slice, of whichever channel
 * @param {(channel: number) => void} hooks.choose
 */
export function kernelPicture(root, { point, choose }) {
  const legend = findElement(root, "[data-legend]");
  const canvas = findCanvas(root, "canvas");
  let layout = sliceLayout(1, { rows: 1, columns: 1 });
  /** Cell by cell of a slice. @type {ArrayLike<number>} */
  let slices = [];
  let [count, chosen] = [1, 0];
  let last = { row: 0, column: 0 };

  /** @param {Place} cell of the picture */
  const sliceAt = ({ row, column }) => tileAt({ ...layout, count }, column, row);
  /** Where a cell of the chosen channel's slice stands. @param {Place} cell */
  function placeOf({ row, column }) {
    const { x, y } = tilePlace(layout, chosen);
    return { row: y + row, column: x + column };
  }

  /** @param {Place | null} cell of the picture */
  function pointAt(cell) {
    const slice = cell && tileAt(layout, cell.column, cell.row);
    if (slice) last = { row: slice.row, column: slice.column };
    point(slice && last);
  }
  const picture = mapPicture(root, {
    chosen: () => placeOf(last),
    choose(cell) {
      const slice = sliceAt(cell);
      if (slice && slice.tile !== chosen) choose(slice.tile);
      pointAt(cell);
    },
    hover: pointAt,
    note(cell) {
      const slice = sliceAt(cell);
      if (slice === null) return "";
      const { tile, row, column } = slice;
      const { rows, columns } = layout;
      const weight = signed(slices[(tile * rows + row) * columns + column]);
      const which = count > 1 ? `${channelName(tile, count)}, ` : "";
      return `${which}row ${row}, column ${column}: weight ${weight}`;
    },
  });
  canvas.addEventListener("blur", () => point(null));

  return {
    /**
     * @param {Float32Array} weights (slices, rows, columns)
     * @param {{ rows: number, columns: number }} slice
     */
    show(weights, slice) {
      const { rows, columns } = slice;
      slices = weights;
      count = weights.length / (rows * columns);
      const isColoured = isColour({ channels: count });
      layout = sliceLayout(count + Number(isColoured), slice);
      const most = reach(weights) || 1;
      const scale = diverging(most);
      const shape = [1, count, rows, columns];
      const tiles = mosaics({ shape, data: weights }, layout);
      picture.show(tiles.data, tiles.shape[2], scale);
      picture.point(null);
      showLegend(legend, scale, { unit: "kernel weight", decimals: 3 });
      if (!isColoured) return;
      const { x, y } = tilePlace(layout, count);
      const image = colourImage(
        inColours(weights, () => most),
        layout,
      );
      canvas.getContext("2d")?.putImageData(image, x, y);
    },

    /** @param {number} channel whose slice is pointed at */
    choose(channel) {
      chosen = channel;
    },

    /** @param {Place | null} cell of a slice */
    point: (cell) => picture.point(cell && placeOf(cell)),
  };
}

/**
 * A sum and its bias, written so that they come out, and ReLU of it.
 * @param {{ bias: number, total: number }} parts total: all products and the bias
 * @param {string} what is summed
 */
export function biasedSum({ bias, total }, what) {
  const rest = fixed(restOf(total, [bias], DECIMALS), DECIMALS);
  const plus = `${bias < 0 ? "−" : "+"} ${fixed(Math.abs(bias), DECIMALS)} {bias}`;
  const after = ` → ${fixed(Math.max(0, total), DECIMALS)} {after ReLU: 0 if negative}`;
  return sum(
    `${rest} {${what}} ${plus} = ${fixed(total, DECIMALS)} {before ReLU}${after}`,
  );
}
