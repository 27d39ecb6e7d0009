/**
 * What one digit that moves across another shows, in sentences that follow from numbers.
 * @import { Knob } from "../shared/knobs.js"
 * @import { Measurement } from "../../types.js"
 */
import { counted, percent } from "../../lib/format.js";
import { knobWords } from "../shared/knobs.js";
import { measuredWords, placesWords } from "../shared/words.js";

/**
 * What one network made of the sweep.
 * @typedef {object} Course
 * @property {string} name of the network
 * @property {string} one what a score of it is called
 * @property {(score: number) => string} text how one is written
 * @property {readonly boolean[]} areRight whether both digits have the highest scores
 * @property {readonly number[][]} scores of the first digit's class and of the second's
 * @property {readonly (number | null)[] | null} ink share given right; null: it cannot draw
 */

/**
 * A digit's class, and what the chosen network says of the digit alone, where nobody else
 * knows its class: then this is the best of its scores.
 * @typedef {{ name: string, reads: string | null }} Named
 */

/**
 * Which digits these are.
 * @param {readonly Named[]} digits two @param {string} reader the chosen network
 */
export function digitsWords([first, second], reader) {
  const digitWords = (/** @type {Named} */ { name, reads }) => {
    if (reads === null) return name;
    return reads === `reads ${name}`
      ? `${name}, as ${reader} reads it alone`
      : `${name}, the best of ${reader}, which ${reads} in it alone`;
  };
  const words = `First digit, in the middle: ${digitWords(first)}. Second: ${digitWords(second)}.`;
  return first.name === second.name
    ? `${words} A class can be named only once, so no answer names both.`
    : words;
}

/**
 * @param {Knob} knob
 * @param {readonly string[]} names of both digits' classes
 * @param {Course} course
 */
export function courseWords(knob, names, { name, one, text, areRight, scores, ink }) {
  const { sweep } = knob;
  const ends = `from ${knobWords(knob, sweep[0])} to ${knobWords(knob, sweep[sweep.length - 1])}`;
  const rights = areRight.filter(Boolean).length;
  const places =
    rights === sweep.length
      ? `at every position ${ends}`
      : (placesWords(knob, sweep, areRight) ??
        `at ${rights} of ${sweep.length} positions ${ends}`);
  const [first, second] = names;
  const words =
    first === second
      ? [`${name}: its ${one} of ${first} is ${rangeWords(knob, scores[0], text)}`]
      : [
          rights === 0
            ? `${name}: at none of ${sweep.length} positions ${ends} have ${first} and ${second} the two highest scores`
            : `${name}: ${first} and ${second} have the two highest scores ${places}`,
          `the ${one} of ${first} is ${rangeWords(knob, scores[0], text)}, that of ${second} is ${rangeWords(knob, scores[1], text)}`,
        ];
  return `${[...words, ...inkWords(knob, ink)].join("; ")}.`;
}

/**
 * @param {Knob} knob @param {readonly (number | null)[] | null} ink
 * @returns {string[]}
 */
function inkWords(knob, ink) {
  const known = (ink ?? []).flatMap((share, i) =>
    share === null ? [] : [{ share, i }],
  );
  if (known.length === 0) return [];
  const least = known.reduce((a, b) => (b.share < a.share ? b : a));
  const most = known.reduce((a, b) => (b.share > a.share ? b : a));
  const [low, high] = [least, most].map(({ share }) => percent(share, 0));
  const at = (/** @type {{ i: number }} */ { i }) => knobWords(knob, knob.sweep[i]);
  const gives = "of the ink that one digit has alone, it gives";
  return [
    low === high
      ? `${gives} ${low} to the right digit everywhere`
      : `${gives} ${low} (at ${at(least)}) to ${high} (at ${at(most)}) to the right digit`,
  ];
}

/** @param {Knob} knob @param {readonly number[]} scores @param {Course["text"]} text */
function rangeWords(knob, scores, text) {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const at = (/** @type {number} */ value) =>
    knobWords(knob, knob.sweep[scores.indexOf(value)]);
  return text(low) === text(high)
    ? `${text(low)} everywhere`
    : `${text(low)} at the least (${at(low)}) and ${text(high)} at the most (${at(high)})`;
}

/**
 * What the test pairs gave where a knob stands.
 * @param {Knob} knob @param {number} value
 * @param {readonly { title: string, test: Measurement | null }[]} networks
 * @param {readonly number[]} elsewhere where the other knobs stand
 * @returns {string} empty where nothing was measured
 */
export function testWords(knob, value, networks, elsewhere) {
  const measured = networks.flatMap(({ title, test }) => {
    if (test === null) return [];
    const { values, accuracy, images, ink_given_right = [] } = test;
    const right = measuredWords(values, accuracy, knob, value);
    const ink = values.flatMap((value, i) => {
      const share = ink_given_right[i] ?? null;
      return share === null ? [] : [{ value, share }];
    });
    const [places, shares] = [
      ink.map(({ value }) => value),
      ink.map(({ share }) => share),
    ];
    const drawn =
      ink.length === 0
        ? ""
        : `; share of the ink that one digit has alone given to the right one, ${measuredWords(places, shares, knob, value)}`;
    return [
      `${title}, share of ${counted(images, "pair")} whose digits have the two highest scores, ${right}${drawn}`,
    ];
  });
  if (measured.length === 0) return "";
  const alone = elsewhere.some((value) => value !== 0) ? ", the other knob at 0" : "";
  return measured.map((words) => `Test pairs${alone}: ${words}.`).join("\n");
}

/**
 * What both capsules draw.
 * @param {readonly string[]} names of the two classes
 * @param {number | null} share of ink given right
 */
export function claimWords([first, second], share) {
  const shareWords = share === null ? "" : `: ${percent(share, 0)} of the ink right`;
  return `draws ${first} and ${second}${shareWords}`;
}
