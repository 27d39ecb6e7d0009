/**
 * Two readings in a sentence that follows from their scores.
 * @import { Model } from "../types.js"
 */
import { scoreWords } from "../core/scores.js";
import { fixed, signed } from "../lib/number.js";
import { largestOf } from "../lib/rank.js";

const DECIMALS = 2;

/** What to do while nothing is kept. */
export const NOTHING_KEPT =
  "No image is kept. Show one, press “Keep to compare” below what the network says, and go on to another: this view then shows both, and what differs.";

/** What to do while there is nothing to compare with. */
export const NOTHING_SHOWN =
  "There is nothing on show. Draw a digit or choose one, to compare it with the kept image.";

/** What is true of an image beside itself. */
export const SAME_IMAGE =
  "Both are the same image, so nothing differs. Draw or choose another one.";

/**
 * @param {ArrayLike<number>} kept scores
 * @param {ArrayLike<number>} shown scores, as many
 * @param {Pick<Model, "scores" | "class_names">} model
 */
export function comparedWords(kept, shown, model) {
  const { one } = scoreWords(model);
  const names = model.class_names;
  const [was, is] = [largestOf(kept), largestOf(shown)];
  /** @param {number} digit */
  const change = (digit) => {
    const [from, to] = [fixed(kept[digit], DECIMALS), fixed(shown[digit], DECIMALS)];
    return from === to
      ? `${names[digit]} stays at ${to}`
      : `${names[digit]} goes from ${from} to ${to}`;
  };
  if (was !== is)
    return `The kept image is read as ${names[was]}, the one on show as ${names[is]}. In ${one}, ${change(was)}, and ${change(is)}.`;
  const differences = Array.from(shown, (score, digit) =>
    Math.abs(score - kept[digit]),
  );
  const most = largestOf(differences);
  const by = signed(shown[most] - kept[most], DECIMALS);
  const isSmall = Number(differences[most].toFixed(DECIMALS)) === 0;
  const rest = isSmall
    ? `No ${one} differs by 0.01 or more.`
    : most === is
      ? "No other class differs by more."
      : `The largest difference is that of ${names[most]}, ${by}.`;
  return `Both are read as ${names[is]}. In ${one}, ${change(is)}. ${rest}`;
}
