/**
 * Fetches the scripts of a view and mounts it when it is first opened; fetches those of
 * the others once the first reading is on show and there is nothing else to do.
 * @import { AppState, ViewName } from "./types.js"
 * @import { Store } from "./store.js"
 */

/** @typedef {() => Promise<() => void>} Load fetches a view's scripts; brings what mounts it */

/**
 * @param {Store<AppState>} store
 * @param {Record<ViewName, Load>} loads
 * @param {object} page
 * @param {(view: ViewName) => void} page.preload have a view's scripts fetched
 * @param {(job: () => void) => void} page.whenIdle
 * @param {(view: ViewName, isBusy: boolean) => void} page.setBusy tell that a view is on
 *   its way, or there
 * @param {(view: ViewName) => void} page.showMissing say in a view that its scripts
 *   could not be had; browsers ask for a module only once, so reloading is what helps
 */
export function mountWhenOpened(store, loads, page) {
  const { preload, whenIdle, setBusy, showMissing } = page;
  const views = /** @type {ViewName[]} */ (Object.keys(loads));
  /** @type {Set<ViewName>} */
  const preloaded = new Set();
  /** @type {Set<ViewName>} */
  const opened = new Set();

  /** @param {ViewName} view */
  function fetchOnce(view) {
    if (preloaded.has(view)) return;
    preloaded.add(view);
    preload(view);
  }

  /** @param {ViewName} view */
  async function open(view) {
    opened.add(view);
    setBusy(view, true);
    fetchOnce(view);
    const mount = await loads[view]().catch(orNothing);
    if (mount === null) showMissing(view);
    else mount();
    setBusy(view, false);
  }

  store.watch(["view"], ({ view }) => {
    if (!opened.has(view)) void open(view);
  });

  let isRead = false;
  store.watch(["trace"], ({ trace }) => {
    if (isRead || trace === null) return;
    isRead = true;
    for (const view of views) whenIdle(() => fetchOnce(view));
  });
}

/**
 * @param {unknown} error a TypeError when a script cannot be fetched
 * @returns {null}
 * @throws {unknown} a script's own mistake
 */
function orNothing(error) {
  if (error instanceof TypeError) return null;
  throw error;
}
