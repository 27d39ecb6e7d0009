/**
 * When a task is done, of the guide or of a teacher.
 * @import { Room } from "../core/rooms.js"
 * @import { Store } from "../core/store.js"
 * @import { Check } from "./types.js"
 * @import { Network, AppState } from "../types.js"
 */

/** @typedef {Awaited<ReturnType<NonNullable<Network["tasks"]>>>["tasks"]} Rules */

/**
 * Watch the state until a task is done. The network on show says what each kind of task
 * means, since it knows its layers.
 * @param {Check} check
 * @param {Store<AppState>} store
 * @param {(network: Network) => Room} roomOf
 * @param {() => void} done called once
 * @returns {() => void} stop watching
 */
export function watchTask(check, store, roomOf, done) {
  let isOver = false;
  /** @type {{ network: Network, rules: Rules } | null} */
  let known = null;
  const stop = store.watch(
    ["network", "slices", "trace", "classIndex", "pixels"],
    look,
  );

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

  /** @param {Network} network @param {Rules} rules */
  function isDone(network, rules) {
    const rule = rules[check.kind];
    if (rule === undefined) return false; // the network of the stop before, or of the next
    const state = roomOf(network).store.get();
    return state !== null && rule(state, { classIndex: check.digit, than: check.than });
  }

  /** @param {Network} network */
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
