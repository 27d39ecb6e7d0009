/** Boxes around boxes. */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * @param {Box[]} boxes
 * @returns {Box}
 */
export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
