/**
 * What is said in the Atlas: of its maps, and of test images.
 * @import { Model } from "../types.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { Scene } from "./scene.js"
 */
import { scoreText } from "../core/scores.js";
import { counted, fixed, grouped, listed, percent } from "../lib/format.js";
import { entries, isMisread, labelsOf, readingsOf } from "../lib/tested.js";

/** What spaces are called, by the names that `model/measuring/atlas.py` gives them. */
const SPACES = /** @type {Record<string, string>} */ ({
  capsules: "all class capsules",
  pose: "the pose of the class read",
  hidden: "the hidden layer",
  pixels: "the pixels",
});

const spaceOf = (/** @type {string} */ space) => SPACES[space] ?? space;

/** @param {{ space: string, method: string }} map */
export const mapName = ({ space, method }) => `${spaceOf(space)}, ${method}`;

/** @param {Model} model @param {Atlas} atlas */
export function aboutWords({ title, card }, { count, total, perImage }) {
  const colors =
    perImage > 1 ? " Its two halves have the colours of its two labels." : "";
  if (card.atlas !== undefined)
    return `Every point is one of the ${counted(count, "test image")} of ${title}.${colors} Images that the network sees as similar are drawn close together, as far as two dimensions allow.`;
  const which = count < total ? `first ${grouped(count)} of the ` : "";
  return `Every point is one of the ${which}${counted(total, "test image")} of ${title}, read just now.${colors} Measuring it (python -m capsnet_explorer measure) adds maps of its layers.`;
}

/** How far to trust the map. @param {Pick<Scene, "model" | "map" | "atlas">} scene */
export function mapLine({ model: { card }, map, atlas }) {
  const entry = card.atlas?.maps[map];
  if (entry === undefined || card.atlas === undefined)
    return atlas.perImage === 1
      ? "An image lies near a class’s name if the network is sure of that class alone."
      : "An image lies between the names of two classes if the network is sure of both.";
  const { neighbours } = card.atlas;
  return `Of each image’s ${neighbours} nearest in ${spaceOf(entry.space)}, ${percent(entry.kept, 0)} are among its ${neighbours} nearest here.`;
}

/** The same at length. @param {Pick<Scene, "model" | "map" | "atlas">} scene */
export function mapWords({ model: { card }, map, atlas }) {
  const entry = card.atlas?.maps[map];
  const shapes = atlas.names.length > 10 ? ` ${SHAPES}` : "";
  if (entry === undefined)
    return `${ARROWS} ${atlas.perImage === 1 ? SCORED : SCORED_PAIRS}${shapes}`;
  return `The map is drawn of ${grouped(entry.numbers)} numbers of each image. Its trustworthiness is ${fixed(entry.trustworthiness)} (1: neighbours on the map are always neighbours in the network).${shapes}`;
}

/** Where there are more classes than colours. */
const SHAPES = "Points of one colour and one shape are of one label.";

/** What the map of scores shows. */
const ARROWS =
  "From the middle an arrow leads to each class, as long as its score. Add the arrows head to tail: the image is drawn where they end, but never outside the circle of names.";
const SCORED =
  "Near the middle lie images of which the network is sure of no class, or torn between classes that face each other. Every network and every moment has this same map.";
const SCORED_PAIRS =
  "Near the middle lie those whose two classes face each other, and those of which the network is not sure.";

export const KEYS =
  "Drag to move, turn the wheel to come nearer; arrow keys go to the next test image, + and − come nearer, 0 shows the whole map, Enter opens the test image in Explore.";
export const FINGERS =
  "Drag to move, spread two fingers to come nearer, tap a point to choose it.";

/**
 * What is nearest to the image on the bench.
 * @param {Pick<Scene, "nearest" | "atlas" | "hasImage">} scene
 */
export function nearLine({ nearest, atlas, hasImage }) {
  if (!hasImage) return "Draw or choose an image on the left.";
  if (nearest.length === 0) return "Looking for the nearest test images …";
  const [first] = Object.keys(atlas.positions);
  const space = SPACES[first] ?? "its numbers";
  return `The ${counted(nearest.length, "test image")} nearest to it in ${space}, each with its label and distance.`;
}

/** @param {Pick<Scene, "model">} scene */
export function nearWords({ model: { card } }) {
  const codes = card.atlas?.codes;
  const by = codes
    ? `Distances are by ${codes.components} principal components, which find ${percent(codes.kept, 0)} of a test image’s ten nearest. On the map the ring marks the nearest, and lines lead to the others. `
    : "";
  return `${by}Place on a map is not distance: a map of two dimensions must tear apart what is near, and fold together what is not. These distances are those of the network’s own numbers.`;
}

/**
 * One test image in a sentence.
 * @param {Atlas} atlas @param {number} index
 */
export function pointWords(atlas, index) {
  const { names, perImage, sure, errors, score, kind } = atlas;
  const labels = labelsOf(atlas, index).map((label) => names[label]);
  const readings = readingsOf(atlas, index).map((read) => names[read]);
  const reads = isMisread(atlas, index)
    ? `misread as ${listed(readings)}`
    : "read correctly";
  const scores = entries(sure, perImage, index).map(
    (score, k) =>
      scoreText(score, kind) + (perImage === 1 ? "" : ` for ${readings[k]}`),
  );
  const how = `with a ${score} of ${scores.join(" and of ")}`;
  const error = errors
    ? `; mean squared error of its reconstruction ${fixed(errors[index], 4)}`
    : "";
  const noun = perImage === 1 ? "label" : "labels";
  return `Test image ${grouped(index)}: ${noun} ${listed(labels)}, ${reads} ${how}${error}.`;
}

/**
 * A cell of the confusion matrix.
 * @param {number} each labels of an image @param {string} label @param {string} read
 * @param {number} count
 */
export function cellWords(each, label, read, count) {
  const many = grouped(count);
  if (each === 1) return `Label ${label}, read as ${read}: ${many}`;
  const how =
    label === read ? "is read" : `is not read, and ${read} read, which is no label`;
  return `Label ${label}, which ${how}: ${many}`;
}

/** Why what a preset selects is not known. @type {Record<string, string>} */
export const WHY_NOT = {
  alone: "No other network was measured on these test images.",
  unlike: "No reconstructions of these test images were measured.",
};

export const CHOOSE = "Choose a point of the map, or a picture.";
export const TURN =
  "Show the same test images as that network reads them: points move from one map to the other";
export const TURNTABLE =
  "On the turntable stands the same toy, in the same light and from the same side. Its distance is another one: test images differ in size, so the network may read it otherwise.";
export const CELLS_OF_PAIRS =
  "On the diagonal a label is read; an image stands there once for each such label. Elsewhere the label is not read, and the class read is no label of the image; an image of which neither digit is read stands in four of these cells.";
export const PAIRS =
  "How many test images with both labels are misread; the darker, the larger their share. A cell selects all with both labels.";
