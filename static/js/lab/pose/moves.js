/**
 * Handles on an image that is turned, shifted, scaled and sheared: where they stand,
 * and what dragging one means. Places are in pixels from the image's centre, x to the
 * right and y down. Pure arithmetic: no DOM, no state.
 * @import { Grid } from "../../types.js"
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

/**
 * Half the side of the square that the handles stand around, before any move: 9 of 28 pixels.
 * @param {Grid} grid of the image's pixels
 */
export const halfOf = ({ rows, columns }) => (9 / 28) * Math.min(rows, columns);

/** Where each handle stands before any move, in halves of the square. @type {Readonly<Record<Handle, Place>>} */
const AT_REST = {
  shift: { x: 0, y: 0 },
  turn: { x: 0, y: -4 / 3 },
  scale: { x: 1, y: 1 },
  shear: { x: -1, y: -1 },
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
export function movePoint({ turn, right, down, scale, shear }, { x, y }) {
  const leaning = scale * (x - Math.tan(radians(shear)) * y);
  const [sine, cosine] = [Math.sin(radians(turn)), Math.cos(radians(turn))];
  return {
    x: cosine * leaning + sine * scale * y + right,
    y: -sine * leaning + cosine * scale * y + down,
  };
}

/** @param {Move} move @param {Handle} handle @param {number} half of the square's side */
export function handlePlace(move, handle, half) {
  const { x, y } = AT_REST[handle];
  return movePoint(move, { x: half * x, y: half * y });
}

/**
 * The square that the handles stand around, moved.
 * @param {Move} move @param {number} half of its side
 * @returns {string} for the `points` of an SVG polygon
 */
export function framePoints(move, half) {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return polyline(
    corners.map(([x, y]) => movePoint(move, { x: x * half, y: y * half })),
    2,
  );
}

/**
 * The move after a drag: the handle follows the pointer as far as its own motion can.
 * @param {Move} move when the drag began
 * @param {Handle} handle
 * @param {Place} from where it began
 * @param {Place} to
 * @param {number} half of the side of the square that the handles stand around
 * @returns {Partial<Move>}
 */
export function dragHandle(move, handle, from, to, half) {
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
  const height = half * scale;
  return { shear: degrees(Math.atan(Math.tan(radians(shear)) + along / height)) };
}

/** @param {Place} centre @param {Place} point */
function awayFrom(centre, point) {
  const [x, y] = [point.x - centre.x, point.y - centre.y];
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
