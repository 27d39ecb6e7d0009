/**
 * What can be asked of the server.
 * @import { Guide } from "../guide/types.js"
 * @import { AppState, Dataset, DatasetImage, Intake, Model, Options, Overrides, Pixels, Sample, Tensor, Term, Trace } from "../types.js"
 * @import { Download, OwnSet, Recipes, Run, RunEvent } from "../types.js"
 */

import { PGM } from "../lib/encoding.js";
import { isolated } from "../lib/format.js";
import { routingFields } from "../lib/options.js";
import { toFields } from "../lib/overrides.js";
import { fromRows, inkOf, toPixels, toRows } from "../lib/pixels.js";
import { ApiError, BINARY, binary, json, send } from "./connection.js";
import { listen, openWeights } from "./transport.js";

const BRIEFLY = "api/models?brief=true";
const ATTACK_PATIENCE_MS = 65_000; // by then the server has answered, or refused

/**
 * Those that can be shown, and why others cannot. All but the default one are brief.
 * @returns {Promise<Pick<AppState, "models" | "refused">>}
 */
export async function fetchModels() {
  const { models, refused = [] } = await json(BRIEFLY);
  return { models: models.map(withIsolatedNames), refused };
}

/**
 * Bring what the list leaves out of models, in one request: the layers and tensors, and
 * what their cards say at length. A model keeps its identity.
 * @param {readonly Model[]} models
 */
export async function complete(models) {
  const brief = models.filter((each) => each.layers === undefined);
  if (brief.length === 0) return;
  /** @type {Model[]} */
  const whole =
    brief.length === 1
      ? [await json(pathOf(brief[0].id))]
      : (await json("api/models")).models;
  for (const model of brief) {
    const found = whole.find(({ id }) => id === model.id);
    if (found !== undefined) Object.assign(model, withIsolatedNames(found));
  }
}

/** Opens a file of weights as a network of this page; null where a server has the networks. */
export const weightsOpener = openWeights;

/**
 * Names of classes keep their place in every sentence and picture, whatever their script.
 * @param {Model} model @returns {Model}
 */
const withIsolatedNames = (model) => ({
  ...model,
  class_names: model.class_names.map(isolated),
});

/**
 * One model, be it in the list or a moment of a run.
 * @param {string} id @returns {Promise<Model>}
 */
export async function fetchModel(id) {
  return withIsolatedNames(await json(pathOf(id)));
}

/** Whether the server still loads its networks. */
export async function isStarting() {
  return (await json("api/health")).status === "starting";
}

/** @returns {Promise<Sample[]>} */
export async function fetchSamples() {
  const { samples } = await json("api/samples");
  return samples.map(withPixels);
}

/**
 * What toys there are.
 * @returns {Promise<{ categories: import("../toys/categories.js").Category[] }>}
 */
export function fetchToys() {
  return json("api/toys");
}

/** @returns {Promise<Term[]>} */
export async function fetchGlossary() {
  const { terms } = await json("api/glossary");
  return terms;
}

/** @returns {Promise<Guide>} */
export function fetchGuide() {
  return json("api/guide");
}

/**
 * Tensors that belong to a model whatever the image, such as its kernels; caches keep
 * them for good.
 * @param {Pick<Model, "id" | "version">} model
 * @param {string} path below the model's own, such as `kernels`
 * @param {Record<string, string>} [query]
 * @returns {Promise<Record<string, Tensor>>}
 */
export async function fetchOwnTensors({ id, version }, path, query = {}) {
  const search = new URLSearchParams({ version, ...query });
  const { tensors } = await binary(`${pathOf(id)}/${path}?${search}`);
  return tensors;
}

/**
 * Tensors that a model computes from something else than an image, such as a capsule.
 * @param {Pick<Model, "id">} model
 * @param {string} path below the model's own, such as `reconstruct`
 * @param {object} body
 * @returns {Promise<Record<string, Tensor>>}
 */
export async function computeTensors({ id }, path, body) {
  const { tensors } = await binary(`${pathOf(id)}/${path}`, post(body));
  return tensors;
}

/**
 * An image, attacked: see `POST /api/models/<id>/attack`.
 * @param {Pick<Model, "id">} model @param {object} body
 * @param {AbortSignal} [signal] ends it, and the server's work on it: an `AbortError` then
 */
export function fetchAttack({ id }, body, signal) {
  const request = { ...post(body), signal, patienceMs: ATTACK_PATIENCE_MS };
  return binary(`${pathOf(id)}/attack`, request);
}

/**
 * @param {Pick<Model, "id">} model @param {Pixels} pixels
 * @param {string[]} names tensors to answer with
 * @param {Options} [options] the network's own, such as how many iterations
 * @returns {Promise<Trace>}
 */
export async function fetchTrace({ id }, pixels, names, options = {}) {
  const body = { image: rowsOf(pixels), tensors: names, ...options };
  const { tensors, metadata } = await binary(`${pathOf(id)}/trace`, post(body));
  return { model: id, pixels, options, ...answerIn(metadata), tensors };
}

/** @param {Pixels} pixels */
const rowsOf = (pixels) => toRows(inkOf(pixels), pixels);

/**
 * What a network says, whatever tensors were asked for.
 * @param {Record<string, string>} metadata
 * @param {string} [prefix] of the names
 */
function answerIn(metadata, prefix = "") {
  return {
    prediction: Number(metadata[`${prefix}prediction`]),
    present: /** @type {number[]} */ (JSON.parse(metadata[`${prefix}present`])),
  };
}

/**
 * One image through several models, in one request.
 * @param {readonly { model: Pick<Model, "id">, names: string[] }[]} wanted at least one,
 *   each model once
 * @param {Pixels} pixels
 * @returns {Promise<Trace[]>} in the order of the models
 */
export async function fetchTraces(wanted, pixels) {
  const named = wanted.map(({ model: { id }, names }) => [id, names]);
  const body = { image: rowsOf(pixels), tensors: Object.fromEntries(named) };
  const { tensors: all, metadata } = await binary("api/traces", post(body));
  return wanted.map(({ model: { id }, names }) => {
    const own = [...new Set(names)].map((name) => [name, all[`${id}/${name}`]]);
    const tensors = Object.fromEntries(own);
    return { model: id, pixels, options: {}, ...answerIn(metadata, `${id}/`), tensors };
  });
}

/**
 * A trace as a file to keep.
 * @param {Pick<Model, "id">} model @param {Pixels} pixels
 * @param {string[]} names of its tensors
 * @param {Options} options @param {"json" | "safetensors"} format
 * @returns {Promise<Blob>}
 */
export async function fetchTraceFile({ id }, pixels, names, options, format) {
  const accept = format === "json" ? "application/json" : BINARY;
  const body = { image: rowsOf(pixels), tensors: names, ...options };
  return send(`${pathOf(id)}/trace`, accept, post(body), (answer) => answer.blob());
}

/**
 * Bring a picture of a digit into the network's form and run it through.
 * @param {Model} model
 * @param {Blob | Uint8Array<ArrayBuffer>} picture any image file; bytes are a PGM file
 * @param {object} options
 * @param {"auto" | "light"} options.ink light: it is known to be lighter than its ground
 * @param {Overrides} options.overrides what somebody decided
 * @param {Options} options.options what traces are asked with
 * @param {1 | 2} [options.atMost] how many the image may show
 * @param {string[]} options.names tensors to answer with
 * @param {boolean} options.withSteps whether to tell how the picture became the image
 * @returns {Promise<{ pixels: Pixels, intake: Intake | null, trace: Trace }>}
 */
export async function fetchReading({ id }, picture, options) {
  const { ink, atMost = 1, overrides, options: asked, names, withSteps } = options;
  const search = new URLSearchParams([
    ["ink", ink],
    ...(atMost === 1 ? [] : [["at_most", String(atMost)]]),
    ...routingFields(asked),
    ["steps", String(withSteps)],
    ...toFields(overrides),
    ...names.map((name) => ["tensors", name]),
  ]);
  const { tensors: all, metadata } = await binary(`${pathOf(id)}/read?${search}`, {
    method: "POST",
    headers: { "Content-Type": typeOf(picture) },
    body: picture,
  });
  const { image, ...tensors } = all;
  const [columns, rows, channels = 1] = image.shape.toReversed();
  const pixels = toPixels(image.data, { channels, rows, columns });
  return {
    pixels,
    intake: withSteps ? toIntake(metadata) : null,
    trace: { model: id, pixels, options: asked, ...answerIn(metadata), tensors },
  };
}

/** @param {Record<string, string>} metadata @returns {Intake} */
function toIntake({ steps, found, chosen, parts, settings, warnings }) {
  return {
    steps: JSON.parse(steps),
    found: JSON.parse(found),
    chosen: JSON.parse(chosen),
    parts: JSON.parse(parts),
    settings: JSON.parse(settings),
    warnings: JSON.parse(warnings),
  };
}

/**
 * What the server shall take a picture for. Whatever the browser takes a file for, the
 * server looks for itself, and says what it found.
 * @param {Blob | Uint8Array} picture
 */
function typeOf(picture) {
  if (!(picture instanceof Blob)) return PGM;
  return picture.type.startsWith("image/") ? picture.type : "application/octet-stream";
}

/** @returns {Promise<{ datasets: Dataset[], missing?: string }>} */
export function fetchDatasets() {
  return json("api/datasets");
}

/**
 * @param {string} dataset @param {Record<string, string | number>} query
 * @returns {Promise<{ total: number, digits: DatasetImage[] }>}
 */
export async function fetchImages(dataset, query) {
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, String(value)]),
  );
  const answer = await json(`api/datasets/${dataset}/digits?${search}`);
  return { total: answer.total, digits: answer.digits.map(withPixels) };
}

/**
 * Many images of a data set, without their labels.
 * @param {string} dataset @param {readonly number[]} indexes
 * @returns {Promise<Pixels[]>} in their order
 */
export async function fetchPictures(dataset, indexes) {
  const search = new URLSearchParams(indexes.map((index) => ["index", String(index)]));
  const { tensors } = await binary(`api/datasets/${dataset}/images?${search}`);
  const { shape, data } = tensors.images;
  const [columns, rows, channels = 1] = shape.slice(1).toReversed();
  const size = channels * rows * columns;
  return indexes.map((_, i) => ({
    channels,
    rows,
    columns,
    bytes: Uint8Array.from(data.subarray(i * size, (i + 1) * size)),
  }));
}

/**
 * The test images that a model describes most like an image, nearest first.
 * @param {Pick<Model, "id">} model @param {Pixels} pixels @param {number} count
 * @returns {Promise<{ index: number, label: number, labels: number[], distance: number }[]>}
 */
export function fetchNearest({ id }, pixels, count) {
  return json(`${pathOf(id)}/nearest`, post({ image: rowsOf(pixels), count }));
}

/**
 * What a model reads in some of its test images, read now.
 * @param {Pick<Model, "id">} model @param {number} first @param {number} count
 * @returns {Promise<{ tensors: Record<string, Tensor>, total: number }>} `labels`,
 *   `predictions` and `scores`; and how many images the whole test set has
 */
export async function fetchTested({ id }, first, count) {
  const path = `${pathOf(id)}/tested?first=${first}&count=${count}`;
  const { tensors, metadata } = await binary(path);
  return { tensors, total: Number(metadata.total) };
}

/** @param {string} dataset @param {number} index @returns {Promise<DatasetImage>} */
export async function fetchImage(dataset, index) {
  return withPixels(await json(`api/datasets/${dataset}/digits/${index}`));
}

// Training runs.

/** @returns {Promise<Recipes>} what can be trained here */
export function fetchRecipes() {
  return json("api/recipes");
}

/** @returns {Promise<Run[]>} the newest first */
export async function fetchRuns() {
  const { runs } = await json("api/runs");
  return runs;
}

/** @param {string} id @returns {Promise<Run>} */
export function fetchRun(id) {
  return json(`api/runs/${id}`);
}

/** @param {Readonly<Record<string, unknown>>} recipe @returns {Promise<string>} its id */
export async function startRun(recipe) {
  const { id } = await json("api/runs", post(recipe));
  return id;
}

// Sets of pictures of one's own.

/** @returns {Promise<OwnSet[]>} the newest first */
export async function fetchSets() {
  const { sets } = await json("api/sets");
  return sets;
}

/**
 * Make a place for a file that comes in pieces.
 * @param {string} name @param {number} size bytes
 * @returns {Promise<string>} the set's id
 */
export async function addSet(name, size) {
  const query = new URLSearchParams({ name, size: String(size) });
  const { id } = await json(`api/sets?${query}`, { method: "POST" });
  return id;
}

/**
 * Send the next piece of a file. One that has come already, whose answer was lost, is no
 * error.
 * @param {string} id @param {number} offset bytes before it @param {Blob} piece
 * @param {AbortSignal} signal
 * @returns {Promise<OwnSet>}
 */
export async function sendPiece(id, offset, piece, signal) {
  try {
    return await json(`api/sets/${id}/file?offset=${offset}`, {
      method: "PUT",
      body: piece,
      signal,
      headers: { "Content-Type": "application/octet-stream" },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const found = await json(`api/sets/${id}`);
    if (found.received !== offset + piece.size) throw error;
    return found;
  }
}

/** @param {string} id @param {Readonly<Record<string, unknown>>} asked @returns {Promise<OwnSet>} */
export function changeSet(id, asked) {
  return json(`api/sets/${id}`, { ...post(asked), method: "PATCH" });
}

/** @param {string} id */
export function removeSet(id) {
  const request = { method: "DELETE" };
  return send(`api/sets/${id}`, "application/json", request, async () => {});
}

/**
 * The first training images of each class of a set, 0 to 255, and the class of each.
 * @param {string} id
 * @returns {Promise<{ images: Tensor, classes: number[] }>}
 */
export async function fetchSetSamples(id) {
  const { tensors, metadata } = await binary(`api/sets/${id}/samples`);
  return { images: tensors.images, classes: JSON.parse(metadata.classes) };
}

/**
 * @param {string} id
 * @param {{ learning_rate?: number | null, state?: "paused" | "running" | "stopped" }} change
 * @returns {Promise<Run>}
 */
export function changeRun(id, change) {
  return json(`api/runs/${id}`, { ...post(change), method: "PATCH" });
}

/**
 * Runs and networks whose files cannot be used.
 * @returns {Promise<{ runs: import("../types.js").Refusal[], models: import("../types.js").Refusal[] }>}
 */
export async function fetchRefusals() {
  const [runs, models] = await Promise.all([json("api/runs"), json(BRIEFLY)]);
  return { runs: runs.refused, models: models.refused };
}

/**
 * The weight file of a network that was trained in the page.
 * @param {Pick<Model, "id">} model @returns {Promise<Blob>}
 */
export function fetchWeights({ id }) {
  return send(`${pathOf(id)}/file`, BINARY, undefined, (answer) => answer.blob());
}

/** Remove a network that was kept. @param {string} id */
export function removeModel(id) {
  return send(pathOf(id), "application/json", { method: "DELETE" }, async () => {});
}

/** Throw a run away, with all that it wrote. @param {string} id */
export function deleteRun(id) {
  const request = { method: "DELETE" };
  return send(`api/runs/${id}`, "application/json", request, async () => {});
}

/**
 * Keep a moment of a run as a model of one's own.
 * @param {string} id @param {{ step: number, name: string, title?: string }} wish
 * @returns {Promise<string>} the model's id
 */
export async function keepSnapshot(id, wish) {
  const { model } = await json(`api/runs/${id}/keep`, post(wish));
  return model;
}

/**
 * Hear what happens in a run.
 * @param {string} id @param {number} after the number of the last event that is known
 * @param {(event: RunEvent, number: number) => void} listener
 * @returns {() => void} hear no more
 */
export function followRun(id, after, listener) {
  const kinds = ["state", "progress", "snapshot", "rate"];
  return listen(`api/runs/${id}/events?after=${after}`, kinds, listener);
}

// Data sets that are missing.

/** @param {string} dataset @returns {Promise<Download>} */
export function startDownload(dataset) {
  return json("api/downloads", post({ dataset }));
}

/** @param {string} dataset @returns {Promise<Download>} */
export function fetchDownload(dataset) {
  return json(`api/downloads/${dataset}`);
}

/** @param {string} dataset @returns {Promise<Download>} */
export function stopDownload(dataset) {
  return json(`api/downloads/${dataset}`, { method: "DELETE" });
}

/** @param {{ image: any[] }} classIndex rows of numbers, or channels of rows */
function withPixels({ image, ...rest }) {
  return /** @type {any} */ ({ ...rest, pixels: fromRows(image) }); // by route
}

/** @param {string} id of a model: the name of its file, so anything */
function pathOf(id) {
  return `api/models/${encodeURIComponent(id)}`;
}

/** @param {unknown} body */
function post(body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}
