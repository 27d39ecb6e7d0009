/**
 * The menus of an attack: what is the same for every network, and a target.
 * @import { Choices } from "./choices.js"
 * @import { Model } from "../../types.js"
 */
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

/** Of one loss: share of images without any gradient, mean share of pixels. @typedef {{ images: number, pixels: number }} ZeroShares */
/** Of `measure --only zero_gradients`. @typedef {{ images: number, gap: ZeroShares }} ZeroEntry */

/** It has no values of a knob, unlike those for curves. @param {Model} model */
export function zeroEntry({ card }) {
  const entry = /** @type {unknown} */ (card.measurements?.zero_gradients ?? null);
  return /** @type {ZeroEntry | null} */ (entry);
}
