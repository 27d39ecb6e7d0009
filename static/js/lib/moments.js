/** Moments of a training run: each is a model of its own. */

/**
 * Which moment of which run a model is.
 * @param {string} id of the model
 * @returns {{ run: string, step: number } | null} null: it is none
 */
export function momentOf(id) {
  const [, run, step] = /^(\w+)@(\d+)$/.exec(id) ?? [];
  return run === undefined ? null : { run, step: Number(step) };
}
