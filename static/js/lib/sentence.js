/** Messages as people read them. */

/**
 * @param {string} text such as a server's message, which says what must be and what came
 * @returns {string} a whole sentence
 */
export function asSentence(text) {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}
