/**
 * What the network sees, and what it says: its class, the runner-up, all scores.
 * @import { Said } from "../core/scores.js"
 * @import { Actions, AppState, Model, Network, Source, Store, Trace } from "../types.js"
 */

import { isSamePass } from "../core/rooms.js";
import { startOf } from "../core/schema.js";
import {
  barsOf,
  groundsWords,
  isReadAs,
  nextWords,
  readsWords,
  saidOf,
  saidWords,
  scoresOf,
  scoreText,
  scoreWords,
} from "../core/scores.js";
import { focusedClass, knownLabels, LAB, TRAIN } from "../core/state.js";
import { ranked } from "../lib/arithmetic.js";
import { brief, grouped, listed, sentences } from "../lib/format.js";
import { DIGIT, inkOf } from "../lib/pixels.js";
import { measureOutlier, needsReconstruction } from "../lib/statistics.js";
import { inFrame } from "../lib/timing.js";
import { paintPixels } from "../paint/heatmap.js";
import { find, findCanvas, findElement, setText, writer } from "../ui/dom.js";
import { showField } from "../ui/grid-picker.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";

/** @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions */
export function mountVerdict(root, store, actions) {
  const seen = findCanvas(root, "[data-seen]");
  const frame = find(root, "[data-field]", SVGRectElement);
  const write = writer(root);
  const list = findElement(root, "[data-lengths]");
  const sourceOf = keepSources(store);

  // The image of the answer that stands there: both change together.
  store.watch(["pixels", "trace", "model"], ({ pixels, trace, model }) => {
    const isOwn = pixels !== null && trace !== null && trace.model === model?.id;
    const shown = isOwn ? trace.pixels : pixels;
    const { rows, columns } = shown ?? DIGIT;
    paintPixels(seen, shown);
    frame.ownerSVGElement?.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
  });
  store.watch(["field"], ({ field }) => showField(frame, field));

  // Nothing is laid out between frames.
  store.watch(["trace", "model", "source", "mode", "classIndex"], () => inFrame(tell));
  function tell() {
    const state = store.get();
    const { trace, model, source, mode } = state;
    if (model === null) return;
    const { title, meaning, one } = scoreWords(model);
    list.setAttribute("aria-label", title);
    write("meaning", meaning);
    const isOwn = trace !== null && trace.model === model.id;
    const scores = isOwn ? scoresOf(trace) : null;
    const said = scores && saidOf(scores, model);
    const named = said?.named ?? [];
    const focused = focusedClass(state);
    const bars = scores && barsOf(scores, model.scores);
    const items = model.class_names.map((name, i) => {
      const text = scores && `${name}: ${one} ${scoreText(scores[i], model.scores)}`;
      const length = h("i", { "--length": bars && String(bars[i]) });
      const content = [h("span", { class: "bar" }, length), h("span", {}, name)];
      const look = { title: text, "aria-label": text, pressed: i === focused };
      const choose = () => actions.focusClass(i);
      const isLongest = named.includes(i) && "is-longest";
      return h("li", { class: isLongest }, button(content, choose, look));
    });
    fill(list, items);
    const names = { ...model, class_names: model.class_names.map(brief) };
    write("prediction", said ? saidWords(said, names) : "–");
    const prediction = findElement(root, "[data-prediction]");
    prediction.classList.toggle(
      "is-several",
      said?.state === "several" || said?.state === "undecided",
    );
    const more = scores && trace && explain(scores, model, sourceOf(trace, source));
    write("more", more ? `${readerWords(model, mode)}: ${more}` : "");
  }
}

/**
 * Where each image came from: while a new one is read, the old answer is told of the old.
 * @param {Pick<Store<AppState>, "watch">} store
 * @returns {(trace: Pick<Trace, "pixels">, now: Source) => Source}
 */
export function keepSources(store) {
  /** @type {WeakMap<object, Source>} */
  const known = new WeakMap();
  store.watch(["pixels", "source"], ({ pixels, source }) => {
    if (pixels !== null) known.set(pixels, source);
  });
  return ({ pixels }, now) => known.get(pixels) ?? now;
}

/**
 * Whose verdict this is, and on which picture: beside it others may read, or what is read
 * may be changed.
 * @param {Pick<Model, "title">} model @param {AppState["mode"]} mode
 */
export function readerWords({ title }, mode) {
  if (mode === LAB) return `${title}, on the unchanged image`;
  if (mode === TRAIN) return `${title}, not the network that learns`;
  return title;
}

/**
 * @param {ArrayLike<number>} scores
 * @param {Pick<Model, "scores" | "class_names" | "card" | "input_shape" | "present">} model
 * @param {Source} source
 */
export function explain(scores, model, source) {
  const said = saidOf(scores, model);
  const labels = knownLabels(source, model);
  const facts = [
    said.state === "none" && readsWords(said, model),
    groundsWords(said, scores, model),
    nextWords(said, scores, model),
  ];
  return sentences([
    `${facts.filter(Boolean).join("; ")}.`,
    labels && labelWords(labels, said, model),
  ]);
}

/**
 * Whether the labels say the same.
 * @param {readonly number[]} labels @param {Said} said
 * @param {Pick<Model, "class_names">} model
 */
function labelWords(labels, said, { class_names: names }) {
  const isOne = labels.length === 1;
  const isRight =
    labels.every((label) => isReadAs(said, label)) &&
    said.named.length === new Set(labels).size;
  if (isRight) return isOne ? "The label agrees." : "Both labels agree.";
  const told = listed(labels.map((label) => names[label]));
  return isOne ? `The label says ${told}.` : `The labels say ${told}.`;
}

/**
 * Doubt the answer where it is more unusual than for nearly all test digits, as the
 * network's card has measured.
 * @param {HTMLElement} root @param {Store<AppState>} store
 */
export function mountUnlike(root, store) {
  const unlike = findElement(root, "[data-unlike]");
  const sourceOf = keepSources(store);
  store.watch(["trace", "model", "network", "source"], (state) => {
    const { trace, model, network, source } = state;
    const isOwn = trace !== null && model !== null && trace.model === model.id;
    const isUsual = isOwn && network !== null && isPlainPass(trace, model, network);
    const doubt = isUsual ? unlikeWords(trace, model, sourceOf(trace, source)) : "";
    setText(unlike, doubt);
    unlike.hidden = doubt === "";
  });
}

/**
 * Whether a trace has the network's default options, as the card's figures do.
 * @param {Trace} trace @param {Model} model @param {Network} network
 */
export function isPlainPass(trace, model, network) {
  const options = network.options?.({ ...startOf(network.schema(model)), model }) ?? {};
  return isSamePass(trace, { ...trace, options });
}

/**
 * Two classes that share so much of all probability leave hardly any for others: the doubt
 * is between these two. Of the shipped CNN's doubts about test digits most are such.
 */
const BETWEEN_TWO = 0.99;

/**
 * @param {Pick<Trace, "pixels" | "tensors">} trace
 * @param {Pick<Model, "scores" | "class_names" | "card" | "input_shape">} model
 * @param {Source} source
 * @returns {string} empty where nothing is unusual, or the card has no such figures
 */
export function unlikeWords(trace, model, source) {
  const { outliers } = model.card;
  const scores = scoresOf(trace);
  if (outliers === undefined || scores === null) return "";
  const { measure, threshold, beyond, test_images: images } = outliers;
  const measured = measureOutlier(measure, {
    ink: inkOf(trace.pixels),
    reconstruction: trace.tensors.reconstruction?.data ?? null,
    scores,
  });
  if (measured === null || measured <= threshold) return "";
  const count = beyond.filter((value) => value >= measured).length;
  const rarity = rarityWords(count, images);
  if (needsReconstruction(measure)) {
    const shown = source.kind === "drawing" ? "drawing" : "image";
    return `Is this a digit at all? The reconstruction looks unlike the ${shown}: ${rarity} this far off.`;
  }
  const what =
    measure === "gap"
      ? "so small a lead over the runner-up"
      : `so low a highest ${scoreWords(model).one}`;
  const facts = `Few digits have ${what}: ${rarity} read with one.`;
  const [first, second] = ranked(scores);
  const isBetween =
    model.scores === "probability" && scores[first] + scores[second] >= BETWEEN_TWO;
  if (!isBetween) return `Is this a digit at all? ${facts}`;
  const [one, other] = [first, second].map((each) => model.class_names[each]);
  return `${one} or ${other}? ${facts} Pictures of no digit can divide the network in the same way.`;
}

/**
 * @param {number} count test digits
 * @param {number} of all
 * @returns {string} such as "about 1 in 118 test digits is"
 */
export function rarityWords(count, of) {
  if (count === 0) return `none of the ${grouped(of)} test digits is`;
  const isExact = of % count === 0;
  return `${isExact ? "" : "about "}1 in ${grouped(Math.round(of / count))} test digits is`;
}
