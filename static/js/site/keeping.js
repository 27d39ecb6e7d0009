/**
 * What of a site stays on this device, where the browser allows that: with TLS, or on this
 * machine. What was loaded is kept as it comes, by `offline.js`; a button keeps the rest.
 */
import { filesOf, siteHere } from "./files.js";

const MEGA = 1e6; // bytes
const site = globalThis.document ? siteHere() : { top: "", index: "", version: "" };
const files = filesOf(site);

const isPossible = () => "caches" in globalThis && "serviceWorker" in navigator;

/** The cache that `offline.js` answers from. */
const cacheHere = () => caches.open(`site:${new URL(site.top).pathname}:files`);

/** The page's policy lets no text become a script's address but through this. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("site", {
  createScriptURL(/** @type {string} */ address) {
    if (address.startsWith(site.top)) return address;
    throw new TypeError(`${address} is none of this site's scripts`);
  },
});

/** @param {string} address @returns {string} */
export const trusted = (address) => policy?.createScriptURL(address) ?? address;

async function startWorker() {
  const offline = new URL("offline.js", site.top).href;
  await navigator.serviceWorker.register(trusted(offline));
  await navigator.serviceWorker.ready;
}

/**
 * Keep what was loaded before the service worker was there, and let go of what an earlier
 * version of the site left.
 * @param {readonly string[]} loaded addresses
 */
export async function keepLoaded(loaded) {
  if (!isPossible() || !navigator.onLine) return; // nothing new comes
  try {
    await startWorker();
    const [cache, entries] = await Promise.all([cacheHere(), files.entries()]);
    const addresses = ownAddresses(entries);
    for (const address of loaded)
      if (addresses.has(address) && !(await cache.match(address)))
        await cache.add(new Request(address, { cache: "force-cache" }));
    await keepPage(cache, new URL(location.href.split(/[?#]/)[0]));
    if ((await files.newest()) !== site.version) return;
    for (const { url } of await cache.keys())
      if (/[./v][0-9a-f]{16}[./]/.test(url) && !addresses.has(url))
        await cache.delete(url);
  } catch {
    // The browser keeps nothing here, or the disk is full: the next visit loads it again.
  }
}

/** @param {Map<string, [string, number]>} entries of the index @returns {Map<string, number>} their bytes */
function ownAddresses(entries) {
  const all = [...entries.values()].map(([address, bytes]) => [address, bytes]);
  const placed = /** @type {[string, number][]} */ ([[site.index, 0], ...all]);
  return new Map(placed.map(([path, bytes]) => [new URL(path, site.top).href, bytes]));
}

/** A page as the host has it now. @param {Cache} cache @param {URL} address */
async function keepPage(cache, address) {
  const answer = await fetch(address, { cache: "no-cache" });
  if (answer.ok) await cache.put(address.href.replace(/\/index\.html$/, "/"), answer);
}

/** Offer to keep all of the site, and say when that is done. */
export function mountKeeping() {
  const element = document.querySelector("[data-keep-offline]");
  if (!(element instanceof HTMLButtonElement) || !isPossible()) return;
  const button = element;
  const note = button.nextElementSibling;

  /** @param {string} text @param {string} [trouble] */
  function say(text, trouble = "") {
    button.textContent = text;
    if (note !== null) note.textContent = trouble;
  }

  async function lookFor() {
    const [entries, cache] = await Promise.all([files.entries(), cacheHere()]);
    const wanted = ownAddresses(entries);
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    const missing = [...wanted].filter(([address]) => !kept.has(address));
    const bytes = missing.reduce((sum, [, size]) => sum + size, 0);
    return { entries, missing, bytes, cache };
  }

  async function show() {
    const { missing, bytes } = await lookFor();
    button.hidden = false;
    if (missing.length > 0) say(`Keep for offline (${megas(bytes)} MB)`);
    else isDone();
  }

  function isDone() {
    say("Kept for offline");
    button.disabled = true;
  }

  async function keepAll() {
    button.disabled = true;
    try {
      await startWorker();
      await navigator.storage?.persist?.();
      const { entries, missing, bytes, cache } = await lookFor();
      const names = new Map(
        [...entries].map(([name, [path]]) => [new URL(path, site.top).href, name]),
      );
      let done = 0;
      for (const [address, size] of missing) {
        say(`Keeping: ${megas(done)} of ${megas(bytes)} MB`);
        const name = names.get(address);
        if (name !== undefined) await files.load(name); // says what is wrong with it
        if (!(await cache.match(address))) await cache.add(address);
        done += size;
      }
      for (const page of await files.pages())
        await keepPage(cache, new URL(page.replace(/^index\.html$/, ""), site.top));
      isDone();
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      button.disabled = false;
      say("Keep for offline", message);
    }
  }

  button.addEventListener("click", keepAll);
  // Once the page has come to rest: nobody waits for this.
  addEventListener("load", () => show().catch(() => {}), { once: true });
}

/** @param {number} bytes */
const megas = (bytes) => (bytes / MEGA).toFixed(1);
