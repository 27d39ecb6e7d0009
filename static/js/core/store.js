/**
 * Holds the state and tells views when the parts they read have changed.
 *
 * Changes made while views are being told are told in the same go, until all is still.
 * A view that fails does not keep the others from being told; its error comes after.
 * In which order views began to watch makes no difference to where they come to rest:
 * what must always hold is part of every change, and not brought about by a watcher.
 * @template {object} State
 * @param {State} initial
 * @param {(state: State) => State} [consistent] makes what must hold hold, in every state
 */
export function createStore(initial, consistent = (state) => state) {
  let state = consistent(initial);
  let isTelling = false;
  /** @type {Set<() => void>} */
  const checks = new Set();

  function tell() {
    if (isTelling) return;
    isTelling = true;
    /** @type {unknown[]} */
    const failures = [];
    let told;
    do {
      told = state;
      for (const check of checks) {
        try {
          check();
        } catch (error) {
          failures.push(error);
        }
      }
    } while (told !== state);
    isTelling = false;
    if (failures.length > 0) throw failures[0];
  }

  /** @returns {Readonly<State>} for actions; views watch instead */
  const get = () => state;

  /**
   * Call `check` after every change, until the returned function is called.
   * @param {() => void} check
   */
  function subscribe(check) {
    checks.add(check);
    return () => {
      checks.delete(check);
    };
  }

  return {
    get,

    /** @param {Partial<State>} patch */
    set(patch) {
      state = consistent({ ...state, ...patch });
      tell();
    },

    subscribe,

    /**
     * Call `render` now, and again whenever one of `keys` changes.
     * `render` sees those keys only, so a view's reads stand on one line.
     * @template {keyof State} Key
     * @param {readonly Key[]} keys
     * @param {(state: Pick<State, Key>) => void} render
     * @returns {() => void} stop watching
     */
    watch: (keys, render) => watchKeys({ get, subscribe }, keys, render),
  };
}

/**
 * @template {object} State
 * @typedef {ReturnType<typeof createStore<State>>} Store
 */

/**
 * Something that a store shows of its state: null while there is nothing to show.
 * @template State
 * @typedef {{ get: () => State | null, subscribe: (check: () => void) => () => void }} Source
 */

/**
 * A store's state as one reader sees it, who is called only while there is something to
 * see. What could be seen last is kept.
 * @template State
 * @template {object} Seen
 * @param {Source<State>} source
 * @param {(state: State) => Seen | null} see computed once for each state; null hides it
 */
export function selector(source, see) {
  /** @type {State | null} */
  let from = null;
  /** @type {Seen | null} */
  let seen = null;
  /** @type {Seen | null} */
  let last = null;

  function get() {
    const state = source.get();
    if (state === from) return seen;
    from = state;
    seen = state === null ? null : see(state);
    last = seen ?? last;
    return seen;
  }
  const { subscribe } = source;
  subscribe(get); // so that what could be seen for a moment is kept, watched or not
  get();

  return {
    get,
    subscribe,

    /** What could be seen last; null if there never was anything. */
    shown() {
      get();
      return last;
    },

    /**
     * Call `render` once there is something to see, and whenever one of `keys` is another
     * than `render` saw last.
     * @template {keyof Seen} Key
     * @param {readonly Key[]} keys
     * @param {(seen: Pick<Seen, Key>) => void} render
     * @returns {() => void} stop watching
     */
    watch: (keys, render) => watchKeys({ get, subscribe }, keys, render),

    /** Call `job` whenever there is nothing to see any more. @param {() => void} job */
    whenGone(job) {
      let was = get();
      return subscribe(() => {
        const now = get();
        if (was !== null && now === null) job();
        was = now;
      });
    },
  };
}

/**
 * @template {object} State
 * @template {keyof State} Key
 * @param {Source<State>} source
 * @param {readonly Key[]} keys
 * @param {(state: Pick<State, Key>) => void} render
 * @returns {() => void} stop watching
 */
function watchKeys({ get, subscribe }, keys, render) {
  /** @type {State | null} */
  let before = null;
  function check() {
    const now = get();
    if (now === null) return;
    const seen = before;
    before = now;
    if (seen === null || keys.some((key) => seen[key] !== now[key])) render(now);
  }
  const stop = subscribe(check);
  check();
  return stop;
}
