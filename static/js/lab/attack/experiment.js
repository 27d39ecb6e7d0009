/**
 * Attack: what of it stands in a link, and how.
 * @import { Choices } from "./choices.js"
 * @import { Experiment } from "../../types.js"
 */
import { bounded, choice, group, packed } from "../../core/schema.js";
import { ANY, KNOB, METHODS, START } from "./choices.js";

/** The choices as fields. A target is the index of a class, in no other writing. */
const CHOICES = group({
  method: choice("attack", Object.keys(METHODS), START.method),
  target: packed({
    link: "toward",
    start: ANY,
    pack: String,
    unpack: (index) => (/^\d+$/.test(index) ? String(Number(index)) : null),
  }),
});

/** @typedef {{ eps: number, choices: Choices }} AttackSlice */

/** @type {Experiment<AttackSlice>} */
export const attack = {
  id: "attack",
  title: "Attack",
  schema: {
    eps: bounded({ ...KNOB, link: "eps", start: 0.2 }),
    choices: CHOICES,
  },
  opens: { eps: 0.25 },
  tryFirst: {
    words: "Ten small steps in place of one. Which network still holds?",
    button: "Take ten steps",
    at: "[data-menus] select",
    change: ({ choices }) => ({ eps: 0.2, choices: { ...choices, method: "bim" } }),
  },
  script: "lab/attack/index.js",
  load: () => import("./index.js"),
};
