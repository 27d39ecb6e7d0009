/** Whether people touch the page: they have neither a mouse to point with nor, mostly, keys. */

const touch = matchMedia("(hover: none) and (pointer: coarse)");

/**
 * @param {{ mouse: string, touch: string }} words for the one and for the other
 * @returns {string}
 */
export function forHands(words) {
  return touch.matches ? words.touch : words.mouse;
}
