/**
 * What becomes of a digit's vectors while it is moved, in sentences that
 * follow from numbers.
 * @import { Knob } from "../shared/knobs.js"
 * @import { Held } from "../shared/words.js"
 * @import { Model } from "../../types.js"
 */

import { exactShare, fewestDecimals, rounded } from "../../lib/decimals.js";
import {
  counted,
  fixed,
  grouped,
  listed,
  MINUS,
  percent,
  percentParts,
} from "../../lib/format.js";
import { knobWords } from "../shared/knobs.js";

/** A number follows where its correlation is at least this, of either sign. */
const FOLLOWS = 0.9;

/** Over fewer values, such a correlation is no surprise. */
export const FEWEST = 6;

/** So many followers are named. */
const MOST_NAMED = 6;

/**
 * A correlation: ±1 only where it is that, and on the side of the bound where it is.
 * @param {number} value
 */
export function correlationWords(value) {
  const size = Math.abs(value);
  const decimals = fewestDecimals(
    2,
    (count) => rounded(size, count) >= FOLLOWS === size >= FOLLOWS,
  );
  return `${value > 0 ? "+" : value < 0 ? MINUS : ""}${exactShare(size, decimals)}`;
}

/**
 * How far the vector moves while the class stays.
 * @param {object} facts
 * @param {string} facts.title what the vector is, such as "hidden layer"
 * @param {string} facts.name of the class
 * @param {Knob} facts.knob
 * @param {Held | null} facts.held where the class is read without a gap
 * @param {number} facts.reach largest distance in that stretch, in the vector's own lengths
 */
export function reachWords({ title, name, knob, held, reach }) {
  const start = knobWords(knob, knob.start);
  if (held === null)
    return `It does not read ${name} at ${start}, so there is no range in which to follow the ${title}.`;
  if (held.first === held.last)
    return `Of the values asked, it reads ${name} at ${start} and at neither beside it, so there is no range in which to follow the ${title}.`;
  const stretch = `${knobWords(knob, held.from)} to ${knobWords(knob, held.to)}`;
  const reads = `It reads ${name} at all ${held.last - held.first + 1} values asked from ${stretch}`;
  return Number.isFinite(reach)
    ? `${reads}; there, the ${title} is up to ${percent(reach, 0)} of its own length away from where it is at ${start}.`
    : `${reads}, but the ${title} is zero at ${start}.`;
}

/**
 * The same of all networks, in a line.
 * @param {string} name of the class
 * @param {readonly { name: string, reach: number | null }[]} networks null: none to follow
 */
export function movedWords(name, networks) {
  const known = networks.flatMap((network) =>
    network.reach === null ? [] : [`${network.name} ${percent(network.reach, 0)}`],
  );
  return known.length === 0
    ? `No network reads ${name} over a range in which to follow it.`
    : `Around the start, where ${name} is read, vectors move by up to these shares of their own length: ${listed(known)}.`;
}

/**
 * Which numbers of the vector follow the knob in that stretch.
 * @param {object} facts
 * @param {Knob} facts.knob
 * @param {Held | null} facts.held
 * @param {readonly (number | null)[]} facts.correlations one for each number
 * @param {boolean} facts.isPose whether each number is worth a name
 */
export function followWords({ knob, held, correlations, isPose }) {
  if (held === null) return ""; // nor is there a range
  const count = held.last - held.first + 1;
  if (count < FEWEST)
    return `Only ${counted(count, "value")}: too few to say which numbers follow ${aimOf(knob)}.`;
  const known = correlations.flatMap((value, i) =>
    value === null ? [] : [{ value, i }],
  );
  const what = isPose ? "number" : "unit";
  const over = `Over these ${count} values,`;
  if (known.length === 0) return `${over} no ${what} changes.`;
  const sorted = known.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const followers = sorted.filter(({ value }) => Math.abs(value) >= FOLLOWS);
  const bound = `|r| ≥ ${FOLLOWS}`;
  const verb = followers.length === 1 ? "follows" : "follow";
  if (!isPose)
    return `${over} ${followers.length || "none"} of the ${counted(known.length, what)} that ${known.length === 1 ? "changes" : "change"} ${verb} ${aimOf(knob)} (${bound}).`;
  const say = (/** @type {{ value: number, i: number }} */ { value, i }) =>
    `${i + 1} (${correlationWords(value)})`;
  if (followers.length === 0)
    return `${over} none of its ${correlations.length} numbers follows ${aimOf(knob)} (${bound}); closest is number ${say(sorted[0])}.`;
  const named = followers.slice(0, MOST_NAMED).map(say);
  const rest = followers.length - named.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return `${over} ${followers.length} of its ${correlations.length} numbers ${verb} ${aimOf(knob)} (${bound}): ${named.join(", ")}${more}.`;
}

/** @param {Knob} knob */
function aimOf({ title }) {
  return `the knob “${title}”`;
}

/**
 * What the plane shows of the path.
 * @param {readonly [number, number]} shares of the variance
 */
export function planeWords([first, second]) {
  if (first === 0) return "It does not move.";
  const [across, up, both] = percentParts([first, second]);
  return `The plane shows ${both} of the path’s variance: ${across} from left to right, ${up} up and down.`;
}

/** Of a linear reader, with the ends of a 95 % interval. @typedef {{ numbers: number, r2: number, r2_low: number, r2_high: number }} Reading */
/** Of one knob, by what is read. @typedef {{ low: number, high: number, readings: { code: Reading, code_components?: Reading, pixels: Reading } }} KnobReading */
/** Measured on a network, see docs/measuring.md. @typedef {{ code: string, images: number, knobs: Readonly<Record<string, KnobReading>> }} ReadingEntry */

/**
 * An entry of the card that has no values of a knob, unlike those for curves.
 * @param {Pick<Model, "card">} model
 * @returns {ReadingEntry | null}
 */
export function readingEntry({ card }) {
  const entry = /** @type {unknown} */ (card.measurements?.pose_reading ?? null);
  return /** @type {ReadingEntry | null} */ (entry);
}

/**
 * How well a knob is read from a network's vectors, on test images: from its card.
 * @param {ReadingEntry | null} entry
 * @param {Pick<Knob, "title" | "unit" | "measured">} knob
 * @returns {string} empty where it was not measured for this knob
 */
export function readingWords(entry, knob) {
  const measurement = entry?.knobs[knob.measured ?? ""];
  if (entry === null || measurement === undefined) return "";
  const { code, code_components: few, pixels } = measurement.readings;
  const { low, high } = measurement;
  const [from, to] = [low, high].map((value) => knobWords(knob, value));
  const interval = `${fixed(code.r2_low, 2)} to ${fixed(code.r2_high, 2)}`;
  const part =
    few === undefined
      ? ""
      : ` From its first ${few.numbers} components, R² = ${fixed(few.r2, 2)}.`;
  return `On ${grouped(entry.images)} test images, a linear reader tells the knob “${knob.title}”, ${from} to ${to}, from the ${entry.code} with R² = ${fixed(code.r2, 2)} (95\u202f% interval ${interval}).${part} From the pixels themselves, R² = ${fixed(pixels.r2, 2)}.`;
}
