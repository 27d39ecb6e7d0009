/**
 * A teacher's questions in a link, before its #: `?ask=…&of=4/9&check=says.9&at=view%3D…`,
 * once for each question. All of it is plain text of others.
 * @import { Check } from "../types.js"
 */

/** Letters of a question, of an answer to choose, and of a question's state. */
export const MOST = {
  question: 280,
  answer: 60,
  state: 3000,
  answers: 6,
  questions: 20,
};

/**
 * @typedef {object} Question
 * @property {string} question
 * @property {readonly string[]} answers to choose from; none: people write their own
 * @property {Check | null} check when it is solved; null where nothing is to be done
 * @property {string} at the state that it is asked of, without the #
 */

/** In addresses, in the order in which `written` gives them. */
const NAMES = /** @type {const} */ (["ask", "of", "check", "at"]);
const CHECK = /^([a-z-]{1,30})(?:\.(\d{0,3}))?(?:\.(\d{1,4}(?:\.\d{1,4})?))?$/;
/** The question on show, 1 first. */
const NUMBER = "question";
// Of links by others: what breaks lines, or turns the order of what follows.
const UNSEEN = /[\p{Cc}\u202A-\u202E\u2066-\u2069\s]+/gu;

/** One line of text as it is read, whatever came. @param {string} text */
export const plain = (text) => text.replace(UNSEEN, " ").trim();

/** @param {string} text @returns {string[]} answers to choose from, which a / sets apart */
export const answersIn = (text) => [
  ...new Set(text.split("/").map(plain).filter(Boolean)),
];

/**
 * @param {string} search of the address
 * @returns {{ questions: Question[], problem: string | null }} problem: what cannot be shown,
 *   for people
 */
export function readQuestions(search) {
  const all = new URLSearchParams(search);
  const [texts, answers, checks, states] = NAMES.map((name) => all.getAll(name));
  const checked = texts.map((text, at) => {
    const check = checks[at] ? readCheck(checks[at]) : null;
    const question = {
      question: plain(text),
      answers: answersIn(answers[at] ?? ""),
      check,
      at: states[at] ?? "",
    };
    const isRead = !checks[at] || check !== null;
    return { question, problem: isRead ? problemOf(question) : "has an unknown task" };
  });
  const wrong = checked.findIndex(({ problem }) => problem !== null);
  const questions = checked.flatMap(({ question, problem }) =>
    problem === null ? [question] : [],
  );
  return {
    questions: questions.slice(0, MOST.questions),
    problem:
      wrong < 0
        ? null
        : `Question ${wrong + 1} of this link ${checked[wrong].problem}, and is left out.`,
  };
}

/** @param {Question} question @returns {string | null} why it cannot be asked */
export function problemOf({ question, answers, at }) {
  if (question === "") return "has no words";
  if (question.length > MOST.question)
    return `has ${question.length} letters, more than ${MOST.question}`;
  if (answers.length === 1 || answers.length > MOST.answers)
    return `has ${answers.length} answers to choose from, not 2 to ${MOST.answers}`;
  if (answers.some((group) => group.length > MOST.answer))
    return `has an answer of more than ${MOST.answer} letters`;
  return at.length > MOST.state ? "shows too large an image" : null;
}

/** @param {string} text @returns {Check | null} */
function readCheck(text) {
  const [, kind, digit, than] = CHECK.exec(text) ?? [];
  if (kind === undefined) return null;
  const numberOf = (/** @type {string | undefined} */ part) =>
    part ? Number(part) : null;
  return { kind, digit: numberOf(digit), than: numberOf(than) };
}

/** @param {Check | null} check */
function writeCheck(check) {
  if (check === null) return "";
  const { kind, digit, than } = check;
  const words = [kind, digit ?? "", than ?? ""].join(".");
  return words.replace(/\.+$/, "");
}

/**
 * @param {string} search of the address
 * @param {readonly Question[]} questions none takes away what it asks
 * @returns {string} with the ?, or empty; what else it says is kept
 */
export function writeQuestions(search, questions) {
  const all = new URLSearchParams(search);
  for (const name of [...NAMES, NUMBER]) all.delete(name);
  for (const { question, answers, check, at } of questions)
    for (const [index, text] of [
      question,
      answers.join("/"),
      writeCheck(check),
      at,
    ].entries())
      all.append(NAMES[index], text);
  const written = all.toString();
  return written === "" ? "" : `?${written}`;
}

/** @param {string} search @param {number} count @returns {number} 0 first */
export function readPlace(search, count) {
  const number = Number(new URLSearchParams(search).get(NUMBER) ?? 1);
  return Number.isInteger(number) && number >= 1 && number <= count ? number - 1 : 0;
}

/** @param {string} search @param {number} index @returns {string} with the ? */
export function writePlace(search, index) {
  const all = new URLSearchParams(search);
  all.set(NUMBER, String(index + 1));
  return `?${all}`;
}

/** What has to be done, in words. @param {Check} check @param {readonly string[]} names of classes */
export function checkWords({ kind, digit, than }, names) {
  const named = names[digit ?? 0] ?? `class ${digit}`;
  const parts = than === 1 ? "one part" : `at most ${than} parts`;
  /** @type {Readonly<Record<string, string>>} */
  const words = {
    says: `the network reads ${named}`,
    "silenced-says": `the network reads ${named} with ${parts} silenced`,
    edited: "a number of a capsule is changed",
    "last-iteration": "the last iteration is on show",
  };
  return Object.hasOwn(words, kind) ? words[kind] : kind;
}

/** What a teacher can ask people to do. */
export const CHECKS = /** @type {const} */ ([
  { kind: "", words: "Nothing to do: an answer is enough", of: [] },
  { kind: "says", words: "The network reads …", of: ["digit"] },
  {
    kind: "silenced-says",
    words: "The network reads … with parts silenced",
    of: ["digit", "than"],
  },
  { kind: "edited", words: "A number of a capsule is changed", of: [] },
  { kind: "last-iteration", words: "The last iteration is on show", of: [] },
]);
