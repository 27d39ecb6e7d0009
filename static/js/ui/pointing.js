/**
 * Pictures whose parts can be pointed at, chosen, and walked on with arrow keys.
 * @import { PlaneFrame } from "../geometry/plane.js"
 */
import { nearestPoint, nextPoint, placeOf } from "../geometry/plane.js";
import { arrowOf } from "./controls.js";
import { placeOn, pointOn } from "./stage.js";
import { valueTip } from "./value-tip.js";

/** @typedef {{ x: number, y: number }} Point in the pixels that a picture is painted in */

/**
 * @template Part
 * @param {HTMLCanvasElement} canvas a stage
 * @param {object} picture
 * @param {(point: Point) => Part | null} picture.under what is under the pointer
 * @param {(part: Part | null) => void} picture.point null: nothing is
 * @param {(part: Part | null, point: Point) => void} picture.choose on a click; null: beside
 *   all parts
 * @param {(direction: readonly [down: number, right: number]) => void} picture.walk choose
 *   the next part in a direction
 * @param {() => Point | null | false} picture.chosen where the chosen part is, if one is
 */
export function listenToPicture(canvas, { under, point, choose, walk, chosen }) {
  const tip = valueTip(canvas, {
    place() {
      const place = chosen();
      return place ? placeOn(canvas, place) : canvas.getBoundingClientRect();
    },
  });
  canvas.addEventListener("pointermove", (event) => {
    const part = under(pointOn(event));
    point(part);
    if (part === null) tip.end();
    else tip.point(event);
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => {
    const place = pointOn(event);
    choose(under(place), place);
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    if (arrow === null) return;
    event.preventDefault();
    point(null); // a pointer that rests here would keep the readout
    walk(arrow);
    tip.walk();
  });
}

/** @param {number} index @returns {number | null} null for -1, which stands for none */
export const indexOrNull = (index) => (index < 0 ? null : index);

/**
 * The same where the parts are points of a plane.
 * @param {HTMLCanvasElement} canvas a stage
 * @param {object} picture
 * @param {() => Float32Array} picture.points (count, 2); none while there are none
 * @param {() => PlaneFrame} picture.frame
 * @param {number} picture.reach how far from a point the pointer may be
 * @param {() => number | null} picture.chosen
 * @param {(i: number | null) => void} picture.point
 * @param {(i: number) => void} picture.choose
 */
export function listenToPoints(canvas, picture) {
  const { points, frame, reach, chosen, point, choose } = picture;
  listenToPicture(canvas, {
    under: ({ x, y }) => indexOrNull(nearestPoint(points(), frame(), x, y, reach)),
    point,
    choose(i) {
      if (i !== null) choose(i);
    },
    walk(direction) {
      const from = chosen();
      if (points().length === 0) return;
      choose(from === null ? 0 : nextPoint(points(), from, direction));
    },
    chosen: () => points().length > 0 && placeOf(frame(), points(), chosen() ?? 0),
  });
}
