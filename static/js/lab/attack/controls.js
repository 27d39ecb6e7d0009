/**
 * The menus of an attack: what is the same for every network, a target, and whose
 * gradient to follow.
 * @import { Choices } from "./experiment.js"
 * @import { Content } from "../../ui/h.js"
 * @import { LabStore, Model } from "../../types.js"
 */
import { setText } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { menu } from "../../ui/inputs.js";
import { ANY, MENUS } from "./experiment.js";

/**
 * @param {{ networks: readonly Model[], choices: Choices, both: boolean }} state
 * @param {(patch: { choices: Choices } | { both: boolean }) => void} set
 */
export function menus({ networks, choices, both }, set) {
  const disabled = choices.method === "noise";
  /** @type {(key: keyof Choices, title: string, options: readonly (readonly string[])[]) => Content} */
  const menuOf = (key, title, options) =>
    menu(
      title,
      options,
      choices[key],
      (value) => set({ choices: { ...choices, [key]: value } }),
      { name: key, disabled: disabled && key !== "method" },
    );
  const [method, ...others] = MENUS.map(({ key, title, options }) =>
    menuOf(key, title, Object.entries(options)),
  );
  const classes = networks[0]?.class_names ?? [];
  const sources = networks.filter(({ can }) => can.gradient);
  return [
    method,
    menuOf("target", "Toward", [
      [ANY, "any other class"],
      ...classes.map((name, i) => [String(i), name]),
    ]),
    menuOf("source", "Gradient from", [
      [ANY, "each network"],
      ...sources.map(({ id, title }) => [id, title]),
    ]),
    others,
    h(
      "label",
      { class: "check" },
      h("input", {
        ...{ type: "checkbox", checked: both, disabled },
        onchange: (/** @type {any} */ { target }) => set({ both: target.checked }),
      }),
      "Compare both gradients of routing",
    ),
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

/**
 * How one attacker fares, by ε. `roc` has the share of attacked images found at each of the
 * entry's `false_alarms`.
 * @typedef {{ values: number[], accuracy: number[], alarms: number[], unseen: number[], roc_area: number[], roc: number[][] }} AttackerEntry
 */
/** Of `measure --only alarm`. @typedef {{ images: number, false_alarms: number[], clean: { alarms: number }, attacks: Record<string, AttackerEntry> }} AlarmEntry */
/** Of one loss: share of images without any gradient, mean share of pixels. @typedef {{ images: number, pixels: number }} ZeroShares */
/** Of `measure --only zero_gradients`. @typedef {{ images: number, gap: ZeroShares, trained: ZeroShares }} ZeroEntry */

/** @param {Model} model @returns {AlarmEntry | null} */
export function alarmEntry(model) {
  return /** @type {AlarmEntry | null} */ (entryOf(model, "alarm"));
}

/** @param {Model} model @returns {ZeroEntry | null} */
export function zeroEntry(model) {
  return /** @type {ZeroEntry | null} */ (entryOf(model, "zero_gradients"));
}

/**
 * An entry of the card that has no values of a knob, unlike those for curves.
 * @param {Model} model @param {string} name
 * @returns {unknown}
 */
function entryOf({ card }, name) {
  return card.measurements?.[name] ?? null;
}

/**
 * The reconstruction error above which a network raises its alarm.
 * @param {Model} model
 * @returns {number | null}
 */
export function alarmThreshold({ card }) {
  return card.outliers?.measures?.error?.threshold ?? null;
}
