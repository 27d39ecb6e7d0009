/**
 * The page's end of the worker that runs the networks: questions and answers, each with a
 * number. The worker is started once the page has its first picture, or asks for one.
 */

/**
 * @typedef {{ file: ArrayBuffer } | { json: object } | { refused: string, status: number, field?: string | null }} Answer
 */

/** @type {Map<number, (answer: Answer) => void>} */
const waiting = new Map();
let asked = 0;
const AFTER_MS = 500; // the page's first picture, and the scripts of the next views
const PATIENCE_MS = 400; // until it is said that a network is on its way
/** @type {Worker | null} */
let worker = null;

/** Have the runtime and the network fetched, once nothing else is under way. */
export function begin() {
  setTimeout(() => {
    worker ??= start();
  }, AFTER_MS);
}

function start() {
  const model = new URLSearchParams(location.hash.slice(1)).get("model") ?? "";
  const main =
    document.querySelector('script[type="module"]')?.getAttribute("src") ?? "";
  const place = new URL("../js/site/worker/main.js", new URL(main, document.baseURI));
  place.search = String(new URLSearchParams({ model }));
  const own = new Worker(trusted(place.href), { type: "module" });
  own.addEventListener(
    "message",
    ({ data: { number, loading, loaded, ...answer } }) => {
      if (loading) return progress.tell(loading);
      if (loaded)
        return keep([location.href.split("#")[0], ...loadedHere(), ...loaded]);
      waiting.get(number)?.(answer);
      settle(number);
    },
  );
  own.addEventListener("error", ({ message }) => {
    const refused = `This browser cannot run the network here: ${message}`;
    for (const [number, answer] of waiting) {
      answer({ refused, status: 500 });
      settle(number);
    }
  });
  return own;
}

/** The page's policy lets no text become a script's address but through this. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("site", {
  createScriptURL(/** @type {string} */ address) {
    if (address.startsWith(new URL(".", document.baseURI).href)) return address;
    throw new TypeError(`${address} is none of this site's scripts`);
  },
});

/** @param {string} address @returns {string} */
const trusted = (address) => policy?.createScriptURL(address) ?? address;

/**
 * Have what was loaded kept for the next visit, where the browser does that: with TLS, or
 * on this machine.
 * @param {readonly string[]} loaded addresses
 */
async function keep(loaded) {
  const offline = new URL("offline.js", document.baseURI).href;
  await navigator.serviceWorker?.register(trusted(offline)).catch(() => {});
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  active?.postMessage({ loaded });
}

/**
 * @param {object} question @param {AbortSignal | null} [signal]
 * @returns {Promise<Answer>}
 */
export function compute(question, signal) {
  return new Promise((resolve, reject) => {
    const number = ++asked;
    waiting.set(number, resolve);
    progress.show();
    signal?.addEventListener("abort", () => {
      settle(number);
      worker?.postMessage({ number, isGone: true });
      reject(signal.reason);
    });
    worker ??= start();
    worker.postMessage({ number, question });
  });
}

/** The addresses of what this page has loaded. */
const loadedHere = () =>
  performance.getEntriesByType("resource").map(({ name }) => name);

/** @param {number} number */
function settle(number) {
  waiting.delete(number);
  if (waiting.size === 0) progress.hide();
}

/** What is said while somebody waits for a network that is on its way. */
const progress = {
  bar: document.createElement("progress"),
  words: document.createElement("span"),
  part: document.createElement("label"),
  timer: 0,
  loaded: 0,
  total: 0,

  show() {
    if (this.timer !== 0) return;
    this.timer = setTimeout(() => {
      if (this.loaded === this.total) return this.again();
      this.part.className = "site-loading";
      this.part.replaceChildren(this.words, this.bar);
      document.body.append(this.part);
    }, PATIENCE_MS);
  },

  /** Whatever is loading may begin later. */
  again() {
    this.timer = 0;
    if (waiting.size > 0) this.show();
  },

  hide() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.part.remove();
  },

  /** @param {{ loaded: number, total: number }} files */
  tell({ loaded, total }) {
    Object.assign(this, { loaded, total });
    this.bar.max = total;
    this.bar.value = loaded;
    const [here, all] = [loaded, total].map((bytes) => (bytes / 1e6).toFixed(1));
    this.words.textContent = `The network is on its way: ${here} of ${all} MB `;
    if (loaded === total) this.part.remove();
  },
};
