/**
 * What flows from layer to layer up to the classes, in each iteration. Pure numbers.
 *
 * A part is a tile of a layer: a type of capsules, or a map. What it gives to a part above
 * may be below zero. Where a layer gives to capsules that are routed further, what each
 * passes on to a class is divided among those that gave to it, by what they gave: so every
 * layer passes on exactly what the last one gives to each class.
 * @import { Column, Scene } from "./types.js"
 */
import { memoizeByIndex } from "../lib/memoize.js";

/** Parts of a layer that are drawn by themselves, or one fewer and one for all others. */
const PARTS = 32;

/** @typedef {Scene["rivers"][number]} River */

/**
 * @typedef {object} Level
 * @property {Column} column
 * @property {River} river to the layer above
 * @property {readonly (readonly number[])[]} groups tiles of each part; all but the last of
 *   many have one
 */

/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * What flows out of a level.
 * @typedef {object} Out
 * @property {number} parts
 * @property {number} above parts above, or classes
 * @property {Numbers} all (parts, above)
 * @property {Numbers} led (parts, above, classes), of it what leads to each class
 */

/**
 * @typedef {object} Moment one iteration
 * @property {readonly Out[]} outs by level
 * @property {Numbers} spoken (parts of the lowest level, places, classes)
 * @property {Float64Array} sums (classes), what each gets; what is below zero included
 */

/**
 * @typedef {object} Flows
 * @property {readonly Level[]} levels from the bottom up
 * @property {number} classes
 * @property {number} steps
 * @property {(step: number) => Moment} at an iteration, from 0
 * @property {(step: number) => Out} ungrouped what every part of the last level gives to the
 *   classes, also those that are drawn together
 */

/**
 * @param {Pick<Scene, "columns" | "rivers" | "steps" | "names">} scene
 * @param {Flows | null} [before] of the same network: its parts are those of this one, too
 * @returns {Flows | null} null where nothing leads to the classes
 */
export function flowsOf(scene, before = null) {
  const chain = chainOf(scene);
  if (chain.length === 0) return null;
  const { steps } = scene;
  const classes = scene.names.length;
  const raw = memoizeByIndex((step) => momentOf(chain, classes, step));
  const last = raw(steps - 1);
  const levels = chain.map((link, at) => ({
    ...link,
    groups: before?.levels[at].groups ?? groupsOf(last.outs[at]),
  }));
  return {
    levels,
    classes,
    steps,
    ungrouped: (step) => /** @type {Out} */ (raw(step).outs.at(-1)),
    at: memoizeByIndex((step) => grouped(raw(step), levels, classes)),
  };
}

/**
 * The layers that lead to the classes, from the bottom up.
 * @param {Pick<Scene, "columns" | "rivers">} scene
 */
function chainOf({ columns, rivers }) {
  /** @type {{ column: Column, river: River }[]} */
  const chain = [];
  /** @type {string | null} */
  let above = null;
  for (;;) {
    const river = rivers.find((each) => each.above === above);
    const column = columns.find((each) => each.id === river?.below);
    if (!river || !column || chain.some((link) => link.column === column)) return chain;
    chain.unshift({ column, river });
    above = column.id;
  }
}

/**
 * @param {readonly Omit<Level, "groups">[]} chain @param {number} classes
 * @param {number} step
 * @returns {Moment}
 */
function momentOf(chain, classes, step) {
  /** @type {Out[]} */
  const outs = [];
  // What passes through each capsule above, or each part, on its way to each class.
  /** @type {Numbers | null} */
  let passed = null;
  /** @type {Numbers} */
  let spoken = new Float64Array(0);
  let [above, placesAbove] = [classes, 1];
  for (const { river } of chain.toReversed()) {
    const { parts, places, steps, by } = river;
    const now = Math.min(step, steps - 1);
    if (by === "types") {
      outs.unshift(outOfTypes(river, now, passed === null, above, classes));
      if (river.spoken) spoken = part(river.spoken, steps, now);
      passed = spoken;
    } else {
      const amounts = part(river.amounts, steps, now);
      spoken = dividedBetween(amounts, parts * places, passed, classes);
      const targets = { above, placesAbove, classes };
      outs.unshift(outOf(amounts, spoken, { parts, places }, passed, targets));
      passed = spoken;
    }
    [above, placesAbove] = [parts, places];
  }
  const sums = new Float64Array(classes);
  const { all, parts } = /** @type {Out} */ (outs.at(-1));
  for (let at = 0; at < parts * classes; at++) sums[at % classes] += all[at];
  return { outs, spoken, sums };
}

/** @param {Float32Array} values @param {number} steps @param {number} step */
function part(values, steps, step) {
  const size = values.length / steps;
  return values.subarray(step * size, (step + 1) * size);
}

/**
 * What types give to types above.
 * @param {River} river @param {number} step @param {boolean} isLast gives to the classes
 * @param {number} above @param {number} classes
 * @returns {Out}
 */
function outOfTypes({ amounts, steps, parts }, step, isLast, above, classes) {
  const own = part(amounts, steps, step);
  if (isLast) return { parts, above, all: own, led: diagonal(own, classes) };
  const all = new Float64Array(parts * above);
  for (let at = 0; at < own.length; at++) all[Math.floor(at / classes)] += own[at];
  return { parts, above, all, led: own };
}

/**
 * (…, classes) as (…, classes above, classes): to each class leads what it gets itself.
 * @param {Numbers} values @param {number} classes
 */
function diagonal(values, classes) {
  const led = new Float64Array(values.length * classes);
  for (let at = 0; at < values.length; at++)
    led[at * classes + (at % classes)] = values[at];
  return led;
}

/**
 * What each capsule gives to each class in the end: what those above pass on is divided by
 * what was given to them.
 * @param {Numbers} amounts (capsules, targets) @param {number} capsules
 * @param {Numbers | null} passed (targets, classes); null: the targets are the classes
 * @param {number} classes
 */
function dividedBetween(amounts, capsules, passed, classes) {
  if (passed === null) return amounts;
  const targets = amounts.length / capsules;
  const sums = sumsOver(amounts, targets);
  const given = new Float64Array(capsules * classes);
  for (let i = 0; i < capsules; i++)
    for (let j = 0; j < targets; j++) {
      const share = sums[j] === 0 ? 0 : amounts[i * targets + j] / sums[j];
      if (share === 0) continue;
      for (let k = 0; k < classes; k++)
        given[i * classes + k] += share * passed[j * classes + k];
    }
  return given;
}

/** @param {Numbers} amounts (…, targets) @param {number} targets */
function sumsOver(amounts, targets) {
  const sums = new Float64Array(targets);
  for (let at = 0; at < amounts.length; at++) sums[at % targets] += amounts[at];
  return sums;
}

/**
 * @param {Numbers} amounts (parts, places, targets)
 * @param {Numbers} spoken (parts, places, classes)
 * @param {{ parts: number, places: number }} own
 * @param {Numbers | null} passed (targets, classes)
 * @param {{ above: number, placesAbove: number, classes: number }} taking
 * @returns {Out}
 */
function outOf(amounts, spoken, { parts, places }, passed, taking) {
  const { above, placesAbove, classes } = taking;
  if (passed === null) {
    const all = new Float64Array(parts * classes);
    for (let at = 0; at < parts * places * classes; at++)
      all[Math.floor(at / classes / places) * classes + (at % classes)] += spoken[at];
    return { parts, above: classes, all, led: diagonal(all, classes) };
  }
  const targets = above * placesAbove;
  const sums = sumsOver(amounts, targets);
  const led = new Float64Array(parts * above * classes);
  const all = new Float64Array(parts * above);
  for (let at = 0; at < parts * places * targets; at++) {
    const [i, j] = [Math.floor(at / targets), at % targets];
    const share = sums[j] === 0 ? 0 : amounts[at] / sums[j];
    if (share === 0) continue;
    const to = Math.floor(i / places) * above + Math.floor(j / placesAbove);
    for (let k = 0; k < classes; k++) {
      const given = share * passed[j * classes + k];
      led[to * classes + k] += given;
      all[to] += given;
    }
  }
  return { parts, above, all, led };
}

/**
 * Of many parts those that give the most, in their order, and the others as one.
 * @param {Out} out @returns {number[][]}
 */
function groupsOf({ parts, above, all }) {
  const numbers = Array.from({ length: parts }, (_, at) => at);
  if (parts <= PARTS) return numbers.map((at) => [at]);
  const gives = numbers.map((at) => {
    let sum = 0;
    for (let to = 0; to < above; to++) sum += Math.max(0, all[at * above + to]);
    return sum;
  });
  const best = numbers.toSorted((a, b) => gives[b] - gives[a]).slice(0, PARTS - 1);
  const rest = numbers.filter((at) => !best.includes(at));
  return [...best.sort((a, b) => a - b).map((at) => [at]), rest];
}

/**
 * The same by groups of parts.
 * @param {Moment} moment @param {readonly Level[]} levels @param {number} classes
 * @returns {Moment}
 */
function grouped({ outs, spoken, sums }, levels, classes) {
  const groupIn = levels.map(({ groups, river }) => {
    const found = new Int32Array(river.parts);
    groups.forEach((tiles, at) => {
      for (const tile of tiles) found[tile] = at;
    });
    return found;
  });
  const ofClasses = Int32Array.from({ length: classes }, (_, at) => at);
  const places = levels[0].river.places * classes;
  return {
    sums,
    spoken: gathered(spoken, [groupIn[0]], places),
    outs: outs.map(({ all, led }, at) => {
      const above = groupIn[at + 1] ?? ofClasses;
      return {
        parts: levels[at].groups.length,
        above: levels[at + 1]?.groups.length ?? classes,
        all: gathered(all, [groupIn[at], above], 1),
        led: gathered(led, [groupIn[at], above], classes),
      };
    }),
  };
}

/**
 * Sum values over the groups of their first axes.
 * @param {Numbers} values (axes…, size)
 * @param {readonly Int32Array[]} groups for each axis, the group of each entry
 * @param {number} size
 */
function gathered(values, [first, second = new Int32Array(1)], size) {
  const [across, down] = [1 + Math.max(...second), 1 + Math.max(...first)];
  if (down === first.length && across === second.length) return values;
  const found = new Float64Array(down * across * size);
  for (let i = 0; i < first.length; i++)
    for (let j = 0; j < second.length; j++)
      for (let k = 0; k < size; k++)
        found[(first[i] * across + second[j]) * size + k] +=
          values[(i * second.length + j) * size + k];
  return found;
}

/**
 * Between two iterations.
 * @param {Flows} flows @param {number} step from 0, with a fraction
 * @returns {Moment}
 */
export function between({ at }, step) {
  const [before, share] = [Math.floor(step), step % 1];
  if (share === 0) return at(before);
  const [a, b] = [at(before), at(before + 1)];
  return {
    spoken: a.spoken,
    sums: blend(a.sums, b.sums, share),
    outs: a.outs.map((out, level) => ({
      ...out,
      all: blend(out.all, b.outs[level].all, share),
      led: blend(out.led, b.outs[level].led, share),
    })),
  };
}

/** @param {Numbers} from @param {Numbers} to @param {number} share */
const blend = (from, to, share) =>
  Float64Array.from(from, (value, at) => value + share * (to[at] - value));

/**
 * What passes through each part of a level: the larger of what comes and what goes on, of
 * what is above zero.
 * @param {Moment} moment @param {number} level
 */
export function throughOf({ outs }, level) {
  const { parts, above, all } = outs[level];
  const given = new Float64Array(parts);
  for (let at = 0; at < all.length; at++)
    given[Math.floor(at / above)] += Math.max(0, all[at]);
  if (level === 0) return given;
  const below = outs[level - 1];
  const got = arriving(below);
  return given.map((value, at) => Math.max(value, got[at]));
}

/** What comes to each part above, of what is above zero. @param {Out} out */
export function arriving({ above, all }) {
  const got = new Float64Array(above);
  for (let at = 0; at < all.length; at++) got[at % above] += Math.max(0, all[at]);
  return got;
}

/**
 * What a part gives of what leads to a class; of that what is above zero.
 * @param {Out} out @param {number} part @param {number} classIndex
 * @param {number} classes
 */
export function ledFrom({ above, led }, part, classIndex, classes) {
  let sum = 0;
  for (let u = 0; u < above; u++)
    sum += Math.max(0, led[(part * above + u) * classes + classIndex]);
  return sum;
}
