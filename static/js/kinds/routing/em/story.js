/**
 * What happened in the iteration on show, in a few sentences that follow from its numbers.
 * @import { EmScene } from "./types.js"
 */
import { ranked } from "../../../lib/arithmetic.js";
import { movesOf } from "../../../lib/change.js";
import { presence } from "../../../lib/decimals.js";
import {
  capitalized,
  counted,
  countInWords,
  fixed,
  listed,
  percent,
  sentences,
} from "../../../lib/format.js";
import { leadWords } from "../words.js";
import { nameOf } from "./routed.js";
import { costOf, evenActivation } from "./sums.js";

/** An assignment that moves by less is said not to move. */
const MOVE = 0.01;

/** @typedef {Pick<EmScene, "routed" | "course" | "step" | "parent" | "name">} Told */

/** @param {Told} scene @returns {string} */
export function tell(scene) {
  return sentences([
    scene.step === 0 ? tellFirst(scene) : tellMoves(scene),
    scene.step === 0 ? "" : tellVotes(scene),
    tellActivation(scene),
    tellApart(scene),
    tellLead(scene),
    tellEmptyLead(scene),
  ]);
}

/** @param {Told} scene */
function tellFirst({ routed, course, parent, name }) {
  const even = evenShares(routed);
  const distance = course.distances()[parent][0];
  const votes = Number.isNaN(distance)
    ? `No capsule that votes for ${name} is active.`
    : `On average, the votes for ${name} lie ${fixed(distance, 2)} from their mean.`;
  return `Iteration 1: no votes have been compared yet, so every capsule divides itself evenly among all that see it, ${even}. ${votes}`;
}

/** @param {Told["routed"]} routed */
function evenShares({ row, children, isToClasses }) {
  const shares = children.map((_, child) => Math.max(...row(0, child)));
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) =>
    Math.round(1 / share),
  );
  const to = isToClasses ? "to each class" : "to each";
  return low === high ? `R = 1/${low} ${to}` : `R between 1/${low} and 1/${high} ${to}`;
}

/** @param {Told} scene */
function tellMoves({ routed, step, parent, name }) {
  const { raised, lowered } = assignmentMoves(routed, step, parent);
  const all = counted(routed.children.length, "capsule");
  if ([raised, lowered].every(({ count, isSure }) => isSure && count === 0))
    return `Iteration ${step + 1}: none of ${all} moves its assignment to ${name} by ${MOVE} or more.`;
  return `Iteration ${step + 1}: R to ${name} rises for ${countInWords(raised)} of ${all} and falls for ${countInWords(lowered)} (by ${MOVE} or more).`;
}

/**
 * How many children assign more to a capsule than in the iteration before, and how many
 * less.
 * @param {Told["routed"]} routed
 * @param {number} step 1 or more
 * @param {number} parent
 */
function assignmentMoves({ assignments, parents, children }, step, parent) {
  const [before, now] = [step - 1, step].map((at) => {
    const shares = assignments(at);
    return children.map((_, child) => shares[child * parents + parent]);
  });
  return movesOf(before, now, MOVE);
}

/** @param {Told} scene */
function tellVotes({ course, step, parent }) {
  const shares = course.shares()[parent];
  const [before, now] = [shares[step - 1], shares[step]].map((share) =>
    percent(share, 1),
  );
  const share =
    before === now
      ? `It keeps ${now} of the votes`
      : `Its share of the votes goes from ${before} to ${now}`;
  const distances = course.distances()[parent];
  const [from, to] = [distances[step - 1], distances[step]];
  if (Number.isNaN(to) || Number.isNaN(from)) return `${share}.`;
  const [was, is] = [fixed(from, 2), fixed(to, 2)];
  const distance =
    was === is
      ? `they lie ${is} from their mean, as before`
      : `they lie ${is} from their mean (before: ${was})`;
  return `${share}; ${distance}.`;
}

/**
 * The cost and the activation that it leads to. From one iteration to the next the inverse
 * temperature λ rises, too, and moves an activation without any routing: so beside it stands
 * what this iteration would give if every capsule still divided itself evenly.
 * @param {Told} scene
 */
function tellActivation({ routed, course, step, parent, name }) {
  const costs = course.costs()[parent];
  const activations = course.activations()[parent];
  const cost = fixed(costs[step], 2);
  const activation = activationText(activations[step]);
  if (step === 0)
    return `${capitalized(name)} has a cost of ${cost} and an activation of ${activation}.`;
  const price = moved("Its cost", fixed(costs[step - 1], 2), cost);
  const active = moved(
    "its activation",
    activationText(activations[step - 1]),
    activation,
  );
  const [before, now] = [step - 1, step].map((at) => fixed(routed.lambda(at), 4));
  const even = activationText(evenActivation(routed, step, parent));
  const cooled = before === now ? "" : `, as λ rises from ${before} to ${now}`;
  return `${price}, ${active}${cooled}; with even assignments it would be ${even} here.`;
}

/**
 * Why a capsule is more active although its votes lie further from their mean: its cost is
 * what its Gaussian's entries cost, Σ (β_u + log σ), times its share of an even share of votes.
 * @param {Told} scene
 */
export function tellApart({ routed, course, step, parent }) {
  if (step === 0) return "";
  const hasGrown = (
    /** @type {readonly number[]} */ values,
    /** @type {(value: number) => string} */ text,
  ) => values[step] > values[step - 1] && text(values[step]) !== text(values[step - 1]);
  const apart = (/** @type {number} */ value) => fixed(value, 2);
  const { [parent]: distances } = course.distances();
  const { [parent]: activations } = course.activations();
  if (!hasGrown(distances, apart) || !hasGrown(activations, activationText)) return "";
  const [was, is] = [step - 1, step].map((at) => costOf(routed, at, parent));
  const [before, now] = [was, is].map(({ mass, even }) => mass / even);
  const share = `${fixed(before, 2)} to ${fixed(now, 2)} times an even share`;
  const reasons = [
    is.entryCost < was.entryCost && "in sum over the numbers of a pose, log σ is lower",
    is.entryCost < 0 && now > before && `more votes are assigned to it, ${share}`,
    is.entryCost > 0 && now < before && `fewer votes have to be explained, ${share}`,
  ].filter((reason) => reason !== false);
  const reason =
    is.cost < was.cost ? listed(reasons) : "λ is higher, and its cost is not lower";
  return `So it is more active although its votes lie further apart: ${reason}.`;
}

/** @param {number} activation */
const activationText = (activation) => presence(activation);

/** @param {string} what @param {string} before @param {string} now as they are written */
function moved(what, before, now) {
  if (before === now) return `${what} stays ${now}`;
  return `${what} goes from ${before} to ${now}`;
}

/** @param {Told} scene */
function tellLead({ routed, course, step }) {
  const { isToClasses, parents } = routed;
  const at = (/** @type {number} */ i) =>
    course.activations().map((values) => values[i]);
  return leadWords({
    names: Array.from({ length: parents }, (_, parent) => nameOf(routed, parent)),
    values: at(step),
    before: step > 0 ? at(step - 1) : null,
    text: activationText,
    kind: {
      singular: isToClasses ? "class" : "type",
      plural: isToClasses ? "classes" : "types",
      most: "most active",
      equal: "equally active",
      least: "is active",
    },
    answer: null,
    canNameMore: false,
    unsure: "",
  });
}

/**
 * A network can be right while its routing means nothing: then a capsule wins that no
 * votes are assigned to.
 * @param {Told} scene
 */
function tellEmptyLead({ routed, course, step }) {
  if (step === 0) return "";
  const [first] = ranked(course.activations().map((values) => values[step]));
  const shares = course.shares()[first];
  if (shares[step] >= shares[0]) return "";
  return `The most active one, ${nameOf(routed, first)}, has fewer votes than an even share: ${percent(shares[step], 1)} of them.`;
}
