/**
 * The files of a site. Each has its content in its address, and the site's index says where
 * it is and how large: what comes cut short or in its place is noticed.
 */
import { kindOfBytes, kindOfStatus, SiteError } from "./failing.js";

/**
 * @typedef {object} Site
 * @property {string} top the site's own address
 * @property {string} index the address of its index, below the top
 * @property {string} version of the site, as its pages know it
 */

/** @typedef {{ loaded: number, total: number }} Part of a file that is on its way */

/** The site that this document is a page of. @returns {Site} */
export function siteHere() {
  const { index = "", version = "" } = document.documentElement.dataset;
  return { top: new URL(".", document.baseURI).href, index, version };
}

/** @param {Site} site */
export function filesOf({ top, index, version }) {
  /** @type {Promise<{ files: Record<string, [string, number]>, pages: string[] }> | null} */
  let known = null;

  function whole() {
    known ??= request(index, index, {}).then(async (answer) =>
      parse(index, await answer.text()),
    );
    known.catch(() => {
      known = null;
    });
    return known;
  }

  /** Where each file is, and its bytes, by name; the page's own have addresses for names. */
  const entries = async () => new Map(Object.entries((await whole()).files));

  /** The pages, which have no content in their addresses. */
  const pages = async () => (await whole()).pages;

  /** @param {string} name @returns {Promise<[string, number]>} */
  async function entryOf(name) {
    const { files } = await whole();
    if (!Object.hasOwn(files, name)) throw new SiteError("absent");
    return files[name];
  }

  /**
   * @param {string} name @param {string} address @param {RequestInit} request
   * @throws {SiteError} the host has not answered with the file
   */
  async function request(name, address, request) {
    /** @type {Response} */
    let answer;
    try {
      answer = await fetch(new URL(address, top), { cache: "force-cache", ...request });
    } catch {
      request.signal?.throwIfAborted();
      throw new SiteError(await whyNoAnswer(), { name });
    }
    if (answer.ok) return answer;
    const { status } = answer;
    const kind = kindOfStatus(status);
    const isGone = kind === "missing" && (await newest()) !== version;
    throw new SiteError(isGone ? "republished" : kind, { name, status });
  }

  /** Ask the host itself, whatever the browser has kept. */
  const fetchVersion = () => fetch(new URL("version.json", top), { cache: "no-store" });

  /** The version that the host has now; the page's own where it does not say. */
  async function newest() {
    const answer = await fetchVersion().catch(() => null);
    const body = answer?.ok ? await answer.json().catch(() => null) : null;
    return body?.version ?? version;
  }

  async function whyNoAnswer() {
    if (globalThis.navigator?.onLine === false) return "offline";
    return fetchVersion().then(
      () => "blocked",
      () => "unreachable",
    );
  }

  /**
   * @param {string} name
   * @param {{ signal?: AbortSignal | null, onPart?: (part: Part) => void }} [options]
   * @returns {Promise<Uint8Array<ArrayBuffer>>} the whole file
   * @throws {SiteError} it is not to be had
   */
  async function load(name, { signal, onPart } = {}) {
    const [address, total] = await entryOf(name);
    onPart?.({ loaded: 0, total });
    let got = new Uint8Array();
    // What a browser has kept may be cut short itself: then once more, from the host.
    for (const cache of /** @type {const} */ (["force-cache", "reload"])) {
      const answer = await request(name, address, { signal, cache });
      got = await allOf(answer, total, onPart).catch(() => {
        signal?.throwIfAborted();
        if (cache === "force-cache") return new Uint8Array();
        throw new SiteError("unreachable", { name });
      });
      if (got.length === total) return got;
    }
    throw new SiteError(kindOfBytes(got), { name, bytes: total, got: got.length });
  }

  /** @param {string} name @param {AbortSignal | null} [signal] @returns {Promise<any>} */
  async function json(name, signal) {
    return parse(name, new TextDecoder().decode(await load(name, { signal })));
  }

  /**
   * Why a script does not run: what the files say that it is made of.
   * @param {(name: string) => boolean} isPart of its files
   * @returns {Promise<SiteError | null>} null where they are all there
   */
  async function whyNot(isPart) {
    try {
      for (const name of (await entries()).keys()) if (isPart(name)) await load(name);
      return null;
    } catch (error) {
      if (error instanceof SiteError) return error;
      throw error;
    }
  }

  const addressOf = async (/** @type {string} */ name) =>
    new URL((await entryOf(name))[0], top).href;

  return { top, entries, pages, addressOf, load, json, newest, whyNot };
}

/** @param {string} name @param {string} text @returns {any} */
function parse(name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const kind = kindOfBytes(new TextEncoder().encode(text));
    const { message: detail } = /** @type {Error} */ (error);
    throw new SiteError(kind === "cut" ? "damaged" : kind, { name, detail });
  }
}

/**
 * @param {Response} answer @param {number} total bytes that it should have
 * @param {(part: Part) => void} [onPart]
 */
async function allOf(answer, total, onPart) {
  if (answer.body === null || onPart === undefined)
    return new Uint8Array(await answer.arrayBuffer());
  const whole = new Uint8Array(total);
  let loaded = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    if (loaded + value.length <= total) whole.set(value, loaded);
    loaded += value.length;
    onPart({ loaded: Math.min(loaded, total), total });
  }
  if (loaded >= total) return loaded === total ? whole : new Uint8Array(loaded);
  return whole.slice(0, loaded);
}
