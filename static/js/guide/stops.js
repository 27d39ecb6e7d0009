/**
 * The stops of the guide, how an address names them, and what a reader has seen and
 * done.
 * @import { Chapter, Stop } from "./types.js"
 */
import { withParameter } from "../lib/links.js";

const NAME = "guide";

/** After the steps of every chapter. */
const LAST = ["argued", "quiz"];

/** After the last chapter. */
export const END = "end";

/** @param {readonly Chapter[]} chapters @returns {Stop[]} */
export function stopsOf(chapters) {
  return chapters.flatMap((chapter, i) => [
    ...chapter.steps.map((step) => ({ chapter, id: step.id, step })),
    ...LAST.map((id) => ({ chapter, id, step: null })),
    ...(i === chapters.length - 1 ? [{ chapter, id: END, step: null }] : []),
  ]);
}

/** @param {Stop} stop */
export function nameOf({ chapter, id }) {
  return `${chapter.id}/${id}`;
}

/**
 * @param {readonly Stop[]} stops
 * @param {string | null} name
 * @returns {Stop | null} a chapter's first where the link names no stop of it
 */
export function stopNamed(stops, name) {
  const chapter = name?.split("/", 1)[0];
  return (
    stops.find((stop) => nameOf(stop) === name) ??
    stops.find((stop) => stop.chapter.id === chapter) ??
    null
  );
}

/**
 * Which stop a link says: `?guide=01-capsule/length` stands before the #.
 * @param {string} search of the address, with or without the ?
 * @returns {string | null} what it says of the guide; null where it says nothing
 */
export function readStop(search) {
  return new URLSearchParams(search).get(NAME);
}

/**
 * @param {string} search of the address, with or without the ?
 * @param {string | null} stop null for none
 * @returns {string} with the ?, or empty; what else it says is kept
 */
export function writeStop(search, stop) {
  return withParameter(search, NAME, stop);
}

/**
 * The state that a stop stands in: its step's, or that of the last step before it. A
 * prediction shows another once it is made.
 * @param {Stop} stop
 * @param {Pick<TourRecord, "predicted">} kept
 */
export function linkOf(stop, { predicted }) {
  const { chapter, step } = stop;
  const revealed = nameOf(stop) in predicted ? step?.predict?.reveals : null;
  return revealed ?? (step ?? chapter.steps[chapter.steps.length - 1]).link;
}

/**
 * What a stop rings; until a prediction is made, that may be something else.
 * @param {Stop} stop
 * @param {Pick<TourRecord, "predicted">} kept
 * @returns {{ ring: string | null, rings: string }} its selector, and what it is called
 */
export function ringOf(stop, { predicted }) {
  const { step } = stop;
  if (step === null) return { ring: null, rings: "" };
  const asks = nameOf(stop) in predicted ? null : step.predict;
  return { ring: asks?.ring ?? step.ring, rings: asks?.rings ?? step.rings };
}

const KEY = "guide";

/**
 * @typedef {object} TourRecord
 * @property {string[]} seen stops, such as `01-capsule/length`
 * @property {string[]} done stops whose task or question is solved
 * @property {Readonly<Record<string, string>>} predicted by stop, the answer that was
 *   chosen; "" where the reader wanted to see at once
 * @property {string | null} at the stop that was on show last
 * @property {boolean} isDismissed whether the offer of the first visit was answered
 * @property {string[]} tried views and experiments that need not say any more what to try
 */

/** @type {TourRecord} */
const NOTHING = {
  seen: [],
  done: [],
  predicted: {},
  at: null,
  isDismissed: false,
  tried: [],
};

/**
 * What a reader has seen and done, kept in this browser and nowhere else.
 * @param {Pick<Storage, "getItem" | "setItem">} storage
 */
export function createProgress(storage) {
  let kept = read(storage) ?? NOTHING;

  /** @param {(now: TourRecord) => Partial<TourRecord>} change of what another tab may have added to */
  function keep(change) {
    const now = read(storage) ?? kept;
    kept = { ...now, ...change(now) };
    try {
      storage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // The browser refuses to keep anything: it holds until the page is left.
    }
  }

  return {
    get: () => kept,
    /** @param {string} stop */
    see(stop) {
      keep(({ seen }) => ({ seen: withOne(seen, stop), at: stop, isDismissed: true }));
    },
    /** @param {string} stop */
    solve(stop) {
      keep(({ done }) => ({ done: withOne(done, stop) }));
    },
    /** @param {string} stop @param {string | null} answer null to be asked again */
    predict(stop, answer) {
      keep(({ predicted: { [stop]: _before, ...others } }) => ({
        predicted: answer === null ? others : { ...others, [stop]: answer },
      }));
    },
    dismiss() {
      keep(() => ({ isDismissed: true }));
    },
    /** @param {string} what */
    try(what) {
      keep(({ tried }) => ({ tried: withOne(tried, what) }));
    },
  };
}

/** @typedef {ReturnType<typeof createProgress>} Progress */

/** @returns {Pick<Storage, "getItem" | "setItem">} what forgets, where a browser keeps nothing */
export function browserMemory() {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem() {} };
  }
}

/**
 * What is done of a chapter, in words.
 * @param {Chapter} chapter
 * @param {TourRecord} kept
 * @returns {{ words: string, isDone: boolean }}
 */
export function doneOf({ id, steps }, { seen, done }) {
  const count = steps.filter((step) => seen.includes(`${id}/${step.id}`)).length;
  const isAnswered = done.includes(`${id}/quiz`);
  const isDone = isAnswered && count === steps.length;
  const words =
    count === 0 && !isAnswered
      ? ""
      : `${count} of ${steps.length} steps${isAnswered ? ", question answered" : ""}`;
  return { words: isDone ? "done" : words, isDone };
}

/** @param {readonly string[]} list @param {string} item */
function withOne(list, item) {
  return list.includes(item) ? [...list] : [...list, item];
}

/** @param {Pick<Storage, "getItem">} storage @returns {TourRecord | null} null where it holds nothing */
function read(storage) {
  try {
    const text = storage.getItem(KEY);
    const whole = { ...NOTHING, ...JSON.parse(text ?? "null") }; // earlier pages kept less
    return text !== null && isKept(whole) ? whole : null;
  } catch {
    return null; // no memory, or not ours
  }
}

/** @param {any} record @returns {record is TourRecord} */
function isKept(record) {
  const isList = (/** @type {unknown} */ list) =>
    Array.isArray(list) && list.every((item) => typeof item === "string");
  return (
    isList(record?.seen) &&
    isList(record.done) &&
    isList(record.tried) &&
    typeof record.predicted === "object" &&
    isList(Object.values(record.predicted ?? {})) &&
    (record.at === null || typeof record.at === "string") &&
    typeof record.isDismissed === "boolean"
  );
}
