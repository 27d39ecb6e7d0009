/**
 * Watches the state until a task is done. What each kind of task means is told by the
 * network on show, which knows its layers.
 * @import { AnyNetwork, AppState } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 * @import { Store } from "../core/store.js"
 * @import { Check } from "./types.js"
 */

/** @typedef {Awaited<ReturnType<NonNullable<AnyNetwork["tasks"]>>>["tasks"]} Rules */

/**
 * @param {Check} check
 * @param {Store<AppState>} store
 * @param {(network: AnyNetwork) => Room} roomOf
 * @param {() => void} done called once
 * @returns {() => void} stop watching
 */
export function watchTask(check, store, roomOf, done) {
  let isOver = false;
  /** @type {{ network: AnyNetwork, rules: Rules } | null} */
  let known = null;
  const stop = store.watch(["network", "slices", "trace", "digit", "pixels"], look);

  function look() {
    const { network } = store.get();
    if (isOver || network === null) return;
    if (known?.network !== network) load(network);
    else if (isDone(network, known.rules)) {
      isOver = true;
      queueMicrotask(() => stop()); // which the first look comes before
      done();
    }
  }

  /** @param {AnyNetwork} network @param {Rules} rules */
  function isDone(network, rules) {
    const rule = rules[check.kind];
    if (rule === undefined) throw new Error(`no rule for the task ${check.kind}`);
    const state = roomOf(network).store.get();
    return state !== null && rule(state, check);
  }

  /** @param {AnyNetwork} network */
  async function load(network) {
    if (network.tasks === undefined) return;
    const { tasks } = await network.tasks();
    known = { network, rules: tasks };
    look();
  }

  return () => {
    isOver = true;
    stop();
  };
}
