/**
 * Holds the state and tells views when the parts they read have changed.
 *
 * Changes made while views are being told are told in the same go, until all is still.
 * A view that fails does not keep the others from being told; its error comes after.
 * @template {object} State
 * @param {State} initial
 */
export function createStore(initial) {
  let state = initial;
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

  return {
    /** @returns {Readonly<State>} for actions; views watch instead */
    get: () => state,

    /** @param {Partial<State>} patch */
    set(patch) {
      state = { ...state, ...patch };
      tell();
    },

    /**
     * Call `render` now, and again whenever one of `keys` changes.
     * `render` sees those keys only, so a view's reads stand on one line.
     * @template {keyof State} Key
     * @param {readonly Key[]} keys
     * @param {(state: Pick<State, Key>) => void} render
     * @returns {() => void} stop watching
     */
    watch(keys, render) {
      let seen = state;
      const check = () => {
        const before = seen;
        seen = state;
        if (keys.some((key) => before[key] !== seen[key])) render(seen);
      };
      checks.add(check);
      render(state);
      return () => checks.delete(check);
    },
  };
}

/**
 * @template {object} State
 * @typedef {ReturnType<typeof createStore<State>>} Store
 */
