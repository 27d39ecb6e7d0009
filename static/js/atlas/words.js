/**
 * What is said in the Atlas: of its maps, of test images, and of the numbers of one class.
 * @import { Model } from "../types.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { ClassNumbers } from "../lib/class-numbers.js"
 * @import { Scene } from "./scene.js"
 */
import { addressOf } from "../core/lacks.js";
import { axisName, closest, correlationOf, endsOf } from "../lib/class-numbers.js";
import {
  capitalized,
  counted,
  fixed,
  grouped,
  listed,
  percent,
} from "../lib/format.js";
import { nameOf } from "../lib/properties.js";
import { entries, isMisread, labelsOf, readingsOf } from "../lib/tested.js";

const CLOSELY = 0.7; // |r| from which on a number is said to follow a property

/** Whether the numbers are poses, of which the decoder makes pictures. @param {Model} model */
export const canDecode = ({ can, card: { numbers } }) =>
  can.reconstruct && numbers !== undefined && numbers.numbers === numbers.shown;

/** @param {{ numbers: ClassNumbers, across: number }} now @param {number} value */
export const valueWords = ({ numbers, across }, value) =>
  fixed(value, across < numbers.numbers ? 2 : 1);

/** @param {ClassNumbers} numbers @param {number} label @param {number} axis */
export function endsWords(numbers, label, axis) {
  const [low, high] = endsOf(numbers, label, axis);
  const decimals = axis < numbers.numbers ? 2 : 1;
  const name = capitalized(axisName(numbers, axis));
  return `${name}: ${fixed(low, decimals)} to ${fixed(high, decimals)}`;
}

/**
 * Whose numbers they are.
 * @param {Pick<Atlas, "names" | "numbers">} atlas @param {Pick<Model, "card" | "scores">} model
 * @param {number} label
 */
export function whoseWords({ names, numbers }, { card }, label) {
  const entry = card.numbers;
  if (entry === undefined || numbers === null) return "";
  const count = numbers.images[label].length;
  const images = `${counted(count, "test image")} of ${names[label]}`;
  if (entry.numbers === entry.shown)
    return `These are the ${entry.shown} numbers of the ${entry.of} over the ${images}, whatever the network reads in them.`;
  return `This network has no pose of a class. What corresponds is its ${entry.of} of ${entry.numbers} numbers: here are its first ${entry.shown} principal components over the ${images}.`;
}

/**
 * Which properties the numbers follow.
 * @param {Pick<ClassNumbers, "properties">} numbers
 * @param {readonly (readonly number[])[]} rows [number][property] correlations
 */
export function followWords({ properties }, rows) {
  const near = closest(rows);
  const [first] = [...near].sort((a, b) => Math.abs(b.r) - Math.abs(a.r));
  if (first === undefined) return "None of them varies with a property measured.";
  const count = near.filter(({ r }) => Math.abs(r) >= CLOSELY).length;
  const some = count === 0 ? "None" : grouped(count);
  return `Number ${first.number + 1} follows a property most closely: ${nameOf(properties[first.property])}, r = ${fixed(first.r, 2)}. ${some} of the ${rows.length} ${count === 1 ? "reaches" : "reach"} a correlation of ±${CLOSELY} with a property.`;
}

/**
 * What is on show of a pair of axes.
 * @param {Pick<Atlas, "names">} atlas @param {ClassNumbers} numbers
 * @param {{ label: number, across: number, up: number }} pair
 * @param {readonly number[]} images selected
 */
export function pairWords({ names }, numbers, { label, across, up }, images) {
  const own = new Set(numbers.images[label]);
  const count = images.filter((i) => own.has(i)).length;
  const r = correlationOf(numbers, label, across, up);
  const axes = `${axisName(numbers, across)} and ${axisName(numbers, up)}`;
  const pair =
    across === up
      ? "Both axes show the same."
      : Number.isNaN(r)
        ? `${capitalized(axes)} have no correlation here, because one of them does not vary.`
        : `Over the test images of ${names[label]}, ${axes} correlate with r = ${fixed(r, 2)}.`;
  if (count === own.size) return pair;
  const few = count === 0 ? "None" : grouped(count);
  return `${pair} ${few} of these ${grouped(own.size)} ${count === 1 ? "is" : "are"} in the selection.`;
}

/**
 * What the strip shows.
 * @param {Pick<Atlas, "names">} atlas @param {ClassNumbers} numbers
 * @param {{ label: number, axis: number }} of @param {number} count real images at the value
 * @param {boolean} isDecoded
 */
export function alongWords({ names }, numbers, { label, axis }, count, isDecoded) {
  const name = axisName(numbers, axis);
  const invented = isDecoded
    ? `The framed pictures are the decoder’s: it draws the mean pose of ${names[label]} with ${name} alone moved. `
    : axis >= numbers.numbers
      ? `${capitalized(name)} is measured in pictures, so no decoder can be given it. `
      : "No decoder makes pictures of these numbers. ";
  const real =
    count === 0
      ? `No test image of ${names[label]} has this value.`
      : `${isDecoded ? "The others" : "The pictures"} are test images at this value, those whose other numbers are nearest to the mean of ${names[label]}.`;
  return invented + real;
}

/**
 * What the card says on how far numbers stand for single properties.
 * @param {Pick<Model, "card">} model
 */
export function indexWords({ card }) {
  const entry = card.numbers?.indices;
  if (entry === undefined) return "";
  const { mean, turned, turned_low: low, turned_high: high } = entry.numbers.sap;
  const how = mean > high ? "further" : mean < low ? "less" : "no further";
  return `Does each number stand for one property? Over all classes, the index SAP is ${fixed(mean, 2)} (1: each property is in one number alone). The same numbers turned at random, which keeps all they tell, reach ${fixed(turned, 2)} (95 % of the turns: ${fixed(low, 2)} to ${fixed(high, 2)}), so the network’s own axes are ${how} apart than turned ones.`;
}

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
export function aboutWords({ title, card }, { count, total, each }) {
  const colors = each > 1 ? " Its two halves have the colours of its two labels." : "";
  if (card.atlas !== undefined)
    return `Every point is one of the ${counted(count, "test image")} of ${title}.${colors} Images that the network sees as similar are drawn close together, as far as two dimensions allow.`;
  const which = count < total ? `first ${grouped(count)} of the ` : "";
  return `Every point is one of the ${which}${counted(total, "test image")} of ${title}, read just now.${colors} Measuring it (python -m capsnet_explorer measure) adds maps of its layers.`;
}

/** How far to trust the map. @param {Pick<Scene, "model" | "map" | "atlas">} scene */
export function mapLine({ model: { card }, map, atlas }) {
  const entry = card.atlas?.maps[map];
  if (entry === undefined || card.atlas === undefined)
    return atlas.each === 1
      ? "An image lies near a class’s name if the network is sure of that class alone."
      : "An image lies between the names of two classes if the network is sure of both.";
  const { neighbours } = card.atlas;
  return `Of each image’s ${neighbours} nearest in ${spaceOf(entry.space)}, ${percent(entry.kept, 0)} are among its ${neighbours} nearest here.`;
}

/** The same at length. @param {Pick<Scene, "model" | "map" | "atlas">} scene */
export function mapWords({ model: { card }, map, atlas }) {
  const entry = card.atlas?.maps[map];
  if (entry === undefined)
    return `${ARROWS} ${atlas.each === 1 ? SCORED : SCORED_PAIRS}`;
  return `The map is drawn of ${grouped(entry.numbers)} numbers of each image. Its trustworthiness is ${fixed(entry.trustworthiness)} (1: neighbours on the map are always neighbours in the network).`;
}

/** What the map of scores shows. */
const ARROWS =
  "From the middle an arrow leads to each class, as long as its score. Add the arrows head to tail: the image is drawn where they end, but never outside the circle of names.";
const SCORED =
  "Near the middle lie images of which the network is sure of no class, or torn between classes that face each other. Every network and every moment has this same map.";
const SCORED_PAIRS =
  "Near the middle lie those whose two classes face each other, and those of which the network is not sure.";

export const KEYS =
  "Drag to move, turn the wheel to come nearer, hold Shift and drag to draw an outline; arrow keys go to the next test image, + and − come nearer, 0 shows the whole map, Enter opens the test image in Explore.";
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

/** What is sought, by example. @param {Pick<Atlas, "names">} atlas */
export const examples = ({ names }) =>
  `247, label ${names[names.length - 1]}, ${names[0]} read as ${names[names.length - 1]}`;

/**
 * One test image in a sentence.
 * @param {Atlas} atlas @param {number} index
 */
export function pointWords(atlas, index) {
  const { names, each, sure, errors, score } = atlas;
  const labels = labelsOf(atlas, index).map((label) => names[label]);
  const readings = readingsOf(atlas, index).map((read) => names[read]);
  const reads = isMisread(atlas, index)
    ? `misread as ${listed(readings)}`
    : "read correctly";
  const scores = entries(sure, each, index).map(
    (one, k) => fixed(one) + (each === 1 ? "" : ` for ${readings[k]}`),
  );
  const how = `with a ${score} of ${scores.join(" and of ")}`;
  const error = errors
    ? `; mean squared error of its reconstruction ${fixed(errors[index], 4)}`
    : "";
  const noun = each === 1 ? "label" : "labels";
  return `Test image ${grouped(index)}: ${noun} ${listed(labels)}, ${reads} ${how}${error}.`;
}

/**
 * A cell of the confusion matrix.
 * @param {number} each labels of an image @param {string} label @param {string} read
 * @param {number} count
 */
export function cellWords(each, label, read, count) {
  if (each === 1) return `Label ${label}, read as ${read}: ${count}`;
  const how =
    label === read ? "is read" : `is not read, and ${read} read, which is no label`;
  return `Label ${label}, which ${how}: ${count}`;
}

/** @param {Pick<Atlas, "each">} atlas @param {Pick<Model, "title">} model */
export const unmeasuredWords = ({ each }, { title }) =>
  each > 1
    ? "The numbers of a class are measured where each test image shows one digit."
    : `The numbers of ${title} were not measured.`;

/** Why what a preset selects is not known. @type {Record<string, string>} */
export const WHY_NOT = {
  alone: "No other network was measured on these test images.",
  unlike: "No reconstructions of these test images were measured.",
};

export const CHOOSE = "Choose a point of the map, or a picture.";
export const CONTOURS_TITLE = "Lines around where each label is densest";
export const NUMBERS = "Numbers of the test images, one a line";
export const CONTOURS =
  "Each line encloses where a label is densest: half of its test images are at places as dense as on the line or denser.";
export const TURN =
  "Show the same test images as that network reads them: points move from one map to the other";
export const TURNTABLE =
  "On the turntable stands the same toy, in the same light and from the same side. Its distance is another one: test images differ in size, so the network may read it otherwise.";
export const CELLS_OF_PAIRS =
  "On the diagonal a label is read; an image stands there once for each such label. Elsewhere the label is not read, and the class read is no label of the image; an image of which neither digit is read stands in four of these cells.";
export const PAIRS =
  "How many test images with both labels are misread; the darker, the larger their share. A cell selects all with both labels.";
export const HISTOGRAMS =
  "How many test images of the class have each value; those selected are set off. Below stands the property that the number follows most closely, with their correlation.";
export const CORRELATIONS =
  "Correlation (r) of each number, a row, with each property measured in the pictures. A cell shows the pair above.";
/** The claim that these figures test. */
export const CLAIM = `${addressOf("claims")}#each-number-of-a-capsule-stands-for-one-property`;
