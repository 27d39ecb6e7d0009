/**
 * Where words stand in a picture so that none lies on another. Pure arithmetic.
 */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box its middle, and its size */

/** @typedef {readonly [Point, Point]} Line */

/**
 * @typedef {object} Label
 * @property {number} width
 * @property {number} height
 * @property {readonly Point[]} places for its middle, the best first
 * @property {readonly Line[]} [avoids] what it should not lie on
 * @property {boolean} [isNeeded] it takes the place that is least covered; another label is
 *   left out where no place is free
 */

/**
 * @param {readonly Label[]} labels the most important first
 * @param {{ width: number, height: number }} picture that no label leaves
 * @returns {(Box | null)[]} for each label; null for one that is left out
 */
export function placeLabels(labels, picture) {
  /** @type {Box[]} */
  const taken = [];
  return labels.map(({ width, height, places, avoids = [], isNeeded }) => {
    const tried = places.map(({ x, y }) => {
      const box = {
        x: within(x, width, picture.width),
        y: within(y, height, picture.height),
        width,
        height,
      };
      const under = taken.filter((other) => !areApart(box, other)).length;
      const lines = avoids.filter((line) => crosses(line, box)).length;
      return { box, covers: under * (avoids.length + 1) + lines };
    });
    const [best] = tried.toSorted((one, other) => one.covers - other.covers);
    if (!isNeeded && best.covers > 0) return null;
    taken.push(best.box);
    return best.box;
  });
}

/** @param {number} middle @param {number} size @param {number} room */
const within = (middle, size, room) =>
  Math.max(size / 2, Math.min(room - size / 2, middle));

/** @param {Box} one @param {Box} other */
export const areApart = (one, other) =>
  Math.abs(other.x - one.x) >= (one.width + other.width) / 2 ||
  Math.abs(other.y - one.y) >= (one.height + other.height) / 2;

/**
 * Whether a line passes through a box: the part of it that lies within both of the box's
 * strips is not empty.
 * @param {Line} line @param {Box} box
 */
function crosses([from, to], box) {
  let [first, last] = [0, 1];
  for (const [start, way, middle, size] of [
    [from.x, to.x - from.x, box.x, box.width],
    [from.y, to.y - from.y, box.y, box.height],
  ]) {
    const ends = [middle - size / 2 - start, middle + size / 2 - start];
    if (way === 0) {
      if (ends[0] > 0 || ends[1] < 0) return false;
      continue;
    }
    const shares = ends.map((end) => end / way);
    first = Math.max(first, Math.min(...shares));
    last = Math.min(last, Math.max(...shares));
  }
  return first < last;
}
