/**
 * What somebody answered to a set of questions, kept in this browser and nowhere else.
 * @import { Given } from "./answers.js"
 */
import { NOTHING_GIVEN } from "./answers.js";

const KEY = "answers";
const MOST_SETS = 10; // the latest ones

/** @typedef {{ set: string, name: string, given: Given[] }} Answered */

/**
 * @param {Pick<Storage, "getItem" | "setItem">} storage
 * @param {string} set names it
 */
export function createAnswers(storage, set) {
  /** @type {Answered} */
  let own = read(storage).find((each) => each.set === set) ?? nothing(set);

  /** @param {Answered} now */
  function keep(now) {
    own = now;
    const others = read(storage).filter((each) => each.set !== set);
    try {
      storage.setItem(KEY, JSON.stringify([own, ...others].slice(0, MOST_SETS)));
    } catch {
      // The browser refuses to keep anything: it holds until the page is left.
    }
  }

  return {
    get: () => own,
    /** @param {number} place @param {Partial<Given>} change */
    give(place, change) {
      const given = Array.from(
        { length: Math.max(own.given.length, place + 1) },
        (_, at) => own.given[at] ?? NOTHING_GIVEN,
      );
      given[place] = { ...given[place], ...change };
      keep({ ...own, given });
    },
    /** @param {string} name */
    call: (name) => keep({ ...own, name }),
    /** For the next one at this computer. */
    clear: () => keep(nothing(set)),
  };
}

/** @typedef {ReturnType<typeof createAnswers>} Answers */

/** @param {string} set @returns {Answered} */
const nothing = (set) => ({ set, name: "", given: [] });

/** @param {Pick<Storage, "getItem">} storage @returns {Answered[]} */
function read(storage) {
  try {
    const found = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isAnswered) : [];
  } catch {
    return []; // no memory, or not ours
  }
}

/** @param {any} found @returns {found is Answered} */
function isAnswered(found) {
  return (
    typeof found?.set === "string" &&
    typeof found.name === "string" &&
    Array.isArray(found.given) &&
    found.given.every(
      (/** @type {any} */ each) =>
        typeof each?.expected === "string" &&
        typeof each.afterwards === "string" &&
        typeof each.isSolved === "boolean",
    )
  );
}
