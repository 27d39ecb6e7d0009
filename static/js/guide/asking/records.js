/**
 * What somebody answered to a set of questions, kept in this browser and nowhere else.
 * @import { Answer } from "./answers.js"
 */
import { NOTHING_GIVEN } from "./answers.js";

const KEY = "answers";
const MOST_SETS = 10; // the latest ones

/** @typedef {{ set: string, name: string, given: Answer[] }} AnswerRecord */

/**
 * @param {Pick<Storage, "getItem" | "setItem">} storage
 * @param {string} set names it
 */
export function createAnswers(storage, set) {
  /** @type {AnswerRecord} */
  let record = read(storage).find((record) => record.set === set) ?? nothing(set);

  /** @param {AnswerRecord} now */
  function keep(now) {
    record = now;
    const others = read(storage).filter((record) => record.set !== set);
    try {
      storage.setItem(KEY, JSON.stringify([record, ...others].slice(0, MOST_SETS)));
    } catch {
      // The browser refuses to keep anything: it holds until the page is left.
    }
  }

  return {
    get: () => record,
    /** @param {number} place @param {Partial<Answer>} change */
    give(place, change) {
      const answers = Array.from(
        { length: Math.max(record.given.length, place + 1) },
        (_, at) => record.given[at] ?? NOTHING_GIVEN,
      );
      answers[place] = { ...answers[place], ...change };
      keep({ ...record, given: answers });
    },
    /** @param {string} name */
    call: (name) => keep({ ...record, name }),
    /** For the next one at this computer. */
    clear: () => keep(nothing(set)),
  };
}

/** @typedef {ReturnType<typeof createAnswers>} Answers */

/** @param {string} set @returns {AnswerRecord} */
const nothing = (set) => ({ set, name: "", given: [] });

/** @param {Pick<Storage, "getItem">} storage @returns {AnswerRecord[]} */
function read(storage) {
  try {
    const records = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(records) ? records.filter(isAnswered) : [];
  } catch {
    return []; // no memory, or not ours
  }
}

/** @param {any} record @returns {record is AnswerRecord} */
function isAnswered(record) {
  return (
    typeof record?.set === "string" &&
    typeof record.name === "string" &&
    Array.isArray(record.given) &&
    record.given.every(
      (/** @type {any} */ answer) =>
        typeof answer?.expected === "string" &&
        typeof answer.afterwards === "string" &&
        typeof answer.isSolved === "boolean",
    )
  );
}
