/**
 * What an attack did, in sentences that follow from scores and errors in every case.
 * @import { Attacked, Read } from "./ask.js"
 * @import { AlarmEntry, ZeroEntry } from "./controls.js"
 * @import { Choices } from "./experiment.js"
 * @import { Measurement, Model } from "../../types.js"
 */
import {
  presentIn,
  presentScores,
  presentWords,
  scoreWords,
} from "../../core/scores.js";
import { fixed, grouped, percent } from "../../lib/format.js";
import { errorOf } from "./ask.js";
import { ANY } from "./experiment.js";

export const NAMES = /** @type {Record<string, string>} */ ({
  ...{ noise: "random noise", fgsm: "FGSM", bim: "BIM", pgd: "PGD" },
});

/**
 * What an attack did to one network.
 * @param {Attacked} found @param {Choices} choices @param {number} eps
 */
export function attackWords(found, choices, eps) {
  const { model, label, clean, attacked } = found;
  const name = model.class_names[label];
  const { one } = scoreWords(model);
  const own = found.isOwn ? " (its own reading; the image has no label)" : "";
  if (!isReadAs(model, clean, label))
    return `${model.title} reads ${readOf(model, clean)} without any change: it is misled already.`;
  if (choices.target !== ANY && Number(choices.target) === label)
    return `${model.title} reads the target, ${name}, already: there is nothing to attack.`;
  if (eps === 0)
    return `${model.title} reads ${name}${own}: ε is 0, so nothing changes.`;
  const by = byWords(found, choices, eps);
  const scores = `its ${one} of ${name} ${course(score(clean, label), score(attacked, label))}`;
  const ending = isReadAs(model, attacked, label)
    ? `leaves its reading at ${name}${own}: ${scores}`
    : `turns its reading from ${name}${own} to ${readOf(model, attacked)}: ${scores}`;
  const aim = targetWords(found, choices);
  return `${model.title}: ${by} ${ending}${aim}.${controlWords(found, choices)}`;
}

/** @param {Attacked} found @param {Choices} choices @param {number} eps */
function byWords({ model, from, isAvoiding }, { method }, eps) {
  const carried =
    from === model || method === "noise" ? "" : `, carried over from ${from.title},`;
  const avoiding = isAvoiding ? " that avoids the alarm" : "";
  const name = from === model ? NAMES[method] : `${NAMES[method]}${carried}`;
  return `${method === "noise" ? NAMES.noise : name}${avoiding} with ε = ${fixed(eps, 2)}`;
}

/** @param {Attacked} found @param {Choices} choices */
function targetWords({ model, attacked }, { target, method }) {
  const aimed = model.class_names[Number(target)];
  if (target === ANY || method === "noise" || aimed === undefined) return "";
  return isReadAs(model, attacked, Number(target))
    ? ", the target"
    : `; the target was ${aimed}, with ${score(attacked, Number(target))}`;
}

/**
 * Compare with random noise of the same ε.
 * @param {Attacked} found @param {Choices} choices
 */
function controlWords({ model, label, noisy, attacked }, { method }) {
  if (method === "noise") return "";
  const [of, by] = [score(noisy, label), score(attacked, label)];
  const reading = isReadAs(model, noisy, label)
    ? `leaves it at ${of}`
    : `turns its reading to ${readOf(model, noisy)} and leaves it at ${of}`;
  const harm =
    noisy.scores[label] < attacked.scores[label] && of !== by
      ? ": more harm than the attack"
      : "";
  return ` Noise ${reading}${harm}.`;
}

/**
 * Whether there was a gradient to follow.
 * @param {Pick<Attacked, "zeros" | "from">} found
 * @param {Pick<Choices, "loss">} choices
 * @param {ZeroEntry | null} test of the network whose gradient was followed
 */
export function gradientWords({ zeros, from }, { loss }, test) {
  if (zeros === null) return "";
  const of = loss === "gap" ? "score gap" : "training loss";
  const here =
    zeros === 1
      ? `For ${from.title}, the gradient of the ${of} is zero at every pixel, so this attack cannot tell which way to go.`
      : zeros === 0
        ? `For ${from.title}, the gradient of the ${of} is zero at no pixel.`
        : `For ${from.title}, the gradient of the ${of} is zero at ${shareWords(zeros)} of the pixels.`;
  if (test === null) return here;
  const share = loss === "gap" ? test.gap.images : test.trained.images;
  const many = share === 0 ? "none" : percent(share, 1);
  return `${here} It is zero everywhere for ${many} of ${grouped(test.images)} test images.`;
}

/**
 * What stands folded in a network's row, in a line.
 * @param {Attacked} found @param {number | null} threshold on the card
 */
export function foundWords(found, threshold) {
  const error = errorOf(found.attacked);
  if (error === null) return "Gradient; it has no alarm";
  if (threshold === null) return "Gradient and reconstruction error";
  return `Gradient and alarm: ${error > threshold ? "raised" : "not raised"}`;
}

/**
 * What the alarm says, and of how many test images.
 * @param {Attacked} found
 * @param {number | null} threshold on the card
 * @param {AlarmEntry | null} test @param {Choices} choices @param {number} eps
 */
export function alarmWords(found, threshold, test, choices, eps) {
  const error = errorOf(found.attacked);
  const before = errorOf(found.clean);
  if (error === null || before === null)
    return "It has no decoder, so it cannot raise this alarm.";
  const change = `Its reconstruction error ${course(fixed(before, 4), fixed(error, 4))}`;
  if (threshold === null) return `${change}; its card has no threshold for an alarm.`;
  const alarm =
    error > threshold
      ? `${change}, above the alarm's threshold of ${fixed(threshold, 4)}: an alarm.`
      : `${change}, which is not above the alarm's threshold of ${fixed(threshold, 4)}: no alarm.`;
  return `${alarm}${testWords(found, test, choices, eps)}`;
}

/**
 * @param {Attacked} found @param {AlarmEntry | null} test @param {Choices} choices
 * @param {number} eps
 */
function testWords({ model, from }, test, choices, eps) {
  const name = measuredAttacker(choices);
  const attacks = name === null || from !== model ? undefined : test?.attacks[name];
  if (test === null || attacks === undefined || eps === 0) return "";
  const place = attacks.values.findIndex((value) => Math.abs(value - eps) < 1e-6);
  if (place < 0) return "";
  return ` Attacked like this, ${percent(attacks.alarms[place], 1)} of ${grouped(test.images)} test images raise an alarm, and ${percent(attacks.unseen[place], 1)} are misread without one. Unchanged, ${percent(test.clean.alarms, 1)} raise it.`;
}

/** Which attacker of the card's measurement does the same. @param {Choices} choices */
export function measuredAttacker({ method, target, gradient, loss, alarm }) {
  if (method === "noise") return "noise";
  if (target !== ANY || gradient !== "full" || loss !== "gap") return null;
  if (alarm === "avoided") return method === "pgd" ? "aware" : null;
  return method === "bim" ? null : method;
}

/**
 * What an image of a path shows.
 * @param {Model} model @param {number} prediction @param {ArrayLike<number>} scores
 */
export function stepWords(model, prediction, scores) {
  const answer = { prediction, present: presentIn(scores, model) };
  return `${presentWords(answer, model)} ${presentScores(scores, answer)}`;
}

/** A share that is neither nothing nor everything, and never reads so. @param {number} share */
const shareWords = (share) =>
  share < 0.005
    ? "less than 1\u202f%"
    : share > 0.995
      ? "more than 99\u202f%"
      : percent(share, 0);

/** Whether a network names a class. @param {Model} model @param {Read} read @param {number} label */
const isReadAs = (model, { scores }, label) => presentIn(scores, model).includes(label);

/** The classes that a network names. @param {Model} model @param {Read} read */
const readOf = (model, { scores }) =>
  presentWords({ present: presentIn(scores, model) }, model);

/** From one written number to another. @param {string} before @param {string} after */
function course(before, after) {
  return before === after ? `stays at ${after}` : `goes from ${before} to ${after}`;
}

/** @param {Read} read @param {number} label */
function score({ scores }, label) {
  return fixed(scores[label], 2);
}

const SAME = 1e-6; // values of ε that differ by less

export const GRADIENTS = /** @type {Record<string, string>} */ ({
  full: "through all iterations",
  last: "through the last iteration alone",
});

/**
 * What both do at one ε.
 * @param {string} score such as "length of 4"
 * @param {number} eps
 * @param {readonly { score: number, test: Measurement | null }[]} found through all
 *   iterations first, then through the last alone
 */
export function bothWords(score, eps, [full, last]) {
  const [all, alone] = [full, last].map((each) => fixed(each.score, 2));
  const start = `With ε = ${fixed(eps, 2)}, its ${score} is ${all} when attacked ${GRADIENTS.full}`;
  const classIndex =
    all === alone
      ? `${start}, and when attacked ${GRADIENTS.last}.`
      : `${start}, and ${alone} ${GRADIENTS.last}: the gradient ${full.score < last.score ? GRADIENTS.full : GRADIENTS.last} lowers it further.`;
  const shares = [full, last].map(({ test }) => shareAt(test, eps));
  if (shares[0] === null || shares[1] === null) return classIndex;
  return `${classIndex} Test images are still read right: ${shares[0]} after the first attack, ${shares[1]} after the second.`;
}

/** @param {Measurement | null} test @param {number} eps */
function shareAt(test, eps) {
  const place = test?.values.findIndex((value) => Math.abs(value - eps) < SAME) ?? -1;
  if (test === null || place < 0) return null;
  return `${percent(test.accuracy[place], 1)} of ${grouped(test.images)}`;
}
