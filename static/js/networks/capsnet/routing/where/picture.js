/**
 * The input with what its places give to a digit, as discs on the middles of their fields.
 * @import { Field } from "../../../../types.js"
 * @import { Scene } from "../scene.js"
 */

import { paintDiscs } from "../../../../paint/tints.js";
import { find, findCanvas, setAll } from "../../../../ui/dom.js";
import { showField } from "../../../../ui/grid-picker.js";
import { createStage } from "../../../../ui/stage.js";
import { sizesOf } from "../../state.js";
import { fieldsOf, groundOf } from "./ground.js";

/** @param {HTMLElement} panel */
export function mountWherePicture(panel) {
  const canvas = findCanvas(panel, "[data-where-picture]");
  const frames = find(panel, "[data-where-picture] + svg", SVGSVGElement);
  const chosen = find(frames, ".chosen", SVGRectElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  /** @type {{ scene: Scene, amounts: Float32Array, most: number } | null} */
  let shown = null;

  const ask = createStage(canvas, [], ({ context, width }) => {
    if (shown === null) return;
    const { scene, amounts, most } = shown;
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

  return {
    /** @param {Field | null} field that is pointed at anywhere */
    point: (field) => showField(pointed, field),

    /**
     * @param {Scene} scene
     * @param {Float32Array} amounts what each place gives
     * @param {number} most that of the largest disc
     */
    show(scene, amounts, most) {
      shown = { scene, amounts, most };
      ask();
    },
  };
}
