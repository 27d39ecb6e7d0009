/**
 * The networks at hand side by side: what each costs, and how often it is wrong.
 * @import { Model } from "../types.js"
 */

import { grouped, percent } from "../lib/format.js";
import { mcnemar, wilsonInterval } from "../lib/statistics.js";

const UNKNOWN = "–";
const MINUTE = 60; // seconds
const HOUR = 60 * MINUTE;
const CHANCE = 0.05; // the p below which a difference is no longer put down to chance

/** What each column says of a model. */
const COLUMNS = /** @type {const} */ ([
  ["Network", (/** @type {Model} */ { title }) => title],
  ["Parameters", (/** @type {Model} */ { parameters }) => grouped(parameters)],
  ["Test error", testError],
  ["95\u202f% interval", interval],
  ["Training", training],
  ["Forward pass", forwardPass],
]);

/**
 * @param {readonly Model[]} models
 * @returns {{ head: string[], rows: string[][] }}
 */
export function sideBySide(models) {
  return {
    head: COLUMNS.map(([name]) => name),
    rows: models.map((model) => COLUMNS.map(([, cell]) => cell(model))),
  };
}

/**
 * What the test set says of the difference between two networks.
 * @param {Model} model
 * @param {readonly Model[]} models
 * @returns {string[]} a sentence for each other model that was tested on the same images
 */
export function differences(model, models) {
  return models.flatMap((other) => {
    if (other === model || !isTestedAlike(model, other)) return [];
    const own = indicesOf(model);
    const others = indicesOf(other);
    const onlyOwn = [...own].filter((index) => !others.has(index)).length;
    const onlyOther = [...others].filter((index) => !own.has(index)).length;
    const p = mcnemar(onlyOwn, onlyOther);
    const verdict =
      p < CHANCE ? "more than chance explains" : "no more than chance explains";
    return [
      `Of the same ${grouped(model.card.test_images ?? 0)} test images, ${model.title} alone misreads ${onlyOwn} and ${other.title} alone ${onlyOther}, ${verdict} (exact McNemar test, p = ${p.toFixed(p < 0.01 ? 4 : 2)}).`,
    ];
  });
}

/** @param {Model} model */
function testError({ card: { test_error: error, test_images: images } }) {
  if (error === undefined || !images) return UNKNOWN;
  return `${percent(error)} of ${grouped(images)}`;
}

/** @param {Model} model */
function interval({ card: { test_error: error, test_images: images } }) {
  if (error === undefined || !images) return UNKNOWN;
  const [low, high] = wilsonInterval(Math.round(error * images), images);
  return `${(100 * low).toFixed(2)} to ${percent(high)}`;
}

/** @param {Model} model */
function training({ card }) {
  const { epochs, training_time_s: seconds } = card.lineage ?? card;
  const runs = card.lineage?.runs ?? 1;
  if (epochs === undefined || seconds === undefined) return UNKNOWN;
  return `${epochs} epochs${runs > 1 ? ` in ${runs} runs` : ""}, ${duration(seconds)}`;
}

/** @param {Model} model */
function forwardPass({ card: { forward } }) {
  if (forward === undefined) return UNKNOWN;
  const threads = forward.threads === 1 ? "one thread" : `${forward.threads} threads`;
  return `${forward.milliseconds.toFixed(1)} ms, ${threads}`;
}

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  if (minutes === 0) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * @param {Model} one
 * @param {Model} other
 */
function isTestedAlike({ card: one }, { card: other }) {
  return (
    one.mistakes !== undefined &&
    other.mistakes !== undefined &&
    one.dataset === other.dataset &&
    one.test_images === other.test_images
  );
}

/** @param {Model} model */
function indicesOf({ card: { mistakes = [] } }) {
  return new Set(mistakes.map(({ index }) => index));
}
