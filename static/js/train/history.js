/**
 * What has happened in a run, as its events tell it one after the other.
 * @import { Moment, RunEvent, RunState } from "../types.js"
 */

/** @typedef {Extract<RunEvent, { event: "progress" }>} Point */

/** The test digits, counted at a snapshot. */
/** @typedef {Moment & { error: number, tested: number }} Count */

/**
 * @typedef {object} History
 * @property {number} last the number of the last event
 * @property {RunState | null} state null before the first event
 * @property {string} message "" where nothing is to be said
 * @property {number} total steps of the whole run; 0 until that is known
 * @property {number} examples images of an epoch; 0 until that is known
 * @property {Moment} now
 * @property {Point[]} points
 * @property {Count[]} counts
 * @property {Moment[]} snapshots
 * @property {number | null} held the learning rate that somebody set; null: the schedule's
 */

/** @returns {History} */
export function createHistory() {
  return {
    last: 0,
    state: null,
    message: "",
    total: 0,
    examples: 0,
    held: null,
    now: { step: 0, images: 0, seconds: 0 },
    points: [],
    counts: [],
    snapshots: [],
  };
}

/**
 * Add what has happened; an event that is known already changes nothing.
 * @param {History} history changed
 * @param {RunEvent} event @param {number} number of the event
 * @returns {boolean} whether it is new
 */
export function addEvent(history, event, number) {
  if (number <= history.last) return false;
  history.last = number;
  const { step, images, seconds } = event;
  history.now = { step, images, seconds };
  if (event.event === "state") {
    if (event.total !== undefined) goBackTo(history, step);
    history.state = event.state;
    history.message = event.message ?? "";
    history.total = event.total ?? history.total;
    history.examples = event.examples ?? history.examples;
  } else if (event.event === "progress") {
    addPoint(history.points, event);
  } else if (event.event === "rate") {
    history.held = event.learning_rate;
  } else {
    const { error, tested, bytes } = event;
    if (bytes !== 0) history.snapshots.push({ step, images, seconds });
    if (error !== null && tested !== null)
      history.counts.push({ step, images, seconds, error, tested });
  }
  return true;
}

/**
 * Add the means of the images since the point before. At the end of an epoch these can be
 * a few alone, which would show as a dip: they are averaged with those of that point.
 * @param {Point[]} points changed @param {Point} point
 */
function addPoint(points, point) {
  const previous = points.at(-1);
  const whole = (previous?.images ?? 0) - (points.at(-2)?.images ?? 0);
  const rest = point.images - (previous?.images ?? 0);
  if (previous === undefined || 2 * rest >= whole) return void points.push(point);
  const mean = (/** @type {"loss" | "accuracy"} */ figure) =>
    (whole * previous[figure] + rest * point[figure]) / (whole + rest);
  points.splice(-1, 1, { ...point, loss: mean("loss"), accuracy: mean("accuracy") });
}

/**
 * A run that goes on from its checkpoint tells what came after it once more.
 * @param {History} history changed @param {number} step
 */
function goBackTo(history, step) {
  const isKept = (/** @type {Moment} */ moment) => moment.step <= step;
  history.points = history.points.filter(isKept);
  history.counts = history.counts.filter(isKept);
  history.snapshots = history.snapshots.filter(isKept);
}

/**
 * Whether nothing more will happen, unless the run is asked to go on.
 * @param {Pick<History, "state">} history
 */
export function hasEnded({ state }) {
  return state === "done" || state === "stopped" || state === "failed";
}

/** How many test digits are read correctly. @param {Count} count */
export function rightOf({ error, tested }) {
  return Math.round((1 - error) * tested);
}

/**
 * The last of what there is at a moment or before.
 * @template {Moment} Thing
 * @param {readonly Thing[]} things in their order
 * @param {number} value @param {"step" | "images" | "seconds"} by
 * @returns {Thing | null}
 */
export function lastUntil(things, value, by = "step") {
  return things.findLast((thing) => thing[by] <= value) ?? null;
}

/**
 * The place of the snapshot nearest to a moment.
 * @param {readonly Moment[]} snapshots
 * @param {number} value @param {"step" | "images" | "seconds"} by
 * @returns {number} -1: there is none
 */
export function nearestPlace(snapshots, value, by = "step") {
  const apart = snapshots.map((snapshot) => Math.abs(snapshot[by] - value));
  return apart.indexOf(Math.min(...apart));
}
