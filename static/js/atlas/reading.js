/**
 * What a network reads in its test images: as it was measured, or, for networks that were
 * not, such as moments of a run, read now.
 * @import { Model, Services, Tensor } from "../types.js"
 * @import { Atlas } from "../lib/selections.js"
 */
import { scoreWords } from "../core/scores.js";
import { trainedOn } from "../core/state.js";
import { SCORES_MAP, scorePlaces } from "./places.js";

/** Images that are read now, at most: a moment's wait. */
export const MOST_READ = 1000;
const PART = 100; // images in one request, so that whoever leaves stops it soon

/** What a network reads. @typedef {Record<string, Tensor>} Read */

/**
 * @param {Pick<Services["server"], "fetchTested">} server @param {Model} model
 * @param {(count: number, of: number) => boolean} told told how many were read; whether to
 *   go on
 * @returns {Promise<{ tensors: Read, total: number } | null>} null: no longer wanted
 */
export async function readTested(server, model, told) {
  /** @type {Read[]} */
  const parts = [];
  let [count, of, total] = [0, MOST_READ, MOST_READ];
  while (count < of) {
    if (!told(count, of)) return null;
    const { tensors, ...found } = await server.fetchTested(
      model,
      count,
      Math.min(PART, of - count),
    );
    parts.push(tensors);
    total = found.total;
    of = Math.min(MOST_READ, total);
    count += tensors.labels.data.length;
  }
  return { tensors: joined(parts), total };
}

/** @param {readonly Read[]} parts @returns {Read} */
function joined(parts) {
  return Object.fromEntries(
    Object.keys(parts[0]).map((name) => {
      const each = parts.map((part) => part[name]);
      const count = each.reduce((sum, { shape }) => sum + shape[0], 0);
      const data = Float32Array.from(each.flatMap((part) => [...part.data]));
      return [name, { shape: [count, ...each[0].shape.slice(1)], data }];
    }),
  );
}

/**
 * @param {Model} model @param {readonly Model[]} models those of the same images
 * @param {Read} tensors
 * @param {number} [total] images of the whole test set
 * @returns {Atlas}
 */
export function atlasOf(model, models, tensors, total = tensors.labels.data.length) {
  const { labels, predictions, scores, errors } = tensors;
  const [count, classes] = scores.shape;
  const best = Float32Array.from(
    labels.data,
    (_, i) => scores.data[i * classes + predictions.data[i]],
  );
  const prefix = "positions.";
  const order = Object.keys(model.card.atlas?.maps ?? {});
  const positions = Object.fromEntries(
    order
      .filter((name) => prefix + name in tensors)
      .map((name) => [name, tensors[prefix + name].data]),
  );
  positions[SCORES_MAP] = scorePlaces(scores.data, classes);
  const others = models.filter(
    (each) =>
      each.id !== model.id &&
      each.card.mistakes &&
      trainedOn(each) === trainedOn(model),
  );
  return {
    ...{ count, best, positions, title: model.title, names: model.class_names },
    ...{ total, moments: [], numbers: null },
    labels: labels.data,
    predictions: predictions.data,
    errors: errors?.data ?? null,
    score: scoreWords(model).one,
    others: others.map(({ id, title, card: { mistakes = [] } }) => ({
      ...{ id, title },
      misread: new Map(mistakes.map(({ index, prediction }) => [index, prediction])),
    })),
  };
}

/**
 * An atlas beside others of the same images, such as those of other moments of a run.
 * @param {Atlas} atlas @param {readonly (readonly [id: string, atlas: Atlas])[]} moments
 * @returns {Atlas}
 */
export function withMoments(atlas, moments) {
  const found = moments.map(([id, { title, count, labels, predictions }]) => {
    /** @type {Map<number, number>} */
    const misread = new Map();
    for (let i = 0; i < count; i++)
      if (labels[i] !== predictions[i]) misread.set(i, predictions[i]);
    return { id, title, misread };
  });
  return { ...atlas, moments: found };
}
