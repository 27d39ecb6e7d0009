/**
 * The chosen window: its four numbers, the largest of them, and the rest.
 * @import { Place, PooledMap } from "./windows.js"
 * @import { PoolHooks } from "./view.js"
 */
import { numberGrid } from "../../../convolution/number-grid.js";
import { reach } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { POOL } from "../places.js";
import { fourOf, pixelIn } from "./windows.js";
import { maximumWords, windowWords } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {PoolHooks} hooks
 */
export function mountWindow(root, { choosePixel, lookAtPixel }) {
  const title = findElement(root, "[data-window-title]");
  const maximum = findElement(root, "[data-maximum]");
  const words = findElement(root, "[data-window-words]");
  const grid = numberGrid(findElement(root, ".number-grid"));
  let window = { row: 0, column: 0 };
  let pixel = { row: 0, column: 0 };

  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: pixel.row % POOL, column: pixel.column % POOL }),
    choose: ({ row, column }) => choosePixel(pixelIn(window, POOL * row + column)),
    hover(cell) {
      grid.point(cell);
      lookAtPixel(cell && pixelIn(window, POOL * cell.row + cell.column));
    },
  });
  const scaleOf = memoize((/** @type {Float32Array} */ below) =>
    sequential(0, reach(below) || 1),
  );

  return {
    /**
     * @param {PooledMap} map
     * @param {Place} pixelNow
     * @param {Place} windowNow
     */
    show(map, pixelNow, windowNow) {
      window = windowNow;
      pixel = pixelNow;
      const { row, column } = window;
      const four = fourOf(map, window);
      const winner = map.winners[row * map.across + column];
      grid.show(four, {
        rows: POOL,
        columns: POOL,
        scale: scaleOf(map.below),
        format: fixed,
      });
      grid.choose({ row: Math.floor(winner / POOL), column: winner % POOL });
      root.classList.toggle("has-no-winner", Math.max(...four) === 0);
      setText(title, `The window at row ${row}, column ${column}`);
      setText(maximum, maximumWords(four, winner));
      setText(words, windowWords(four, winner));
    },
  };
}
