/**
 * Fetches the scripts of a view and mounts it when it is first opened; fetches those of
 * the network's others once its first reading is on show and there is nothing else to do.
 * @import { Network, AppState } from "../types.js"
 * @import { Store } from "./store.js"
 */
import { shownView } from "./lab.js";

/**
 * @template {{ id: string }} View
 * @param {Store<AppState>} store
 * @param {(network: Network | null) => readonly View[]} viewsOf each view is always the
 *   same object
 * @param {object} page
 * @param {(view: View) => Promise<() => void>} page.load fetch a view's scripts; brings
 *   what mounts it
 * @param {(view: View) => void} page.preload have a view's scripts fetched
 * @param {(job: () => void) => void} page.whenIdle
 * @param {(view: View, isBusy: boolean) => void} page.setBusy tell that a view is on
 *   its way, or there
 * @param {(view: View) => void} page.showMissing say in a view that its scripts
 *   could not be had; browsers ask for a module only once, so reloading is what helps
 */
export function mountWhenOpened(store, viewsOf, page) {
  const { load, preload, whenIdle, setBusy, showMissing } = page;
  /** @type {Set<View>} */
  const preloaded = new Set();
  /** @type {Set<View>} */
  const opened = new Set();

  /** @param {View} view */
  function fetchOnce(view) {
    if (preloaded.has(view)) return;
    preloaded.add(view);
    preload(view);
  }

  /** @param {View} view */
  async function open(view) {
    opened.add(view);
    setBusy(view, true);
    fetchOnce(view);
    const mount = await load(view).catch(orNothing);
    if (mount === null) showMissing(view);
    else mount();
    setBusy(view, false);
  }

  store.watch(["mode", "view", "network"], (state) => {
    const { network } = state;
    const id = shownView(state);
    const view = viewsOf(network).find((each) => each.id === id);
    if (view && !opened.has(view)) void open(view);
  });

  /** @type {Set<Network>} */
  const read = new Set();
  store.watch(["trace", "network"], ({ trace, network }) => {
    if (trace === null || network === null || read.has(network)) return;
    read.add(network);
    for (const view of viewsOf(network)) whenIdle(() => fetchOnce(view));
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
