/**
 * Hears what happens in the runs on show, from their first event on, and asks now and then
 * which runs there are: another tab, or a script, may have started one.
 * @import { Run, RunEvent } from "../types.js"
 * @import { History } from "./history.js"
 */
import { addEvent, createHistory, hasEnded } from "./history.js";

const AGAIN_MS = 4000; // from one list of runs to the next

/**
 * @param {object} asks
 * @param {() => Promise<Run[]>} asks.fetchRuns
 * @param {(id: string, after: number, listener: (event: RunEvent, number: number) => void) => () => void} asks.followRun
 * @param {object} tells
 * @param {() => void} tells.changed called after anything has changed
 * @param {(error: unknown) => void} tells.failed
 */
export function createFollower({ fetchRuns, followRun }, { changed, failed }) {
  /** @type {Run[] | null} */
  let runs = null;
  /** @type {Map<string, History>} */
  const histories = new Map();
  /** @type {Map<string, () => void>} */
  const streams = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isOn = false;
  /** @type {readonly string[]} */
  let wanted = [];

  /** @param {string} id */
  function historyOf(id) {
    const history = histories.get(id) ?? createHistory();
    histories.set(id, history);
    return history;
  }

  /** @param {string} id */
  function close(id) {
    streams.get(id)?.();
    streams.delete(id);
  }

  /** @param {boolean} isFresh whether the list of runs has come just now */
  function tune(isFresh = false) {
    for (const id of [...streams.keys()]) if (!isOn || !wanted.includes(id)) close(id);
    if (!isOn) return;
    for (const id of wanted) {
      const history = historyOf(id);
      const listed = isFresh ? runs?.find((run) => run.id === id) : undefined;
      const goesOn = listed !== undefined && !hasEnded(listed);
      if (streams.has(id) || (hasEnded(history) && !goesOn)) continue;
      const stop = followRun(id, history.last, (event, number) => {
        if (!addEvent(history, event, number)) return;
        if (hasEnded(history)) {
          close(id);
          void look(); // whoever waited goes on
        }
        changed();
      });
      streams.set(id, stop);
    }
  }

  async function look() {
    clearTimeout(timer);
    try {
      runs = await fetchRuns();
      tune(true); // one that had ended may go on
      changed();
    } catch (error) {
      failed(error);
    } finally {
      clearTimeout(timer);
      if (isOn) timer = setTimeout(look, AGAIN_MS);
    }
  }

  return {
    historyOf,
    look,

    /** @returns {readonly Run[] | null} the newest first; null until they are known */
    runs: () => runs,

    /** Hear of these runs, and of no other. @param {readonly string[]} ids */
    follow(ids) {
      if (ids.join() === wanted.join()) return;
      wanted = ids;
      tune();
    },

    /** Forget a run that is no more. @param {string} id */
    forget(id) {
      close(id);
      histories.delete(id);
      runs = runs?.filter((run) => run.id !== id) ?? null;
      wanted = wanted.filter((run) => run !== id);
    },

    /** @param {boolean} next whether anybody looks */
    turn(next) {
      if (next === isOn) return;
      isOn = next;
      tune();
      if (isOn) void look();
      else clearTimeout(timer);
    },
  };
}
