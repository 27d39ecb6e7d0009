/**
 * The one place that talks to the server.
 * @import { Chapter } from "../guide/types.js"
 * @import { Dataset, DatasetDigit, Intake, Model, Options, Overrides, Pixels, Sample, Tensor, Term, Trace } from "../types.js"
 */

import { PGM, parseSafetensors } from "../lib/encoding.js";
import { toFields } from "../lib/overrides.js";
import { fromRows, inkOf, toPixels, toRows } from "../lib/pixels.js";
import { untilBack } from "./absence.js";

const BINARY = "application/x-safetensors";
const PATIENCE_MS = 30_000;
const ATTACK_PATIENCE_MS = 180_000; // PGD takes steps by the dozen, behind all else
const HEALTH_PATIENCE_MS = 4_000;
const RETRIES = 3;
const SENDINGS = 3; // of one request, while the server answers others
const BROKEN = `The connection to the server broke off ${SENDINGS} times.`;
const UNREADABLE = "The server's answer cannot be read.";

/** How many requests wait until a busy server may be asked again. */
let held = 0;
/** @type {(count: number) => void} */
let tellHeld = () => {};

/** A request, and for how long to wait if not as usual. @typedef {RequestInit & { patienceMs?: number }} Asked */

/** What the server, or the way to it, has against a request; for people. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {{ status?: number, field?: string | null, cause?: unknown }} [details]
   *   status 0: no answer
   */
  constructor(message, { status = 0, field = null, cause } = {}) {
    super(message, { cause });
    this.name = "ApiError";
    this.status = status;
    this.field = field;
  }
}

/**
 * Hear how many requests a busy server has asked to come back, whenever that changes.
 * @param {(count: number) => void} listener
 */
export function onHeld(listener) {
  tellHeld = listener;
}

/** @returns {Promise<Model[]>} */
export async function fetchModels() {
  const { models } = await json("/api/models");
  return models.map(withSide);
}

/**
 * The views of grey squares read their side as `image_size`, which cards record no more.
 * @param {Model} model
 * @returns {Model}
 */
function withSide(model) {
  const { config } = model.card;
  const image_size = config.image_size ?? model.input_shape[1];
  return { ...model, card: { ...model.card, config: { ...config, image_size } } };
}

/** @returns {Promise<Sample[]>} */
export async function fetchSamples() {
  const { samples } = await json("/api/samples");
  return samples.map(withPixels);
}

/** @returns {Promise<Term[]>} */
export async function fetchGlossary() {
  const { terms } = await json("/api/glossary");
  return terms;
}

/** @returns {Promise<Chapter[]>} the guide's */
export async function fetchGuide() {
  const { chapters } = await json("/api/guide");
  return chapters;
}

/**
 * Tensors that belong to a model whatever the image, such as its kernels; caches keep
 * them for good.
 * @param {Pick<Model, "id" | "version">} model
 * @param {string} path below the model's own, such as `kernels`
 * @returns {Promise<Record<string, Tensor>>}
 */
export async function fetchOwnTensors({ id, version }, path) {
  const search = new URLSearchParams({ version });
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
 * @param {Pick<Model, "id">} model
 * @param {object} body
 * @param {AbortSignal} [signal] ends it, and the server's work on it: an `AbortError` then
 */
export function fetchAttack({ id }, body, signal) {
  const request = { ...post(body), signal, patienceMs: ATTACK_PATIENCE_MS };
  return binary(`${pathOf(id)}/attack`, request);
}

/**
 * @param {Pick<Model, "id">} model
 * @param {Pixels} pixels
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
  const { tensors: all, metadata } = await binary("/api/traces", post(body));
  return wanted.map(({ model: { id }, names }) => {
    const own = [...new Set(names)].map((name) => [name, all[`${id}/${name}`]]);
    const tensors = Object.fromEntries(own);
    return { model: id, pixels, options: {}, ...answerIn(metadata, `${id}/`), tensors };
  });
}

/**
 * A trace as a file to keep.
 * @param {Pick<Model, "id">} model
 * @param {Pixels} pixels
 * @param {string[]} names of its tensors
 * @param {Options} options
 * @param {"json" | "safetensors"} format
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
 * @param {string[]} options.names tensors to answer with
 * @param {boolean} options.withSteps whether to tell how the picture became the image
 * @returns {Promise<{ pixels: Pixels, intake: Intake | null, trace: Trace }>}
 */
export async function fetchReading({ id }, picture, options) {
  const { ink, overrides, options: asked, names, withSteps } = options;
  const search = new URLSearchParams([
    ["ink", ink],
    ...Object.entries(asked).map(([name, value]) => [name, String(value)]),
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

/**
 * @param {Record<string, string>} metadata
 * @returns {Intake}
 */
function toIntake({ steps, found, chosen, settings, warnings }) {
  return {
    steps: JSON.parse(steps),
    found: JSON.parse(found),
    chosen: JSON.parse(chosen),
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
  return json("/api/datasets");
}

/**
 * @param {string} dataset
 * @param {Record<string, string | number>} query
 * @returns {Promise<{ total: number, digits: DatasetDigit[] }>}
 */
export async function fetchDigits(dataset, query) {
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, String(value)]),
  );
  const answer = await json(`/api/datasets/${dataset}/digits?${search}`);
  return { total: answer.total, digits: answer.digits.map(withPixels) };
}

/**
 * @param {string} dataset
 * @param {number} index
 * @returns {Promise<DatasetDigit>}
 */
export async function fetchDigit(dataset, index) {
  return withPixels(await json(`/api/datasets/${dataset}/digits/${index}`));
}

/** @param {{ image: any[] }} digit rows of numbers, or channels of rows */
function withPixels({ image, ...rest }) {
  return /** @type {any} */ ({ ...rest, pixels: fromRows(image) }); // by route
}

/** @param {string} id of a model: the name of its file, so anything */
function pathOf(id) {
  return `/api/models/${encodeURIComponent(id)}`;
}

/** @param {unknown} body */
function post(body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

/**
 * @param {string} path
 * @param {Asked} [request]
 */
function json(path, request) {
  return send(path, "application/json", request, (answer) => answer.json());
}

/**
 * @param {string} path
 * @param {Asked} [request]
 */
function binary(path, request) {
  return send(path, BINARY, request, async (answer) =>
    parseSafetensors(await answer.arrayBuffer()),
  );
}

/**
 * @template Content
 * @param {string} path
 * @param {string} accept
 * @param {Asked | undefined} request
 * @param {(answer: Response) => Promise<Content>} read
 * @returns {Promise<Content>} what is in a good answer
 * @throws {ApiError} any other, and one that breaks off or cannot be read
 */
async function send(path, accept, request, read) {
  const asked = { ...request, headers: { Accept: accept, ...request?.headers } };
  const first = await fetchOnce(path, asked);
  const answer = waitFor(first) === null ? first : await askAgain(first, path, asked);
  if (!answer.ok) throw await toError(answer);
  return read(answer).catch((cause) => {
    request?.signal?.throwIfAborted();
    const words = isTimeout(cause) ? slow(request?.patienceMs) : UNREADABLE;
    throw new ApiError(words, { cause });
  });
}

/**
 * Ask a busy server a few times more, each time when it says.
 * @param {Response} answer its first
 * @param {string} path
 * @param {Asked} request
 * @returns {Promise<Response>} its last
 */
async function askAgain(answer, path, request) {
  tellHeld(++held);
  try {
    let last = answer;
    for (let retry = 0; retry < RETRIES; retry++) {
      const waitMs = waitFor(last);
      if (waitMs === null) break;
      await pause(waitMs);
      last = await fetchOnce(path, request);
    }
    return last;
  } finally {
    tellHeld(--held);
  }
}

/**
 * Send a request; if nobody answers, once more when the server is back.
 * @param {string} path
 * @param {Asked} request
 */
async function fetchOnce(path, { patienceMs = PATIENCE_MS, ...request }) {
  for (let sent = 1; ; sent++) {
    const patience = AbortSignal.timeout(patienceMs);
    const signal = request.signal
      ? AbortSignal.any([request.signal, patience])
      : patience;
    try {
      return await fetch(path, { ...request, signal });
    } catch (cause) {
      request.signal?.throwIfAborted();
      if (isTimeout(cause)) throw new ApiError(slow(patienceMs), { cause });
      if (sent === SENDINGS) throw new ApiError(BROKEN, { cause });
      await untilBack(answers);
    }
  }
}

/** @param {number} [patienceMs] */
function slow(patienceMs = PATIENCE_MS) {
  return `The server has not answered for ${patienceMs / 1000} seconds.`;
}

/** Whether there is a server, busy or not. */
async function answers() {
  const signal = AbortSignal.timeout(HEALTH_PATIENCE_MS);
  return fetch("/api/health", { signal }).then(
    () => true,
    () => false,
  );
}

/**
 * @param {Response} answer
 * @returns {number | null} milliseconds until it is worth asking again; null if never
 */
function waitFor({ status, headers }) {
  if (status !== 503 && status !== 429) return null;
  const waitMs = 1000 * Number(headers.get("Retry-After") ?? 1);
  return waitMs <= PATIENCE_MS ? waitMs : null; // a date is no number, so null too
}

/** @param {unknown} error */
function isTimeout(error) {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** @param {Response} answer */
async function toError(answer) {
  const body = await answer.json().catch(() => null);
  const message = body?.error?.message ?? `The server answered ${answer.status}.`;
  return new ApiError(message, { status: answer.status, field: body?.error?.field });
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
