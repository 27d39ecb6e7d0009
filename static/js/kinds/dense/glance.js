/**
 * A dense layer in the picture of the whole network: what the maps below add to each logit
 * through its units.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { decidesOnEach } from "../../core/scores.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["contributions"],
  of({ tensors }, layer, model) {
    const { contributions } = /** @type {TraceOf<"contributions">["tensors"]} */ (
      tensors
    );
    if (contributions === undefined) return null;
    const { shape, data: amounts } = contributions;
    const [parts, rows, columns] = shape;
    // A softmax knows only differences of logits: what classes get on average is taken off.
    const than = decidesOnEach(model) ? "" : "than on average";
    return {
      form: "rivers",
      rivers: [
        {
          below: layer.below ?? "",
          above: null,
          steps: 1,
          parts,
          places: rows * columns,
          by: "capsules",
          amounts,
          isSigned: true,
          unit: 10,
          adds: (amount) =>
            than
              ? `adds ${amount} more to a class’s logit ${than}`
              : `adds ${amount} to a class’s logit`,
          than,
          total: "",
          even: "",
        },
      ],
    };
  },
};
