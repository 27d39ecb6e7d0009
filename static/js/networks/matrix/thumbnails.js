/**
 * What the strip shows of each layer: the maps of most energy, the activations of the
 * capsules, how the votes are shared among the classes.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Thumbnail, TraceOf } from "../../types.js"
 * @import { LayerName, Matrix } from "./types.js"
 */
import { glimpseTiles, paintGlimpse } from "../../convolution/glimpse.js";
import { sequential } from "../../lib/color.js";
import { paintTiles } from "../../paint/heatmap.js";
import { fieldOf } from "./places.js";
import { sizesOf } from "./state.js";

/** @type {Thumbnail<Matrix, "conv1.glimpse">} */
export const conv1Glimpse = {
  needs: ["conv1.glimpse"],
  paint: (canvas, { tensors }) => paintGlimpse(canvas, tensors["conv1.glimpse"]),
  hover: {
    layout: ({ tensors }) => glimpseTiles(tensors["conv1.glimpse"]),
    field: (model, row, column) => fieldOf(sizesOf(model), "conv1", { row, column }),
  },
};

/**
 * The activations of a layer of capsules, and what each capsule saw.
 * @template {LayerName} Name
 * @param {Name} layer
 * @returns {Thumbnail<Matrix, `${Name}.activations`>}
 */
export function activationsOf(layer) {
  const name = /** @type {const} */ (`${layer}.activations`);
  const tilesOf = (/** @type {TraceOf<`${Name}.activations`>} */ { tensors }) => {
    const [count, rows, columns] = tensors[name].shape;
    return { count, across: Math.ceil(count / 2), rows, columns, gap: 1 };
  };
  return {
    needs: [name],
    paint: (canvas, trace) =>
      paintTiles(canvas, trace.tensors[name].data, tilesOf(trace), () =>
        sequential(0, 1),
      ),
    hover: {
      layout: (trace) => /** @type {Layout} */ (tilesOf(trace)),
      field: (model, row, column) => fieldOf(sizesOf(model), layer, { row, column }),
    },
  };
}
