/**
 * What goes wrong on a site, in sentences that name the file, what happened and what to do.
 * There is no server behind a site, and none is blamed.
 */

const PUBLISH =
  "Whoever published this site can mend it by uploading the folder again.";

/**
 * One sentence or two for each case. `name` is the file's.
 * @type {Record<string, (facts: Facts) => string>}
 */
const CASES = {
  lacking: ({ name }) =>
    `This page has what this network answers to its owner’s images, and cannot run it: browsers lack the operator ${name}. A drawing, another image or another setting needs the explorer on your own machine.`,
  absent: () => "That needs the explorer on your own machine.",
  republished: ({ name }) =>
    `This site was published again after this page was opened, and “${name}” is gone with the version on show. Load the page again: the address keeps what you see.`,
  missing: ({ name, status }) =>
    `“${name}” is missing on this site (its host answers ${status}). ${PUBLISH}`,
  refused: ({ name, status }) =>
    `“${name}” was refused (${status}), by the host or by a filter on the way to it. Another connection may let it through; if none does, the host must be told to serve such files.`,
  busy: ({ name, status }) =>
    `The host of this site cannot send “${name}” just now (${status}). Load the page again in a while.`,
  offline: ({ name }) =>
    `This device is offline, and “${name}” has not been kept on it. Go online and try again; Keep for offline (under More) then keeps all of this site.`,
  unreachable: ({ name }) =>
    `“${name}” could not be loaded, since the host of this site cannot be reached. Check the connection, and try again.`,
  blocked: ({ name }) =>
    `“${name}” could not be loaded, though the host of this site can be reached: an extension of this browser or a filter seems to block it. Allow it for this site, and load the page again.`,
  page: ({ name }) =>
    `A web page came in the place of “${name}”, as some hosts send for files that they do not have. ${PUBLISH}`,
  pointer: ({ name }) =>
    `“${name}” is a pointer of Git LFS, not the file itself. Whoever published this site must run "git lfs pull" before uploading, or have the host serve files of Git LFS.`,
  cut: ({ name, bytes, got }) =>
    `“${name}” must have ${bytes} bytes, got ${got}, twice. Load the page again; if that does not help, the file was damaged on its way to the host. ${PUBLISH}`,
  damaged: ({ name, detail }) =>
    `“${name}” is damaged: it cannot be read (${detail}). ${PUBLISH}`,
  torn: ({ name, detail }) =>
    `This file is damaged, or was cut short on its way here: “${name}” cannot be read from it (${detail}). Get the whole file again from where it came.`,
  memory: ({ name }) =>
    `This device has too little free memory to open “${name}”. Close other pages and programs, then load this page again.`,
  worker: ({ detail }) =>
    `This browser cannot start the worker in which networks run${detail ? ` (${detail})` : ""}. It needs module workers: Chrome or Edge 80, Firefox 114, Safari 15, or newer.`,
  confined: ({ detail }) =>
    `Whatever shows this page keeps it from starting the worker in which networks run (${detail}). Save the page as a file, and open that by itself.`,
  wasm: () =>
    'WebAssembly, in which networks run, is not allowed here, by this browser or by a policy that the host sends. A policy must have "wasm-unsafe-eval" in its script-src.',
  framed: () =>
    "This page stands in a frame whose sandbox keeps networks from running. Open the page itself, or add allow-same-origin to the frame's sandbox.",
};

/** @typedef {{ name?: string, status?: number, bytes?: number, got?: number, detail?: string }} Facts */

/** What went wrong, in words for people. */
export class SiteError extends Error {
  /** @param {string} kind of `CASES` @param {Facts} [facts] */
  constructor(kind, facts = {}) {
    super(CASES[kind](facts));
    this.name = "SiteError";
    this.kind = kind;
    this.status = kind === "absent" || kind === "lacking" ? 404 : 500;
    this.field = null;
  }
}

/**
 * Which case an answer is that is not the file.
 * @param {number} status
 */
export function kindOfStatus(status) {
  if (status === 404 || status === 410) return "missing";
  return status === 429 || status >= 500 ? "busy" : "refused";
}

/**
 * Which case bytes are that are not the file's: what hosts and uploads put in its place.
 * @param {Uint8Array} bytes
 */
export function kindOfBytes(bytes) {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart();
  if (/^<(!doctype|html|!--)/i.test(start)) return "page";
  return start.startsWith("version https://git-lfs") ? "pointer" : "cut";
}
