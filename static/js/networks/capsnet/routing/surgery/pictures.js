/**
 * What each of the two runs is decoded to, and the difference.
 * @import { TraceOf } from "../../../../types.js"
 * @import { SurgeryScene } from "./index.js"
 */

import { differenceOf } from "../../../../lib/arithmetic.js";
import { diverging, ink } from "../../../../lib/color.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { findCanvas, findElement } from "../../../../ui/dom.js";
import { showLegend } from "../../../../ui/pictures.js";

/** The same for every picture, so that differences can be compared. */
const DIFFERENCE_SCALE = diverging(1);

/** @param {HTMLElement} panel */
export function mountPictures(panel) {
  const pictures = ["intact", "changed"].map((name) => ({
    canvas: findCanvas(panel, `[data-${name}]`),
    caption: findElement(panel, `[data-${name}-name]`),
  }));
  const change = findCanvas(panel, "[data-change]");
  showLegend(findElement(panel, "[data-ink-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });
  showLegend(findElement(panel, "[data-change-legend]"), DIFFERENCE_SCALE, {
    unit: "changed − intact",
    decimals: 0,
  });

  return {
    /** @param {SurgeryScene} found */
    show({ model, intact, changed }) {
      [intact, changed].forEach((run, i) => {
        const { canvas, caption } = pictures[i];
        const { rows, columns, data } = reconstructionOf(run);
        paintHeatmap(canvas, data, { rows, columns, scale: ink() });
        const digit = model.class_names[run.prediction];
        caption.textContent = `${digit}, ${i === 0 ? "intact" : "changed"}`;
        canvas.setAttribute("aria-label", `Reconstruction of ${caption.textContent}`);
      });
      const { rows, columns, data } = reconstructionOf(intact);
      const difference = differenceOf(reconstructionOf(changed).data, data);
      paintHeatmap(change, difference, { rows, columns, scale: DIFFERENCE_SCALE });
    },
  };
}

/** @param {TraceOf<"reconstruction">} run */
function reconstructionOf({ tensors: { reconstruction } }) {
  const [rows, columns] = reconstruction.shape;
  return { rows, columns, data: reconstruction.data };
}
