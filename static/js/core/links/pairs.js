/**
 * Two digits on one canvas, in a link.
 * @import { ImageShape, Laid, Model, Pair, Pixels, Sample } from "../../types.js"
 */
import { readWhole } from "../../lib/links.js";
import { apart, merged } from "../../lib/overlap.js";
import { DIGIT, pack, samePixels, shapeOf, unpack } from "../../lib/pixels.js";
import { BETWEEN_PARTS, EMPTY, nextTurn } from "./parts.js";

/**
 * A digit of a pair: how far it was moved to the right and down, and the id of an example,
 * or else its label and its image.
 * @param {Laid | null} digit @param {readonly Sample[]} samples
 */
export function packDigit(digit, samples) {
  if (digit === null) return EMPTY;
  const { right, down, label, pixels } = digit;
  const sample = samples.find((each) => samePixels(each.pixels, pixels));
  if (sample?.label === label) return [right, down, sample.id].join(BETWEEN_PARTS);
  return [right, down, label ?? "", pack(pixels)].join(BETWEEN_PARTS);
}

/**
 * @param {string[]} texts made by `packDigit`
 * @param {Model} model that reads pairs
 * @param {readonly Sample[]} samples
 * @returns {{ pixels: Pixels, source: Pair } | null} null where they are no pair
 */
export function unpackPair(texts, model, samples) {
  const canvas = shapeOf(model);
  const digits = texts.map((text) => unpackDigit(text, model.classes, canvas, samples));
  const [one, other] = digits;
  if (digits.length !== 2 || one === undefined || other === undefined) return null;
  const source = pairSource([one, other]);
  return { pixels: merged(apart(source.digits, canvas)), source };
}

/**
 * @param {string} text @param {number} classes
 * @param {ImageShape} canvas which a digit that was drawn is as large as
 * @param {readonly Sample[]} samples
 * @returns {Laid | null | undefined} null for none; undefined where it is no digit
 */
function unpackDigit(text, classes, canvas, samples) {
  if (text === EMPTY) return null;
  const [rightText, downText, labelText, image = ""] = text.split(BETWEEN_PARTS);
  const [right, down] = [
    readWhole(rightText, -canvas.columns, canvas.columns),
    readWhole(downText ?? null, -canvas.rows, canvas.rows),
  ];
  const sample = samples.find(({ id }) => id === labelText);
  if (sample && right !== null && down !== null)
    return { pixels: sample.pixels, label: sample.label, right, down };
  const label = readWhole(labelText || null, 0, classes - 1);
  const pixels = unpack(image, DIGIT) ?? unpack(image, canvas);
  if (right === null || down === null || pixels === null) return undefined;
  return { pixels, label, right, down };
}

/**
 * @param {Pair["digits"]} digits
 * @param {number} [turn] that of the pair before, where one hand goes on
 * @returns {Pair}
 */
export function pairSource(digits, turn = nextTurn()) {
  return { kind: "pair", digits, turn };
}
