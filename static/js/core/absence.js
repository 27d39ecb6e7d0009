/**
 * Waits for a server that does not answer, and asks now and then whether it is back: one
 * question for all who wait.
 */

const FIRST_MS = 500; // until it is asked for the first time
const MOST_MS = 4_000; // between any two times

/** @type {Promise<void> | null} */
let back = null;
let hurry = () => {};
/** @type {(isAway: boolean) => void} */
let tell = () => {};

/**
 * Hear when a server is missed, and when it is back.
 * @param {(isAway: boolean) => void} listener
 */
export function onAbsence(listener) {
  tell = listener;
}

/** Ask at once whether the server is back, if it is missed. */
export function askNow() {
  hurry();
}

/**
 * @param {() => Promise<boolean>} isThere ask whether the server answers
 * @returns {Promise<void>} resolved once it does
 */
export function untilBack(isThere) {
  back ??= untilItAnswers(isThere);
  return back;
}

/** @param {() => Promise<boolean>} isThere */
async function untilItAnswers(isThere) {
  tell(true);
  let pauseMs = FIRST_MS;
  do {
    await pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MOST_MS);
  } while (!(await isThere()));
  back = null;
  tell(false);
}

/** @param {number} milliseconds cut short by `askNow` */
function pause(milliseconds) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
