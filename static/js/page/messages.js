/**
 * What is wrong, what is missing and what has changed, in words.
 * @import { Actions, AppState, Store } from "../types.js"
 */
import { lacks } from "../core/lacks.js";
import { groundsWords, readsWords, saidOf, scoresOf } from "../core/scores.js";
import { TRAIN } from "../core/state.js";
import { subjectOf } from "../core/subject.js";
import { asSentence, listed } from "../lib/format.js";
import { lead } from "../ui/controls.js";
import { findElement, setText } from "../ui/dom.js";

/** Readings are announced once they have stood still for so long. */
const SETTLED_MS = 700;

/**
 * @typedef {object} Parts
 * @property {HTMLElement} problem
 * @property {HTMLElement} held what to say while a busy server is asked again
 * @property {HTMLElement} away what to say while nobody answers
 * @property {HTMLElement} unread what a link said in vain
 * @property {HTMLElement} empty
 * @property {HTMLElement} announcer speaks to who does not see
 */

/**
 * @param {Parts} parts @param {Store<AppState>} store @param {Actions} actions
 * @param {object} does
 * @param {() => void} does.tryAgain ask at once whether the server is back
 * @param {() => void} does.showExample
 */
export function mountMessages(parts, store, actions, { tryAgain, showExample }) {
  const { problem, held, away, unread, empty, announcer } = parts;
  const words = findElement(problem, "[data-words]");
  store.watch(["problem"], ({ problem: text }) => {
    problem.hidden = text === null;
    words.textContent = text === null ? "" : asSentence(text);
  });
  findElement(problem, "[data-dismiss]").addEventListener("click", () =>
    actions.report(null),
  );

  store.watch(["isHeld"], ({ isHeld }) => {
    held.hidden = !isHeld;
    if (isHeld) announcer.textContent = held.textContent;
  });

  const unreadWords = findElement(unread, "[data-words]");
  store.watch(["unread"], ({ unread: words }) => {
    unread.hidden = words.length === 0;
    if (words.length > 0)
      unreadWords.textContent = lacks("server")
        ? `This site does not have ${listed(words)} of this link, and shows what it has instead. All else, such as training and test sets, runs on your own machine: get CapsNet Explorer, and start it with “python run_visualization.py”.`
        : `The explorer could not read ${listed(words)} in this link. It uses its defaults instead.`;
  });
  findElement(unread, "[data-dismiss]").addEventListener("click", () =>
    store.set({ unread: [] }),
  );

  store.watch(["isAway"], ({ isAway }) => {
    away.hidden = !isAway;
  });
  findElement(away, "[data-try]").addEventListener("click", tryAgain);

  const start = findElement(empty, "[data-start]");
  store.watch(["model"], ({ model }) => {
    if (model !== null) setText(start, subjectOf(model).start);
  });
  const [nothing, reading] = ["[data-nothing]", "[data-reading]"].map((part) =>
    findElement(empty, part),
  );
  // A network may be long on its way: what was drawn is not lost meanwhile.
  store.watch(["isReading", "pixels"], ({ isReading, pixels }) => {
    nothing.hidden = isReading;
    reading.hidden = !isReading;
    if (isReading && pixels === null) announcer.textContent = reading.textContent;
  });
  store.watch(["pixels", "models", "isAway", "mode", "source"], (state) => {
    const { pixels, models, isAway, mode, source } = state;
    // A run goes on without an image, and symbols are drawn one after another.
    const isNeeded = mode !== TRAIN;
    const isNone = pixels === null && source.kind !== "toy"; // that is being drawn
    const isEmpty = isNone && models.length > 0 && !isAway && isNeeded;
    empty.hidden = !isEmpty;
    document.body.classList.toggle("is-empty", isEmpty);
  });
  findElement(empty, "[data-example]").addEventListener("click", () => {
    showExample();
    lead(document.getElementById("stage")); // the button that had the focus is gone
  });

  store.watch(["trace", "pixels", "problem"], ({ trace, pixels, problem: trouble }) => {
    const isLoading = trace === null && pixels !== null && trouble === null;
    document.body.classList.toggle("is-loading", isLoading);
  });

  let timer = 0;
  let isReading = false; // what the announcer says last is an answer
  store.watch(["trace", "model", "pixels"], ({ trace, model, pixels }) => {
    clearTimeout(timer);
    if (pixels === null && isReading) {
      announcer.textContent = "The canvas is empty.";
      isReading = false;
    }
    if (trace === null || model === null || pixels === null) return;
    timer = setTimeout(() => {
      const scores = scoresOf(trace);
      if (trace.model !== model.id || scores === null) return;
      const reading = saidOf(scores, model);
      const words = `${readsWords(reading, model)}: ${groundsWords(reading, scores, model)}`;
      announcer.textContent = `${model.title} ${words}.`;
      isReading = true;
    }, SETTLED_MS);
  });
}
