/**
 * All trained kernels in one picture, to begin one's own with any of them.
 * @import { Kernels } from "../types.js"
 * @import { Layout } from "../../geometry/tiles.js"
 */
import { acrossSquare } from "../../geometry/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { memoize } from "../../lib/memoize.js";
import { paintTiles } from "../../paint/heatmap.js";
import { find, findCanvas, findElement } from "../../ui/dom.js";
import { fitToPicture, frameTile, pickFromGrid } from "../../ui/grid-picker.js";
import { showLegend } from "../../ui/pictures.js";

/**
 * @param {HTMLDetailsElement} folder
 * @param {(kernel: number) => void} choose
 */
export function mountPicker(folder, choose) {
  const canvas = findCanvas(folder, "canvas");
  const overlay = find(folder, "svg", SVGSVGElement);
  const chosen = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const readout = findElement(folder, "[data-picker-readout]");
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 1 };
  /** @type {Kernels | null} */
  let kernels = null;
  let current = 0;

  const paint = memoize((/** @type {Kernels} */ { kernels: { shape, data } }) => {
    const [count, rows, columns] = shape;
    layout = { count, across: acrossSquare(count), rows, columns, gap: 1 };
    const scale = diverging(reach(data) || 1);
    paintTiles(canvas, data, layout, () => scale);
    fitToPicture(overlay, layout);
    showLegend(findElement(folder, "[data-legend]"), scale, {
      unit: "kernel weight",
      decimals: 3,
    });
  });

  /** @param {number} kernel */
  function tell(kernel) {
    readout.textContent = `kernel ${kernel}`;
  }

  function draw() {
    if (kernels === null || !folder.open) return;
    paint(kernels);
    frameTile(chosen, layout, current);
    frameTile(pointed, layout, null);
    tell(current);
  }

  pickFromGrid(canvas, {
    layout: () => kernels && layout,
    step: "place",
    chosen: () => ({ place: current, row: 0, column: 0 }),
    choose: ({ place }) => choose(place),
    hover(cell) {
      frameTile(pointed, layout, cell?.place ?? null);
      tell(cell?.place ?? current);
    },
  });
  folder.addEventListener("toggle", draw);

  return {
    /** @param {Kernels} kernelsNow @param {number} currentNow */
    show(kernelsNow, currentNow) {
      kernels = kernelsNow;
      current = currentNow;
      draw();
    },
  };
}
