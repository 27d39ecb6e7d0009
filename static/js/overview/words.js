/**
 * The one sentence over the picture of the whole network, and what stands at the pointer.
 * Each part follows from the numbers on show.
 * @import { Scene } from "./types.js"
 * @import { Flows, Moment } from "./flows.js"
 */
import { ranked } from "../lib/arithmetic.js";
import { fixed, listed } from "../lib/format.js";

const NEAR = 0.5; // a runner-up with more than this part of the first is worth a word
const MOST = 0.9;
const TOLD = 3; // of those to which a part gives
const SAME = 0.05; // longer or shorter by less is as long as before

/**
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {Flows | null} flows
 * @property {number} step a whole one
 * @property {number | null} focus the class in focus
 */

/**
 * @param {Shown} shown
 * @returns {{ head: string, rest: string }} the head is what the network says
 */
export function sentence(shown) {
  const { scene, flows, step, focus } = shown;
  const { names, steps, prediction, present } = scene;
  const lead = focus ?? prediction;
  const scores = scoresAt(scene, step);
  const value = (/** @type {number} */ of) => fixed(scores[of], 2);
  if (flows === null || scene.classes === null)
    return { head: names[lead], rest: `, ${scene.measure} ${value(lead)}.` };
  const moment = flows.at(step);
  const { even } = /** @type {Flows["levels"][number]} */ (flows.levels.at(-1)).river;
  if (steps > 1 && step === 0)
    return {
      head: names[lead],
      rest: `, ${scene.measure} ${value(lead)}. Not routed yet: ${even}.`,
    };
  if (focus === null && present.length > 1)
    return {
      head: listed(present.map((each) => names[each])),
      rest: `, ${scene.measure}s ${listed(present.map(value))}: ${givers(flows, moment, present, names)}.`,
    };
  const [one, two] = ranked(scores);
  if (focus === null && two !== undefined && scores[two] > NEAR * scores[one])
    return {
      head: `${names[one]} or ${names[two]}?`,
      rest: ` ${value(one)} against ${value(two)}: ${givers(flows, moment, [one, two], names)}.`,
    };
  const verdict =
    present.length > 0 || focus !== null ? names[lead] : `None; ${names[lead]}`;
  return {
    head: verdict,
    rest: `, ${scene.measure} ${value(lead)}. ${share(shown, lead)}`,
  };
}

/**
 * How few parts give nearly all of what speaks for a class, and what routing made of it.
 * @param {Shown} shown @param {number} lead
 */
function share({ scene, flows, step }, lead) {
  if (flows === null) return "";
  const { count, of } = fewest(flows, step, lead);
  const { column, river } = /** @type {Flows["levels"][number]} */ (
    flows.levels.at(-1)
  );
  const layer = flows.levels.length > 1 ? ` of ${column.title}` : "";
  if (count === 0) return "Nothing speaks for it.";
  const gives = count === 1 ? "gives" : "give";
  const whole = river.total || "what speaks for it";
  return `${count} of ${of} ${column.many}${layer} ${gives} nine tenths of ${whole}${grown(scene, flows, step, lead)}.`;
}

/**
 * The fewest parts that give nine tenths of all that is above zero.
 * @param {Flows} flows @param {number} step @param {number} lead
 */
export function fewest(flows, step, lead) {
  const { river, groups } = /** @type {Flows["levels"][number]} */ (
    flows.levels.at(-1)
  );
  const { all, above } = /** @type {Moment["outs"][number]} */ (
    flows.at(step).outs.at(-1)
  );
  const gives = groups
    .flatMap((tiles, at) => {
      const each = Math.max(0, all[at * above + lead]);
      // One for all others: taken as even, which they nearly are.
      return tiles.map(() => each / tiles.length);
    })
    .sort((a, b) => b - a);
  const sum = gives.reduce((so, each) => so + each, 0);
  let [count, got] = [0, 0];
  while (count < gives.length && got < MOST * sum) got += gives[count++];
  return { count, of: river.parts };
}

/**
 * @param {Scene} scene @param {Flows} flows @param {number} step @param {number} lead
 */
function grown(scene, flows, step, lead) {
  const { river } = /** @type {Flows["levels"][number]} */ (flows.levels.at(-1));
  if (scene.steps === 1 || river.total === "") return "";
  const [before, now] = [0, step].map((each) => flows.at(each).sums[lead]);
  if (!(before > 0)) return "";
  const times = now / before;
  if (!river.isSigned) {
    if (Math.abs(times - 1) < SAME) return ", which routing left as it was";
    return `, which routing ${times > 1 ? "raised" : "lowered"} from ${fixed(before, 2)}`;
  }
  if (Math.abs(times - 1) < SAME) return ", which routing left as long as it was";
  return `, which routing made ${fixed(times, 1)} times as long`;
}

/**
 * Which part gives the most to each of several classes.
 * @param {Flows} flows @param {Moment} moment @param {readonly number[]} classes
 * @param {readonly string[]} names
 */
function givers(flows, moment, classes, names) {
  const { column, groups } = /** @type {Flows["levels"][number]} */ (
    flows.levels.at(-1)
  );
  const { all, above, parts } = /** @type {Moment["outs"][number]} */ (
    moment.outs.at(-1)
  );
  const best = classes.map((each) => {
    const gives = Array.from({ length: parts }, (_, at) => all[at * above + each]);
    return nameOfPart(column, groups[ranked(gives)[0]]);
  });
  const layer = flows.levels.length > 1 ? ` of ${column.title}` : "";
  const [first, ...others] = best;
  if (others.every((each) => each === first))
    return `${first}${layer} gives most to ${classes.length === 2 ? "both" : "all"}`;
  return listed(
    best.map((each, at) =>
      at === 0
        ? `${each}${layer} gives most to ${names[classes[at]]}`
        : `${each} to ${names[classes[at]]}`,
    ),
  );
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
  const told = ranked(own)
    .slice(0, TOLD)
    .map(
      (each) => `${fixed(own[each], 2)} to ${partName(flows, level + 1, each, names)}`,
    );
  const gives = flows.levels[level].groups[tile].length === 1 ? "gives" : "give";
  return `${partName(flows, level, tile, names)} ${gives} ${listed(told)}`;
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
