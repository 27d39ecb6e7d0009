/**
 * Puts a job off until nobody has asked for it for a while.
 * @param {() => void} job
 * @param {number} quiet_ms
 * @returns {() => void}
 */
export function atRest(job, quiet_ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(job, quiet_ms);
  };
}
