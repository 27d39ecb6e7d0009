/**
 * Attack: changes too small to matter to people, that mislead a network.
 * @import { Experiment } from "../../types.js"
 * @import { Choices } from "./choices.js"
 */
import { bounded, flag } from "../../core/schema.js";
import { CHOICES, KNOB } from "./choices.js";

/** `both`: whether the curves of both gradients are on show. @typedef {{ eps: number, choices: Choices, both: boolean }} AttackSlice */

/** @type {Experiment<AttackSlice>} */
export const attack = {
  id: "attack",
  title: "Attack",
  schema: {
    eps: bounded({ ...KNOB, link: "eps", start: 0.2 }),
    choices: CHOICES,
    both: flag("gradients", "both"),
  },
  tryFirst: {
    words: "Would any noise of the same size mislead a network as well?",
    button: "Add noise instead",
    at: "[data-menus] select",
    change: ({ choices }) => ({ choices: { ...choices, method: "noise" } }),
  },
  script: "lab/attack/index.js",
  load: () => import("./index.js"),
};
