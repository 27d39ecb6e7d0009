/**
 * When jobs run: at an idle moment, once a frame, after a pause, not too often, or one
 * at a time.
 */

/** A browser on a busy machine may find no idle moment for many seconds. */
const PATIENCE_MS = 500;

/**
 * Run a job when the page is idle, or after half a second at most.
 * @param {() => void} job
 */
export function whenIdle(job) {
  // Not all browsers have it.
  if (globalThis.requestIdleCallback === undefined) setTimeout(job);
  else requestIdleCallback(() => job(), { timeout: PATIENCE_MS });
}

/** @typedef {() => void} Job */

/** @type {Set<Job>} */
let waiting = new Set();
/** The jobs of the current frame, done and still to do. @type {Set<Job> | null} */
let running = null;

/**
 * Run a job in the next frame, once however often it is asked for. Jobs that running
 * jobs ask for run in the same frame, so that no picture lags behind another. Only a
 * job that has run already waits for the next frame.
 * @param {Job} job
 */
export function inFrame(job) {
  if (running !== null && !running.has(job)) {
    running.add(job); // a set's loop comes to what is added meanwhile
    return;
  }
  if (waiting.size === 0) requestAnimationFrame(runAll);
  waiting.add(job);
}

function runAll() {
  running = waiting;
  waiting = new Set();
  for (const job of running) {
    try {
      job();
    } catch (error) {
      reportError(error); // and the others are drawn all the same
    }
  }
  running = null;
}

/**
 * Delay a job until it has not been asked for during a pause.
 * @param {() => void} job @param {number} quiet_ms
 * @returns {() => void}
 */
export function debounce(job, quiet_ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(job, quiet_ms);
  };
}

/**
 * Delay jobs until none has been asked for during a pause, then run one whenever the
 * page is idle. A job that another asks for comes after the others.
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
  const restart = debounce(start, quiet_ms);

  return {
    /** @param {() => void} job done once however often it is asked for */
    add(job) {
      jobs.add(job);
      restart();
    },

    /** Run all of them now, and those that they ask for. */
    doAll() {
      for (const job of jobs) {
        jobs.delete(job);
        job();
      }
    },
  };
}

/**
 * Run a job at once; while something slower is under way, only so often, with the
 * newest wish.
 * @template Wish
 * @param {(wish: Wish) => void} job
 * @param {object} pace
 * @param {() => boolean} pace.isBusy whether something slower is under way
 * @param {number} pace.gap_ms between two jobs meanwhile
 */
export function throttle(job, { isBusy, gap_ms }) {
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
    /** @param {Wish} wish @param {number} [gap] ms, in place of the usual one */
    ask(wish, gap = gap_ms) {
      newest = wish;
      const wait = isBusy() ? last + gap - performance.now() : 0;
      if (wait <= 0) run();
      else timer ??= setTimeout(run, wait);
    },

    /** Drop the job that waits. */
    forget,
  };
}

/**
 * Runs an asynchronous job one at a time and keeps only the newest wish.
 *
 * While a job runs, further wishes replace each other; when it is done, the last of
 * them runs. Answers therefore come in the order of the wishes, none overtakes another,
 * and a slow server is never asked for what nobody waits for any more. A job that fails
 * is an unhandled rejection, as a bug should be; what was wished for meanwhile still runs.
 *
 * A job that has its answer may call `answered`, and then show it without waiting for
 * anything more: the server works on the next wish while the page paints.
 * @template Wish
 * @param {(wish: Wish, answered: () => void) => Promise<void>} job
 * @returns {(wish: Wish) => void}
 */
export function latest(job) {
  let isRunning = false;
  /** @type {{ wish: Wish } | null} */
  let next = null;

  /** @param {Wish} wish */
  async function run(wish) {
    isRunning = true;
    let isAnswered = false;
    const answered = () => {
      if (isAnswered) return;
      isAnswered = true;
      isRunning = false;
      runNext();
    };
    try {
      await job(wish, answered);
    } finally {
      answered();
    }
  }

  function runNext() {
    if (next === null) return;
    const { wish } = next;
    next = null;
    void run(wish);
  }

  return (wish) => {
    if (isRunning) next = { wish };
    else void run(wish);
  };
}
