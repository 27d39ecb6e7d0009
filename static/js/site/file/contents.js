/**
 * The files of a site that is one HTML file: each is an element of the page. In place of
 * `files.js`. A worker has no elements, and asks its page for what stands in them.
 * @import { Packed, Part } from "./unpacking.js"
 */
import { SiteError } from "../failing.js";
import { unpack } from "./unpacking.js";

/** @typedef {{ port?: MessagePort }} Site where a worker asks its page */

/** The site that this document is. @returns {Site} */
export const siteHere = () => ({});

/** @param {Site} site */
export function filesOf({ port }) {
  const packedOf = port ? askedOf(port) : heldHere;

  /**
   * @param {string} name
   * @param {{ signal?: AbortSignal | null, onPart?: (part: Part) => void }} [options]
   * @returns {Promise<Uint8Array<ArrayBuffer>>} the whole file
   * @throws {SiteError} it is not to be had
   */
  async function load(name, { signal, onPart } = {}) {
    const packed = await packedOf(name);
    signal?.throwIfAborted();
    if (packed === null) throw new SiteError("absent");
    try {
      return await unpack(packed, onPart);
    } catch (error) {
      const { message: detail } = /** @type {Error} */ (error);
      throw new SiteError("torn", { name, detail });
    }
  }

  /** @param {string} name @param {AbortSignal | null} [signal] @returns {Promise<any>} */
  async function json(name, signal) {
    return JSON.parse(new TextDecoder().decode(await load(name, { signal })));
  }

  /**
   * An address of a module, for an import(): WebKit lets a worker import from no other.
   * @param {string} name
   */
  async function addressOf(name) {
    const script = new TextDecoder().decode(await load(name));
    return `data:text/javascript,${encodeURIComponent(script)}`;
  }

  /** Why a script does not run: it is in the page, whose reader knows no more. */
  const whyNot = async () => null;

  return { addressOf, load, json, whyNot };
}

/** An address of a script. @param {Uint8Array<ArrayBuffer>} script */
export const scriptAddress = (script) =>
  URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

/** Whether all of the page is here. */
const isWhole = () => document.querySelector("script[data-end]") !== null;

/**
 * @param {string} name @returns {Promise<Packed | null>} null: there is no such file
 * @throws {SiteError} the page ends too soon
 */
export async function heldHere(name) {
  const find = () => document.querySelector(`script[data-name="${CSS.escape(name)}"]`);
  if (find()?.nextElementSibling == null && document.readyState === "loading")
    await new Promise((resolve) =>
      document.addEventListener("DOMContentLoaded", resolve, { once: true }),
    );
  const element = find();
  if (!(element instanceof HTMLElement)) {
    if (!isWhole()) throw new SiteError("torn", { name, detail: "it ends too soon" });
    return null;
  }
  const [packed, bytes, width] = ["packed", "bytes", "width"].map((key) =>
    Number(element.dataset[key]),
  );
  return { text: element.textContent ?? "", packed, bytes, width };
}

/** Answer a worker's questions. @param {MessagePort} port */
export function serve(port) {
  port.onmessage = async ({ data: name }) => {
    const answer = await heldHere(name).then(
      (packed) => ({ packed }),
      () => ({ isTorn: true }),
    );
    port.postMessage({ name, ...answer });
  };
}

/** @param {MessagePort} port */
function askedOf(port) {
  /** @type {Map<string, ((answer: { packed?: Packed | null, isTorn?: boolean }) => void)[]>} */
  const waiting = new Map();
  port.onmessage = ({ data: { name, ...answer } }) => {
    waiting.get(name)?.shift()?.(answer);
  };
  return async (/** @type {string} */ name) => {
    const { packed = null, isTorn } = await new Promise((resolve) => {
      waiting.set(name, [...(waiting.get(name) ?? []), resolve]);
      port.postMessage(name);
    });
    if (isTorn) throw new SiteError("torn", { name, detail: "it ends too soon" });
    return packed;
  };
}
