/**
 * The menus of an attack: what is the same for every network, and a target; and its button.
 * @import { Choices } from "./choices.js"
 * @import { LabStore, Model } from "../../types.js"
 */
import { setText } from "../../ui/dom.js";
import { menu } from "../../ui/inputs.js";
import { ANY, METHODS } from "./choices.js";

/**
 * @param {{ networks: readonly Model[], choices: Choices }} state
 * @param {(patch: { choices: Choices }) => void} set
 */
export function menus({ networks, choices }, set) {
  const classes = networks[0]?.class_names ?? [];
  const choose = (/** @type {Partial<Choices>} */ patch) =>
    set({ choices: { ...choices, ...patch } });
  const targets = [
    [ANY, "any other class"],
    ...classes.map((name, i) => [String(i), name]),
  ];
  return [
    menu(
      "Method",
      Object.entries(METHODS),
      choices.method,
      (method) => choose({ method }),
      { name: "method" },
    ),
    menu("Toward", targets, choices.target, (target) => choose({ target }), {
      name: "target",
      disabled: choices.method === "noise",
    }),
  ];
}

/**
 * Stop a slow attack: by a button, or by leaving the experiment. The button starts a
 * stopped attack again; so does coming back.
 * @param {HTMLElement} button @param {object} does
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

    /** @template Answer @param {Promise<Answer>} job */
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

/** Of one loss: share of images without any gradient, mean share of pixels. @typedef {{ images: number, pixels: number }} ZeroShares */
/** Of `measure --only zero_gradients`. @typedef {{ images: number, gap: ZeroShares }} ZeroEntry */

/** It has no values of a knob, unlike those for curves. @param {Model} model */
export function zeroEntry({ card }) {
  const entry = /** @type {unknown} */ (card.measurements?.zero_gradients ?? null);
  return /** @type {ZeroEntry | null} */ (entry);
}
