/**
 * A film of a training, for those who do not wait: what a small CapsNet was like at some of
 * its moments, recorded. It needs no run, and nothing is computed.
 * @import { AppState, Sample, Services, Store, Tensor } from "../types.js"
 */

import { picture } from "../draw/picture.js";
import { ranked } from "../lib/arithmetic.js";
import { diverging } from "../lib/color.js";
import { counted, grouped, percent } from "../lib/format.js";
import { scoreColumns } from "../ui/bars.js";
import { find, findElement, make } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";
import { chart, MISREAD } from "./chart.js";
import { nearestPlace } from "./history.js";
import { kernelsOn } from "./moment.js";
import { mountSlider } from "./slider.js";
import { brief, countWords, digitWords, secondsWords } from "./words.js";

const LENGTHS = "Lengths of the digit capsules";
const SAMPLES = {
  role: "group",
  "aria-label": "Sample digits: each, and what the network draws of its answer",
};
const ABOUT = [
  "Recorded from a run of the small CapsNet that the first button of ",
  h("em", {}, "Learn"),
  " trains where MNIST is there, from random weights. Sixteen greys show a reconstruction, and every kernel has one scale for the whole film.",
];

/** A film as the server tells it. @typedef {Awaited<ReturnType<Services["server"]["fetchFilm"]>>} Film */

/**
 * The figures of each moment.
 * @typedef {{ step: number, images: number, seconds: number, wrong: number, loss: number }} Figures
 */

/** @param {Film} film @returns {Figures[]} */
export function figuresOf({ tensors: { steps, images, seconds, wrong, loss } }) {
  return Array.from(steps.data, (step, i) => ({
    ...{ step, images: images.data[i], seconds: seconds.data[i] },
    ...{ wrong: wrong.data[i], loss: loss.data[i] },
  }));
}

/**
 * What a part of a tensor has for one moment, and there for one of its things.
 * @param {Tensor} tensor (moments, things, ...) @param {number} moment
 * @param {number} [thing] all of them when absent
 */
export function partOf({ shape, data }, moment, thing) {
  const whole = data.length / shape[0];
  const start = moment * whole;
  if (thing === undefined) return data.subarray(start, start + whole);
  const size = whole / shape[1];
  return data.subarray(start + thing * size, start + (thing + 1) * size);
}

/**
 * A moment in words.
 * @param {Figures} figures @param {number} tested
 * @param {{ right: number, of: number }} samples that are read as they are labelled
 * @param {number} classes
 */
export function momentWords(
  { images, seconds, step, wrong, loss },
  tested,
  samples,
  classes,
) {
  const count = { images, tested, error: wrong / tested, gained: [], lost: [] };
  const said = countWords([{ ...count, step, seconds }], classes);
  return `${said} Of the ${samples.of} digits below it reads ${samples.right} correctly. Loss: ${brief(loss)}.`;
}

/** The whole training in words. @param {readonly Figures[]} all @param {number} tested */
export function courseWords(all, tested) {
  const [last] = all.slice(-1);
  const halfway = all.find(({ wrong }) => wrong < tested / 10);
  const early =
    halfway === undefined
      ? ""
      : ` Nine tenths of ${grouped(tested)} test digits are read correctly after ${counted(halfway.images, "image")}.`;
  return `${grouped(all.length)} moments of a training of ${secondsWords(last.seconds)} and ${counted(last.images, "image")}, more of them at its beginning.${early} At the end ${percent(last.wrong / tested, 1)} are misread.`;
}

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Pick<Services, "server" | "guarded">} services
 */
export function mountFilm(root, store, { server, guarded }) {
  const folder = find(root, "[data-film]", HTMLDetailsElement);
  const body = findElement(folder, "[data-film-body]");
  let isAsked = false;
  let rest = () => {};
  folder.addEventListener("toggle", () => {
    if (!folder.open) rest();
    if (!folder.open || isAsked) return;
    isAsked = true;
    void guarded(async () => {
      try {
        rest = build(body, await server.fetchFilm(), store.get().samples);
      } catch (error) {
        isAsked = false; // the next time it is opened
        throw error;
      }
    })(null);
  });
  return { rest: () => rest() };
}

/**
 * @param {HTMLElement} body @param {Film} film @param {readonly Sample[]} samples
 * @returns {() => void} stops playing
 */
function build(body, film, samples) {
  const { kernels, lengths, drawn } = film.tensors;
  const figures = figuresOf(film);
  const own = film.samples.flatMap((id) => samples.filter((each) => each.id === id));
  const classes = lengths.shape[2];
  const names = Array.from({ length: classes }, (_, i) => String(i));
  const model = /** @type {const} */ ({ scores: "length", class_names: names });
  const [, , rows, columns] = kernels.shape;
  const scale = diverging(Math.max(...kernels.data.map(Math.abs)));
  let place = 0;
  let chosen = 0;

  const course = courseWords(figures, film.tested);
  const errors = {
    points: figures.map(({ images, wrong }) => ({ x: images, y: wrong / film.tested })),
    ...{ look: "", name: "of test digits", hasDots: true },
  };
  const end = figures[figures.length - 1].images;
  const name = { role: "group", "aria-label": "The moment of the film" };
  const bar = make("div", { class: "tools train-film-bar", ...name });
  const slider = mountSlider(bar, show);
  const choose = (/** @type {number} */ images) => {
    slider.rest();
    show(nearestPlace(figures, images, "images"));
  };

  /** @param {number} next */
  function show(next) {
    place = next;
    const now = figures[place];
    const at = `After ${counted(now.images, "image")} and ${secondsWords(now.seconds)}: step ${grouped(now.step)}, moment ${place + 1} of ${figures.length}`;
    slider.show(place, figures.length, at);
    const answers = own.map((_, i) => ranked(partOf(lengths, place, i))[0]);
    const right = own.filter(({ label }, i) => label === answers[i]).length;
    const counts = { right, of: own.length };
    const [high, wide] = drawn.shape.slice(2);
    const cells = own.map(({ label, title, pixels }, i) => {
      const bytes = Uint8Array.from(partOf(drawn, place, i));
      const content = [
        picture(pixels),
        picture({ channels: 1, rows: high, columns: wide, bytes }),
        h("span", {}, `reads ${answers[i]}`),
      ];
      const choose = () => {
        chosen = i;
        show(place);
      };
      const look = answers[i] === label ? "is-gained" : "is-lost";
      const name = `Sample ${title}: the network reads ${answers[i]}`;
      return button(content, choose, {
        ...{ class: look, pressed: i === chosen, "aria-label": name },
      });
    });
    const scores = partOf(lengths, place, chosen);
    const { label, title } = own[chosen];
    const answer = { prediction: answers[chosen], present: [answers[chosen]] };
    const told = digitWords(scores, answer, model, label);
    const wanted = label === null ? [] : [label];
    const bars = scoreColumns(names, LENGTHS, scores, answer.present, wanted);
    const count = kernels.shape[1];
    const shown = { shape: [count, rows, columns], data: partOf(kernels, place) };
    const unit = `the first ${count} of ${film.kernels} kernels of the first layer`;
    const line = { at: now.images, end, over: "images", label: course, choose };
    const words = momentWords(now, film.tested, counts, classes);
    fill(
      body,
      h("p", {}, course),
      bar,
      h("p", { "data-film-words": "" }, words),
      h("div", { class: "train-wall train-film-samples", ...SAMPLES }, cells),
      h(
        "div",
        { class: "train-film-parts" },
        h(
          "section",
          { "aria-label": "The chosen sample" },
          h("div", { class: "train-scores" }, bars),
          h("p", { class: "fine", "data-film-reads": "" }, `${title}. ${told}`),
        ),
        h("div", {}, kernelsOn(shown, scale, unit)),
        h(
          "section",
          { "aria-label": "Share misread" },
          h("h4", {}, "Share misread"),
          chart({ ...MISREAD, ...line, lines: [errors] }),
        ),
      ),
      h("p", { class: "fine" }, ABOUT),
    );
  }
  show(0);
  return slider.rest;
}
