/**
 * The decoder in a comparison: what it draws of two images, each from its own answer.
 * @import { ComparedLayerStore } from "../types.js"
 * @import { DecoderState } from "./types.js"
 */
import { ink } from "../../lib/color.js";
import { findElement } from "../../ui/dom.js";
import { pictureTriple } from "../../ui/pictures.js";

/**
 * @param {HTMLElement} root
 * @param {ComparedLayerStore<DecoderState>} store
 */
export function mount(root, store) {
  const place = findElement(root, "[data-reconstructions]");
  const pictures = pictureTriple(place, "Reconstruction");
  store.watch(["trace", "keptTrace", "model"], ({ model, trace, keptTrace }) => {
    const { shape, data: shown } = trace.tensors.image;
    const [rows, columns] = shape.slice(-2);
    const names = model.class_names;
    pictures.show(
      {
        kept: keptTrace.tensors.image.data,
        shown,
        layout: { count: 1, across: 1, rows, columns, gap: 0 },
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
