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
