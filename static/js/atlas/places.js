/**
 * Where the points of a map are: on the canvas, nearest to a place, next in a direction.
 */
import { clamp } from "../lib/arithmetic.js";

/** How far a map can be enlarged. */
const MOST_ZOOM = 200;

/** Left free around the whole map, in parts of half of it. */
const MARGIN = 0.06;

/**
 * The part of a map on show.
 * @typedef {{ x: number, y: number, zoom: number }} Sight its middle, and how many times
 *   larger than the whole map it is drawn
 */

/** @type {Sight} */
export const WHOLE = { x: 0, y: 0, zoom: 1 };

/** @typedef {{ width: number, height: number }} Size of the canvas, in pixels */

/** The map of scores, which every network has. */
export const SCORES_MAP = "scores";

/**
 * Where the classes are on the map of scores: on a circle, first those of even numbers.
 * Of digits, none faces the one that it is most often taken for, as 4 would face 9.
 * @param {number} classes
 * @returns {[x: number, y: number][]}
 */
export function scoreCorners(classes) {
  const even = Math.ceil(classes / 2);
  return Array.from({ length: classes }, (_, label) => {
    const position = label % 2 === 0 ? label / 2 : even + (label - 1) / 2;
    const angle = Math.PI / 2 - (2 * Math.PI * position) / classes; // clockwise, from the top
    return [Math.cos(angle), Math.sin(angle)];
  });
}

/**
 * Where each image is on the map of scores: the sum of arrows to the classes, each as long
 * as the score, at most as far as the classes are.
 * @param {ArrayLike<number>} scores (images, classes) @param {number} classes
 * @returns {Float32Array} x and y in turn
 */
export function scorePlaces(scores, classes) {
  const corners = scoreCorners(classes);
  const places = new Float32Array((2 * scores.length) / classes);
  for (let i = 0; 2 * i < places.length; i++) {
    let [x, y] = [0, 0];
    for (let k = 0; k < classes; k++) {
      x += scores[i * classes + k] * corners[k][0];
      y += scores[i * classes + k] * corners[k][1];
    }
    const far = Math.max(1, Math.hypot(x, y));
    places[2 * i] = x / far;
    places[2 * i + 1] = y / far;
  }
  return places;
}

/** Pixels of half the map. @param {Sight} sight @param {Size} size */
export function scaleOf({ zoom }, { width, height }) {
  return ((Math.min(width, height) / 2) * zoom) / (1 + MARGIN);
}

/**
 * @param {Sight} sight @param {Size} size @param {number} x @param {number} y on the map
 * @returns {[left: number, top: number]}
 */
export function toCanvas(sight, size, x, y) {
  const scale = scaleOf(sight, size);
  return [
    size.width / 2 + (x - sight.x) * scale,
    size.height / 2 - (y - sight.y) * scale,
  ];
}

/**
 * @param {Sight} sight @param {Size} size @param {number} across @param {number} top
 * @returns {[x: number, y: number]}
 */
export function toMap(sight, size, across, top) {
  const scale = scaleOf(sight, size);
  return [
    sight.x + (across - size.width / 2) / scale,
    sight.y - (top - size.height / 2) / scale,
  ];
}

/**
 * Come nearer or go away, and keep the place under the pointer where it is.
 * @param {Sight} sight @param {Size} size
 * @param {number} across @param {number} top @param {number} factor
 * @returns {Sight}
 */
export function zoom(sight, size, across, top, factor) {
  const zoom = clamp(sight.zoom * factor, 1, MOST_ZOOM);
  const [toX, toY] = toMap(sight, size, across, top);
  const share = 1 - sight.zoom / zoom;
  const [x, y] = [sight.x + (toX - sight.x) * share, sight.y + (toY - sight.y) * share];
  return keepInside({ x, y, zoom });
}

/**
 * Come nearer or go away where no pointer says to what: to the point chosen, if it is in
 * sight, else to the middle.
 * @param {Sight} sight @param {Size} size
 * @param {readonly [x: number, y: number] | null} chosen its place on the map
 * @param {number} factor
 */
export function zoomedTo(sight, size, chosen, factor) {
  const { width, height } = size;
  const [across, top] = chosen ? toCanvas(sight, size, ...chosen) : [-1, -1];
  const isSeen = across >= 0 && top >= 0 && across <= width && top <= height;
  const [x, y] = isSeen ? [across, top] : [width / 2, height / 2];
  return zoom(sight, size, x, y, factor);
}

/** @param {Sight} sight @param {Size} size @param {number} right @param {number} down */
export function move(sight, size, right, down) {
  const scale = scaleOf(sight, size);
  return keepInside({
    ...sight,
    x: sight.x - right / scale,
    y: sight.y + down / scale,
  });
}

/** Its middle stays on the map. @param {Sight} sight @returns {Sight} */
function keepInside({ x, y, zoom }) {
  return zoom === 1 ? WHOLE : { x: clamp(x, -1, 1), y: clamp(y, -1, 1), zoom };
}

/**
 * The point nearest to a place.
 * @param {ArrayLike<number>} places x and y in turn
 * @param {number} x @param {number} y
 * @param {number} reach how far off it may be
 * @returns {number | null}
 */
export function nearestTo(places, x, y, reach) {
  let best = null;
  let least = reach ** 2;
  for (let i = 0; 2 * i < places.length; i++) {
    const apart = (places[2 * i] - x) ** 2 + (places[2 * i + 1] - y) ** 2;
    if (apart > least) continue;
    least = apart;
    best = i;
  }
  return best;
}

/**
 * The neighbour of a point in a direction: the nearest within 45° of it.
 * @param {ArrayLike<number>} places @param {number} from
 * @param {number} right @param {number} up one of them is 0, the other 1 or -1
 * @returns {number | null} null at the edge
 */
export function neighbour(places, from, right, up) {
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; 2 * i < places.length; i++) {
    const x = places[2 * i] - places[2 * from];
    const y = places[2 * i + 1] - places[2 * from + 1];
    const along = x * right + y * up;
    const aside = Math.abs(x * up) + Math.abs(y * right);
    const apart = x * x + y * y;
    if (i === from || along <= 0 || aside > along || apart >= least) continue;
    least = apart;
    best = i;
  }
  return best;
}

/**
 * Where each class has most points: in which of the cells of a grid over the map.
 * @param {ArrayLike<number>} places @param {ArrayLike<number>} labels
 * @param {number} classes
 * @returns {([x: number, y: number] | null)[]} the mean of the points there; null for none
 */
export function densest(places, labels, classes) {
  const side = 24;
  const cell = (/** @type {number} */ value) =>
    clamp(Math.floor(((value + 1) / 2) * side), 0, side - 1);
  const sums = Array.from({ length: classes }, () => new Map());
  for (let i = 0; i < labels.length; i++) {
    const [x, y] = [places[2 * i], places[2 * i + 1]];
    const key = cell(y) * side + cell(x);
    const sum = sums[labels[i]].get(key) ?? [0, 0, 0];
    sums[labels[i]].set(key, [sum[0] + 1, sum[1] + x, sum[2] + y]);
  }
  return sums.map((cells) => {
    const [first] = [...cells.values()].sort((a, b) => b[0] - a[0]);
    return first ? [first[1] / first[0], first[2] / first[0]] : null;
  });
}

/**
 * Where points are on their way from one map to another, slow at both ends.
 * @param {ArrayLike<number>} from @param {ArrayLike<number>} to
 * @param {number} share of the way, in 0..1
 */
export function between(from, to, share) {
  const part = share * share * (3 - 2 * share);
  return Float32Array.from(to, (end, i) => from[i] + part * (end - from[i]));
}
