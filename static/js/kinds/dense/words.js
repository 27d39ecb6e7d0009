/** The hidden layer in words that follow from its numbers. */
import { counted, fixed, grouped, percent, signed } from "../../lib/format.js";

/** @param {number} active units above 0 @param {number} units */
export function activeWords(active, units) {
  if (active === 0)
    return `None of the ${grouped(units)} units is above 0: the logits are their biases alone.`;
  if (active === units)
    return `All ${grouped(units)} units are above 0: ReLU stops none of them.`;
  const stopped = units - active;
  return `${counted(active, "unit")} of ${grouped(units)} ${active === 1 ? "is" : "are"} above 0 (${percent(active / units, 1)}). ReLU stops the other ${grouped(stopped)}: whatever their weights, they add nothing to any logit.`;
}

/** @param {number} before ReLU @param {number} after */
export function reluWords(before, after) {
  return after > 0
    ? `The value before ReLU is ${fixed(before)}. It is above 0, so ReLU lets it pass: ${fixed(after)}.`
    : `The value before ReLU is ${fixed(before)}. It is not above 0, so ReLU makes it 0, and the unit adds nothing to any logit.`;
}

/**
 * What a unit gives to the classes.
 * @param {ArrayLike<number>} gifts to each logit
 * @param {readonly string[]} names
 */
export function givenWords(gifts, names) {
  const all = Array.from(gifts);
  const [most, least] = [Math.max(...all), Math.min(...all)];
  if (most === 0 && least === 0) return "It adds 0 to every logit.";
  const named = (/** @type {number} */ value) => names[all.indexOf(value)];
  const parts = [
    ...(most > 0 ? [`speaks most for ${named(most)} (${signed(most)})`] : []),
    ...(least < 0 ? [`speaks most against ${named(least)} (${signed(least)})`] : []),
  ];
  return `Here the unit ${parts.join(" and ")}.`;
}
