/**
 * The kernel of the chosen map: a slice for each map below, to choose one.
 * @import { Layout } from "../../../geometry/tiles.js"
 * @import { DeepLayer } from "./layer.js"
 */
import { mapOf } from "../../../convolution/maps.js";
import { sliceLayout } from "../../../convolution/mosaic.js";
import { diverging } from "../../../lib/color.js";
import { fixed } from "../../../lib/number.js";
import { onChange } from "../../../lib/on-change.js";
import { reach } from "../../../lib/rank.js";
import { paintTiles } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement } from "../../../ui/find.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/legend.js";
import { fitToPicture, frameTile } from "../../../ui/marks.js";
import { say } from "../../../ui/say.js";

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

  const paint = onChange(
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
      say(name, `kernel ${map}, bias ${fixed(bias.data[map])}`);
    },
  );

  /** @param {{ place: number, row: number, column: number } | null} cell */
  function point(cell) {
    frameTile(pointed, layout, cell?.place ?? null);
    if (cell === null) return say(slice, `slice for map ${below} framed`);
    const { place, row, column } = cell;
    const weight = weights[(place * layout.rows + row) * layout.columns + column];
    say(
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
