/**
 * Capsules in the picture of the whole network: a tile of activations for each type; each
 * capsule that stands on no grid is a tile of the numbers of its pose.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { acrossSquare } from "../../geometry/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { gridOf } from "./places.js";
import { hasPlaces } from "./source.js";

/** @type {LayerGlance} */
export const glance = {
  needs: (layer) => [hasPlaces(layer) ? "activation" : "poses"],
  of({ tensors }, layer) {
    const { activation, poses } =
      /** @type {Partial<TraceOf<"activation" | "poses">["tensors"]>} */ (tensors);
    const values = hasPlaces(layer) ? activation : poses;
    if (values === undefined) return null;
    const [count] = values.shape;
    const all = {
      form: /** @type {const} */ ("tiles"),
      count,
      values: values.data,
      numbers: Array.from({ length: count }, (_, at) => at),
      strength: Array.from({ length: count }, () => 1),
      cell: "capsule",
    };
    if (hasPlaces(layer))
      return {
        ...all,
        ...gridOf(values.shape),
        most: 1,
        one: "type",
        many: "capsule types",
        value: "before" in layer.tensors ? "length" : "activation",
      };
    const size = values.data.length / count;
    let columns = acrossSquare(size);
    while (size % columns > 0) columns += 1;
    return {
      ...all,
      columns,
      rows: size / columns,
      most: reach(values.data) || 1,
      isSigned: true,
      one: "capsule",
      many: "capsules",
      value: "number of a pose",
    };
  },
};
