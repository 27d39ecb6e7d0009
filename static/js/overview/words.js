/**
 * The one sentence over the picture of the whole network, and what stands at the pointer.
 * Each part follows from the numbers on show.
 * @import { Scene } from "./types.js"
 * @import { Flows, Moment } from "./flows.js"
 */
import { groundsWords, saidOf, saidWords, scoreText } from "../core/scores.js";
import { ranked } from "../lib/arithmetic.js";
import {
  capitalized,
  counted,
  fixed,
  listed,
  percent,
  sentences,
} from "../lib/format.js";
import { giftsIn } from "../lib/statistics.js";

const NEAR = 0.5; // a runner-up with more than this part of the first is worth a word
const LARGEST = 5; // parts: of more than these it is told what these give
const TOLD = 3; // of those to which a part gives
const SAME = 0.05; // longer or shorter by less is as long as before

/**
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {Flows | null} flows
 * @property {number} step a whole one
 * @property {number | null} focus the class in focus
 * @property {boolean} [isBrief] for one line
 */

/**
 * @param {Shown} shown
 * @returns {{ head: string, rest: string }} the head is what the network says
 */
export function sentence(shown) {
  const { scene, flows, step, focus } = shown;
  const { names, steps, prediction, measure } = scene;
  const lead = focus ?? prediction;
  const scores = scoresAt(scene, step);
  const value = (/** @type {number} */ of) => scoreText(scores[of], measure);
  const of = `, ${measure} ${value(lead)}`;
  const isRouted = flows !== null && steps > 1 && step === 0;
  if (isRouted) {
    const { even } = lastOf(flows.levels).river;
    return { head: capitalized(names[lead]), rest: `${of}. Not routed yet: ${even}.` };
  }
  if (scene.classes === null) return { head: capitalized(names[lead]), rest: `${of}.` };
  if (focus !== null) {
    const head = capitalized(names[lead]);
    return {
      head,
      rest: verdict(share(shown, lead, "it"), `${measure} ${value(lead)}`),
    };
  }
  const model = { ...scene.saying, class_names: names };
  const said = saidOf(scores, model);
  const head = capitalized(saidWords(said, model));
  const grounds = groundsWords(said, scores, model);
  if (said.state === "none" || said.state === "undecided") {
    const [one, two] = said.order;
    const why =
      said.state === "none" ? share(shown, one, names[one]) : givers(shown, [one, two]);
    return {
      head: `${head}.`.replace("?.", "?"),
      rest: sentences([` ${capitalized(grounds)}.`, why]),
    };
  }
  const next = said.order.find((each) => !said.named.includes(each));
  const isNear =
    said.state === "one" && next !== undefined && scores[next] > NEAR * scores[lead];
  const near = isNear ? ` against ${value(next)} of ${names[next]}` : "";
  const told = isNear ? [said.named[0], next] : said.named;
  if (told.length === 1)
    return { head, rest: verdict(share(shown, told[0], "it"), grounds) };
  return { head, rest: sentences([`, ${grounds}${near}.`, givers(shown, told)]) };
}

/**
 * Where an answer comes from, for those who know no network, before how sure it is.
 * @param {string} why empty where that is not known @param {string} grounds
 */
const verdict = (why, grounds) =>
  why === "" ? `, ${grounds}.` : `. ${why} ${capitalized(grounds)}.`;

/** @template Each @param {readonly Each[]} all at least one @returns {Each} */
const lastOf = (all) => all[all.length - 1];

/**
 * How few parts give nearly all of what speaks for a class, and what routing made of it.
 * @param {Shown} shown @param {number} lead @param {string} whom "it", or the class's name
 */
function share({ scene, flows, step, isBrief }, lead, whom) {
  if (flows === null) return "";
  const { count, of, largest } = fewest(flows, step, lead);
  const { column, river } = lastOf(flows.levels);
  if (count === 0) return `No ${column.one} speaks for ${scene.names[lead]}.`;
  const layer = flows.levels.length > 1 ? ` of ${column.title}` : "";
  // Parts that take away are no part of what the others give.
  const speaks = `what speaks for ${whom}${river.than === "" ? "" : " more than on average"}`;
  const whole = river.isSigned ? speaks : `the activation of ${scene.names[lead]}`;
  const many = `${of} parts looked for (${column.many}${layer})`;
  if (count > LARGEST && !isBrief)
    return `Five of the ${many} give ${percent(largest, 0)} of ${whole}${grown({ scene, flows, step }, lead, whom)}.`;
  if (isBrief) return `${count} of ${of} ${column.many} give nine tenths of ${whole}.`;
  return `Nine tenths of ${whole} come from ${count} of the ${many}${grown({ scene, flows, step }, lead, whom)}.`;
}

/**
 * The fewest parts that give nine tenths of all that is above zero; and the share of it that
 * the five largest give.
 * @param {Flows} flows @param {number} step @param {number} lead
 */
function fewest(flows, step, lead) {
  const { all, above, parts } = flows.ungrouped(step);
  const gives = Array.from({ length: parts }, (_, at) => all[at * above + lead]);
  const { few, added } = giftsIn(gives);
  const five = gives
    .map((each) => Math.max(0, each))
    .sort((a, b) => b - a)
    .slice(0, LARGEST)
    .reduce((so, each) => so + each, 0);
  return { count: few.length, of: parts, largest: added > 0 ? five / added : 0 };
}

/** @param {Pick<Shown, "scene" | "step"> & { flows: Flows }} shown @param {number} lead @param {string} whom */
function grown({ scene, flows, step }, lead, whom) {
  const { river } = /** @type {Flows["levels"][number]} */ (flows.levels.at(-1));
  if (scene.steps === 1 || river.total === "") return "";
  const [before, now] = [0, step].map((each) => flows.at(each).sums[lead]);
  if (!(before > 0 && now > 0)) return "";
  const times = now / before;
  // An activation also rises by itself from iteration to iteration, as λ does.
  if (!river.isSigned) return `; in iteration 1 it was ${fixed(before, 2)}`;
  const sum = whom === "it" ? "its votes" : `the votes for ${whom}`;
  return Math.abs(times - 1) < SAME
    ? `; routing left the sum of ${sum} as long as it was`
    : `; routing multiplied the length of the sum of ${sum} by ${fixed(times, 1)}`;
}

/**
 * Which part gives the most to each of several classes; those to which nothing is given are
 * told of as such.
 * @param {Shown} shown @param {readonly number[]} classes
 */
function givers({ scene: { names }, flows, step }, classes) {
  if (flows === null) return "";
  const { column } = lastOf(flows.levels);
  const { all, above, parts } = flows.ungrouped(step);
  const layer = flows.levels.length > 1 ? ` of ${column.title}` : "";
  const found = classes.map((each) => {
    const gives = Array.from({ length: parts }, (_, at) => all[at * above + each]);
    const [first] = ranked(gives);
    const isNone = !(gives[first] > 0);
    const equals = gives.filter((amount) => amount === gives[first]).length;
    return { each, part: isNone || equals > 1 ? null : first, isNone, equals };
  });
  const silent = found.filter(({ isNone }) => isNone).map(({ each }) => names[each]);
  const told = found.filter(({ part }) => part !== null);
  const nothing = sentences([
    silent.length > 0 && `No ${column.one} speaks for ${listed(silent, "or")}.`,
    ...found.map(
      ({ each, isNone, equals }) =>
        !isNone &&
        equals > 1 &&
        `${counted(equals, column.one, column.many)} give ${names[each]} the same, and none gives it more.`,
    ),
  ]);
  const [first] = told;
  if (first === undefined) return nothing;
  const nameOf = (/** @type {number | null} */ part) => `${column.one} ${part}`;
  const start = `${capitalized(nameOf(first.part))}${layer} gives most to`;
  const isOne = told.every(({ part }) => part === first.part);
  const to = isOne
    ? told.length > 1 && told.length === classes.length
      ? ` ${told.length === 2 ? "both" : "all"}`
      : ` ${listed(told.map(({ each }) => names[each]))}`
    : ` ${listed(told.map(({ each, part }, at) => (at === 0 ? names[each] : `${nameOf(part)} to ${names[each]}`)))}`;
  return sentences([`${start}${to}.`, nothing]);
}

/**
 * @param {{ one: string, many: string }} column @param {readonly number[]} tiles of a part
 */
function nameOfPart({ one }, tiles) {
  return tiles.length === 1 ? `${one} ${tiles[0]}` : `${tiles.length} others`;
}

/**
 * What a part gives to those above it that get the most of it.
 * @param {Flows} flows @param {Moment} moment
 * @param {{ level: number, tile: number }} part @param {readonly string[]} names of classes
 */
export function gifts(flows, moment, { level, tile }, names) {
  const { all, above } = moment.outs[level];
  const own = all.subarray(tile * above, (tile + 1) * above);
  const { groups, river } = flows.levels[level];
  const isOne = groups[tile].length === 1;
  const name = partName(flows, level, tile, names);
  if (own.every((each) => each === 0))
    return `${name} ${isOne ? "gives" : "give"} nothing to any`;
  const given = (/** @type {number} */ to) =>
    Array.from(all)
      .filter((amount, at) => at % above === to && amount > 0)
      .reduce((so, amount) => so + amount, 0);
  const told = ranked(own)
    .slice(0, TOLD)
    .map((to, place) => {
      // Of how much, once: what the others are of is said where they are asked.
      const of =
        place === 0 && own[to] > 0 ? ` of the ${fixed(given(to), 2)} given` : "";
      return `${fixed(own[to], 2)}${of} to ${partName(flows, level + 1, to, names)}`;
    });
  const than = river.than
    ? `, ${told.length > 1 ? "each " : ""}more ${river.than}`
    : "";
  return `${name} ${isOne ? "gives" : "give"} ${listed(told)}${than}`;
}

/**
 * What flows from a part to one above it.
 * @param {{ flows: Flows, moment: Moment, steps: number }} shown
 * @param {readonly [level: number, from: number, to: number]} ends
 * @param {readonly string[]} names of classes
 */
export function flowing({ flows, moment, steps }, [level, from, to], names) {
  const { above } = moment.outs[level];
  const [first, now] = [flows.at(0), moment].map(
    ({ outs }) => outs[level].all[from * above + to],
  );
  const was = steps > 1 ? `, in iteration 1 ${fixed(first, 2)}` : "";
  const [giver, taker] = [from, to].map((each, higher) =>
    partName(flows, level + higher, each, names),
  );
  return `${giver} → ${taker}: ${fixed(now, 2)}${was}`;
}

/**
 * @param {Flows} flows @param {number} level above the last: the classes
 * @param {number} index @param {readonly string[]} names of classes
 */
export function partName({ levels }, level, index, names) {
  const found = levels[level];
  return found ? nameOfPart(found.column, found.groups[index]) : names[index];
}

/** How present each class is after an iteration. @param {Pick<Scene, "classes" | "names">} scene @param {number} step */
export function scoresAt({ classes, names }, step) {
  const all = classes?.scores ?? new Float32Array(names.length);
  const steps = all.length / names.length;
  const at = Math.min(Math.floor(step), steps - 1) * names.length;
  return all.subarray(at, at + names.length);
}
