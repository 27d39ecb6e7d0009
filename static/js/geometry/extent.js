/** How far points reach. Pure arithmetic: no DOM, no state. */

/**
 * @param {readonly (readonly { x: number, y: number }[])[]} strokes
 * @returns {number} the longer side of the box around all points; 0 of none
 */
export function extentOf(strokes) {
  const points = strokes.flat();
  if (points.length === 0) return 0;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}
