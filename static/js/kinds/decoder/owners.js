/**
 * Whose ink is it? Both digits that a network of two finds, each decoded from its own
 * capsule, over the image; the truth beside them, where it is known; and what the capsule
 * of a class draws that is not there.
 * @import { Model, Pair, Pixels, Source, Trace } from "../../types.js"
 * @import { DecoderModel, DecoderState, DecoderStore } from "./types.js"
 */
import { readsWords, saidOf, scoreText, scoreWords } from "../../core/scores.js";
import { sum } from "../../lib/arithmetic.js";
import { ink } from "../../lib/color.js";
import { fixed, percent } from "../../lib/format.js";
import { apart, givenRight, INK, matchOf } from "../../lib/overlap.js";
import { inkOf } from "../../lib/pixels.js";
import { paintHeatmap } from "../../paint/heatmap.js";
import { paintOwners } from "../../paint/pictures.js";
import { findCanvas, findElement, setText } from "../../ui/dom.js";
import { isOf, ownersWish, tellsOwners } from "./pose.js";

/** @param {HTMLElement} root @param {DecoderStore} store */
export function mountOwners(root, store) {
  const section = findElement(root, "[data-owners]");
  const part = (/** @type {string} */ name) =>
    findElement(section, `[data-owners-${name}]`);
  const canvas = (/** @type {string} */ name) => findCanvas(part(name), "canvas");
  const caption = (/** @type {string} */ name, /** @type {string} */ text) =>
    setText(findElement(part(name), "[data-caption]"), text);

  store.watch(["trace", "classIndex", "edits", "owned", "model", "source"], (state) => {
    const { model, trace } = state;
    section.hidden = !tellsOwners(model);
    if (section.hidden) return;
    const facts = ownersOf(state);
    section.classList.toggle("is-late", facts === null);
    if (facts === null) return;
    const { inks, truth, classes, scores } = facts;
    const names = classes.map((classIndex) => model.class_names[classIndex]);
    const { pixels } = trace;
    const nothing = new Float32Array(pixels.rows * pixels.columns);
    const [first, other, absent] = inks;
    paintOwners(canvas("claims"), [first, other], pixels, inkOf(pixels));
    part("truth").hidden = truth === null;
    if (truth !== null) paintOwners(canvas("truth"), truth.alone, pixels);
    paintOwners(canvas("one"), [first, nothing], pixels);
    paintOwners(canvas("other"), [nothing, other], pixels);
    paintHeatmap(canvas("absent"), absent, { ...pixels, scale: ink() });
    for (const [i, name] of /** @type {const} */ (["one", "other", "absent"]).entries())
      caption(
        name,
        `${names[i]}, ${scoreWords(model).one} ${scoreText(scores[i], model.scores)}`,
      );
    setText(part("words"), ownersWords(facts, model, trace));
    setText(part("ink"), shareWords(facts, model));
    setText(part("other-words"), absentWords(facts, model));
  });
}

/**
 * @typedef {object} Owners
 * @property {[number, number, number]} classes the two that own, and one that does not
 * @property {number[]} scores theirs; a length is that of the capsule as it was edited
 * @property {Float32Array[]} inks what their capsules draw
 * @property {Float64Array} image
 * @property {{ alone: Float64Array[], labels: (number | null)[] } | null} truth each digit
 *   alone, in the order of their capsules; null where it is not known
 * @property {boolean} isTruthTurned whether that is the second digit first
 * @property {boolean} isMatched whether labels say which capsule is for which digit
 */

/**
 * @param {Pick<DecoderState, "classIndex" | "edits" | "model" | "trace" | "owned" | "source">} state
 * @returns {Owners | null} null while a picture is on its way
 */
export function ownersOf(state) {
  const { trace, owned, source, model } = state;
  const { poses } = ownersWish(state);
  const pictures = poses.map((wanted) => {
    const picture = owned.find((picture) => isOf(picture, wanted));
    return picture && { ...wanted, data: picture.data };
  });
  if (pictures.some((picture) => picture === undefined)) return null;
  const complete = /** @type {NonNullable<typeof pictures[number]>[]} */ (pictures);
  const truth = truthOf(source, trace.pixels);
  const pairs = complete.slice(0, 2);
  const match = truth === null ? null : matchOf(truth, pairs);
  // Where labels tell nothing, what is drawn does: then digits change places with their
  // colours, and not the pictures that a hand is moving.
  const [isTurned, isTruthTurned] = match?.byLabels
    ? [match.isTurned, false]
    : [false, match?.isTurned ?? false];
  const all = [...(isTurned ? pairs.toReversed() : pairs), complete[2]];
  return {
    classes: /** @type {[number, number, number]} */ (
      all.map(({ classIndex }) => classIndex)
    ),
    scores: all.map(({ pose, classIndex }) =>
      model.scores === "length"
        ? Math.hypot(...pose)
        : trace.tensors.scores.data[classIndex],
    ),
    inks: all.map(({ data }) => data),
    image: inkOf(trace.pixels),
    truth:
      truth && isTruthTurned
        ? { alone: truth.alone.toReversed(), labels: truth.labels.toReversed() }
        : truth,
    isTruthTurned,
    isMatched: match?.isMatched ?? false,
  };
}

/**
 * Each digit alone, where the image is that of two.
 * @param {Source} source @param {Pixels} pixels
 */
function truthOf(source, pixels) {
  if (source.kind !== "pair") return null;
  const [first, other] = /** @type {Pair} */ (source).digits;
  if (first === null || other === null) return null;
  const alone = apart([first, other], pixels).map(inkOf);
  return { alone, labels: [first.label, other.label] };
}

/**
 * Which classes the picture is of, and what the network itself names.
 * @param {Owners} facts
 * @param {Pick<Model, "class_names" | "present" | "scores">} model
 * @param {DecoderState["trace"]} trace
 */
function ownersWords({ classes }, model, trace) {
  const [first, other] = classes.map((classIndex) => model.class_names[classIndex]);
  const answer = saidOf(trace.tensors.scores.data, model);
  const isNone = answer.state === "none";
  const why =
    answer.named.length < 2
      ? ` The network ${readsWords(answer, model)}${isNone ? "" : " only"}, because no ${isNone ? "" : "other "}class reaches ${model.present.threshold}.`
      : "";
  return `${first} (orange) and ${other} (blue) have the highest scores. Each is decoded without the other. White is ink that both draw, grey is ink of the image that neither does.${why}`;
}

/**
 * The share of ink given to the right digit, and of what.
 * @param {Owners} facts @param {Pick<DecoderModel, "class_names" | "card">} model
 */
export function shareWords(facts, model) {
  const { truth, inks, classes, isMatched, isTruthTurned } = facts;
  if (truth === null)
    return "Whose ink each pixel is can only be told of two digits that were laid over each other in Input.";
  const share = givenRight(truth.alone, inks);
  if (share === null) return "No pixel has ink of one digit alone.";
  const pixels = truth.alone[0].filter(
    (value, i) => value > INK !== truth.alone[1][i] > INK,
  );
  const usual = model.card.overlaps?.ink_given_right;
  const mean =
    usual === undefined || usual === null
      ? ""
      : ` Mean over the test pairs read right: ${percent(usual, 1)}.`;
  const inOrder = (/** @type {any[]} */ pair) =>
    isTruthTurned ? pair.toReversed() : pair;
  const names = classes.slice(0, 2).map((classIndex) => model.class_names[classIndex]);
  const [first, other] = inOrder(names);
  const labels = inOrder(truth.labels).map((label) =>
    label === null ? "no label" : model.class_names[label],
  );
  const how = isMatched
    ? ""
    : ` The labels do not say whose capsule is whose (${labels.join(", ")}): ${first} is taken for the first digit and ${other} for the second.`;
  return `${pixels.length} pixels have ink of one digit alone. Of that ink, ${percent(share, 0)} lies where the reconstruction of the right digit is the brighter one.${how}${mean}`;
}

/**
 * What the capsule of a class draws that is not one of the two.
 * @param {Owners} facts @param {Pick<Model, "class_names" | "scores">} model
 */
function absentWords({ classes, scores, inks, image }, model) {
  const names = classes.map((classIndex) => model.class_names[classIndex]);
  const [first, other, absent] = inks.map((image) => sum(Array.from(image)));
  const on = sum(Array.from(inks[2]).filter((_, i) => image[i] > INK));
  const where =
    absent < 0.05
      ? ""
      : `, ${percent(on / absent, 0)} of it where the image has ink above ${INK}`;
  return `${names[2]} is not one of the two: its ${scoreWords(model).one} is ${scoreText(scores[2], model.scores)}. Decoded, its capsule draws ${fixed(absent, 1)} units of ink (a pixel at full ink is one)${where}; ${names[0]} draws ${fixed(first, 1)}, ${names[1]} ${fixed(other, 1)}.`;
}
