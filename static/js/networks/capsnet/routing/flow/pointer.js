/**
 * Pointing at the flow, and walking on it with arrow keys.
 * @import { Ribbons } from "../../../../geometry/ribbons.js"
 * @import { Actions } from "../../types.js"
 * @import { Scenes } from "../scene.js"
 */

import { nodeAt, ribbonAt } from "../../../../geometry/ribbons.js";
import { clamp } from "../../../../lib/arithmetic.js";
import { arrowOf } from "../../../../ui/controls.js";
import { placeOn, pointOn } from "../../../../ui/stage.js";
import { valueTip } from "../../../../ui/value-tip.js";
import { sameCell } from "../scene.js";

const SLACK = 2; // a hair can be pointed at

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Scenes} scenes
 * @param {Actions} actions
 * @param {object} picture
 * @param {() => Ribbons} picture.ribbons as laid out
 * @param {(index: number) => void} picture.point -1 for none
 */
export function listenToFlow(canvas, scenes, actions, { ribbons, point }) {
  /** @param {number} type */
  const chooseType = (type) => {
    const scene = scenes.shown();
    if (scene !== null)
      actions.chooseCapsule(sameCell(scene.model, scene.capsule, type));
  };
  /** @param {MouseEvent} event */
  const ribbonUnder = (event) => {
    const scene = scenes.shown();
    if (scene === null) return -1;
    const { targets } = ribbons();
    const { x, y } = pointOn(event);
    return ribbonAt(ribbons(), x, y, {
      slack: SLACK,
      // What stands out is what is meant.
      rank: (k) =>
        2 * Number(k % targets === scene.digit) +
        Number(Math.floor(k / targets) === scene.place.type),
    });
  };
  const tip = valueTip(canvas, {
    place() {
      const scene = scenes.shown();
      const { left, right, targets, from, to, width } = ribbons();
      const k = scene === null ? 0 : scene.place.type * targets + scene.digit;
      const y = (from[k] + to[k] + width[k]) / 2;
      return placeOn(canvas, { x: (left + right) / 2, y });
    },
  });
  canvas.addEventListener("pointermove", (event) => {
    const found = ribbonUnder(event);
    point(found);
    if (found < 0) tip.end();
    else tip.point(event);
  });
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("click", (event) => {
    const now = ribbons();
    const { left, right, targets } = now;
    const { x, y } = pointOn(event);
    const found = ribbonUnder(event);
    if (x < left) {
      chooseType(nodeAt(now.sourceY, now.sourceHeight, y));
    } else if (x > right) {
      actions.focusDigit(nodeAt(now.targetY, now.targetHeight, y));
    } else if (found >= 0) {
      chooseType(Math.floor(found / targets));
      actions.focusDigit(found % targets);
    }
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    const scene = scenes.shown();
    if (arrow === null || scene === null) return;
    event.preventDefault();
    const { sources, targets } = ribbons();
    const [down, right] = arrow;
    if (down !== 0) chooseType(clamp(scene.place.type + down, 0, sources - 1));
    else actions.focusDigit(clamp(scene.digit + right, 0, targets - 1));
    tip.walk();
  });
}
