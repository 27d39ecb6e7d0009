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

/**
 * Puts jobs off until nobody has asked for any for a while, and then does one whenever
 * there is nothing else to do. What a job asks for comes after the others.
 * @param {object} options
 * @param {number} options.quiet_ms
 * @param {(next: () => void) => void} options.whenIdle
 */
export function jobsAtRest({ quiet_ms, whenIdle }) {
  /** @type {Set<() => void>} */
  const jobs = new Set();
  let isUnderWay = false;

  function next() {
    isUnderWay = false;
    const [job] = jobs;
    if (job === undefined) return;
    jobs.delete(job);
    start();
    job();
  }
  function start() {
    if (isUnderWay || jobs.size === 0) return;
    isUnderWay = true;
    whenIdle(next);
  }
  const restart = atRest(start, quiet_ms);

  return {
    /** @param {() => void} job done once however often it is asked for */
    add(job) {
      jobs.add(job);
      restart();
    },

    /** Do all of them now, and those that they ask for. */
    doAll() {
      for (const job of jobs) {
        jobs.delete(job);
        job();
      }
    },
  };
}
