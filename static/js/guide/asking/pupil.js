/**
 * A teacher's questions above the stage: first what is expected, then what is seen. The
 * answers stay in this browser until they are saved or copied.
 * @import { AppState, Store } from "../../types.js"
 * @import { Services } from "../door.js"
 * @import { Answers } from "./records.js"
 * @import { Question } from "./questions.js"
 */
import { isCopied } from "../../ui/copying.js";
import { download } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { browserMemory } from "../stops.js";
import { watchTask } from "../tasks.js";
import { NOTHING_GIVEN, rowsOf, toCsv, toText } from "./answers.js";
import {
  checkWords,
  MOST,
  plain,
  readPlace,
  readQuestions,
  writePlace,
  writeQuestions,
} from "./questions.js";
import { createAnswers } from "./records.js";

const UNKNOWN = "I do not know";

/** @typedef {"expected" | "afterwards"} When an answer is given: before anything is tried, or after */

/**
 * @param {HTMLElement} root its place
 * @param {Store<AppState>} store
 * @param {Pick<Services, "open" | "roomOf" | "progress">} services
 */
export function mountPupil(root, store, { open, roomOf, progress }) {
  /** @type {readonly Question[]} */
  let questions = [];
  let index = 0;
  let answers = createAnswers(browserMemory(), "");
  let status = "";
  /** What is being written. @type {Partial<Record<When, string>>} */
  let drafts = {};
  let stopWatching = () => {};

  function draw() {
    root.hidden = questions.length === 0;
    if (root.hidden) return;
    const names = store.get().model?.class_names ?? [];
    const question = questions[index];
    const { name, given } = answers.get();
    const record = given[index] ?? NOTHING_GIVEN;
    const { expected, isSolved } = record;
    const isLast = index === questions.length - 1;
    const number =
      questions.length === 1 ? "" : ` · ${index + 1} of ${questions.length}`;
    fill(root, [
      h(
        "div",
        { class: "asked-head" },
        h("h2", { class: "fine", tabindex: -1 }, `Your teacher asks${number}`),
        button("Back", () => does.go(index - 1), { disabled: index === 0 }),
        button("Next question", () => does.go(index + 1), { disabled: isLast }),
        button("Leave", does.leave, { class: "quiet" }),
      ),
      h("p", { class: "asked-words", dir: "auto" }, question.question),
      expected !== ""
        ? h("p", {}, "You expected: ", h("b", { dir: "auto" }, expected))
        : choiceForm("What do you expect?", "expected", question, record),
      expected !== "" && [
        question.check && taskLine(isSolved, checkWords(question.check, names)),
        choiceForm("What do you say now?", "afterwards", question, record),
      ],
      isLast && savingPart(name),
    ]);
  }

  const does = {
    /** @param {When} when @param {string} words */
    draft(when, words) {
      drafts = { ...drafts, [when]: words };
    },
    /** @param {When} when @param {string} words */
    answer(when, words) {
      answers.give(index, { [when]: plain(words).slice(0, MOST.question) });
      drafts = {};
      draw();
      if (when === "afterwards") return;
      watch();
      const next = root.querySelector(
        ":is(button, input):is([data-when=afterwards] *)",
      );
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    },
    /** @param {number} to */
    async go(to) {
      status = "";
      const search = writePlace(location.search, to);
      await open(`${location.pathname}${search}#${questions[to].at}`);
      show();
      root.querySelector("h2")?.focus({ preventScroll: true });
    },
    async leave() {
      await open(
        `${location.pathname}${writeQuestions(location.search, [])}${location.hash}`,
      );
      show();
    },
    /** @param {string} name */
    call(name) {
      answers.call(plain(name));
      draw();
    },
    save() {
      const name = answers.get().name || "somebody";
      const content = new Blob([toCsv(rows())], { type: "text/csv;charset=utf-8" });
      download(content, `answers-${name.replace(/[^\p{L}\p{N}]+/gu, "-")}.csv`);
      tell("Saved as a file. Give it to your teacher.");
    },
    async copy() {
      const isDone = await isCopied(toText(rows()));
      tell(isDone ? "Copied." : "The browser does not allow this page to copy.");
    },
    clear() {
      answers.clear();
      does.go(0);
    },
  };

  /** What is done with all answers, at the last question. */
  const savingPart = (/** @type {string} */ name) =>
    h(
      "div",
      { class: "asked-tools" },
      h(
        "label",
        {},
        "Your name ",
        h("input", {
          type: "text",
          name: "name",
          maxlength: MOST.answer,
          value: name,
          onchange: (/** @type {any} */ event) => does.call(event.target.value),
        }),
      ),
      button("Save my answers", does.save),
      button("Copy them", does.copy, { class: "quiet" }),
      button("Clear them", does.clear, { class: "quiet" }),
      h("span", { class: "fine", role: "status" }, status),
    );

  /**
   * @param {string} words @param {When} when
   * @param {Pick<Question, "answers">} question
   * @param {Record<When, string>} record what was answered
   */
  function choiceForm(words, when, { answers }, record) {
    const choice = (/** @type {string} */ text, look = "") =>
      button(text, () => does.answer(when, text), {
        class: look,
        pressed: record[when] === text,
      });
    const choices = [...answers.map((text) => choice(text)), choice(UNKNOWN, "quiet")];
    if (answers.length > 0)
      return h(
        "div",
        {
          class: "asked-choice",
          role: "group",
          "aria-label": words,
          "data-when": when,
        },
        h("span", {}, words),
        choices,
      );
    return h(
      "form",
      {
        class: "asked-choice",
        "data-when": when,
        onsubmit: (/** @type {any} */ event) => {
          event.preventDefault();
          const text = plain(event.target.elements.said.value);
          if (text !== "") does.answer(when, text);
        },
      },
      h(
        "label",
        {},
        `${words} `,
        h("input", {
          type: "text",
          name: "said",
          maxlength: MOST.question,
          value: drafts[when] ?? record[when],
          oninput: (/** @type {any} */ event) => does.draft(when, event.target.value),
        }),
      ),
      h("button", { type: "submit" }, "Say so"),
      when === "expected" && choice(UNKNOWN, "quiet"),
    );
  }

  const rows = () => {
    const { name, given } = answers.get();
    return rowsOf(name, questions, given, progress.get());
  };

  /** @param {string} words */
  function tell(words) {
    status = words;
    draw();
  }

  /** Look for the task's end once it was said what is expected. */
  function watch() {
    stopWatching();
    stopWatching = () => {};
    const { check } = questions[index] ?? {};
    const { expected, isSolved } = answers.get().given[index] ?? NOTHING_GIVEN;
    if (!check || expected === "" || isSolved) return;
    const at = index;
    stopWatching = watchTask(check, store, roomOf, () => {
      answers.give(at, { isSolved: true });
      draw();
    });
  }

  /** Show what the address asks now. */
  function show() {
    questions = readQuestions(location.search).questions;
    index = readPlace(location.search, questions.length);
    drafts = {};
    const set = writeQuestions("", questions);
    if (answers.get().set !== set) answers = createAnswers(browserMemory(), set);
    draw();
    watch();
  }

  store.watch(["model"], draw);
  return { show };
}

/** @param {boolean} isSolved @param {string} words */
const taskLine = (isSolved, words) =>
  h(
    "p",
    { class: isSolved ? "is-right" : "", role: "status" },
    isSolved ? `✓ Solved: ${words}.` : `To do: see to it that ${words}.`,
  );
