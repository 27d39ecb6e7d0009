/**
 * Capsules in the picture of the whole network: a tile for each type, or for each capsule
 * that stands on no grid.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { gridOf } from "./places.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["activation"],
  of({ tensors }, layer) {
    const { activation } = /** @type {TraceOf<"activation">["tensors"]} */ (tensors);
    if (activation === undefined) return null;
    const { shape, data: values } = activation;
    const [count] = shape;
    const isAlone = shape.length === 1;
    return {
      ...{ form: "tiles", count, values, most: 1, ...gridOf(shape) },
      numbers: Array.from({ length: count }, (_, at) => at),
      strength: Array.from({ length: count }, () => 1),
      one: isAlone ? "capsule" : "type",
      many: isAlone ? "capsules" : "capsule types",
      cell: "capsule",
      value: "before" in layer.tensors ? "length" : "activation",
    };
  },
};
