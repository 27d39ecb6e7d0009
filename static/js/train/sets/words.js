/**
 * What is said of a set of pictures of one's own, and how it is trained on.
 * @import { OwnSet } from "../../types.js"
 */
import { asSentence, counted, grouped, listed } from "../../lib/format.js";
import { sizeWords } from "../missing.js";

const FEW = 10; // training images of a class, below which little can be learnt of it
const UNEVEN = 5; // times as many images of one class as of another
const SEEN = 8_000; // images that a run of a small set sees, again and again
const MOST_EPOCHS = 200;
const MOST_NAMED = 3; // classes that a button names
const BATCH = { small: 16, usual: 64 };
const SMALL = 2_000; // training images, up to which batches are small

/** @param {string} id */
export const datasetOf = (id) => `set:${id}`;

/** @param {Pick<OwnSet, "classes">} set */
function trainingOf({ classes }) {
  return classes.reduce((sum, entry) => sum + entry.training, 0);
}

/**
 * How a set is trained on, for a network of a kind: as often as needed to learn from few
 * pictures, each time changed a little.
 * @param {OwnSet} set @param {string} architecture
 * @returns {Record<string, unknown>}
 */
export function recipeOf(set, architecture) {
  const count = Math.max(1, trainingOf(set));
  const counts = set.classes.map((entry) => entry.training).filter(Boolean);
  const isUneven = Math.max(...counts) >= UNEVEN * Math.min(...counts);
  const isInk = set.shape[0] === 1;
  return {
    dataset: datasetOf(set.id),
    architecture,
    epochs: Math.min(MOST_EPOCHS, Math.max(2, Math.round(SEEN / count))),
    batch_size: count <= SMALL ? BATCH.small : BATCH.usual,
    warmup_steps: 50,
    shift: 2,
    rotation: 10,
    scale: 0.1,
    ...(isInk ? {} : { mirror: 0.5 }),
    ...(isUneven ? { balance: 1 } : {}),
  };
}

/** What a set is, in a line. @param {OwnSet} set */
export function setWords(set) {
  const [channels, rows, columns] = set.shape;
  const tested = set.classes.reduce((sum, entry) => sum + entry.test, 0);
  const colour = channels === 1 ? "grey" : "in colour";
  return `${counted(trainingOf(set), "image")} to train on and ${grouped(tested)} for the test, of ${grouped(set.classes.length)} classes: ${rows}×${columns} pixels, ${colour}${set.inverted ? ", light and dark exchanged" : ""}.`;
}

/** How far it is. @param {OwnSet} set */
export function progressWords({ state, received, size, done, total, error }) {
  if (state === "receiving")
    return `${sizeWords(received)} of ${sizeWords(size)} have come.`;
  if (state === "failed") return asSentence(error ?? "it cannot be read");
  if (state === "ready" || state === "unclear") return "";
  return total > 0
    ? `It is being read: ${grouped(done)} of ${counted(total, "picture")}.`
    : "It is being read.";
}

/** What mends rare classes. @param {readonly string[]} rare */
export function leaveOutWords(rare) {
  return `Leave out ${rare.length > MOST_NAMED ? `the ${rare.length} rarest classes` : listed(rare)}`;
}

/** The classes of which too few pictures are there. @param {OwnSet} set */
export function rareOf({ classes }) {
  const rare = classes.filter(({ training }) => training < FEW);
  return classes.length - rare.length >= 2 ? rare.map(({ name }) => name) : [];
}
