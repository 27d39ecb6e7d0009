/**
 * The menus of an attack: what is the same for every network, a target, and whose
 * gradient to follow.
 * @import { Choices } from "./experiment.js"
 * @import { LabStore, Model } from "../../types.js"
 */
import { make, setText } from "../../ui/dom.js";

import { ANY, MENUS } from "./experiment.js";

/**
 * @param {HTMLElement} root filled
 * @param {(patch: Partial<Choices>) => void} choose
 * @param {(isBoth: boolean) => void} compare
 */
export function mountMenus(root, choose, compare) {
  const [method, ...others] = MENUS.map(({ key, title, options }) =>
    makeMenu(key, title, Object.entries(options), choose),
  );
  const target = makeMenu("target", "Toward", [], choose);
  const source = makeMenu("source", "Gradient from", [], choose);
  const all = [method, target, source, ...others];
  const both = make("input", { type: "checkbox" });
  both.addEventListener("change", () => compare(both.checked));
  const bothLabel = make("label", "check", both, "Compare both gradients of routing");
  root.replaceChildren(...all.map(({ label }) => label), bothLabel);

  return {
    /**
     * @param {readonly Model[]} networks @param {Choices} choices
     * @param {boolean} isBoth
     */
    show(networks, choices, isBoth) {
      const names = networks[0]?.class_names ?? [];
      target.offer([
        [ANY, "any other class"],
        ...names.map((name, i) => /** @type {[string, string]} */ ([String(i), name])),
      ]);
      source.offer([
        [ANY, "each network"],
        ...networks
          .filter(({ can }) => can.gradient)
          .map(({ id, title }) => /** @type {[string, string]} */ ([id, title])),
      ]);
      for (const { select, key } of all) select.value = choices[key];
      const isNoise = choices.method === "noise";
      for (const { select } of all)
        if (select !== method.select) select.disabled = isNoise;
      both.checked = isBoth;
      both.disabled = isNoise;
    },
  };
}

/**
 * @param {keyof Choices} key @param {string} title
 * @param {readonly (readonly [value: string, words: string])[]} options
 * @param {(patch: Partial<Choices>) => void} choose
 */
function makeMenu(key, title, options, choose) {
  const label = make("label");
  const select = make("select", { name: key });
  label.append(title, select);
  let offered = "";
  /** @param {readonly (readonly [value: string, words: string])[]} offers */
  function offer(offers) {
    const all = JSON.stringify(offers);
    if (all === offered) return;
    offered = all;
    select.replaceChildren(...offers.map(([value, words]) => new Option(words, value)));
  }
  offer(options);
  select.addEventListener("change", () => choose({ [key]: select.value }));
  return { key, label, select, offer };
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
