/** What the blur of turning does by itself, in sentences that follow from scores. */
import { fixed } from "../../lib/format.js";

/** How far the control turns the digit, and back: in degrees. */
export const THERE = 15;

/**
 * What one network says of the digit before and after.
 * @typedef {object} Blurred
 * @property {string} title of the network
 * @property {string} one what a score is called
 * @property {readonly [string, string]} reads the class, before and after
 * @property {readonly [number, number]} scores of the followed class
 */

/**
 * @param {string} name of the followed class
 * @param {readonly Blurred[]} networks
 */
export function blurWords(name, networks) {
  if (networks.length === 0) return "No network takes part.";
  const each = networks.map(({ title, one, scores }) => {
    const [before, after] = scores.map((score) => fixed(score, 2));
    return before === after
      ? `${title}: ${one} of ${name} stays at ${after}`
      : `${title}: ${one} of ${name} goes from ${before} to ${after}`;
  });
  const changed = networks.filter(({ reads: [before, after] }) => before !== after);
  const what = changed.map(
    ({ title, reads: [before, after] }) =>
      `${title} then reads ${after} in place of ${before}`,
  );
  const rest =
    changed.length === 0
      ? "So blur by itself changes no reading of this digit"
      : `So blur by itself changes readings: ${what.join(", ")}`;
  return `${each.join("; ")}. ${rest}.`;
}
