/** Values in links: whole numbers, and parameters before the #. */

/**
 * @param {string | null} text @param {number} low @param {number} high
 * @returns {number | null} null when it is not a whole number in low..high
 */
export function readWhole(text, low, high) {
  const isWhole = low < 0 ? /^-?\d+$/ : /^\d+$/;
  if (text === null || !isWhole.test(text)) return null;
  const value = Number(text) + 0; // never -0
  return value >= low && value <= high ? value : null;
}

/**
 * Set or remove one parameter of an address before its #, and keep the others.
 * @param {string} search of the address, with or without the ?
 * @param {string} name
 * @param {string | null} value null for none
 * @returns {string} with the ?, or empty
 */
export function withParameter(search, name, value) {
  const all = new URLSearchParams(search);
  if (value === null) all.delete(name);
  else all.set(name, value);
  const written = all.toString().replaceAll("%2F", "/");
  return written === "" ? "" : `?${written}`;
}
