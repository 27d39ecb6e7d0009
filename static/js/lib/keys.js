/** Keys by what is meant, on any keyboard layout. */

/** What of a keyboard's event says which key it is. @typedef {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} Key */

/** Letters, digits and signs that Latin layouts type. */
const LATIN = /^[\x20-\x7e]$/;

/** @type {Record<string, string>} */
const SIGNS = { Comma: ",", Period: ".", Slash: "/" };

/**
 * The letter or sign that a key stands for. On layouts of other alphabets it is the one in
 * its place on a Latin keyboard, as browsers have it for their own keys.
 * @param {Key} event
 * @returns {string} a letter is small; the key's own name where it types neither
 */
export function latinOf({ key, code }) {
  if (LATIN.test(key)) return key.toLowerCase();
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return key.length === 1 ? (letter?.toLowerCase() ?? SIGNS[code] ?? key) : key;
}

/**
 * The digit that a key stands for: also where the row of digits types them only with Shift,
 * as in France, or types digits of another script.
 * @param {Key} event
 * @returns {number | null} null for any other key
 */
export function digitOf({ key, code, shiftKey }) {
  if (/^\d$/.test(key)) return Number(key);
  const [, digit] = shiftKey ? [] : (/^(?:Digit|Numpad)(\d)$/.exec(code) ?? []);
  // A key such as PageDown has a name instead of a sign.
  return digit === undefined || key.length !== 1 ? null : Number(digit);
}

/** Whether a key asks for help. @param {Key} event */
export function asksForHelp(event) {
  const sign = latinOf(event);
  return sign === "?" || (sign === "/" && event.shiftKey && event.key !== "/");
}
