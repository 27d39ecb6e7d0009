/**
 * Handles on an image that is turned, shifted, scaled and sheared: where they stand,
 * and what dragging one means. Places are in pixels from the image's centre, x to the
 * right and y down. Pure arithmetic: no DOM, no state.
 */
import { polyline } from "../../geometry/curves.js";

/**
 * How an image is moved; see `POST /api/transform`.
 * @typedef {object} Move
 * @property {number} turn degrees counter-clockwise
 * @property {number} right pixels
 * @property {number} down pixels
 * @property {number} scale factor above 0
 * @property {number} shear degrees; above 0, the top leans to the right
 */

/** @typedef {{ x: number, y: number }} Place */
/** @typedef {"turn" | "shift" | "scale" | "shear"} Handle */

/** Half the side of the square that the handles stand around, before any move. */
export const HALF = 9;

/** Where each handle stands before any move. @type {Readonly<Record<Handle, Place>>} */
const AT_REST = {
  shift: { x: 0, y: 0 },
  turn: { x: 0, y: -HALF - 3 },
  scale: { x: HALF, y: HALF },
  shear: { x: -HALF, y: -HALF },
};

/** @param {number} degrees */
const radians = (degrees) => (degrees * Math.PI) / 180;
/** @param {number} angle */
const degrees = (angle) => (angle * 180) / Math.PI;

/**
 * Where a place of the unmoved image is afterwards: scaled, sheared, turned, shifted.
 * @param {Move} move @param {Place} place
 * @returns {Place}
 */
export function moved({ turn, right, down, scale, shear }, { x, y }) {
  const leaning = scale * (x - Math.tan(radians(shear)) * y);
  const [sine, cosine] = [Math.sin(radians(turn)), Math.cos(radians(turn))];
  return {
    x: cosine * leaning + sine * scale * y + right,
    y: -sine * leaning + cosine * scale * y + down,
  };
}

/** @param {Move} move @param {Handle} handle */
export function handlePlace(move, handle) {
  return moved(move, AT_REST[handle]);
}

/**
 * The square that the handles stand around, moved.
 * @param {Move} move
 * @returns {string} for the `points` of an SVG polygon
 */
export function framePoints(move) {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return polyline(
    corners.map(([x, y]) => moved(move, { x: x * HALF, y: y * HALF })),
    2,
  );
}

/**
 * The move after a drag: the handle follows the pointer as far as its own motion can.
 * @param {Move} move when the drag began
 * @param {Handle} handle
 * @param {Place} from where it began
 * @param {Place} to
 * @returns {Partial<Move>}
 */
export function dragged(move, handle, from, to) {
  const { turn, right, down, scale, shear } = move;
  if (handle === "shift")
    return { right: right + to.x - from.x, down: down + to.y - from.y };
  const centre = { x: right, y: down };
  const [before, after] = [awayFrom(centre, from), awayFrom(centre, to)];
  if (handle === "turn")
    return { turn: halfTurns(turn + degrees(before.angle - after.angle)) };
  if (handle === "scale")
    return before.distance === 0
      ? { scale }
      : { scale: (scale * after.distance) / before.distance };
  // Along the image's own rows, which shear leaves where they are.
  const [sine, cosine] = [Math.sin(radians(turn)), Math.cos(radians(turn))];
  const along = (to.x - from.x) * cosine - (to.y - from.y) * sine;
  const height = -AT_REST.shear.y * scale;
  return { shear: degrees(Math.atan(Math.tan(radians(shear)) + along / height)) };
}

/** @param {Place} centre @param {Place} place */
function awayFrom(centre, place) {
  const [x, y] = [place.x - centre.x, place.y - centre.y];
  return { distance: Math.hypot(x, y), angle: Math.atan2(y, x) };
}

/**
 * The same turn between a half to the right and a half to the left.
 * @param {number} turn
 */
export function halfTurns(turn) {
  const around = (((turn + 180) % 360) + 360) % 360;
  return around - 180;
}
