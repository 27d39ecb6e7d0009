/**
 * A teacher's page: questions about what is on show become a link, and the files of a class
 * become tables.
 * @import { AppState, Store } from "../../types.js"
 * @import { OfClass, Row } from "./answers.js"
 * @import { Question } from "./questions.js"
 */
import { toHash } from "../../core/link.js";
import { counted } from "../../lib/format.js";
import { isCopied } from "../../ui/copying.js";
import { fill, h } from "../../ui/h.js";
import { button, menu } from "../../ui/inputs.js";
import { valuesTable } from "../../ui/values.js";
import { browserMemory } from "../stops.js";
import { classOf, fromCsv } from "./answers.js";
import {
  answersIn,
  CHECKS,
  checkWords,
  MOST,
  plain,
  problemOf,
  readQuestions,
  writeQuestions,
} from "./questions.js";

const KEY = "asking"; // questions, as a link has them
const MOST_BYTES = 1 << 20; // of a file
const MOST_LINK = 7_000; // letters: hosts refuse addresses of more than 8 kB

/**
 * @param {HTMLElement} root a dialog
 * @param {Store<AppState>} store
 */
export function mountTeacher(root, store) {
  const dialog = /** @type {HTMLDialogElement} */ (root);
  const memory = browserMemory();
  let questions = readQuestions(memory.getItem(KEY) ?? "").questions;
  /** @type {readonly Row[][]} */
  let files = [];
  let [kind, status, refused] = ["", "", /** @type {string[]} */ ([])];

  function draw() {
    const names = store.get().model?.class_names ?? [];
    fill(
      dialog,
      h("h2", { id: "ask-title" }, "Ask a class"),
      h(
        "p",
        {},
        "Ask about what is on show, and give the link to your class. Each question opens as the page is when you add it. Answers stay with those who give them, until they save a file for you: nothing is sent anywhere.",
      ),
      questionList(questions, names, remove),
      questionForm({ kind, names }, { choose, add }),
      linkPart(questions.length === 0 ? "" : linkOf(questions), { copy, clear }),
      h("p", { class: "fine", role: "status" }, status),
      h("h3", {}, "What your class answered"),
      filesPart(read),
      refused.map((words) => h("p", { class: "is-wrong", role: "alert" }, words)),
      classPart(files),
      h("form", { method: "dialog" }, h("button", { type: "submit" }, "Close")),
    );
  }

  /** @param {readonly Question[]} now @param {string} words */
  function keep(now, words) {
    questions = [...now];
    status = words;
    try {
      memory.setItem(KEY, writeQuestions("", questions));
    } catch {
      // The browser refuses to keep anything: they hold until the page is left.
    }
    draw();
  }

  const remove = (/** @type {number} */ at) =>
    keep(questions.toSpliced(at, 1), "The question is removed.");
  const clear = () => keep([], "");

  /** @param {string} chosen */
  function choose(chosen) {
    kind = chosen;
    draw();
  }

  /** @param {HTMLFormElement} form */
  function add(form) {
    const fields = new FormData(form);
    const textOf = (/** @type {string} */ name) => String(fields.get(name) ?? "");
    const numberOf = (/** @type {string} */ name) =>
      fields.has(name) ? Number(textOf(name)) : null;
    const question = {
      question: plain(textOf("question")),
      answers: answersIn(textOf("answers")),
      check:
        kind === "" ? null : { kind, digit: numberOf("digit"), than: numberOf("than") },
      at: toHash(store.get()),
    };
    const problem = problemOf(question) ?? problemOfLink([...questions, question]);
    if (problem !== null) return keep(questions, `The question ${problem}.`);
    form.reset();
    kind = "";
    keep([...questions, question], "The question is added.");
  }

  async function copy() {
    const isDone = await isCopied(linkOf(questions));
    status = isDone
      ? "The link is copied."
      : "The browser does not allow this page to copy.";
    draw();
  }

  /** @param {readonly File[]} chosen */
  async function read(chosen) {
    refused = [];
    for (const file of chosen)
      try {
        if (file.size > MOST_BYTES) throw new Error("it is larger than 1 MB");
        files = [...files, fromCsv(await file.text())];
      } catch (error) {
        refused.push(`${file.name} is no file of answers: ${messageIn(error)}.`);
      }
    draw();
  }

  return {
    open() {
      status = "";
      draw();
      dialog.showModal();
      dialog.scrollTop = 0;
    },
  };
}

const messageIn = (/** @type {unknown} */ error) =>
  error instanceof Error ? error.message : String(error);

/** @param {readonly Question[]} questions */
const linkOf = (questions) =>
  new URL(`${writeQuestions("", questions)}#${questions[0].at}`, location.href).href;

/** @param {readonly Question[]} questions @returns {string | null} */
function problemOfLink(questions) {
  if (questions.length > MOST.questions) return `is one more than ${MOST.questions}`;
  return linkOf(questions).length > MOST_LINK
    ? "makes the link too long: leave out drawings, or make two links"
    : null;
}

/**
 * @param {readonly Question[]} questions @param {readonly string[]} names
 * @param {(at: number) => void} remove
 */
const questionList = (questions, names, remove) =>
  questions.length > 0 &&
  h(
    "ol",
    { class: "asked-list" },
    questions.map(({ question, answers, check }, at) =>
      h(
        "li",
        {},
        h("span", { dir: "auto" }, question),
        answers.length > 0 && h("span", { class: "fine" }, ` ${answers.join(" / ")}`),
        check &&
          h("span", { class: "fine" }, ` Solved when ${checkWords(check, names)}.`),
        " ",
        button("Remove", () => remove(at), {
          class: "quiet",
          "aria-label": `Remove question ${at + 1}`,
        }),
      ),
    ),
  );

/**
 * @param {{ kind: string, names: readonly string[] }} form
 * @param {{ choose: (kind: string) => void, add: (form: HTMLFormElement) => void }} does
 */
function questionForm({ kind, names }, { choose, add }) {
  /** @type {readonly string[]} */
  const of = CHECKS.find((check) => check.kind === kind)?.of ?? [];
  const checks = CHECKS.map(({ kind, words }) => [kind, words]);
  const classes = names.map((name, i) => [String(i), name]);
  return h(
    "form",
    {
      class: "asked-form",
      onsubmit: (/** @type {any} */ event) => {
        event.preventDefault();
        add(event.target);
      },
    },
    h(
      "label",
      {},
      "Question ",
      h("textarea", {
        name: "question",
        rows: 2,
        required: true,
        maxlength: MOST.question,
      }),
    ),
    h(
      "label",
      {},
      "Answers to choose from, with / between them; none: they write their own ",
      h("input", { type: "text", name: "answers", maxlength: 400 }),
    ),
    menu("Solved when", checks, kind, choose, { "data-check": true }),
    of.includes("digit") && plainMenu("The network reads", "digit", classes),
    of.includes("than") && plainMenu("Parts to be silenced, at most", "than", AT_MOST),
    h("button", { type: "submit" }, "Add the question, with what is on show"),
  );
}

const AT_MOST = ["1", "2", "3", "5"].map((count) => [count, count]);

/**
 * A menu that is read when its form is sent.
 * @param {string} words @param {string} name @param {readonly (readonly string[])[]} options
 */
const plainMenu = (words, name, options) =>
  h(
    "label",
    {},
    `${words} `,
    h(
      "select",
      { name },
      options.map(([value, text]) => h("option", { value }, text)),
    ),
  );

/** @param {string} link @param {{ copy: () => void, clear: () => void }} does */
const linkPart = (link, { copy, clear }) =>
  link !== "" &&
  h(
    "p",
    { class: "asked-tools" },
    h(
      "label",
      { class: "link-field" },
      "Link ",
      h("input", { type: "text", readonly: true, "data-link": true, value: link }),
    ),
    button("Copy the link", copy),
    button("Remove all", clear, { class: "quiet" }),
  );

/** @param {(files: readonly File[]) => void} read */
const filesPart = (read) =>
  h(
    "p",
    {},
    h(
      "label",
      {},
      "Files of your class ",
      h("input", {
        type: "file",
        multiple: true,
        accept: ".csv,text/csv",
        onchange: (/** @type {any} */ event) => read([...event.target.files]),
      }),
    ),
  );

/** @param {readonly Row[][]} files */
const classPart = (files) =>
  files.length > 0 && [
    h(
      "p",
      { "data-read": true },
      `Answers of ${counted(files.length, "person", "people")}.`,
    ),
    classOf(files).map(questionPart),
  ];

/** @param {OfClass} of */
const questionPart = ({ question, people, counts }) =>
  h(
    "section",
    { class: "asked-class" },
    h("h4", { dir: "auto" }, question),
    counts.length > 0 &&
      valuesTable({
        look: "",
        of: "Answer",
        names: counts.map(({ answer }) => written(answer)),
        columns: [
          ["expected by", counts.map(({ expected }) => String(expected))],
          ["afterwards by", counts.map(({ afterwards }) => String(afterwards))],
        ],
      }),
    valuesTable({
      look: "",
      of: "Name",
      names: people.map(({ name }) => written(name)),
      columns: [
        ["expected", people.map(({ expected }) => written(expected))],
        ["afterwards", people.map(({ afterwards }) => written(afterwards))],
        ["solved", people.map(({ solved }) => written(solved))],
      ],
    }),
  );

/** What somebody wrote, in the direction of its script. @param {string} text */
const written = (text) => h("span", { dir: "auto" }, text || "–");
