/**
 * What to know of a network before it is compared: its size, its error and its training.
 * @import { Card, Model } from "../../types.js"
 */
import { grouped, percent } from "../../lib/format.js";

/** Changes of training images by their key on a card, and how to say them. */
const CHANGES = /** @type {Record<string, (amount: number) => string>} */ ({
  shift: (by) => `shifts up to ${by} px`,
  rotation: (by) => `turns up to ${by}°`,
  scale: (by) => `scaling up to ${percent(by, 0)}`,
  shear: (by) => `shear up to ${by}`,
  bend: () => "bends",
  thickness: () => "thick and thin strokes",
  contrast: () => "contrast",
  ground: () => "grey grounds",
  noise: () => "noise",
  flags: () => "added flags",
});

/**
 * Its size and its error.
 * @param {Pick<Model, "parameters" | "card">} model
 */
export function sizeWords({ parameters, card }) {
  return `${grouped(parameters)} parameters · ${errorWords(card)}`;
}

/** @param {Card} card */
function errorWords({ test_error, test_images = 0 }) {
  if (test_error === undefined) return "no test error on its card";
  return `${percent(test_error)} wrong of ${grouped(test_images)} test images`;
}

/**
 * All that was done to training images, in whichever run.
 * @param {Card} card
 */
export function trainingWords({ data, lineage, ...card }) {
  const on = `Trained on ${data?.split(" (")[0] ?? "data that its card does not name"}`;
  const runs = runsOf(card);
  if (runs.length === 0) return `${on}.`;
  const made = Object.entries(CHANGES).flatMap(([key, words]) => {
    const amounts = runs
      .map((run) => run[key])
      .filter((each) => typeof each === "number");
    const most = Math.max(0, ...amounts);
    return most > 0 ? [words(most)] : [];
  });
  const all = lineage?.runs ?? runs.length;
  const known =
    runs.length < all
      ? ` Its card describes ${runs.length} of its ${all} training runs.`
      : "";
  return made.length === 0
    ? `${on}, with unchanged images.${known}`
    : `${on}, with images changed by ${listed(made)}.${known}`;
}

/**
 * The settings of the last run and of those that it began with, as far as the card knows.
 * @param {Pick<Card, "training" | "start">} card
 * @returns {Readonly<Record<string, unknown>>[]}
 */
function runsOf({ training, start }) {
  if (training === undefined) return [];
  return [training, ...(start === undefined ? [] : runsOf(start))];
}

/** @param {readonly string[]} words at least one */
function listed(words) {
  if (words.length === 1) return words[0];
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
