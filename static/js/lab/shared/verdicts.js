/**
 * A row of verdicts: what each network reads in the changed image, in the colour of its line,
 * with a switch. Below the plot: what is to be known of these networks.
 * @import { Model, Pixels, Trace } from "../../types.js"
 * @import { Content } from "../../ui/h.js"
 */

import { sizeAndError, trainingWords } from "../../core/card.js";
import {
  groundsWords,
  isReadAs,
  saidOf,
  saidWords,
  scoresOf,
  scoreText,
} from "../../core/scores.js";
import { comparableModels } from "../../core/state.js";
import { painted } from "../../draw/picture.js";
import { paintImage } from "../../paint/heatmap.js";
import { paintOver } from "../../paint/pictures.js";
import { make } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { coloursOf, lookOf } from "./courses.js";
import { shortNames } from "./words.js";

/** The class, or the classes, whose scores are followed; null for none. @typedef {number | readonly number[] | null} Followed */

/** @param {Followed} followed @returns {readonly number[]} */
const classesIn = (followed) =>
  typeof followed === "number" ? [followed] : (followed ?? []);

/**
 * What a verdict says.
 * @typedef {object} Verdict
 * @property {Trace} [trace] what the network reads; absent until it has answered
 * @property {Followed} followed
 * @property {boolean} isKnown whether these are right; else others may only be unlike
 * @property {Content} [remark] what an experiment says besides
 * @property {Content} [drawn] a picture in place of the reconstruction
 * @property {boolean} [isAwaited] whether all this is about to be another
 * @property {boolean} [isUnread] whether all this is of another image than the one on show
 */

const FINE = { class: "fine" };

/** Those that could take part, each with its name and its colour. @typedef {{ model: Model, name: string, color: number, isOn: boolean }} Candidate */

/**
 * @param {{ models: Model[], model: Model, networks: readonly Model[] }} state
 * @param {(model: Model) => boolean} [suits] whether the experiment can ask it
 * @returns {Candidate[]}
 */
export function candidatesIn({ models, model, networks }, suits = () => true) {
  const all = comparableModels({ models, model }).filter(suits);
  const [names, colours] = [shortNames(all), coloursOf(all)];
  return all.map((model, i) => ({
    model,
    name: names[i],
    color: colours[i],
    isOn: networks.includes(model),
  }));
}

/**
 * @param {HTMLElement} root filled
 * @param {object} does
 * @param {(model: Model) => void} does.open in Explore, with the changed image
 * @param {(id: string) => void} does.switchNetwork on or off
 * @returns {(all: readonly Candidate[], verdictOf: (model: Model) => Verdict) => void}
 */
export function mountVerdicts(root, { open, switchNetwork }) {
  return (all, verdictOf) => {
    const cards = all.map(({ model, name, color, isOn }) => {
      const verdict = isOn ? verdictOf(model) : null;
      const reading = verdict && readingIn(model, verdict);
      const look = [
        ...["panel", "lab-verdict", lookOf(color), !isOn && "is-off"],
        verdict?.isAwaited && "is-awaited",
        verdict?.isUnread && "is-unread",
        reading?.mark,
      ];
      const box = {
        type: "checkbox",
        value: model.id,
        checked: isOn,
        onchange: () => switchNetwork(model.id),
      };
      return h(
        "article",
        { class: look.filter(Boolean).join(" "), "data-model": model.id },
        h(
          "header",
          {},
          h(
            "label",
            { title: `${model.title}: ${sizeAndError(model)}` },
            h("input", box),
            h("span", {}, name),
          ),
          isOn && button("↗", () => open(model), openLook(model)),
        ),
        verdict && reading && verdictIn(model, verdict, reading),
      );
    });
    fill(root, cards);
  };
}

/** @param {Model} model */
function openLook({ title }) {
  const label = `Open in Explore: ${title}, this image`;
  return {
    class: "quiet",
    "aria-label": label,
    title: "Open in Explore with this image",
  };
}

/**
 * What a network reads, in words, and how its card is marked where it is not what is
 * followed.
 * @param {Model} model @param {Omit<Verdict, "remark" | "drawn">} verdict
 */
export function readingIn(model, { trace, followed, isKnown }) {
  const scores = trace && scoresOf(trace);
  if (!trace || !scores) return { read: "–", words: "", mark: null };
  const reading = saidOf(scores, model);
  const missed = classesIn(followed).filter(
    (classIndex) => !isReadAs(reading, classIndex),
  );
  // Where it names none, its best have been told.
  const classes = reading.order.slice(
    0,
    { undecided: 2, none: 1 }[String(reading.state)] ?? 0,
  );
  const others = missed
    .filter((classIndex) => !classes.includes(classIndex))
    .map(
      (classIndex) =>
        `; ${model.class_names[classIndex]}:\u00a0${scoreText(scores[classIndex], model.scores)}`,
    );
  return {
    read: saidWords(reading, model),
    mark: missed.length === 0 ? null : isKnown ? "is-wrong" : "is-unlike",
    words: groundsWords(reading, scores, model) + others.join(""),
  };
}

/**
 * What a network reads, and what it draws, if it can.
 * @param {Model} model @param {Verdict} verdict @param {ReturnType<typeof readingIn>} reading
 */
function verdictIn(model, { trace, remark, drawn }, { read, words }) {
  const { class_names: names, title, can } = model;
  const isDrawn = trace?.tensors.reconstruction !== undefined;
  const label = isDrawn ? ` draws capsule ${names[trace.prediction]}` : "";
  /** @param {HTMLCanvasElement} canvas @param {Trace} trace */
  const paint = (canvas, { pixels, tensors: { reconstruction } }) =>
    reconstruction && paintImage(canvas, reconstruction.data, pixels);
  const picture = {
    role: "img",
    "aria-label": `${title}${label}`,
    title: label.trim(),
  };
  return [
    h(
      "div",
      { class: "lab-reads" },
      h("p", { class: "lab-reads-digit" }, read),
      drawn ?? (can.reconstruct && painted(trace ?? null, paint, picture)),
    ),
    h("p", { class: "fine lab-reads-words" }, words),
    remark && h("p", FINE, remark),
  ];
}

/**
 * What to know of networks that are compared: how large they are, how well they read, and
 * what they learned from.
 * @param {readonly Candidate[]} all
 */
export const aboutNetworks = (all) =>
  h(
    "dl",
    { class: "lab-networks fine" },
    all.flatMap(({ model, name }) => [
      h("dt", {}, name),
      h("dd", {}, `${sizeAndError(model)}. ${trainingWords(model.card)}`),
    ]),
  );

/**
 * The changed image, large, with the original faint behind it.
 * @param {HTMLElement} root filled
 * @param {string} label of the picture
 */
export function changedDigit(root, label) {
  const canvas = make("canvas", { role: "img", "aria-label": label });
  canvas.className = "lab-digit";
  root.prepend(canvas);
  return {
    canvas,

    /** @param {Pixels} changed @param {Pixels} original of the same size */
    show: (changed, original) => paintOver(canvas, changed, original),
  };
}
