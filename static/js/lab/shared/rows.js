/**
 * A row for each network: what to know of it, what it reads, its scores by their kind,
 * its reconstruction, and room for a curve.
 * @import { Reading } from "./ask.js"
 * @import { Model, Pixels } from "../../types.js"
 */

import { sizeAndError, trainingWords } from "../../core/card.js";
import { presentScores, presentWords, SCORES, scoreWords } from "../../core/scores.js";
import { fixed } from "../../lib/format.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { paintImage } from "../../paint/heatmap.js";
import { paintOver } from "../../paint/pictures.js";
import { scoreColumns } from "../../ui/bars.js";
import { make, setText } from "../../ui/dom.js";
import { shortNames } from "./words.js";

/** The class, or the classes, that are right; null where nobody knows. @typedef {number | readonly number[] | null} Followed */

/** @param {Followed} followed @returns {readonly number[]} */
const classesIn = (followed) =>
  typeof followed === "number" ? [followed] : (followed ?? []);

/**
 * @template Extra
 * @typedef {object} Row
 * @property {Model} model
 * @property {HTMLElement} element
 * @property {HTMLElement} brief its reading alone, for narrow windows: beside the digit, in
 *   sight while the knob is turned
 * @property {Extra} extra what an experiment shows besides, such as a curve
 * @property {(name: string) => void} call write its name
 * @property {(reading: Reading, followed: Followed) => void} show
 */

/**
 * @template Extra
 * @param {HTMLElement} root filled
 * @param {(model: Model) => void} open in Explore, with the changed digit
 * @param {(room: HTMLElement) => Extra} makeExtra what an experiment shows besides
 */
export function mountRows(root, open, makeExtra) {
  /** @type {Row<Extra>[]} */
  let rows = [];
  const rowOf = memoizeByObject(
    (/** @type {Model} */ model) => model,
    (model) => makeRow(model, open, makeExtra),
  );
  const brief = root.closest(".lab-body")?.querySelector("[data-brief]");

  return {
    /**
     * @param {readonly Model[]} networks
     * @returns {Row<Extra>[]} always the same for a model
     */
    of(networks) {
      rows = networks.map(rowOf);
      const names = shortNames(networks);
      rows.forEach((row, i) => {
        row.call(names[i]);
      });
      const elements = rows.map(({ element }) => element);
      const isSame = elements.length === root.childElementCount;
      if (!isSame || elements.some((each, i) => each !== root.children[i])) {
        root.replaceChildren(...elements);
        brief?.replaceChildren(...rows.map((row) => row.brief));
      }
      return rows;
    },

    /** @param {readonly Reading[]} readings @param {Followed} followed */
    show(readings, followed) {
      for (const reading of readings)
        rows.find(({ model }) => model === reading.model)?.show(reading, followed);
    },
  };
}

/**
 * @template Extra
 * @param {Model} model
 * @param {(model: Model) => void} open
 * @param {(room: HTMLElement) => Extra} makeExtra
 * @returns {Row<Extra>}
 */
function makeRow(model, open, makeExtra) {
  const element = make("article", { class: "panel lab-row", "data-model": model.id });
  const digit = make("p", "lab-reads-digit", "–");
  const words = make("p", "fine lab-reads-words");
  const { title, one } = scoreWords(model);
  const bars = scoreColumns(model.class_names, title);
  const drawn = makeDrawn(model);
  const reads = make("div", "lab-reads", digit, words);
  const reading = make("div", "lab-reading", reads, bars.element, drawn.element);
  const training = make(
    "details",
    "fine",
    make("summary", "", "Training"),
    make("p", "", trainingWords(model.card)),
  );
  const brief = makeBrief(element);
  const head = makeHead(model, open);
  const room = make("div", "lab-extra");
  const left = make("div", "lab-left", reading, training);
  element.append(head.element, left, room);

  return {
    ...{ model, element, brief: brief.element, extra: makeExtra(room) },
    call(name) {
      head.call(name);
      brief.call(name);
    },
    show({ trace }, followed) {
      const values = trace.tensors[SCORES]?.data;
      if (values === undefined) return;
      const { present } = trace;
      const read = presentWords(trace, model);
      const own = `${one} ${presentScores(values, trace)}`;
      const wanted = classesIn(followed);
      const missed = wanted.filter((each) => !present.includes(each));
      const isWrong = missed.length > 0;
      setText(digit, read);
      element.classList.toggle("is-wrong", isWrong);
      brief.show(read, own, isWrong);
      const others = missed.map(
        (each) => `; ${model.class_names[each]}: ${fixed(values[each], 2)}`,
      );
      setText(words, own + others.join(""));
      bars.show(values, present, wanted);
      drawn.show(trace);
    },
  };
}

/** @param {Model} model @param {(model: Model) => void} open */
function makeHead(model, open) {
  const button = make(
    "button",
    { class: "quiet", "aria-label": `Open in Explore: ${model.title}, this image` },
    "Open in Explore",
  );
  button.addEventListener("click", () => open(model));
  const size = make("p", "fine", sizeAndError(model));
  const heading = make("h3", { title: model.title });
  return {
    element: make("header", "lab-row-head", heading, size, button),
    call: (/** @type {string} */ name) => setText(heading, name),
  };
}

/** What a network draws, if it can. @param {Model} model */
function makeDrawn({ title, class_names, can }) {
  const label = `${title}: reconstruction`;
  const canvas = make("canvas", { role: "img", "aria-label": label });
  const caption = make("figcaption", "fine");
  const element = make("figure", "lab-drawn", canvas, caption);
  element.hidden = !can.reconstruct;
  return {
    element,

    /** @param {Reading["trace"]} trace */
    show({ pixels, prediction, tensors: { reconstruction } }) {
      if (reconstruction === undefined) return;
      const name = class_names[prediction];
      paintImage(canvas, reconstruction.data, pixels);
      canvas.setAttribute("aria-label", `${title} draws capsule ${name}`);
      setText(caption, `draws capsule ${name}`);
    },
  };
}

/**
 * A button with a network's reading, which leads to its row.
 * @param {HTMLElement} row
 */
function makeBrief(row) {
  const called = make("span", "fine");
  const digit = make("b", "", "–");
  const score = make("span", "fine");
  const button = make(
    "button",
    { class: "quiet", title: "Go to its row" },
    called,
    digit,
    score,
  );
  button.addEventListener("click", () => row.scrollIntoView());
  const element = make("li", "", button);
  return {
    element,
    call: (/** @type {string} */ name) => setText(called, name),
    /**
     * @param {string} read the class
     * @param {string} words its score
     * @param {boolean} isWrong
     */
    show(read, words, isWrong) {
      setText(digit, read);
      setText(score, words);
      element.classList.toggle("is-wrong", isWrong);
    },
  };
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
