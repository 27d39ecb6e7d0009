/**
 * Two readings in a sentence that follows from their scores.
 * @import { Model } from "../types.js"
 */
import { scoreWords } from "../core/scores.js";
import { largestOf } from "../lib/arithmetic.js";
import { fixed, signed } from "../lib/format.js";

const DECIMALS = 2;

/** What to do while nothing is kept. */
export const NOTHING_KEPT =
  "No image is kept. Show an image and press “Keep to compare” below the network’s answer. Then show another image: this view compares the two.";

/** What to do while there is nothing to compare with. */
export const NOTHING_SHOWN =
  "No image is shown. Draw or choose an image to compare it with the kept image.";

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
  /** @param {number} classIndex */
  const change = (classIndex) => {
    const [from, to] = [
      fixed(kept[classIndex], DECIMALS),
      fixed(shown[classIndex], DECIMALS),
    ];
    return from === to
      ? `${names[classIndex]} stays at ${to}`
      : `${names[classIndex]} goes from ${from} to ${to}`;
  };
  if (was !== is)
    return `The network reads the kept image as ${names[was]} and the shown image as ${names[is]}. In ${one}, ${change(was)}, and ${change(is)}.`;
  const differences = Array.from(shown, (score, classIndex) =>
    Math.abs(score - kept[classIndex]),
  );
  const most = largestOf(differences);
  const by = signed(shown[most] - kept[most], DECIMALS);
  const isSmall = Number(differences[most].toFixed(DECIMALS)) === 0;
  const rest = isSmall
    ? `No ${one} differs by 0.01 or more.`
    : most === is
      ? "No other class differs more."
      : `Class ${names[most]} differs most, by ${by}.`;
  return `The network reads both images as ${names[is]}. In ${one}, ${change(is)}. ${rest}`;
}
