/**
 * What people answered, as one file: a table that spreadsheets read, and lines for people.
 * A teacher's page reads many of these.
 * @import { TourRecord } from "../stops.js"
 * @import { Question } from "./questions.js"
 */

/**
 * @typedef {object} Row what one person said to one question
 * @property {string} name
 * @property {string} question
 * @property {string} expected before anything was tried
 * @property {string} afterwards
 * @property {"yes" | "no" | ""} solved "" where nothing was to be done
 */

/** @typedef {{ expected: string, afterwards: string, isSolved: boolean }} Answer */

/** @type {Answer} */
export const NOTHING_GIVEN = { expected: "", afterwards: "", isSolved: false };

const COLUMNS = /** @type {const} */ ([
  "name",
  "question",
  "expected",
  "afterwards",
  "solved",
]);
const MOST_ROWS = 500; // of a file
const GUIDE = "Guide: ";

/**
 * @param {string} name
 * @param {readonly Question[]} questions
 * @param {readonly (Answer | undefined)[]} given
 * @param {Pick<TourRecord, "done" | "predicted">} guide
 * @returns {Row[]} with what was predicted and solved in the guide, if anything was
 */
export function rowsOf(name, questions, given, { done, predicted }) {
  const asked = questions.map(({ question, check }, at) => {
    const { expected, afterwards, isSolved } = given[at] ?? NOTHING_GIVEN;
    const solved = check === null ? "" : isSolved ? "yes" : "no";
    return { name, question, expected, afterwards, solved };
  });
  const stops = [...new Set([...Object.keys(predicted), ...done])].sort();
  const ofGuide = stops.map((stop) => ({
    name,
    question: GUIDE + stop,
    expected: predicted[stop] ?? "",
    afterwards: "",
    solved: done.includes(stop) ? "yes" : "",
  }));
  return /** @type {Row[]} */ ([...asked, ...ofGuide]);
}

/** A cell that no spreadsheet takes for a formula. @param {string} text */
function cell(text) {
  const safe = /^['=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {readonly Row[]} rows @returns {string} CSV, which begins with the columns' names */
export function toCsv(rows) {
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

/** @param {readonly Row[]} rows @returns {string} lines for people */
export function toText(rows) {
  const lines = rows.map(({ question, expected, afterwards, solved }, at) => {
    const clauses = [
      expected && `Expected: ${expected}`,
      afterwards && `Afterwards: ${afterwards}`,
      solved && (solved === "yes" ? "Solved" : "Not solved"),
    ].filter(Boolean);
    return `${at + 1}. ${question}\n   ${clauses.join(". ") || "No answer"}.`;
  });
  return [`Answers of ${rows[0]?.name || "somebody"}`, ...lines].join("\n");
}

/**
 * @param {string} text of a file, which a spreadsheet may have written again
 * @returns {Row[]}
 * @throws {Error} for people: what it lacks
 */
export function fromCsv(text) {
  const [head = [], ...lines] = cellsOf(text.replace(/^\uFEFF/, ""));
  const places = COLUMNS.map((name) => head.indexOf(name));
  if (places.includes(-1))
    throw new Error(`its first line must name ${COLUMNS.join(", ")}`);
  return lines
    .filter((cells) => cells.some(Boolean))
    .slice(0, MOST_ROWS)
    .map((cells) => {
      const [name, question, expected, afterwards, solved] = places.map((at) =>
        (cells[at] ?? "").replace(/^'(?=['=+\-@\t\r])/, ""),
      );
      const isSolved = /** @type {Row["solved"]} */ (
        ["yes", "no"].includes(solved) ? solved : ""
      );
      return { name, question, expected, afterwards, solved: isSolved };
    });
}

/** @param {string} text of a CSV file @returns {string[][]} */
function cellsOf(text) {
  const mark = text.split("\n", 1)[0].includes(";") ? ";" : ",";
  const pattern = new RegExp(
    `("(?:[^"]|"")*"|[^${mark}\\r\\n]*)(${mark}|\\r?\\n|$)`,
    "g",
  );
  /** @type {string[][]} */
  const lines = [[]];
  for (const [whole, value, end] of text.matchAll(pattern)) {
    if (whole === "") break;
    const isQuoted = value.startsWith('"');
    lines[lines.length - 1].push(
      isQuoted ? value.slice(1, -1).replaceAll('""', '"') : value,
    );
    if (end !== mark) lines.push([]);
  }
  return lines;
}

/**
 * @typedef {object} OfClass what a class said to one question
 * @property {string} question
 * @property {readonly Row[]} people
 * @property {readonly { answer: string, expected: number, afterwards: number }[]} counts of
 *   people, by answer, the most frequent afterwards first
 */

/**
 * @param {readonly (readonly Row[])[]} files of one person each
 * @returns {OfClass[]} in the order in which questions come first
 */
export function classOf(files) {
  const rows = files.flat();
  const questions = [...new Set(rows.map(({ question }) => question))];
  return questions.map((question) => {
    const people = rows.filter((row) => row.question === question);
    const replies = people.flatMap((row) => [row.expected, row.afterwards]);
    const answers = [...new Set(replies.filter(Boolean))];
    const counts = answers.map((answer) => ({
      answer,
      expected: people.filter(({ expected }) => expected === answer).length,
      afterwards: people.filter(({ afterwards }) => afterwards === answer).length,
    }));
    counts.sort((a, b) => b.afterwards - a.afterwards || b.expected - a.expected);
    return { question, people, counts };
  });
}
