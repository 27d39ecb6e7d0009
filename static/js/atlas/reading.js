/**
 * What a network reads in its test images: as it was measured, or, for networks that were
 * not, such as moments of a run, read now.
 * @import { Model, Services, Tensor } from "../types.js"
 * @import { Atlas } from "../lib/tested.js"
 */
import { scoreWords } from "../core/scores.js";
import { trainedOn } from "../core/state.js";
import { misreadIn } from "../lib/tested.js";
import { SCORES_MAP, scorePlaces } from "./places.js";

/** Images that are read now, at most: a moment's wait. */
export const MOST_READ = 1000;
const PART = 100; // images in one request, so that whoever leaves stops it soon

/** What a network reads. @typedef {Record<string, Tensor>} Read */

/**
 * @param {Pick<Services["server"], "fetchTested">} server @param {Model} model
 * @param {(count: number, of: number) => boolean} report told how many were read; whether to
 *   go on
 * @returns {Promise<{ tensors: Read, total: number } | null>} null: no longer wanted
 */
export async function readTested(server, model, report) {
  /** @type {Read[]} */
  const parts = [];
  let [count, of, total] = [0, MOST_READ, MOST_READ];
  while (count < of) {
    if (!report(count, of)) return null;
    const { tensors, ...answer } = await server.fetchTested(
      model,
      count,
      Math.min(PART, of - count),
    );
    parts.push(tensors);
    total = answer.total;
    of = Math.min(MOST_READ, total);
    count += tensors.labels.shape[0];
  }
  return { tensors: joinTensors(parts), total };
}

/** @param {readonly Read[]} parts @returns {Read} */
function joinTensors(parts) {
  return Object.fromEntries(
    Object.keys(parts[0]).map((name) => {
      const tensors = parts.map((part) => part[name]);
      const count = tensors.reduce((sum, { shape }) => sum + shape[0], 0);
      const data = Float32Array.from(tensors.flatMap((part) => [...part.data]));
      return [name, { shape: [count, ...tensors[0].shape.slice(1)], data }];
    }),
  );
}

/**
 * @param {Model} model @param {readonly Model[]} models those of the same images
 * @param {Read} tensors
 * @param {number} [total] images of the whole test set
 * @returns {Atlas}
 */
export function atlasOf(model, models, tensors, total = tensors.labels.shape[0]) {
  const { labels, predictions, scores, errors, digits, shifts, views } = tensors;
  const [count, classes] = scores.shape;
  const [, perImage = 1] = labels.shape;
  const sure = Float32Array.from(
    predictions.data,
    (read, k) => scores.data[Math.floor(k / perImage) * classes + read],
  );
  const best = sure.filter((_, k) => k % perImage === perImage - 1);
  const { one } = scoreWords(model);
  const prefix = "positions.";
  const order = Object.keys(model.card.atlas?.maps ?? {});
  const positions = Object.fromEntries(
    order
      .filter((name) => prefix + name in tensors)
      .map((name) => [name, tensors[prefix + name].data]),
  );
  positions[SCORES_MAP] = scorePlaces(scores.data, classes);
  const others = models.filter(
    (candidate) =>
      candidate.id !== model.id &&
      candidate.card.mistakes &&
      trainedOn(candidate) === trainedOn(model),
  );
  return {
    count,
    perImage,
    sure,
    best,
    positions,
    title: model.title,
    names: model.class_names,
    total,
    moments: [],
    pairs: digits && shifts ? { digits: digits.data, shifts: shifts.data } : null,
    views: views?.data ?? null,
    labels: labels.data,
    predictions: predictions.data,
    errors: errors?.data ?? null,
    score: one,
    kind: model.scores,
    measure: `${perImage > 1 ? "second " : ""}highest ${one}`,
    others: others.map(({ id, title, card: { mistakes = [] } }) => ({
      id,
      title,
      misread: new Map(mistakes.map(({ index, prediction }) => [index, [prediction]])),
    })),
  };
}

/**
 * An atlas beside others of the same images, such as those of other moments of a run.
 * @param {Atlas} atlas @param {readonly (readonly [id: string, atlas: Atlas])[]} moments
 * @returns {Atlas}
 */
export function withMoments(atlas, moments) {
  const readings = moments.map(([id, moment]) => ({
    id,
    title: moment.title,
    misread: misreadIn(moment),
  }));
  return { ...atlas, moments: readings };
}

/**
 * An atlas beside another network of the same images, whose card lists no mistakes.
 * @param {Atlas} atlas @param {string} id @param {Atlas} other
 * @returns {Atlas}
 */
export function withOther(atlas, id, other) {
  const known = { id, title: other.title, misread: misreadIn(other) };
  return { ...atlas, others: [...atlas.others, known] };
}
