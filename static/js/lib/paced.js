/**
 * Does a job at once; or, while something slower is under way, so often at most, and then
 * for the newest wish.
 * @template Wish
 * @param {(wish: Wish) => void} job
 * @param {object} pace
 * @param {() => boolean} pace.isBusy whether something slower is under way
 * @param {number} pace.gap_ms between two jobs meanwhile
 */
export function paced(job, { isBusy, gap_ms }) {
  let last = Number.NEGATIVE_INFINITY;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Wish} */
  let newest;

  function run() {
    forget();
    last = performance.now();
    job(newest);
  }
  function forget() {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    /** @param {Wish} wish */
    ask(wish) {
      newest = wish;
      const wait = isBusy() ? last + gap_ms - performance.now() : 0;
      if (wait <= 0) run();
      else timer ??= setTimeout(run, wait);
    },

    /** Do not do what waits. */
    forget,
  };
}
