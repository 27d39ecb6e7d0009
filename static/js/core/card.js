/**
 * What a network's card says of its errors and of its training, in words.
 * @import { Card, Model } from "../types.js"
 */
import { asSentence, counted, grouped, listed, percent } from "../lib/format.js";
import { wilsonInterval } from "../lib/statistics.js";
import { ruleWords } from "./scores.js";

/** What is read of a model here. @typedef {Pick<Model, "card"> & Partial<Pick<Model, "scores" | "title">>} Tested */

/**
 * An error, with what chance leaves open.
 * @typedef {object} TestError
 * @property {string} how images were counted: "wrong"; of pairs "misread" or "misnamed"
 * @property {number} share in 0..1
 * @property {number} images
 * @property {readonly [number, number]} interval of 95 %
 * @property {string} over the units of chance: "images", "pairs" or "100 toys"
 */

/** The answer that counts of pairs are named by, for each kind of score. */
const TWO_HIGHEST = {
  length: "the two longest capsules",
  probability: "the two highest probabilities",
  activation: "the two most active capsules",
  score: "the two highest scores",
};

/**
 * What a network's two highest scores are called.
 * @param {Partial<Pick<Model, "scores">>} model
 */
const twoHighest = ({ scores = "length" }) => TWO_HIGHEST[scores];

/**
 * How often a network is wrong on its test images. Pairs of digits are counted in two ways:
 * they are misread where the two highest scores are not theirs, and misnamed where the
 * network's own rule names other digits than these two.
 * @param {Tested} model
 * @returns {TestError[]} none where it was not tested
 */
export function testErrors({ card }) {
  const { overlaps, test_error: error, test_images: images, viewpoints } = card;
  if (overlaps !== undefined)
    return [
      { how: "misread", over: "pairs", ...told(overlaps.pairs) },
      { how: "misnamed", over: "pairs", ...told(overlaps.one_or_two.pairs) },
    ];
  if (error === undefined || !images) return [];
  if (viewpoints?.interval && viewpoints.wrong) {
    const over = counted(viewpoints.wrong.length, "toy");
    return [
      { how: "wrong", share: error, images, interval: viewpoints.interval, over },
    ];
  }
  const interval = wilsonInterval(Math.round(error * images), images);
  return [{ how: "wrong", share: error, images, interval, over: "images" }];
}

/** @param {{ error: number, images: number, interval: readonly [number, number] }} counted */
const told = ({ error, images, interval }) => ({ share: error, images, interval });

/**
 * A network's error in a line.
 * @param {Tested} model
 */
export function errorWords(model) {
  const [first, second] = testErrors(model);
  if (first === undefined) return "no test error on its card";
  if (second === undefined)
    return `${percent(first.share)} wrong of ${grouped(first.images)} test images`;
  return `of ${grouped(first.images)} test pairs ${percent(first.share)} misread by ${twoHighest(model)}, ${percent(second.share)} misnamed by its own rule`;
}

/** The intervals of a network's errors. @param {Tested} model */
export function intervalWords(model) {
  const found = testErrors(model);
  const each = found.map(
    ({ interval: [low, high] }) => `${(100 * low).toFixed(2)} to ${percent(high)}`,
  );
  return found.length === 0 ? "" : `${each.join("; ")}, over ${found[0].over}`;
}

/**
 * How single digits fare, where a network reads pairs.
 * @param {Tested} model
 * @returns {string} empty for others
 */
export function singlesWords({ card: { overlaps } }) {
  if (overlaps === undefined) return "";
  const { singles, one_or_two: named } = overlaps;
  return `of ${grouped(singles.images)} on the same canvas ${percent(singles.error)} misread by the highest score, ${percent(named.singles.error)} misnamed by its own rule`;
}

/**
 * How often a network takes for one of its classes what is none of them.
 * @param {Pick<Model, "card">} model
 * @returns {string} a sentence; empty where the card does not tell
 */
export function fooledWords({ card: { outliers } }) {
  const letters = outliers?.measures?.[outliers.measure]?.others?.letters;
  if (letters === undefined || outliers?.made === undefined) return "";
  const passed = Math.round((1 - letters.alarms) * outliers.made);
  return `It is sometimes fooled: shown ${grouped(outliers.made)} drawn capital letters, it took ${grouped(passed)} for digits.`;
}

const MINUTE = 60; // seconds

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  if (minutes === 0) return `${Math.round(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What trained it, by the name on the card. @param {string | undefined} device */
function deviceWords(device) {
  if (device === undefined) return "";
  return device === "cpu" ? " on a processor" : " on a graphics card";
}

/**
 * How long a network was trained: images, minutes and device, for lines that compare.
 * Earlier runs that it started from are told apart: they may have been of other data.
 * @param {Card} card
 * @returns {string} empty where the card does not say
 */
export function effortWords({ epochs, training_images, lineage, ...card }) {
  const { training_time_s: seconds, device } = card;
  if (epochs === undefined || seconds === undefined) return "";
  const images =
    training_images === undefined ? "" : ` of ${grouped(training_images)} images`;
  const own = `${counted(epochs, "epoch")}${images}, ${duration(seconds)}${deviceWords(device)}`;
  const earlier = (lineage?.runs ?? 1) - 1;
  if (lineage === undefined || earlier < 1) return own;
  const before = `${counted(lineage.epochs - epochs, "epoch")}, ${duration(lineage.training_time_s - seconds)}`;
  return `${own}; before, in ${counted(earlier, "run")}, ${before}`;
}

/** Changes of training images by their key on a card, and how to say them. */
const CHANGES = /** @type {Record<string, (amount: number) => string>} */ ({
  shift: (by) => `shifted by up to ${by} px`,
  rotation: (by) => `turned by up to ${by}°`,
  scale: (by) => `scaled by up to ${percent(by, 0)}`,
  shear: (by) => `sheared by up to ${by}`,
  bend: () => "bent",
  thickness: () => "with thicker and thinner strokes",
  mirror: () => "mirrored at random",
  contrast: () => "with other contrast",
  ground: () => "on grey grounds",
  noise: () => "with noise",
});

/** How the images of a run were changed. @param {Readonly<Record<string, unknown>>} run */
function changesIn(run) {
  const made = Object.entries(CHANGES).flatMap(([key, words]) => {
    const amount = run[key];
    return typeof amount === "number" && amount > 0 ? [words(amount)] : [];
  });
  const flags = typeof run.flags === "number" && run.flags > 0;
  const drawn = flags ? "; drawn 1s with an upstroke were added" : "";
  return `${made.length === 0 ? "unchanged" : listed(made)}${drawn}`;
}

/** What a run's images are. @param {Pick<Card, "data" | "dataset" | "command">} run */
function dataOf({ data, dataset, command }) {
  const name = dataset ?? command?.match(/--dataset (\S+)/)?.[1] ?? "mnist";
  if (name === "overlapping") return "pairs of MNIST's digits";
  const told = data?.split(" (")[0];
  if (told !== undefined) return told;
  return name === "mnist" && command !== undefined ? "MNIST" : name;
}

/** On what a network was trained, and how its images were changed. @param {Card} card */
export function trainingWords(card) {
  const { data, training } = card;
  if (data === undefined) return "Trained on data that its card does not name.";
  if (training === undefined) return `Trained on ${dataOf(card)}.`;
  const effort = effortWords({ ...card, lineage: undefined });
  return `Trained on ${dataOf(card)}${effort === "" ? "" : `, ${effort}`}. Images: ${changesIn(training)}.`;
}

/**
 * What to know of a network before all else: its size and training, its error, and what fools
 * it or else by which rule it names classes.
 * @param {Model} model
 * @returns {string[]} sentences, three at most
 */
export function mainFacts(model) {
  const { card } = model;
  const effort = effortWords({ ...card, lineage: undefined });
  const learned = card.data === undefined ? "" : `, and learned from ${dataOf(card)}`;
  const [first, second] = testErrors(model);
  const errors =
    first !== undefined && second === undefined
      ? `It reads ${percent(first.share)} of ${grouped(first.images)} test images wrong.`
      : first && asSentence(errorWords(model));
  return [
    `It has ${grouped(model.parameters)} parameters${learned}${learned && effort && `: ${effort}`}.`,
    ...(errors === undefined ? [] : [errors]),
    ...(card.learned_nothing ? [card.learned_nothing] : []),
    fooledWords(model) || `It names ${ruleWords(model)}.`,
  ];
}

/** A network's size and error. @param {Tested & Pick<Model, "parameters">} model */
export function sizeAndError(model) {
  return `${grouped(model.parameters)} parameters · ${errorWords(model)}`;
}
