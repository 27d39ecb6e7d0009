/**
 * A file of weights that a visitor opens: the network that it fits, with these weights. It is
 * read in the page, sent nowhere, and gone with the page.
 * @import { Model } from "../types.js"
 * @import { Place } from "../lib/safetensors.js"
 */
import { listed } from "../lib/format.js";
import { layoutOf, numbersAt, toSafetensors } from "../lib/safetensors.js";
import { bring } from "./answers.js";

const MOST_TOLD = 3; // of what does not fit
const WHOLE = /^(BOOL|[UI]\d+)$/; // counts that no network computes with

let opened = 0;

/**
 * Make a network of a file's weights known.
 * @param {File} file safetensors
 * @param {readonly Model[]} models those of this site, in the order to try them in
 * @returns {Promise<Model>} one like that which it fits, without what was measured on that
 * @throws {Error} it is damaged or fits none, in words for people
 */
export async function openWeights(file, models) {
  const bytes = await file.arrayBuffer();
  const { tensors: places } = guard(file, () => layoutOf(bytes));
  const [nearest] = models
    .map((model) => ({ model, misfits: misfitsOf(places, model.weights) }))
    .sort((a, b) => a.misfits.length - b.misfits.length);
  const { model: like, misfits } = nearest;
  if (misfits.length > 0)
    throw new Error(
      `“${file.name}” fits no network of this page. For ${like.title}, ${firstOf(misfits)}.`,
    );
  const tensors = guard(file, () =>
    Object.fromEntries(
      like.weights
        .filter(({ name }) => !WHOLE.test(places[name].dtype))
        .map(({ name, shape }) => {
          const data = numbersAt(bytes, places[name]);
          if (!data.every(Number.isFinite))
            throw new RangeError(`${name} holds values that are not finite`);
          return [name, { shape, data }];
        }),
    ),
  );
  const model = modelOf(file, like);
  await bring(model, like.id, toSafetensors(tensors, {}));
  return model;
}

/**
 * @template Found
 * @param {File} file @param {() => Found} read @returns {Found}
 */
function guard({ name }, read) {
  try {
    return read();
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new Error(`“${name}” cannot be opened: ${message}.`, { cause });
  }
}

/**
 * Why tensors are not those of a network.
 * @param {Record<string, Place>} places @param {Model["weights"]} weights
 */
export function misfitsOf(places, weights) {
  const known = new Set(weights.map(({ name }) => name));
  const lacking = weights.flatMap(({ name, shape }) => {
    const actual = Object.hasOwn(places, name) ? places[name].shape : null;
    if (actual === null) return [`it lacks ${name} of ${sizesOf(shape)}`];
    return String(actual) === String(shape)
      ? []
      : [`${name} must be ${sizesOf(shape)}, got ${sizesOf(actual)}`];
  });
  const more = Object.keys(places).filter((name) => !known.has(name));
  return [
    ...lacking,
    ...more.map(
      (name) =>
        `it holds ${name} of ${sizesOf(places[name].shape)}, which is not of it`,
    ),
  ];
}

/** @param {readonly number[]} shape */
const sizesOf = (shape) => (shape.length === 0 ? "one number" : shape.join(" × "));

/** @param {readonly string[]} misfits */
function firstOf(misfits) {
  const remaining = misfits.length - MOST_TOLD;
  const first = misfits.slice(0, MOST_TOLD);
  return listed(remaining > 0 ? [...first, `${remaining} more do not fit`] : first);
}

/**
 * What the page knows of it: what follows from the form alone.
 * @param {File} file @param {Model} like @returns {Model}
 */
function modelOf({ name }, like) {
  const title = name.replace(/\.safetensors$/i, "");
  const { config, dataset, data } = like.card;
  opened += 1;
  return {
    ...like,
    id: `own-${opened}`,
    version: `own-${opened}`,
    title,
    default: false,
    kept: true,
    measured: [],
    card: { title, config, dataset, data },
  };
}
