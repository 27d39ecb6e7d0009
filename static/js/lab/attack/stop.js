/**
 * Stopping an attack: by a button while one is under way that takes seconds, and by leaving
 * the experiment. The button begins a stopped one again; so does coming back.
 * @import { LabStore } from "../../types.js"
 */
import { setText } from "../../ui/dom.js";

/**
 * @param {HTMLElement} button
 * @param {object} does
 * @param {() => void} does.end
 * @param {() => void} does.begin
 */
export function mountStop(button, { end, begin }) {
  let underWay = 0;
  let isSlow = false;
  let isStopped = false;

  function showButton() {
    setText(button, isStopped ? "Attack" : "Stop");
    button.hidden = !isStopped && (!isSlow || underWay === 0);
  }
  function stop() {
    isStopped = true;
    end();
    showButton();
  }
  button.addEventListener("click", () => {
    if (isStopped) begin();
    else stop();
  });

  return {
    isStopped: () => isStopped,

    /** @param {boolean} slow whether the attack takes long enough to be stopped */
    start(slow) {
      isSlow = slow;
      isStopped = false;
      showButton();
    },

    /**
     * @template Answer
     * @param {Promise<Answer>} job
     */
    async whileUnderWay(job) {
      underWay += 1;
      showButton();
      try {
        return await job;
      } finally {
        underWay -= 1;
        showButton();
      }
    },

    /**
     * Stop when the experiment is left, and begin again when somebody comes back.
     * @param {Pick<LabStore<object>, "get" | "subscribe">} store
     */
    whenLeft(store) {
      let isAway = false;
      store.subscribe(() => {
        const isOpen = store.get() !== null;
        if (!isOpen && !isStopped && underWay > 0) {
          isAway = true;
          stop();
        } else if (isOpen && isAway) {
          isAway = false;
          if (isStopped) begin();
        }
      });
    },
  };
}
