/**
 * The input with what its places give to a digit, as discs on the middles of their fields.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../store.js"
 */
import { paintDiscs } from "../paint/discs.js";
import { showField } from "../parts/field.js";
import { find, findCanvas } from "../parts/find.js";
import { createStage } from "../parts/stage.js";
import { setAll } from "../parts/svg.js";
import { sizesOf } from "../state.js";
import { sceneOf } from "./routing-trace.js";
import { fieldsOf, groundOf } from "./routing-where-ground.js";

/**
 * @param {HTMLElement} panel
 * @param {Store<AppState>} store
 */
export function mountWherePicture(panel, store) {
  const canvas = findCanvas(panel, "[data-where-picture]");
  const frames = find(panel, "[data-where-picture] + svg", SVGSVGElement);
  const chosen = find(frames, ".chosen", SVGRectElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  /** @type {Float32Array} */
  let amounts = new Float32Array(0);
  let most = 1;

  const ask = createStage(canvas, [], ({ context, width }) => {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const sizes = sizesOf(scene.model);
    const fields = fieldsOf(sizes);
    const side = sizes.image_size;
    const ground = groundOf(scene.trace.pixels);
    paintDiscs(context, { ground, side, fields, amounts, most }, width);
    setAll(frames, { viewBox: `0 0 ${side} ${side}` });
    showField(
      chosen,
      fields[scene.place.row * Math.sqrt(fields.length) + scene.place.column],
    );
  });
  store.watch(["field"], ({ field }) => showField(pointed, field));

  return {
    /**
     * @param {Float32Array} next what each place gives
     * @param {number} mostNow that of the largest disc
     */
    show(next, mostNow) {
      amounts = next;
      most = mostNow;
      ask();
    },
  };
}
