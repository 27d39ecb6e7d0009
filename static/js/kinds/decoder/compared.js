/**
 * The decoder in a comparison: what it draws of two images, each from its own answer.
 * @import { ComparedPanel } from "../types.js"
 * @import { DecoderState } from "./types.js"
 */
import { trio } from "../../draw/compared.js";
import { shapeOf } from "../../lib/pixels.js";
import { h } from "../../ui/h.js";

/** @type {ComparedPanel<DecoderState>} */
const reconstructions = {
  id: "reconstructions",
  title: ({ layer }) => [
    "The reconstructions ",
    h(
      "small",
      {},
      `each from its ${layer.form === "vector" ? "longest capsule" : "most active class"}`,
    ),
  ],
  picture: ({ model, trace, keptTrace }) =>
    trio({
      label: "Reconstruction",
      values: [keptTrace.tensors.image.data, trace.tensors.image.data],
      image: shapeOf(model),
      more: [keptTrace, trace].map(
        ({ prediction }) => `from ${model.class_names[prediction]}`,
      ),
    }),
};

export const panels = [reconstructions];
