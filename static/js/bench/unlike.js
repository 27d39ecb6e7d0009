/**
 * "Is this a digit at all?": said where the network's answer to an image is as unusual as
 * it is to few test digits, as measured for its card.
 * @import { AnyNetwork, AppState, Model, Source, Trace } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { isSamePass } from "../core/rooms.js";
import { scoresOf, scoreWords } from "../core/scores.js";
import { grouped } from "../lib/format.js";
import { inkOf } from "../lib/pixels.js";
import { measureOutlier, needsReconstruction } from "../lib/statistics.js";
import { findElement, setText } from "../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 */
export function mountUnlike(root, store) {
  const words = findElement(root, "[data-unlike]");
  store.watch(["trace", "model", "network", "source"], (state) => {
    const { trace, model, network, source } = state;
    const isOwn = trace !== null && model !== null && trace.model === model.id;
    const isUsual = isOwn && network !== null && isPlainPass(trace, model, network);
    const text = isUsual ? unlikeWords(trace, model, source) : "";
    setText(words, text);
    words.hidden = text === "";
  });
}

/**
 * Whether a trace was asked as the card's figures were: with what a network starts with.
 * @param {Trace} trace
 * @param {Model} model
 * @param {AnyNetwork} network
 */
export function isPlainPass(trace, model, network) {
  const options = network.options?.({ ...network.slice(model), model }) ?? {};
  return isSamePass(trace, { ...trace, options });
}

/**
 * @param {Pick<Trace, "pixels" | "tensors">} trace
 * @param {Pick<Model, "scores" | "card">} model
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
  const { one } = scoreWords(model);
  const what =
    measure === "gap"
      ? "so small a lead over the runner-up"
      : `so low a highest ${one}`;
  return `Is this a digit at all? Few have ${what}: ${rarity} read with one.`;
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
