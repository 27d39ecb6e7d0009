/**
 * The decoder in a comparison: what it draws of two images, each from its own answer.
 * @import { DecoderState } from "./types.js"
 * @import { ComparisonMount } from "../types.js"
 */
import { oneTile } from "../../geometry/tiles.js";
import { ink } from "../../lib/color.js";
import { shapeOf } from "../../lib/pixels.js";
import { findElement } from "../../ui/dom.js";
import { pictureTriple } from "../../ui/pictures.js";

/** @type {ComparisonMount<DecoderState>} */
export function mount(root, store) {
  const place = findElement(root, "[data-reconstructions]");
  const pictures = pictureTriple(place, "Reconstruction");
  store.watch(["trace", "keptTrace", "model"], ({ model, trace, keptTrace }) => {
    const image = shapeOf(model);
    const names = model.class_names;
    pictures.show(
      {
        kept: keptTrace.tensors.image.data,
        shown: trace.tensors.image.data,
        layout: oneTile(image),
        image,
        scale: ink(),
        unit: "ink",
        decimals: 0,
        differenceReach: 1,
      },
      {
        kept: `from ${names[keptTrace.prediction]}`,
        shown: `from ${names[trace.prediction]}`,
      },
    );
  });
}
