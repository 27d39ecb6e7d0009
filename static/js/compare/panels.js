/**
 * What is compared in every network: the images, and their scores.
 * @import { ComparedState, Model, Source, Trace } from "../types.js"
 * @import { Panel } from "../ui/panel.js"
 */
import { readsWords, SCORES, saidOf, scoresOf, scoreWords } from "../core/scores.js";
import { focusedClass, knownLabels } from "../core/state.js";
import { pairs, trio } from "../draw/compared.js";
import { listed } from "../lib/format.js";
import { inkOf } from "../lib/pixels.js";

/** @type {Panel<ComparedState>} */
const images = {
  id: "images",
  title: "The images",
  picture: ({ model, trace, kept, keptTrace, source }) =>
    trio({
      label: "Image",
      values: [inkOf(kept.pixels), inkOf(trace.pixels)],
      image: kept.pixels,
      more: [
        readingWords(model, keptTrace, kept.source),
        readingWords(model, trace, source),
      ],
    }),
};

/** @type {Panel<ComparedState>} */
const scores = {
  id: "scores",
  look: "compare-tall",
  title: ({ model }) => scoreWords(model).title,
  picture: (scene) =>
    pairs({
      caption: scoreWords(scene.model).title,
      of: "class",
      names: scene.model.class_names,
      values: [scene.keptTrace.tensors[SCORES].data, scene.trace.tensors[SCORES].data],
      focused: focusedClass(scene),
    }),
};

/** @param {Model} model @param {Pick<Trace, "tensors">} trace @param {Source} source */
function readingWords(model, trace, source) {
  const labels = knownLabels(source, model)?.map((label) => model.class_names[label]);
  const labelled = labels
    ? `, ${labels.length > 1 ? "labels" : "label"} ${listed(labels)}`
    : "";
  const scores = scoresOf(trace);
  const reading = scores
    ? `the network ${readsWords(saidOf(scores, model), model)}`
    : "";
  return `${reading}${labelled}`;
}

export const panels = [images, scores];
