/**
 * What speaks for each of the ten digits, small and side by side: each is a button that
 * puts its digit in focus.
 * @import { Scene } from "../scene.js"
 * @import { Actions } from "../../types.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { fixed } from "../../../../lib/format.js";
import { paintDiscs } from "../../../../paint/tints.js";
import { setText } from "../../../../ui/dom.js";
import { sizesOf } from "../../state.js";
import { fieldsOf, groundOf } from "./ground.js";
import { evidenceFor, lengthBefore } from "./sums.js";

const SIDE = 140; // canvas pixels; CSS makes them about half as wide

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountWhereDigits(root, actions) {
  /** @type {ReturnType<typeof digitButton>[]} */
  let buttons = [];

  return {
    /**
     * @param {Scene} scene
     * @param {number | null} common the amount of the largest disc; null for each
     *   digit's own
     */
    show(scene, common) {
      const { class_names: names } = scene.model;
      if (buttons.length !== names.length) {
        buttons = names.map((_, digit) => digitButton(() => actions.focusDigit(digit)));
        root.replaceChildren(...buttons.map(({ element }) => element));
      }
      const sizes = sizesOf(scene.model);
      const ground = groundOf(scene.trace.pixels);
      buttons.forEach(({ element, context, text }, digit) => {
        const amounts = evidenceFor(scene, digit);
        const most = common ?? reach(amounts);
        const picture = { ground, side: sizes.image_size, fields: fieldsOf(sizes) };
        paintDiscs(context, { ...picture, amounts, most }, SIDE);
        const length = fixed(lengthBefore(scene, digit), 2);
        setText(text, `${names[digit]}: ${length}`);
        element.setAttribute("aria-label", `${names[digit]}: ${length} before squash`);
        element.setAttribute("aria-pressed", String(digit === scene.digit));
      });
    },
  };
}

/** @param {() => void} choose */
function digitButton(choose) {
  const element = document.createElement("button");
  const canvas = document.createElement("canvas");
  const text = document.createElement("span");
  canvas.width = SIDE;
  canvas.height = SIDE;
  element.type = "button";
  element.append(canvas, text);
  element.addEventListener("click", choose);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  return { element, context, text };
}
