/**
 * Keeps what visits have loaded, so that the next one loads nothing and needs no network.
 * A service worker, of the whole site: it is written to the site's top, where its first
 * line names the site's content. Another content is another cache.
 */
const NAME = `site:${new URL(".", location.href).pathname}:`;
// `CONTENT` stands in a line that is written before these.
const OWN = NAME + /** @type {any} */ (globalThis).CONTENT;
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
  if (request.method === "GET" && isOwn) event.respondWith(kept(request));
});

// What was loaded before this worker was there.
addEventListener("message", (/** @type {any} */ { data }) => {
  for (const address of data.loaded)
    void kept(new Request(address, { cache: "force-cache" }));
});

/** @param {Request} request */
async function kept(request) {
  const cache = await caches.open(OWN);
  const isPage = request.mode === "navigate";
  const found = await cache.match(request, { ignoreSearch: isPage });
  if (found !== undefined) return found;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request, answer.clone());
  return answer;
}
