/**
 * What is said of the numbers of one class: whose they are, what each follows, and what a
 * pair, a strip and an index show.
 * @import { Model } from "../types.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { ClassNumbers } from "../lib/class-numbers.js"
 */
import { axisName, closest, correlationOf, endsOf } from "../lib/class-numbers.js";
import { capitalized, counted, fixed, grouped } from "../lib/format.js";
import { nameOf } from "../lib/properties.js";

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
  const pair =
    across === up
      ? "Both axes show the same."
      : Number.isNaN(r)
        ? `${capitalized(axisName(numbers, across))} and ${axisName(numbers, up)} have no correlation here, because one of them does not vary.`
        : `Over the test images of ${names[label]}, ${axisName(numbers, across)} and ${axisName(numbers, up)} correlate with r = ${fixed(r, 2)}.`;
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
  const { sap } = entry.numbers;
  const inside = sap.mean >= sap.turned_low && sap.mean <= sap.turned_high;
  const compared = inside
    ? "no further apart than turned ones"
    : sap.mean > sap.turned_high
      ? "further apart than turned ones"
      : "less apart than turned ones";
  return `Does each number stand for one property? Over all classes, the index SAP is ${fixed(sap.mean, 2)} (1: each property is in one number alone). The same numbers turned at random, which keeps all they tell, reach ${fixed(sap.turned, 2)} (95 % of the turns: ${fixed(sap.turned_low, 2)} to ${fixed(sap.turned_high, 2)}), so the network’s own axes are ${compared}.`;
}
