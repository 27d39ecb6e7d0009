/**
 * A row for each network: what to know of it, what it reads, its scores by their kind,
 * its reconstruction, and room for a curve.
 * @import { Model, Pixels, Trace } from "../../types.js"
 * @import { Content } from "../../ui/h.js"
 */

import { sizeAndError, trainingWords } from "../../core/card.js";
import {
  groundsWords,
  saidOf,
  saidWords,
  scoresOf,
  scoreText,
  scoreWords,
} from "../../core/scores.js";
import { painted } from "../../draw/picture.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { paintImage } from "../../paint/heatmap.js";
import { paintOver } from "../../paint/pictures.js";
import { scoreColumns } from "../../ui/bars.js";
import { make } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { shortNames } from "./words.js";

/** The class, or the classes, whose scores are followed; null for none. @typedef {number | readonly number[] | null} Followed */

/** @param {Followed} followed @returns {readonly number[]} */
const classesIn = (followed) =>
  typeof followed === "number" ? [followed] : (followed ?? []);

/**
 * What a row shows.
 * @typedef {object} Row
 * @property {Trace} [trace] what the network reads; absent until it has answered
 * @property {Followed} followed
 * @property {boolean} isKnown whether these are right; else others may only be unlike
 * @property {Content} extra what an experiment shows besides, such as a curve
 * @property {boolean} [isAwaited] whether all this is about to be another
 */

const FINE = { class: "fine" };

/**
 * @param {HTMLElement} root filled
 * @param {(model: Model) => void} open in Explore, with the changed digit
 * @returns {(networks: readonly Model[], rowOf: (model: Model, i: number) => Row) => void}
 */
export function mountRows(root, open) {
  // A network keeps its own, and what is open there, while others are switched on and off.
  const placesOf = memoizeByObject(
    (/** @type {Model} */ model) => model,
    ({ id }) => ({
      row: make("article", { class: "panel lab-row", "data-model": id }),
      // Its reading alone, in narrow windows: in sight while the knob is turned.
      brief: make("li"),
    }),
  );
  const briefs = root.closest(".lab-body")?.querySelector("[data-brief]");
  return (networks, rowOf) => {
    const names = shortNames(networks);
    const places = networks.map(placesOf);
    places.forEach(({ row, brief }, i) => {
      const [model, now] = [networks[i], rowOf(networks[i], i)];
      const said = readingIn(model, now);
      for (const each of [row, brief]) {
        each.classList.toggle("is-wrong", said.isOther && now.isKnown);
        each.classList.toggle("is-unlike", said.isOther && !now.isKnown);
      }
      row.classList.toggle("is-awaited", now.isAwaited ?? false);
      const extra = h("div", { class: "lab-extra" }, now.extra);
      fill(row, headOf(model, names[i], open), readingOf(model, now, said), extra);
      const [name, own] = [names[i], said.own].map((text) => h("span", FINE, text));
      const texts = [name, h("b", {}, said.read), own];
      const goTo = () => row.scrollIntoView();
      fill(brief, button(texts, goTo, { class: "quiet", title: "Go to its row" }));
    });
    fill(
      root,
      places.map(({ row }) => row),
    );
    if (briefs)
      fill(
        briefs,
        places.map(({ brief }) => brief),
      );
  };
}

/** @param {Model} model @param {string} name @param {(model: Model) => void} open */
function headOf(model, name, open) {
  const label = `Open in Explore: ${model.title}, this image`;
  const look = { class: "quiet", "aria-label": label };
  return h(
    "header",
    { class: "lab-row-head" },
    h("h3", { title: model.title }, name),
    h("p", FINE, sizeAndError(model)),
    button("Open in Explore", () => open(model), look),
  );
}

/**
 * What a network reads, in words.
 * @param {Model} model @param {Row} row
 */
function readingIn(model, { trace, followed }) {
  const scores = trace && scoresOf(trace);
  if (!trace || !scores) return { read: "–", own: "", words: "", isOther: false };
  const wanted = classesIn(followed);
  const said = saidOf(scores, model);
  const missed = wanted.filter((each) => !said.named.includes(each));
  const own = groundsWords(said, scores, model);
  // Where it is undecided or sees none, its best two have been told.
  const told = said.named.length > 0 ? [] : said.order.slice(0, 1);
  const others = missed
    .filter((each) => !told.includes(each))
    .map(
      (each) =>
        `; ${model.class_names[each]}: ${scoreText(scores[each], model.scores)}`,
    );
  return {
    ...{ read: saidWords(said, model), own, words: own + others.join("") },
    isOther: missed.length > 0,
  };
}

/**
 * What a network reads, its scores, and what it draws, if it can.
 * @param {Model} model @param {Row} row @param {ReturnType<typeof readingIn>} said
 */
function readingOf(model, { trace, followed }, { read, words }) {
  const { class_names: names, title, can, card } = model;
  const scores = (trace && scoresOf(trace)) ?? undefined;
  const drawn =
    trace?.tensors.reconstruction && `draws capsule ${names[trace.prediction]}`;
  const label = `${title}${drawn ? ` ${drawn}` : ": reconstruction"}`;
  /** @param {HTMLCanvasElement} canvas @param {Trace} trace */
  const paint = (canvas, { pixels, tensors: { reconstruction } }) =>
    reconstruction && paintImage(canvas, reconstruction.data, pixels);
  return h(
    "div",
    { class: "lab-left" },
    h(
      "div",
      { class: "lab-reading" },
      h(
        "div",
        { class: "lab-reads" },
        h("p", { class: "lab-reads-digit" }, read),
        h("p", { class: "fine lab-reads-words" }, words),
      ),
      scoreColumns(
        names,
        scoreWords(model).title,
        scores,
        scores ? saidOf(scores, model).named : [],
        classesIn(followed),
      ),
      can.reconstruct &&
        h(
          "figure",
          { class: "lab-drawn" },
          painted(trace ?? null, paint, { role: "img", "aria-label": label }),
          h("figcaption", FINE, drawn),
        ),
    ),
    h("details", FINE, h("summary", {}, "Training"), h("p", {}, trainingWords(card))),
  );
}

/**
 * The changed digit, large, with the original faint behind it.
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
