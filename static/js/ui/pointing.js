/**
 * A picture of points, each of which can be pointed at, chosen, and walked to with arrow keys.
 * @import { PlaneFrame } from "../geometry/plane.js"
 */
import { nearestPoint, nextPoint, placeOf } from "../geometry/plane.js";
import { arrowOf } from "./controls.js";
import { placeOn, pointOn } from "./stage.js";
import { valueTip } from "./value-tip.js";

/**
 * @param {HTMLCanvasElement} canvas a stage
 * @param {object} picture
 * @param {() => Float32Array} picture.points (count, 2); none while there are none
 * @param {() => PlaneFrame} picture.frame
 * @param {number} picture.reach how far from a point the pointer may be
 * @param {() => number | null} picture.chosen
 * @param {(i: number | null) => void} picture.point null: at none
 * @param {(i: number) => void} picture.choose
 */
export function listenToPoints(canvas, picture) {
  const { points, frame, reach, chosen, point, choose } = picture;
  const tip = valueTip(canvas, {
    place: () =>
      points().length > 0
        ? placeOn(canvas, placeOf(frame(), points(), chosen() ?? 0))
        : canvas.getBoundingClientRect(),
  });
  /** @param {MouseEvent} event @returns {number | null} the nearest point within reach */
  const under = (event) => {
    const { x, y } = pointOn(event);
    const i = nearestPoint(points(), frame(), x, y, reach);
    return i < 0 ? null : i;
  };
  canvas.addEventListener("pointermove", (event) => {
    const i = under(event);
    point(i);
    if (i === null) tip.end();
    else tip.point(event);
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    const i = under(event);
    if (i !== null) choose(i);
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    if (arrow === null) return;
    event.preventDefault();
    point(null); // a pointer that rests here would keep the readout
    const from = chosen();
    if (points().length > 0)
      choose(from === null ? 0 : nextPoint(points(), from, arrow));
    tip.walk();
  });
}
