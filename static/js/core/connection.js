/**
 * The connection to the server: sends requests, waits for one that is busy or away, and
 * turns what goes wrong into words for people.
 */
import { parseSafetensors } from "../lib/safetensors.js";
import { ask, PATIENCE_MS, WHO } from "./transport.js";

export const BINARY = "application/x-safetensors";
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

/** @param {string} path @param {Asked} [request] */
export function json(path, request) {
  return send(path, "application/json", request, (answer) => answer.json());
}

/** @param {string} path @param {Asked} [request] */
export function binary(path, request) {
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
export async function send(path, accept, request, read) {
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
 * @param {string} path @param {Asked} request
 * @returns {Promise<Response>} its last
 */
async function askAgain(answer, path, request) {
  tellHeld(++held);
  try {
    let last = answer;
    for (let retry = 0; retry < RETRIES; retry++) {
      const waitMs = waitFor(last);
      if (waitMs === null) break;
      await pause(waitMs, request.signal);
      last = await fetchOnce(path, request);
    }
    return last;
  } finally {
    tellHeld(--held);
  }
}

/**
 * Send a request; if nobody answers, once more when the server is back.
 * @param {string} path @param {Asked} request
 */
async function fetchOnce(path, { patienceMs = PATIENCE_MS, ...request }) {
  for (let sent = 1; ; sent++) {
    const patience = AbortSignal.timeout(patienceMs);
    const signal = request.signal
      ? AbortSignal.any([request.signal, patience])
      : patience;
    try {
      return await ask(path, { ...request, signal });
    } catch (cause) {
      request.signal?.throwIfAborted();
      if (isTimeout(cause)) throw new ApiError(slow(patienceMs), { cause });
      if (sent === SENDINGS) throw new ApiError(BROKEN, { cause });
      await untilBack();
    }
  }
}

/** @param {number} [patienceMs] */
function slow(patienceMs = PATIENCE_MS) {
  return `${WHO} has not answered for ${patienceMs / 1000} seconds.`;
}

/** Whether there is a server, busy or not. */
async function answers() {
  const signal = AbortSignal.timeout(HEALTH_PATIENCE_MS);
  return ask("api/health", { signal }).then(
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

/** @param {number} milliseconds @param {AbortSignal | null} [signal] cuts it short */
function pause(milliseconds, signal) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

// A server that does not answer is asked now and then whether it is back.

const FIRST_MS = 500; // until it is asked for the first time
const MOST_MS = 4_000; // between any two times

/** @type {Promise<void> | null} */
let back = null;
let hurry = () => {};
/** @type {(isAway: boolean) => void} */
let tellAway = () => {};

/**
 * Hear when a server is missed, and when it is back.
 * @param {(isAway: boolean) => void} listener
 */
export function onAbsence(listener) {
  tellAway = listener;
}

/** Ask at once whether the server is back, if it is missed. */
export function askNow() {
  hurry();
}

/** One question for all who wait. @returns {Promise<void>} resolved once it answers */
function untilBack() {
  back ??= untilItAnswers();
  return back;
}

async function untilItAnswers() {
  tellAway(true);
  let pauseMs = FIRST_MS;
  do {
    await pauseUnlessHurried(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MOST_MS);
  } while (!(await answers()));
  back = null;
  tellAway(false);
}

/** @param {number} milliseconds cut short by `askNow` */
function pauseUnlessHurried(milliseconds) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
