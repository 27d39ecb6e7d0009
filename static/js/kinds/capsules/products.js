/**
 * Where the numbers of a capsule come from, of which each is a map times a kernel as large as
 * it: map, kernel and number, side by side.
 * @import { Tensor } from "../../types.js"
 * @import { CapsulesState } from "./types.js"
 */
import { painted } from "../../draw/picture.js";
import { legend } from "../../draw/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { paintHeatmap } from "../../paint/heatmap.js";
import { h, note } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { belowOf } from "./source.js";

/**
 * @param {Pick<CapsulesState, "trace" | "layer" | "weights" | "capsule" | "dimension">} scene
 * @param {(patch: Partial<CapsulesState>) => void} set
 */
export function products({ trace, layer, weights, capsule, dimension }, set) {
  const { below, before } = trace.tensors;
  const [, rows, columns] = below.shape;
  const [, count] = before.shape;
  const size = rows * columns;
  const [maps, kernels] = [below, weights.kernels].map(
    (/** @type {Tensor} */ { data }) => {
      const values = data.subarray(
        capsule * count * size,
        (capsule + 1) * count * size,
      );
      return { values, scale: diverging(reach(values) || 1) };
    },
  );
  const picture = (
    /** @type {typeof maps} */ { values, scale },
    /** @type {number} */ i,
  ) =>
    painted(
      values.subarray(i * size, (i + 1) * size),
      (canvas, values) => paintHeatmap(canvas, values, { rows, columns, scale }),
      { "aria-hidden": "true" },
    );
  const title = belowOf(layer)?.title;
  const rowsOf = Array.from({ length: count }, (_, i) => {
    const number = fixed(before.data[capsule * count + i], 2);
    const map = capsule * count + i;
    return button(
      [
        h("b", {}, String(i + 1)),
        picture(maps, i),
        "×",
        picture(kernels, i),
        h("span", {}, `= ${number}`),
      ],
      () => set({ dimension: i }),
      {
        pressed: i === dimension,
        "aria-label": `${i + 1} × = ${number}: map ${map} of ${title} times its kernel`,
      },
    );
  });
  return [
    note(`map of ${title} × its kernel, added up = a number before squash`),
    h("div", { class: "capsule-products", "data-products": "" }, rowsOf),
    legend(maps.scale, "value in the map"),
    legend(kernels.scale, "weight in the kernel"),
  ];
}
