/**
 * What an attack did, in sentences that follow from scores in every case.
 * @import { Attacked, Read } from "./ask.js"
 * @import { ZeroEntry } from "./controls.js"
 * @import { Choices } from "./choices.js"
 * @import { Model } from "../../types.js"
 */
import {
  readsWords,
  saidOf,
  saidWords,
  scoreText,
  scoreWords,
} from "../../core/scores.js";
import { fixed, grouped, listed, percent } from "../../lib/format.js";
import { ANY } from "./choices.js";

const NAMES = /** @type {Record<string, string>} */ ({
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
    return `${model.title} ${readsWords(saidOf(clean.scores, model), model)} without any change: it is misled already.`;
  if (choices.target !== ANY && Number(choices.target) === label)
    return `${model.title} reads the target, ${name}, already: there is nothing to attack.`;
  if (eps === 0)
    return `${model.title} reads ${name}${own}: ε is 0, so nothing changes.`;
  const by = `${NAMES[choices.method]} with ε = ${fixed(eps, 2)}`;
  const scores = `its ${one} of ${name} ${course(score(model, clean, label), score(model, attacked, label))}`;
  const ending = isReadAs(model, attacked, label)
    ? `leaves its reading at ${name}${own}: ${scores}`
    : `turns its reading from ${name}${own} to ${readOf(model, attacked)}: ${scores}`;
  const aim = targetWords(found, choices);
  return `${model.title}: ${by} ${ending}${aim}.${controlWords(found, choices)}`;
}

/** @param {Attacked} found @param {Choices} choices */
function targetWords({ model, attacked }, { target, method }) {
  const aimed = model.class_names[Number(target)];
  if (target === ANY || method === "noise" || aimed === undefined) return "";
  return isReadAs(model, attacked, Number(target))
    ? ", the target"
    : `; the target was ${aimed}, with ${score(model, attacked, Number(target))}`;
}

/**
 * Compare with random noise of the same ε.
 * @param {Attacked} found @param {Choices} choices
 */
function controlWords({ model, label, noisy, attacked }, { method }) {
  if (method === "noise") return "";
  const [of, by] = [score(model, noisy, label), score(model, attacked, label)];
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
 * What random noise of the same ε does, for a verdict.
 * @param {Pick<Attacked, "model" | "noisy">} found
 */
export const noiseWords = ({ model, noisy }) => `mere noise: ${readOf(model, noisy)}`;

/**
 * Whether there was a gradient to follow.
 * @param {Pick<Attacked, "zeros" | "model">} found
 * @param {Pick<Choices, "loss">} choices
 * @param {ZeroEntry | null} test
 */
export function gradientWords({ zeros, model }, { loss }, test) {
  if (zeros === null) return "";
  const of = loss === "gap" ? "score gap" : "training loss";
  const here =
    zeros === 1
      ? `For ${model.title}, the gradient of the ${of} is zero at every pixel, so this attack cannot tell which way to go.`
      : zeros === 0
        ? `For ${model.title}, the gradient of the ${of} is zero at no pixel.`
        : `For ${model.title}, the gradient of the ${of} is zero at ${percent(zeros, 0)} of the pixels.`;
  if (test === null) return here;
  const share = loss === "gap" ? test.gap.images : test.trained.images;
  const many = share === 0 ? "none" : percent(share, 1);
  return `${here} It is zero everywhere for ${many} of ${grouped(test.images)} test images.`;
}

/**
 * What an image of a path shows.
 * @param {Model} model @param {number} prediction @param {ArrayLike<number>} scores
 */
export function stepWords(model, prediction, scores) {
  const { named } = saidOf(scores, model);
  const told = named.length > 0 ? named : [prediction];
  const text = listed(told.map((each) => scoreText(scores[each], model.scores)));
  return `${saidWords(saidOf(scores, model), model)} ${text}`;
}

/** Whether a network names a class. @param {Model} model @param {Read} read @param {number} label */
const isReadAs = (model, { scores }, label) =>
  saidOf(scores, model).named.includes(label);

/** The classes that a network names. @param {Model} model @param {Read} read */
const readOf = (model, { scores }) => saidWords(saidOf(scores, model), model);

/** From one written number to another. @param {string} before @param {string} after */
function course(before, after) {
  return before === after ? `stays at ${after}` : `goes from ${before} to ${after}`;
}

/** @param {Model} model @param {Read} read @param {number} label */
const score = (model, { scores }, label) => scoreText(scores[label], model.scores);
