/**
 * Whether a link presents, and which panel of its view: `?present` stands before the #, and
 * a number counts the view's panels from 1.
 */
import { readWhole } from "../../lib/links.js";

const NAME = "present";

/**
 * @param {string} search of the address, with or without the ?
 * @returns {number | null} the panel, 0 first; null where the link does not present
 */
export function readPresented(search) {
  const value = new URLSearchParams(search).get(NAME);
  if (value === null) return null;
  return (readWhole(value, 1, Number.MAX_SAFE_INTEGER) ?? 1) - 1;
}

/**
 * @param {string} search of the address, with or without the ?
 * @param {number | null} panel 0 first; null not to present
 * @returns {string} with the ?, or empty; what else it says is kept
 */
export function writePresented(search, panel) {
  const params = new URLSearchParams(search);
  if (panel === null) params.delete(NAME);
  else params.set(NAME, String(panel + 1));
  const written = params.toString();
  return written === "" ? "" : `?${written}`;
}
