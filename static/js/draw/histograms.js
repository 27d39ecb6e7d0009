/**
 * A histogram in each of a grid's cells, all with the same axes, and a mark on its axis.
 * @import { Stage } from "../ui/stage.js"
 * @import { Mark } from "./grid.js"
 */

const GAP = 6; // CSS pixels between histograms

/**
 * @param {object} sums
 * @param {readonly (readonly ArrayLike<number>[])[]} sums.bars [row][column] bin by bin
 * @param {readonly (readonly number[])[]} sums.means [row][column] marked on the axis; not a
 *   number for none
 * @param {number} sums.high where the axis ends; it begins at 0
 * @param {number} sums.most the sum as high as its cell
 * @returns {Mark}
 */
export const histograms = ({ bars, means, high: end, most }) => ({
  colors: ["text", "muted", "line", "accent", "focus"],
  look: "histograms",
  paint(/** @type {Stage<string>} */ stage, { rows, columns }, chosen) {
    const { context, width, height, colors } = stage;
    const [across, down] = [width / columns, height / rows];
    bars.forEach((all, row) => {
      all.forEach((bins, column) => {
        const x = column * across + GAP / 2;
        const foot = (row + 1) * down - GAP;
        const [wide, tall] = [across - GAP, down - 2 * GAP];
        const step = wide / bins.length;
        context.fillStyle = colors.line;
        context.fillRect(x, foot, wide, 1);
        context.fillStyle = column === chosen.column ? colors.accent : colors.muted;
        for (let i = 0; i < bins.length; i++) {
          const high = (bins[i] / most) * tall;
          context.fillRect(x + i * step, foot - high, step - 0.5, high);
        }
        const mean = means[row][column];
        context.fillStyle = colors.text;
        if (!Number.isNaN(mean))
          context.fillRect(x + Math.min(1, mean / end) * wide - 0.5, foot - 4, 1, 7);
        if (row !== chosen.row || column !== chosen.column) return;
        context.strokeStyle = colors.focus;
        context.lineWidth = 2;
        context.strokeRect(x - 1, row * down + 1, wide + 2, down - 2);
      });
    });
  },
});
