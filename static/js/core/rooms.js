/**
 * A room for each network that has been chosen: its store, its actions, and a store for
 * each of its views. A view is called only with everything that it declared as needed,
 * so none has to look whether its tensors are there. Its scripts are fetched when it is
 * first opened, or once there is nothing else to do.
 * @import { Actions, AppState, Network, NetworkState, NetworkStore, Options, Services, Store, Trace, TraceOf, View, ViewStore } from "../types.js"
 */

import { ownOf } from "../lib/own.js";
import { ApiError } from "./connection.js";
import { isShared, shownView } from "./state.js";
import { selector } from "./store.js";

/**
 * @typedef {object} Room
 * @property {Network} network
 * @property {NetworkStore} store
 * @property {Actions & Record<string, Function>} actions
 * @property {(view: View) => ViewStore} storeOf a view
 */

/**
 * @param {Store<AppState>} store @param {Actions} actions @param {Services} services
 * @returns {(network: Network) => Room} always the same for a network; made, and its
 *   watchers started, when it is first asked for
 */
export function createRooms(store, actions, services) {
  /** @type {Map<Network, Room>} */
  const rooms = new Map();
  return (network) => {
    const known = rooms.get(network);
    if (known) return known;
    const own = networkStore(store, network);
    /** @type {Map<View, ViewStore>} */
    const views = new Map();
    const room = {
      network,
      store: own,
      actions: { ...actions, ...network.actions(own) },
      storeOf(/** @type {View} */ view) {
        const found = views.get(view) ?? viewStore(own, view);
        views.set(view, found);
        return found;
      },
    };
    rooms.set(network, room);
    network.start?.(own, services);
    return room;
  };
}

/**
 * The store as a network uses it: the shared state and the network's own slice in one.
 * @param {Store<AppState>} store @param {Network} network
 * @returns {NetworkStore}
 */
export function networkStore(store, network) {
  const own = selector(store, (state) => asSeenBy(network, state));
  return {
    get: own.get,
    subscribe: own.subscribe,
    watch: own.watch,
    set(patch) {
      const { model, network: chosen, slices } = store.get();
      const slice = model && chosen === network ? ownOf(slices, model.id) : null;
      const entries = Object.entries(patch);
      const shared = Object.fromEntries(entries.filter(([key]) => isShared(key)));
      const particular = entries.filter(([key]) => !isShared(key));
      // An answer for a network that is no longer chosen goes nowhere.
      if (model === null || !slice || particular.length === 0) return store.set(shared);
      const changed = { ...slice, ...Object.fromEntries(particular) };
      store.set({ ...shared, slices: { ...slices, [model.id]: changed } });
    },
    // A watcher would not ask again when somebody who left a network comes back to it.
    keep({ id }, patch) {
      const { slices } = store.get();
      const slice = ownOf(slices, id);
      if (!slice) return;
      const change = typeof patch === "function" ? patch(slice) : patch;
      store.set({ slices: { ...slices, [id]: { ...slice, ...change } } });
    },
  };
}

/**
 * The state as a network sees it.
 * @param {Network} network @param {Readonly<AppState>} state
 * @returns {NetworkState | null} null while another network is chosen
 */
export function asSeenBy(network, state) {
  const { model, network: chosen, slices } = state;
  if (model === null || chosen !== network) return null;
  return { ...state, ...ownOf(slices, model.id), model };
}

/**
 * The store as a view uses it.
 * @param {NetworkStore} store @param {View} view
 * @returns {ViewStore}
 */
export function viewStore(store, view) {
  const open = selector(store, (state) => (state.view === view.id ? state : null));
  const { see = (state) => state, keysOf = (patch) => patch } = view;
  const complete = selector(open, (state) => {
    const isComplete = holds(state.trace, state.model, view.needs);
    return isComplete && hasAll(state, view) ? see(state) : null;
  });
  const { get, shown, watch, subscribe } = complete;
  return {
    get,
    shown,
    watch,
    subscribe,
    set: (patch) => store.set(keysOf(patch)),
    whenClosed: (job) => void open.whenGone(job),
  };
}

/**
 * Whether a trace is of this model and holds all these tensors.
 * @template {string} Need
 * @param {Trace | null} trace
 * @param {{ id: string }} model
 * @param {readonly Need[]} needs
 * @returns {trace is TraceOf<Need> & Trace}
 */
export function holds(trace, model, needs) {
  return (
    trace !== null &&
    trace.model === model.id &&
    needs.every((name) => trace.tensors[name] !== undefined)
  );
}

/**
 * Whether a view has whatever else it needs of the state.
 * @param {NetworkState} state @param {View} view
 */
function hasAll(state, { requires = [], isReady = () => true }) {
  return (
    requires.every((/** @type {string} */ key) => state[key] !== null) && isReady(state)
  );
}

/**
 * Whether two traces, or a trace and a wish, are of the same pass through a network.
 * @param {Pick<Trace, "model" | "pixels" | "options"> | null} a
 * @param {Pick<Trace, "model" | "pixels" | "options"> | null} b
 */
export function isSamePass(a, b) {
  return (
    a !== null &&
    b !== null &&
    a.model === b.model &&
    a.pixels === b.pixels &&
    sameOptions(a.options, b.options)
  );
}

/** @param {Options} a @param {Options} b */
function sameOptions(a, b) {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
  );
}

/**
 * @template {{ id: string }} View
 * @param {Store<AppState>} store
 * @param {(network: Network | null) => readonly View[]} viewsOf each view is always the
 *   same object
 * @param {object} page
 * @param {(view: View) => Promise<() => void>} page.load fetch a view's scripts; brings
 *   what mounts it
 * @param {(view: View) => void} page.preload have a view's scripts fetched
 * @param {(view: View) => boolean} page.isNear whether a view is likely to be opened
 *   next: its scripts are fetched before
 * @param {(job: () => void) => void} page.whenIdle
 * @param {(view: View, isBusy: boolean) => void} page.setBusy tell that a view is on
 *   its way, or there
 * @param {(view: View) => void} page.showMissing say in a view that its scripts
 *   could not be had; browsers ask for a module only once, so reloading is what helps
 * @param {(view: View, error: unknown) => void} page.showFailed say in a view that a script
 *   made a mistake
 */
export function mountWhenOpened(store, viewsOf, page) {
  const { load, preload, isNear, whenIdle, setBusy, showMissing, showFailed } = page;
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
    try {
      const mount = await load(view).catch(orNothing);
      if (mount === null) showMissing(view);
      else mount();
    } catch (error) {
      showFailed(view, error);
    } finally {
      setBusy(view, false);
    }
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
    for (const view of viewsOf(network).filter(isNear)) whenIdle(() => fetchOnce(view));
  });
}

/**
 * @param {unknown} error a TypeError when a script cannot be fetched, an ApiError when what a
 *   view begins with cannot
 * @returns {null}
 * @throws {unknown} a script's own mistake
 */
function orNothing(error) {
  if (error instanceof TypeError || error instanceof ApiError) return null;
  throw error;
}
