/**
 * The one place that talks to the server.
 * @import { Dataset, DatasetDigit, Intake, Kernels, Model, Pixels, Sample, Tensor, Trace } from "./types.js"
 */
import { fromRows, toRows } from "./lib/pixels.js";
import { parseSafetensors } from "./lib/safetensors.js";

const BINARY = "application/x-safetensors";
const PATIENCE_MS = 30_000;
const RETRIES = 3;
const SLOW = `The server has not answered for ${PATIENCE_MS / 1000} seconds.`;
const SILENT = "The server does not answer. Is it still running?";
const UNREADABLE = "The server's answer cannot be read.";

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

/** @returns {Promise<Model[]>} */
export async function fetchModels() {
  const { models } = await json("/api/models");
  return models;
}

/** @returns {Promise<Sample[]>} */
export async function fetchSamples() {
  const { samples } = await json("/api/samples");
  return samples.map(withPixels);
}

/**
 * @param {Model} model
 * @returns {Promise<Kernels>}
 */
export async function fetchKernels({ id, version }) {
  const search = new URLSearchParams({ version });
  const { tensors } = await binary(`${pathOf(id)}/kernels?${search}`);
  return { model: id, kernels: tensors["conv1.kernels"], bias: tensors["conv1.bias"] };
}

/**
 * @param {Model} model
 * @param {Pixels} pixels
 * @param {number} iterations
 * @param {string[]} names tensors to answer with
 * @returns {Promise<Trace>}
 */
export async function fetchTrace({ id }, pixels, iterations, names) {
  const body = { image: toRows(pixels), iterations, tensors: names };
  const { tensors, metadata } = await binary(`${pathOf(id)}/trace`, post(body));
  const prediction = Number(metadata.prediction);
  return { model: id, pixels, iterations, prediction, tensors };
}

/**
 * The same trace as a file to keep.
 * @param {Model} model
 * @param {Pixels} pixels
 * @param {number} iterations
 * @param {"json" | "safetensors"} format
 * @returns {Promise<Blob>}
 */
export async function fetchTraceFile({ id }, pixels, iterations, format) {
  const accept = format === "json" ? "application/json" : BINARY;
  const body = { image: toRows(pixels), iterations };
  return send(`${pathOf(id)}/trace`, accept, post(body), (answer) => answer.blob());
}

/**
 * Decode capsules of one digit.
 * @param {Model} model
 * @param {number} digit
 * @param {readonly (readonly number[])[]} poses
 * @returns {Promise<Tensor>} (poses, rows, columns) in 0..1
 */
export async function fetchReconstructions({ id }, digit, poses) {
  const body = post({ digit, poses });
  const { tensors } = await binary(`${pathOf(id)}/reconstruct`, body);
  return tensors.images;
}

/**
 * Bring a picture of a digit into the network's form.
 * @param {Blob} picture
 * @param {"auto" | "dark" | "light"} [ink] which of the two is the ink
 * @returns {Promise<Intake>}
 */
export async function readPicture(picture, ink = "auto") {
  const type = picture.type || "application/octet-stream";
  const { image, steps, inverted } = await json(`/api/images?ink=${ink}`, {
    method: "POST",
    headers: { "Content-Type": type },
    body: picture,
  });
  return { pixels: fromRows(image), steps, inverted };
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

/** @param {{ image: number[][] }} digit */
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
 * @param {RequestInit} [request]
 */
function json(path, request) {
  return send(path, "application/json", request, (answer) => answer.json());
}

/**
 * @param {string} path
 * @param {RequestInit} [request]
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
 * @param {RequestInit | undefined} request
 * @param {(answer: Response) => Promise<Content>} read
 * @returns {Promise<Content>} what is in a good answer
 * @throws {ApiError} any other, and one that breaks off or cannot be read
 */
async function send(path, accept, request, read) {
  const headers = { Accept: accept, ...request?.headers };
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(path, { ...request, headers, signal }).catch((cause) => {
      throw new ApiError(isTimeout(cause) ? SLOW : SILENT, { cause });
    });
    if (answer.ok) {
      return read(answer).catch((cause) => {
        throw new ApiError(isTimeout(cause) ? SLOW : UNREADABLE, { cause });
      });
    }
    const waitMs = waitFor(answer);
    if (attempt > RETRIES || waitMs === null) throw await toError(answer);
    await pause(waitMs);
  }
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
