/**
 * The page's end of the worker that runs the networks: questions and answers, each with a
 * number. The worker is started once the page has its first picture, or asks for one.
 */

import { SiteError } from "./failing.js";
import { filesOf, siteHere } from "./files.js";
import { startWorker } from "./starting.js";

/**
 * @typedef {{ file: ArrayBuffer } | { json: object } | { refused: string, status: number, field?: string | null }} Answer
 */

/** The files of this site. */
export const files = filesOf(siteHere());

/** @type {Map<number, (answer: Answer) => void>} */
const waiting = new Map();
let count = 0;
const AFTER_MS = 500; // the page's first picture, and the scripts of the next views
const PATIENCE_MS = 400; // until it is said that a network is on its way
const IN_WORKER = /^static\/v[^/]+\/js\//; // other scripts are in packs
/** @type {Promise<Worker> | null} */
let worker = null;

/** Told of what happens in the worker without a question. @type {(news: any) => void} */
let tellNews = () => {};

/** @param {typeof tellNews} listener */
export function onNews(listener) {
  tellNews = listener;
}

/** Have the runtime and the network fetched, once nothing else is under way. */
export function begin() {
  setTimeout(() => workerHere().catch(() => {}), AFTER_MS); // said to whoever asks
}

function workerHere() {
  worker ??= start();
  worker.catch(() => {
    worker = null;
  });
  return worker;
}

/** @throws {SiteError} there is no worker to be had */
async function start() {
  const thread = await create();
  thread.addEventListener("message", ({ data: { number, loading, ...answer } }) => {
    if (loading) return progress.tell(loading);
    if (number === undefined) return tellNews(answer);
    waiting.get(number)?.(answer);
    settle(number);
  });
  thread.addEventListener("error", async ({ message: detail }) => {
    thread.terminate();
    worker = null;
    const missing = detail ? null : await files.whyNot((name) => IN_WORKER.test(name));
    refuseAll(missing ?? new SiteError("worker", { detail }));
  });
  return thread;
}

async function create() {
  const model = new URLSearchParams(location.hash.slice(1)).get("model") ?? "";
  try {
    return await startWorker(files, model);
  } catch (error) {
    if (error instanceof SiteError) throw error;
    if (self.origin === "null") throw new SiteError("framed");
    const { message: detail } = /** @type {Error} */ (error);
    throw new SiteError("worker", { detail });
  }
}

/** @param {SiteError} error */
function refuseAll({ message: refused, status }) {
  for (const [number, answer] of waiting) {
    answer({ refused, status });
    settle(number);
  }
}

/**
 * @param {object} question @param {AbortSignal | null} [signal]
 * @returns {Promise<Answer>}
 */
export function compute(question, signal) {
  return new Promise((resolve, reject) => {
    const number = ++count;
    waiting.set(number, resolve);
    progress.show();
    signal?.addEventListener("abort", () => {
      settle(number);
      worker?.then(
        (worker) => worker.postMessage({ number, isGone: true }),
        () => {},
      );
      reject(signal.reason);
    });
    workerHere().then(
      (worker) => worker.postMessage({ number, question }),
      (error) => {
        settle(number);
        reject(error);
      },
    );
  });
}

/** @param {number} number */
function settle(number) {
  waiting.delete(number);
  if (waiting.size === 0) progress.hide();
}

/** What is said while somebody waits for a network that is on its way, or being opened. */
const progress = {
  bar: document.createElement("progress"),
  words: document.createElement("span"),
  part: document.createElement("label"),
  timer: 0,
  isBusy: false,
  isDue: false,

  show() {
    if (this.timer !== 0) return;
    this.timer = setTimeout(() => {
      this.isDue = true;
      this.part.className = "site-loading";
      this.part.replaceChildren(this.words, this.bar);
      if (this.isBusy) document.body.append(this.part);
    }, PATIENCE_MS);
  },

  hide() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.isDue = false;
    this.part.remove();
  },

  /** @param {import("./worker/networks.js").Loading} loading */
  tell({ loaded, total, isOpening }) {
    this.isBusy = isOpening || loaded < total;
    if (!this.isBusy) return this.part.remove();
    // Whatever is loading, or being opened, may begin after somebody waits for it.
    if (this.isDue && !this.part.isConnected) document.body.append(this.part);
    if (loaded === total) {
      this.bar.removeAttribute("value"); // how long that takes nobody knows
      this.words.textContent = "Opening the network … ";
      return;
    }
    this.bar.max = total;
    this.bar.value = loaded;
    const [here, all] = [loaded, total].map((bytes) => (bytes / 1e6).toFixed(1));
    this.words.textContent = `The network is on its way: ${here} of ${all} MB `;
  },
};
