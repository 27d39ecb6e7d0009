/**
 * What an attack did, in sentences that follow from scores in every case.
 * @import { Attacked, Read } from "./ask.js"
 * @import { ZeroEntry } from "./controls.js"
 * @import { Choices } from "./choices.js"
 * @import { Model } from "../../types.js"
 */
import {
  isReadAs,
  readsWords,
  saidOf,
  saidWithin,
  saidWords,
  scoreText,
  scoreWords,
} from "../../core/scores.js";
import { fixed, grouped, listed, percent } from "../../lib/format.js";
import { ANY } from "./choices.js";

const NAMES = /** @type {Record<string, string>} */ ({
  noise: "random noise",
  fgsm: "FGSM",
  bim: "BIM",
  pgd: "PGD",
});

/**
 * What an attack did to one network.
 * @param {Attacked} attack @param {Choices} choices @param {number} eps
 */
export function attackWords(attack, choices, eps) {
  const { model, label, clean, attacked } = attack;
  const name = model.class_names[label];
  const { one } = scoreWords(model);
  const unlabelled = attack.isOwn ? " (its own reading; the image has no label)" : "";
  const isSaid = isRead(model, clean, label);
  if (!isSaid && !attack.isOwn)
    return `${model.title} ${readsOf(model, clean)} without any change: it is misled already.`;
  if (!isSaid)
    return `${model.title} ${readsOf(model, clean)} without any change, and the image has no label: there is no reading to turn.`;
  if (choices.target !== ANY && Number(choices.target) === label)
    return `${model.title} reads the target, ${name}, already: there is nothing to attack.`;
  if (eps === 0)
    return `${model.title} reads ${name}${unlabelled}: ε is 0, so nothing changes.`;
  const by = `${NAMES[choices.method]} with ε = ${fixed(eps, 2)}`;
  const scores = `its ${one} of ${name} ${course(score(model, clean, label), score(model, attacked, label))}`;
  const ending = isRead(model, attacked, label)
    ? `leaves its reading at ${name}${unlabelled}: ${scores}`
    : `turns its reading from ${name}${unlabelled} to ${turnedTo(model, attacked)}: ${scores}`;
  const aim = targetWords(attack, choices);
  return `${model.title}: ${by} ${ending}${aim}.${controlWords(attack, choices)}`;
}

/** @param {Attacked} attack @param {Choices} choices */
function targetWords({ model, attacked }, { target, method }) {
  const aimed = model.class_names[Number(target)];
  if (target === ANY || method === "noise" || aimed === undefined) return "";
  return isRead(model, attacked, Number(target))
    ? ", the target"
    : `; the target was ${aimed}, with ${score(model, attacked, Number(target))}`;
}

/**
 * Compare with random noise of the same ε.
 * @param {Attacked} attack @param {Choices} choices
 */
function controlWords({ model, label, noisy, attacked }, { method }) {
  if (method === "noise") return "";
  const [of, by] = [score(model, noisy, label), score(model, attacked, label)];
  const reading = isRead(model, noisy, label)
    ? `leaves it at ${of}`
    : `turns its reading to ${turnedTo(model, noisy)} and leaves it at ${of}`;
  const harm =
    noisy.scores[label] < attacked.scores[label] && of !== by
      ? ": more harm than the attack"
      : "";
  return ` Noise ${reading}${harm}.`;
}

/**
 * What random noise of the same ε does, for a verdict.
 * @param {Pick<Attacked, "model" | "noisy">} attack
 */
export const noiseWords = ({ model, noisy }) => `mere noise: ${readOf(model, noisy)}`;

/**
 * Whether there was a gradient to follow.
 * @param {Pick<Attacked, "zeros" | "model">} attack
 * @param {ZeroEntry | null} test
 */
export function gradientWords({ zeros, model }, test) {
  if (zeros === null) return "";
  const here =
    zeros === 1
      ? `For ${model.title}, the gradient that the attack follows is zero at every pixel, so this attack cannot tell which way to go.`
      : zeros === 0
        ? `For ${model.title}, the gradient that the attack follows is zero at no pixel.`
        : `For ${model.title}, the gradient that the attack follows is zero at ${percent(zeros, 0)} of the pixels.`;
  if (test === null) return here;
  const share = test.gap.images;
  const many = share === 0 ? "none" : percent(share, 1);
  return `${here} It is zero everywhere for ${many} of ${grouped(test.images)} test images.`;
}

/**
 * Why networks that take part are not attacked, each in a sentence.
 * @param {readonly Pick<Model, "title" | "can" | "flat">[]} networks
 */
export const sparedWords = (networks) =>
  networks
    .filter(({ can }) => !can.gradient)
    .map(({ title, flat }) =>
      flat
        ? `${title} cannot be attacked on this page: ${flat}.`
        : `${title} cannot be attacked: it has no gradient to follow.`,
    );

/**
 * What an image of a path shows.
 * @param {Model} model @param {ArrayLike<number>} scores
 */
export function stepWords(model, scores) {
  const reading = saidOf(scores, model);
  const text = (/** @type {number} */ classIndex) =>
    scoreText(scores[classIndex], model.scores);
  if (reading.state === "none")
    return `none, ${model.class_names[reading.order[0]]} ${text(reading.order[0])}`;
  return `${saidWords(reading, model)} ${listed(reading.named.map(text))}`;
}

/** Whether a network reads a class. @param {Model} model @param {Read} read @param {number} label */
const isRead = (model, { scores }, label) => isReadAs(saidOf(scores, model), label);

/** What a network says. @param {Model} model @param {Read} read */
const readOf = (model, { scores }) => saidWords(saidOf(scores, model), model);

/** The same within a sentence. @param {Model} model @param {Read} read */
const turnedTo = (model, { scores }) => saidWithin(saidOf(scores, model), model);

/** What a network does, in a sentence. @param {Model} model @param {Read} read */
const readsOf = (model, { scores }) => readsWords(saidOf(scores, model), model);

/** From one written number to another. @param {string} before @param {string} after */
function course(before, after) {
  return before === after ? `stays at ${after}` : `goes from ${before} to ${after}`;
}

/** @param {Model} model @param {Read} read @param {number} label */
const score = (model, { scores }, label) => scoreText(scores[label], model.scores);
