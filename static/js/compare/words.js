/**
 * Two readings in a sentence that follows from their scores.
 * @import { Model } from "../types.js"
 */
import { readsWords, saidOf, scoreText, scoreWords } from "../core/scores.js";
import { largestOf } from "../lib/arithmetic.js";
import { listed, signed } from "../lib/format.js";
import { isSameClasses } from "../lib/tested.js";

const DECIMALS = 3;

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
 * @param {ArrayLike<number>} current scores, as many
 * @param {Pick<Model, "scores" | "class_names" | "present">} model
 */
export function comparedWords(kept, current, model) {
  const { one } = scoreWords(model);
  const names = model.class_names;
  const [was, is] = [kept, current].map((scores) => saidOf(scores, model));
  const [before, after] = [was, is].map((reading) => readsWords(reading, model));
  // Where an answer names no class, its best one is followed all the same.
  const [from, to] = [was, is].map(({ named, order }) =>
    named.length > 0 ? named : order.slice(0, 1),
  );
  const classes = [...new Set([...from, ...to])];
  const text = (/** @type {number} */ score) => scoreText(score, model.scores);
  const changes = listed(
    classes.map((classIndex) =>
      changeWords(names[classIndex], text(kept[classIndex]), text(current[classIndex])),
    ),
  );
  const isAlike = was.state === is.state && isSameClasses(from, to);
  if (!isAlike && before === after)
    return `In both images the network ${after}. In ${one}, ${changes}.`;
  if (!isAlike)
    return `In the kept image the network ${before}; in the one shown it ${after}. In ${one}, ${changes}.`;
  const differences = Array.from(current, (score, classIndex) =>
    Math.abs(score - kept[classIndex]),
  );
  const most = largestOf(differences);
  const by = signed(current[most] - kept[most], DECIMALS);
  const isSmall =
    differences[most] < 10 ** -DECIMALS &&
    classes.every((classIndex) => text(kept[classIndex]) === text(current[classIndex]));
  const rest = isSmall
    ? `No ${one} differs by ${10 ** -DECIMALS} or more.`
    : classes.includes(most)
      ? "No other class differs more."
      : `Class ${names[most]} differs most, by ${by}.`;
  return `In both images the network ${after}. In ${one}, ${changes}. ${rest}`;
}

/** @param {string} name @param {string} from @param {string} to */
function changeWords(name, from, to) {
  return from === to ? `${name} stays at ${to}` : `${name} goes from ${from} to ${to}`;
}
