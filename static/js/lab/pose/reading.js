/**
 * How well a knob is read from a network's vectors, on test images: from its card.
 * @import { Model } from "../../types.js"
 * @import { Knob } from "../shared/knobs.js"
 */
import { fixed, grouped } from "../../lib/format.js";
import { knobWords } from "../shared/knobs.js";

/** Of a linear reader, with the ends of a 95 % interval. @typedef {{ numbers: number, r2: number, r2_low: number, r2_high: number }} Reading */
/** Of one knob, by what is read. @typedef {{ low: number, high: number, readings: { code: Reading, code_components?: Reading, pixels: Reading } }} KnobReading */
/** Of `measure --only pose_reading`. @typedef {{ code: string, images: number, knobs: Readonly<Record<string, KnobReading>> }} ReadingEntry */

/**
 * This entry has no values of a knob, as those for curves have.
 * @param {Pick<Model, "card">} model
 * @returns {ReadingEntry | null}
 */
export function readingEntry({ card }) {
  const found = /** @type {unknown} */ (card.measurements?.pose_reading ?? null);
  return /** @type {ReadingEntry | null} */ (found);
}

/**
 * @param {ReadingEntry | null} entry
 * @param {Pick<Knob, "title" | "unit" | "decimals" | "measured">} knob
 * @returns {string} empty where it was not measured for this knob
 */
export function readingWords(entry, knob) {
  const found = entry?.knobs[knob.measured ?? ""];
  if (entry === null || found === undefined) return "";
  const { code, code_components: few, pixels } = found.readings;
  const { low, high } = found;
  const [from, to] = [low, high].map((value) => knobWords(knob, value));
  const interval = `${fixed(code.r2_low, 2)} to ${fixed(code.r2_high, 2)}`;
  const part =
    few === undefined
      ? ""
      : ` From its first ${few.numbers} components, R² = ${fixed(few.r2, 2)}.`;
  return `On ${grouped(entry.images)} test digits, a linear reader tells the knob “${knob.title}”, ${from} to ${to}, from the ${entry.code} with R² = ${fixed(code.r2, 2)} (95\u202f% interval ${interval}).${part} From the pixels themselves, R² = ${fixed(pixels.r2, 2)}.`;
}
