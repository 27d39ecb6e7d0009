/** What can wait for a moment without other work. */

/** A browser on a busy machine may find no idle moment for many seconds. */
const PATIENCE_MS = 500;

/**
 * Do it as soon as there is nothing else to do, or half a second later at most.
 * @param {() => void} job
 */
export function whenIdle(job) {
  // Not all browsers have it.
  if (globalThis.requestIdleCallback === undefined) setTimeout(job);
  else requestIdleCallback(() => job(), { timeout: PATIENCE_MS });
}
