/**
 * One plot of all networks over a knob: a bright line for each, its score of this image;
 * behind it, dashed in the same colour, what the test set gave; and below the axis, where on
 * the knob it is right. A click or a key leads elsewhere.
 * @import { ScoreKind } from "../../core/scores.js"
 * @import { Line } from "../../draw/plot.js"
 * @import { Content } from "../../ui/h.js"
 * @import { Values } from "../../ui/values.js"
 * @import { Measurement, Model } from "../../types.js"
 */
import { scoreText } from "../../core/scores.js";
import { plot } from "../../draw/plot.js";
import { fixed, grouped, listed, percent, plain } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { fold, valuesTable } from "../../ui/values.js";
import { placeIn } from "./insertion.js";

/**
 * What the knob is, for axis and keys.
 * @typedef {object} Axis
 * @property {string} title such as "Turn, °"
 * @property {string} [unit] with the space before it, such as " px"
 * @property {number} low
 * @property {number} high
 * @property {number} step of a key
 * @property {readonly number[]} ticks
 */

/**
 * One network over the knob.
 * @typedef {object} Course
 * @property {string} name
 * @property {number} color of its colour
 * @property {ScoreKind} kind of its scores
 * @property {readonly number[]} knobs values of the knob, ascending
 * @property {ArrayLike<number> | null} scores of this image, one for each of these; null while
 *   they are on their way
 * @property {readonly boolean[]} isRight at each value; empty: not known
 * @property {Measurement | null} test
 */

/**
 * @typedef {object} Courses
 * @property {Axis} axis
 * @property {string} score what the lines show, such as "score of 4"
 * @property {readonly Course[]} networks
 * @property {string} [rightWords] what is marked below the axis, such as "read as 4"
 * @property {Behind} [behind] what of the test set is shown; the share whose label has
 *   the highest score when absent
 * @property {string} [unmeasured] said where no network was measured
 * @property {boolean} isAsked whether networks are reading what the lines are to show
 */

/**
 * What the test set gave.
 * @typedef {object} Behind
 * @property {(images: string) => string} title such as "mean of 10 000 test images"
 * @property {(test: Measurement) => readonly number[]} of one for each value
 * @property {(share: number) => string} words
 */

const HEIGHT = 190; // CSS pixels
const SHARES = { low: 0, high: 1, ticks: [0, 0.5, 1], write: String };

/** So many colours there are; further networks begin anew. */
const COLOURS = 8;

/** @type {Behind} */
const READ_RIGHT = {
  title: (images) => `share of ${images} test images whose label has the highest score`,
  of: ({ accuracy }) => accuracy,
  words: (share) => percent(share, 1),
};

/** The colour of each way to route; what does not route has the second. @type {Readonly<Record<string, number>>} */
const OF_ROUTING = { dynamic: 0, em: 2, attention: 3 };
const OF_NO_ROUTING = 1;

/** Colours of further networks that route alike. */
const FURTHER = [4, 5, 6, 7];

/**
 * A colour for each network, by how it routes, whoever else takes part; of those that route
 * alike, the first has it.
 * @param {readonly Pick<Model, "layers">[]} networks
 * @returns {number[]} places of colours
 */
export function coloursOf(networks) {
  /** @type {Set<number>} */
  const used = new Set();
  return networks.map(({ layers }, i) => {
    const form = layers.find(({ kind }) => kind === "routing")?.form ?? "";
    const preferred = OF_ROUTING[form] ?? OF_NO_ROUTING;
    const color =
      [preferred, ...FURTHER].find((candidate) => !used.has(candidate)) ?? i;
    used.add(color);
    return color;
  });
}

/** The class of a network's colour. @param {number} color */
export const lookOf = (color) => `is-network-${color % COLOURS}`;

/**
 * @param {Courses} courses
 * @param {number | null} at where the knob stands; null where it is nowhere on the axis
 * @param {(value: number) => void} choose
 */
export function plotOf(courses, at, choose) {
  const { axis, score, networks, rightWords, isAsked } = courses;
  const { unmeasured = UNMEASURED } = courses;
  const { title, unit, low, high, step, ticks } = axis;
  const isMeasured = networks.some(({ test }) => test !== null);
  return [
    plot(linesOf(courses), {
      label: `${title}: ${score} of each network`,
      at,
      choose,
      step,
      y: heightOf(courses),
      x: { low, high, ticks, write: plain, unit, title },
      spans: spansOf(courses),
      spansName: rightWords,
      height: HEIGHT,
      note: isAsked ? READING : "",
    }),
    h("p", { class: "fine" }, isMeasured ? apartWords(courses) : unmeasured),
    fold("Numbers", () => valuesTable(numbersOf(courses)), { class: "numbers" }),
  ];
}

const READING = "The networks are reading …";
const UNMEASURED = "Over this knob, no test images were measured.";

/** @param {Pick<Courses, "networks">} courses */
const isOfAnySize = ({ networks }) =>
  networks.length > 0 && networks.every(({ kind }) => kind === "score");

/**
 * The scores that stand on the plot's axis: from 0 to 1, or, where all networks have scores
 * of any size, these.
 * @param {Pick<Courses, "networks">} courses
 */
const drawnIn = (courses) =>
  isOfAnySize(courses)
    ? courses.networks
    : courses.networks.filter(({ kind }) => kind !== "score");

/** @param {Pick<Courses, "networks">} courses @returns {import("../../draw/plot.js").Axis} */
function heightOf(courses) {
  const all = courses.networks.flatMap(({ scores }) => Array.from(scores ?? []));
  if (!isOfAnySize(courses) || all.length === 0) return SHARES;
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = least === most ? 1 : 0;
  const [low, high] = [least - room, most + room];
  return { low, high, ticks: [low, high], write: (value) => fixed(value, 2) };
}

/** What stands on no axis together. @param {Courses} courses */
function apartWords(courses) {
  const { networks, behind = READ_RIGHT } = courses;
  const counts = networks.flatMap(({ test }) => (test ? [test.images] : []));
  const images = [...new Set(counts)].sort((a, b) => b - a).map(grouped);
  const dashed = `Dashed: ${behind.title(images.join(" or "))}.`;
  const drawn = drawnIn(courses);
  const apart = networks.filter((network) => !drawn.includes(network));
  if (apart.length === 0) return dashed;
  const names = listed(apart.map(({ name }) => name));
  return `${dashed} Scores of ${names} are of any size: without a line on this axis.`;
}

/** @param {Courses} courses @returns {Line[]} those on top last */
export function linesOf(courses) {
  const { behind = READ_RIGHT } = courses;
  const drawn = drawnIn(courses);
  const measured = drawn.flatMap(({ test, color }) =>
    test === null || isOfAnySize(courses)
      ? []
      : [
          {
            x: test.values,
            y: behind.of(test),
            look: `is-measured ${lookOf(color)}`,
            mark: color % COLOURS,
          },
        ],
  );
  const answered = drawn.flatMap(({ name, color, knobs, scores: y, kind }) => {
    const write = (/** @type {number} */ score) => scoreText(score, kind);
    return y === null
      ? []
      : [
          {
            x: knobs,
            y,
            name,
            look: `is-own ${lookOf(color)}`,
            mark: color % COLOURS,
            write,
          },
        ];
  });
  return [...measured, ...answered];
}

/**
 * Where on the knob each network is right: a row of stretches for each.
 * @param {Courses} courses
 */
export function spansOf({ networks }) {
  return networks.flatMap(({ knobs, isRight, color }, row) => {
    const ends = knobs.filter((_, i) => isRight[i] && !isRight[i + 1]);
    return knobs
      .filter((_, i) => isRight[i] && !isRight[i - 1])
      .map((from, i) => ({ from, to: ends[i], row, look: lookOf(color) }));
  });
}

/**
 * What the plot shows, as numbers; what is on its way or was not measured, as none.
 * @param {Courses} courses @returns {Values}
 */
export function numbersOf({ axis, score, networks, behind = READ_RIGHT }) {
  const knobs = [...new Set(networks.flatMap((network) => network.knobs))].sort(
    (a, b) => a - b,
  );
  /** @param {readonly number[]} places @param {ArrayLike<number>} values */
  const valuesAt = (places, values) =>
    knobs.map((knob) => {
      const { at, isNew } = placeIn(places, knob);
      return isNew ? Number.NaN : values[at];
    });
  return {
    of: axis.title,
    names: knobs.map(plain),
    columns: networks.flatMap(({ name, kind, knobs: positions, scores, test }) => [
      /** @type {const} */ ([
        `${name}: ${score}`,
        scores === null ? knobs.map(() => Number.NaN) : valuesAt(positions, scores),
        (value) => scoreText(value, kind),
      ]),
      ...(test === null
        ? []
        : [
            /** @type {const} */ ([
              `${name}: ${behind.title(grouped(test.images))}`,
              valuesAt(test.values, behind.of(test)),
              behind.words,
            ]),
          ]),
    ]),
  };
}
