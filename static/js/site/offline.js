/**
 * Keeps what visits have loaded, so that the next one loads nothing and needs no network.
 * A service worker, of the whole site. Pages are asked of the host first; all else has its
 * content in its address, so that what is kept is right.
 */
const NAME = `site:${new URL(".", location.href).pathname}:`;
const OWN = `${NAME}files`; // in `keeping.js`, too
const ADDRESSED = /\/v[0-9a-f]{16}\/|\.[0-9a-f]{16}\.\w+$/;
const scope = /** @type {any} */ (globalThis);

addEventListener("install", () => scope.skipWaiting());

addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith(NAME) && name !== OWN) await caches.delete(name);
      await scope.clients.claim();
    })(),
  );
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const isOwn = request.url.startsWith(new URL(".", location.href).href);
  if (request.method !== "GET" || !isOwn) return;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (ADDRESSED.test(pathname)) event.respondWith(file(event));
});

/** @param {any} event */
async function page(event) {
  const { request } = event;
  const address = request.url.replace(/[?#].*$/, "").replace(/\/index\.html$/, "/");
  const cache = await caches.open(OWN);
  const answer = await fetch(request, { cache: "no-cache" }).catch(() => null);
  if (answer?.status === 200) event.waitUntil(keep(cache, address, answer.clone()));
  if (answer !== null && answer.status < 500) return answer;
  return (await cache.match(address)) ?? answer ?? Response.error();
}

/** @param {any} event */
async function file(event) {
  const { request } = event;
  const cache = await caches.open(OWN);
  const isAgain = request.cache === "reload";
  const cached = isAgain ? undefined : await cache.match(request.url);
  if (cached !== undefined) return cached;
  const answer = await fetch(request);
  if (answer.status === 200) event.waitUntil(keep(cache, request.url, answer.clone()));
  return answer;
}

/** A full disk keeps nothing, and takes nothing away. @param {Cache} cache @param {string} address @param {Response} answer */
const keep = (cache, address, answer) => cache.put(address, answer).catch(() => {});
