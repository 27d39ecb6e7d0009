/**
 * What the decoder draws, in the picture of the whole network.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */

/** @type {LayerGlance} */
export const glance = {
  needs: ["image"],
  of: (/** @type {TraceOf<"image">} */ { tensors: { image } }) =>
    image === undefined ? null : { form: "picture", values: image.data },
};
