/**
 * A dense layer in the picture of the whole network: what the maps below add to each logit
 * through its units.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */

/** @type {LayerGlance} */
export const glance = {
  needs: ["contributions"],
  of({ tensors }, layer) {
    const { contributions } = /** @type {TraceOf<"contributions">["tensors"]} */ (
      tensors
    );
    if (contributions === undefined) return null;
    const { shape, data: amounts } = contributions;
    const [parts, rows, columns] = shape;
    return {
      form: "rivers",
      rivers: [
        {
          ...{ below: layer.below ?? "", above: null, steps: 1, parts },
          ...{ places: rows * columns, by: "capsules", amounts, isSigned: true },
          ...{
            unit: 10,
            adds: (amount) => `adds ${amount} to a class’s logit`,
            total: "",
            even: "",
          },
        },
      ],
    };
  },
};
