/**
 * Attention routing in the picture of the whole network: coupling, prior included, times
 * the vote along a class's sum s. Over all capsules that adds up to the length of s.
 * @import { LayerGlance, TraceOf } from "../../types.js"
 */

/** @type {LayerGlance} */
export const glance = {
  needs: ({ tensors }) => ["contributions", ...("given" in tensors ? ["given"] : [])],
  of({ tensors }, layer) {
    const { contributions } = /** @type {TraceOf<"contributions">["tensors"]} */ (
      tensors
    );
    if (contributions === undefined) return null;
    const { shape, data: amounts } = contributions;
    return {
      form: "rivers",
      rivers: [
        {
          below: layer.below ?? "",
          above: null,
          steps: 1,
          parts: shape[0],
          places: 1,
          by: "capsules",
          amounts,
          given: tensors.given?.data ?? null,
          isSigned: true,
          unit: 1,
          adds: (amount) => `adds ${amount} to a class’s sum`,
          total: "its sum",
          than: "",
          even: "",
        },
      ],
    };
  },
};
