/**
 * The convolution that reads the image.
 * @import { Kind } from "../kinds/types.js"
 */
import { keepFirstKernels } from "../convolution/first-kernels.js";
import { strongestFirst } from "../convolution/first-try.js";
import { glimpseTiles, paintGlimpse } from "../convolution/glimpse.js";
import { packKernel, unpackKernel } from "../convolution/kernel/code.js";
import { OWN_KERNEL } from "../convolution/look.js";
import { choice, group, packed, transient, whole } from "../core/schema.js";

/** @type {Kind} */
export const firstLayer = {
  name: "convolution",
  fields(model, layer) {
    const [count, rows, columns] = layer.shapeOf(model, "pre");
    const [high, wide] = model.input_shape.slice(-2);
    return {
      kernels: transient(null),
      map: whole({ link: "map", most: count - 1 }),
      pixel: whole({
        link: "pixel",
        most: rows * columns - 1,
        start: Math.floor(rows / 2) * columns + Math.floor(columns / 2),
      }),
      conv1: group({
        shown: choice("maps", ["kernels", "pre", "relu", "own"], "relu"),
        order: choice("order", ["number", "energy"]),
        scale: choice("scale", ["layer", "tile"]),
      }),
      kernel: packed({
        link: "kernel",
        start: OWN_KERNEL,
        pack: packKernel,
        unpack: unpackKernel,
        isLook: true,
      }),
      centre: whole({
        link: "centre",
        most: high * wide - 1,
        start: Math.floor(high / 2) * wide + Math.floor(wide / 2),
      }),
    };
  },
  needs: ["pre"],
  requires: ["kernels"],
  thumbnail: {
    needs: ["glimpse"],
    paint: (canvas, { tensors }) => paintGlimpse(canvas, tensors.glimpse),
    layout: ({ tensors }) => glimpseTiles(tensors.glimpse),
  },
  shape: (model, layer) => layer.shapeOf(model, "pre").join("×"),
  tryFirst: () => strongestFirst("conv1"),
  start: keepFirstKernels,
  tasks: {
    /** One's own kernel finds horizontal edges: its rows differ in sign, its columns do not. */
    "horizontal-edge"({ conv1, kernel }) {
      const { size, weights } = kernel;
      const half = (size - 1) / 2;
      let [above, below, across, all] = [0, 0, 0, 0];
      weights.forEach((/** @type {number} */ weight, /** @type {number} */ i) => {
        const row = Math.floor(i / size);
        if (row < half) above += weight;
        if (row > half) below += weight;
        across += weight * Math.sign((i % size) - half);
        all += Math.abs(weight);
      });
      return conv1.shown === "own" && above * below < 0 && Math.abs(across) < all / 10;
    },
  },
  script: "networks/first-view.js",
  load: () => import("./first-view.js"),
};
