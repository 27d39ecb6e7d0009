/**
 * The chosen window: its four numbers, the largest of them, and the rest.
 * @import { Place, PooledMap } from "./windows.js"
 * @import { PoolHooks } from "./view.js"
 */
import { numberGrid } from "../../../convolution/number-grid.js";
import { sequential } from "../../../lib/color.js";
import { fixed } from "../../../lib/number.js";
import { onChange } from "../../../lib/on-change.js";
import { reach } from "../../../lib/rank.js";
import { findElement } from "../../../ui/find.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { say } from "../../../ui/say.js";
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
  const scaleOf = onChange((/** @type {Float32Array} */ below) =>
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
      say(title, `The window at row ${row}, column ${column}`);
      say(maximum, maximumWords(four, winner));
      say(words, windowWords(four, winner));
    },
  };
}
