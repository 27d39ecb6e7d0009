/**
 * The kernel of the chosen map: a slice for each map below, to choose one.
 * @import { Layout } from "../../../geometry/tiles.js"
 * @import { DeepLayer } from "./layer.js"
 */
import { mapOf } from "../../../convolution/maps.js";
import { sliceLayout } from "../../../convolution/mosaic.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintTiles } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, setText } from "../../../ui/dom.js";
import { fitToPicture, frameTile, pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";

/**
 * @param {HTMLElement} root a figure
 * @param {(map: number) => void} choose a map below
 */
export function mountSlices(root, choose) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const chosen = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const name = findElement(root, "[data-kernel-name]");
  const slice = findElement(root, "[data-slice]");
  const legend = findElement(root, "[data-legend]");
  /** @type {Layout} */
  let layout = sliceLayout(1, 1);
  /** @type {ArrayLike<number>} */
  let weights = [];
  let below = 0;

  const paint = memoize(
    (
      /** @type {DeepLayer["kernels"]} */ { kernels, bias },
      /** @type {number} */ map,
    ) => {
      const [, count, size] = kernels.shape;
      layout = sliceLayout(count, size);
      const own = mapOf(kernels, map);
      weights = own;
      const scale = diverging(reach(own) || 1);
      paintTiles(canvas, own, layout, () => scale);
      fitToPicture(overlay, layout);
      showLegend(legend, scale, { unit: "kernel weight", decimals: 3 });
      setText(name, `kernel ${map}, bias ${fixed(bias.data[map])}`);
    },
  );

  /** @param {{ place: number, row: number, column: number } | null} cell */
  function point(cell) {
    frameTile(pointed, layout, cell?.place ?? null);
    if (cell === null) return setText(slice, `slice for map ${below} framed`);
    const { place, row, column } = cell;
    const weight = weights[(place * layout.rows + row) * layout.columns + column];
    setText(
      slice,
      `slice for map ${place}, row ${row}, column ${column}: ${fixed(weight)}`,
    );
  }

  pickFromGrid(canvas, {
    layout: () => layout,
    step: "place",
    chosen: () => ({ place: below, row: 0, column: 0 }),
    choose: ({ place }) => choose(place),
    hover: point,
  });

  return {
    /** @param {DeepLayer} layer @param {number} map @param {number} belowNow */
    show({ kernels }, map, belowNow) {
      below = belowNow;
      paint(kernels, map);
      frameTile(chosen, layout, below);
      point(null);
    },
  };
}
