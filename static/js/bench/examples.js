/**
 * The images that a network can be tried with at once: the project's own digits, toys, or,
 * for a network of anything else, the first test image of each of its classes.
 * @import { Dataset, Model, Pixels, Sample, Source } from "../types.js"
 * @import { Library } from "./to-try.js"
 */

import { lacks } from "../core/lacks.js";
import { sampleSource } from "../core/link.js";
import { pairOn } from "../core/pair.js";
import {
  hasOwnImages,
  readsPairs,
  seesToys,
  testImagesOf,
  trainedOn,
  turnsToys,
} from "../core/state.js";
import { shapeOf } from "../lib/pixels.js";

/** @typedef {{ pixels: Pixels, title: string, source: Source }} Example */

/** What the images are, and what stands above them. */
export const HEADINGS = {
  sample: "Digits to try",
  toy: "Toys to try",
  dataset: "Images to try",
};

/** … of a network that names two digits. */
export const PAIRS = "Pairs to try";

const LEARNED = lacks("server")
  ? "This network learned from other images, which this page does not have."
  : "This network learned from other images, whose test set is not in the data folder.";

/** What is said of images that are not of its classes, under them. */
export const NOTES = {
  symbols:
    "This network learned symbols that somebody drew. None of these digits is one: draw a symbol.",
  sample: `${LEARNED} None of these digits is one of its classes: upload a picture of your own.`,
  toy: `${LEARNED} It never saw toys like these, which the page draws. You can also upload a picture.`,
};

const MOST = 10; // classes; of more, the first

/**
 * @param {Model} model @param {readonly Sample[]} samples @param {Library} library
 * @returns {Promise<{ kind: keyof typeof HEADINGS, examples: Example[], isOwn: boolean }>}
 *   isOwn: whether its classes are what the images show
 */
export async function examplesFor(model, samples, library) {
  if (seesToys(model))
    return { kind: "toy", examples: await examplesOfToys(model, library), isOwn: true };
  const isOwn = readsDigits(model);
  const own = isOwn && !hasOwnImages(model) ? null : await testSetOf(model, library);
  if (own) {
    const examples = await oneOfEach(own, model, library);
    return { kind: "dataset", examples, isOwn: true };
  }
  if (turnsToys(model))
    return { kind: "toy", examples: await examplesOfToys(model, library), isOwn };
  const examples = readsPairs(model) ? pairsOf(model, samples) : samples.map(alone);
  return { kind: "sample", examples, isOwn };
}

/** @param {Sample} sample @returns {Example} */
const alone = (sample) => ({
  pixels: sample.pixels,
  title: sample.title,
  source: sampleSource(sample),
});

const STRIDE = 7; // examples from a digit of a pair to the next: labels meet many others

/**
 * A pair for each example, which lies under another.
 * @param {Model} model @param {readonly Sample[]} samples @returns {Example[]}
 */
function pairsOf(model, samples) {
  return samples.map(({ id }, i) => {
    const at = (STRIDE * i) % samples.length;
    const pair = pairOn(id, model, [...samples.slice(at), ...samples.slice(0, at)]);
    const [one, other] = pair.source.digits.map((digit) => digit?.label);
    return { ...pair, title: `${one} and ${other}` };
  });
}

/**
 * Whether what is on show was an example of another network, and is none of this one's.
 * @param {Source} source
 * @param {keyof typeof HEADINGS} kind of this one's examples
 * @param {Pick<Model, "class_names" | "card" | "input_shape">} model
 * @param {Pick<Model, "class_names"> | null} before the one before, null at first
 */
export function isOthers(source, kind, model, before) {
  if (source.kind === "toy") return !turnsToys(model);
  if (source.kind !== "dataset") return source.kind === "sample" && kind !== "sample";
  const isOwn = source.id === testImagesOf(trainedOn(model));
  return (
    before !== null && before.class_names.join() !== model.class_names.join() && !isOwn
  );
}

/** @param {Pick<Model, "class_names">} model */
function readsDigits({ class_names }) {
  return class_names.every((name) => /^\d$/.test(name));
}

/** @param {Model} model @param {Library} library */
async function testSetOf(model, { fetchDatasets }) {
  const { datasets } = await fetchDatasets();
  return datasets.find(({ dataset }) => dataset === trainedOn(model));
}

/**
 * @param {Dataset} dataset @param {Model} model @param {Library} library
 * @returns {Promise<Example[]>}
 */
async function oneOfEach({ id, labels }, { class_names }, { fetchImages }) {
  const shown = labels.flatMap((count, label) => (count > 0 ? [label] : []));
  const wishes =
    labels.length === 0
      ? [{ limit: MOST }]
      : shown.slice(0, MOST).map((label) => ({ label, limit: 1 }));
  const answers = await Promise.all(wishes.map((wish) => fetchImages(id, wish)));
  return answers.flatMap(({ digits }) =>
    digits.map(({ index, label, pixels }) => {
      const name = labels.length === 0 ? "your" : `${class_names[label ?? 0]}, test`;
      const source = { kind: /** @type {const} */ ("dataset"), id, index, label };
      return { pixels, title: `${name} image ${index}`, source };
    }),
  );
}

/** @param {Model} model @param {Library} library */
async function examplesOfToys(model, library) {
  const { categories, exampleToys } = await partsOfToys(library);
  return exampleToys(categories, shapeOf(model));
}

/** What draws toys, fetched where a network reads them. @param {Pick<Library, "fetchToys">} library */
export async function partsOfToys({ fetchToys }) {
  const [{ categories }, { exampleToys }, { toyPixels }] = await Promise.all([
    fetchToys(),
    import("../input/turntable.js"),
    import("../toys/scene.js"),
  ]);
  return { categories, exampleToys, toyPixels };
}
