/**
 * Where kernels lie, and where the pixels of a map look.
 * @import { Field, Place, Reach, Tensor } from "./types.js"
 */
import { bothOf, fieldAt } from "../../geometry/windows.js";
import { clamp, largestOf } from "../../lib/arithmetic.js";
import { memoizeByObject } from "../../lib/memoize.js";

/**
 * The middle of what a pixel of a map saw; it may lie between pixels of the input.
 * @param {Reach} reach @param {Place} pixel
 * @returns {Place}
 */
export function middleAt(reach, pixel) {
  const { row, column, size, columns = size } = fieldAt(reach, pixel);
  return { row: row + (size - 1) / 2, column: column + (columns - 1) / 2 };
}

/**
 * The pixel of a map that looks most directly at a place on the input. Of two that are as
 * near it is the one further from where the reader is, so that every step counts.
 * @param {Reach} reach @param {{ rows: number, columns: number }} map
 * @param {Place} at on the input
 * @param {Place} from where the reader is, on the map
 * @returns {Place}
 */
export function pixelNear(reach, { rows, columns }, at, from) {
  const [down, across] = bothOf(reach.step);
  const first = middleAt(reach, { row: 0, column: 0 });
  /** @param {number} exact @param {number} now @param {number} count */
  const nearest = (exact, now, count) => {
    const whole = exact < now ? Math.ceil(exact - 0.5) : Math.floor(exact + 0.5);
    return clamp(whole, 0, count - 1);
  };
  return {
    row: nearest((at.row - first.row) / down, from.row, rows),
    column: nearest((at.column - first.column) / across, from.column, columns),
  };
}

/**
 * A pixel of a map by its number.
 * @param {number} pixel row * across + column
 * @param {number} across pixels in a row of the map
 * @returns {Place}
 */
export function placeOf(pixel, across) {
  return { row: Math.floor(pixel / across), column: pixel % across };
}

/**
 * The number of the cell in the middle.
 * @param {number} rows
 * @param {number} [columns] as many as rows when absent
 */
export function middleOf(rows, columns = rows) {
  return Math.floor(rows / 2) * columns + Math.floor(columns / 2);
}

/**
 * Which of a layer's tiles has the most energy, and where the largest value of a tile stands.
 * @param {(value: number) => number} sizeOf what counts of a value
 * @returns {(values: Tensor | undefined, size: number, chosen: number | null) =>
 *   [tile: number, cell: number] | null} of tiles of that many cells; of the chosen one, where
 *   one is; null where there are no values
 */
function strongestBy(sizeOf) {
  const tileOf = memoizeByObject(
    (/** @type {{ values: Tensor, size: number }} */ { values }) => values,
    ({ values: { data }, size }) => {
      const energies = new Float64Array(data.length / size);
      for (let i = 0; i < data.length; i++)
        energies[Math.floor(i / size)] += sizeOf(data[i]) ** 2;
      return largestOf(energies);
    },
  );
  return (values, size, chosen) => {
    if (values === undefined) return null;
    const tile = chosen ?? tileOf({ values, size });
    const cells = values.data.subarray(tile * size, (tile + 1) * size);
    return [tile, largestOf(cells.map(sizeOf))];
  };
}

/** Of tiles of any values. */
export const strongestTile = strongestBy(Math.abs);

const strongestMap = strongestBy((value) => Math.max(0, value));

/** Of maps, as ReLU leaves them. @param {Tensor | undefined} maps @param {number | null} chosen */
export function strongestPixel(maps, chosen) {
  const [, rows = 1, columns = 1] = maps?.shape ?? [];
  const strongest = strongestMap(maps, rows * columns, chosen);
  return strongest && { map: strongest[0], pixel: strongest[1] };
}
