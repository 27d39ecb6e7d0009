/**
 * Two readings in a sentence that follows from their scores.
 * @import { Model } from "../types.js"
 */
import { presentIn, presentWords, scoreWords } from "../core/scores.js";
import { largestOf } from "../lib/arithmetic.js";
import { fixed, listed, signed } from "../lib/format.js";
import { isSameClasses } from "../lib/tested.js";

const DECIMALS = 2;

/** What to do while nothing is kept. */
export const NOTHING_KEPT =
  "To compare two images, press “Keep to compare” below the network’s answer and show another one.";

/** What to do while there is nothing to compare with. */
export const NOTHING_SHOWN =
  "No image is shown. Draw or choose an image to compare it with the kept image.";

/** What is true of an image beside itself. */
export const SAME_IMAGE =
  "Both are the same image, so nothing differs. Draw or choose another one.";

/**
 * @param {ArrayLike<number>} kept scores
 * @param {ArrayLike<number>} shown scores, as many
 * @param {Pick<Model, "scores" | "class_names" | "present">} model
 */
export function comparedWords(kept, shown, model) {
  const { one } = scoreWords(model);
  const names = model.class_names;
  const [was, is] = [kept, shown].map((scores) => presentIn(scores, model));
  const [before, after] = [was, is].map((present) => presentWords({ present }, model));
  // Where an answer names no class, its best one is followed all the same.
  const [from, to] = [was, is].map((present, i) =>
    present.length > 0 ? present : [largestOf([kept, shown][i])],
  );
  const told = [...new Set([...from, ...to])];
  const changes = listed(
    told.map((each) => changeWords(names[each], kept[each], shown[each])),
  );
  if (!isSameClasses(was, is))
    return `The network reads the kept image as ${before} and the shown image as ${after}. In ${one}, ${changes}.`;
  const differences = Array.from(shown, (score, each) => Math.abs(score - kept[each]));
  const most = largestOf(differences);
  const by = signed(shown[most] - kept[most], DECIMALS);
  const isSmall = Number(differences[most].toFixed(DECIMALS)) === 0;
  const rest = isSmall
    ? `No ${one} differs by 0.01 or more.`
    : told.includes(most)
      ? "No other class differs more."
      : `Class ${names[most]} differs most, by ${by}.`;
  return `The network reads both images as ${after}. In ${one}, ${changes}. ${rest}`;
}

/** @param {string} name @param {number} before @param {number} after */
function changeWords(name, before, after) {
  const [from, to] = [fixed(before, DECIMALS), fixed(after, DECIMALS)];
  return from === to ? `${name} stays at ${to}` : `${name} goes from ${from} to ${to}`;
}
