/** What is to be done before the next picture: once a frame, and all of it in one. */

/** @typedef {() => void} Job */

/** @type {Set<Job>} */
let waiting = new Set();
/** Those of the frame under way, done and still to do. @type {Set<Job> | null} */
let running = null;

/**
 * Do it in the next frame, once however often it is asked for. What jobs ask for while
 * they run is done in the same frame, so that no picture comes a frame after another;
 * only what has been done already waits for the next.
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
