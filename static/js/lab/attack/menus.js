/**
 * The menus of an attack: what is the same for every network, a target, and whose gradient
 * to follow.
 * @import { Model } from "../../types.js"
 * @import { Choices } from "./choices.js"
 */
import { ANY, MENUS } from "./choices.js";

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
  const both = document.createElement("input");
  both.type = "checkbox";
  both.addEventListener("change", () => compare(both.checked));
  const bothLabel = document.createElement("label");
  bothLabel.className = "check";
  bothLabel.append(both, "Compare both gradients of routing");
  root.replaceChildren(...all.map(({ label }) => label), bothLabel);

  return {
    /**
     * @param {readonly Model[]} networks
     * @param {Choices} choices
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
 * @param {keyof Choices} key
 * @param {string} title
 * @param {readonly (readonly [value: string, words: string])[]} options
 * @param {(patch: Partial<Choices>) => void} choose
 */
function makeMenu(key, title, options, choose) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.name = key;
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
