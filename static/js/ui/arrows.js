/** Which way an arrow key points. */

/** @type {Record<string, readonly [down: number, right: number]>} */
const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * @param {KeyboardEvent} event
 * @returns {readonly [down: number, right: number] | null} null for any other key, and
 *   with keys held that make it the browser's
 */
export function arrowOf(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  return ARROWS[event.key] ?? null;
}
