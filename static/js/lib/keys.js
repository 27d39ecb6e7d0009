/** Keys by what is meant, on any keyboard layout. */

/** What of a keyboard's event says which key it is. @typedef {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} Key */

/** Letters, digits and signs that Latin layouts type. */
const LATIN = /^[\x20-\x7e]$/;

/**
 * The letter that a key stands for. On layouts of other alphabets it is the one printed in
 * its place on a Latin keyboard, as browsers have it for their own keys.
 * @param {Key} event
 * @returns {string} small; empty for keys of no letter
 */
export function letterOf({ key, code }) {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const [, letter = ""] = LATIN.test(key) ? [] : (/^Key([A-Z])$/.exec(code) ?? []);
  return letter.toLowerCase();
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
export function asksForHelp({ key, code, shiftKey }) {
  return key === "?" || (!LATIN.test(key) && shiftKey && code === "Slash");
}
