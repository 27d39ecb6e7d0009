/**
 * The stops of the tour in order, and where a link says that one is: `?guide=01-capsule/length`
 * stands before the #.
 * @import { Chapter, Stop } from "./types.js"
 */

const NAME = "guide";

/** After the steps of every chapter. */
const LAST = ["argued", "quiz"];

/**
 * @param {readonly Chapter[]} chapters
 * @returns {Stop[]}
 */
export function stopsOf(chapters) {
  return chapters.flatMap((chapter) => [
    ...chapter.steps.map((step) => ({ chapter, id: step.id, step })),
    ...LAST.map((id) => ({ chapter, id, step: null })),
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
  const params = new URLSearchParams(search);
  if (stop === null) params.delete(NAME);
  else params.set(NAME, stop);
  const written = params.toString().replaceAll("%2F", "/");
  return written === "" ? "" : `?${written}`;
}

/**
 * The state that a stop stands in: its step's, or that of the last step before it.
 * @param {Stop} stop
 */
export function linkOf({ chapter, step }) {
  return (step ?? chapter.steps[chapter.steps.length - 1]).link;
}
