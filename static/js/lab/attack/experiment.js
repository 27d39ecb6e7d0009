/**
 * Attack: changes too small to matter to people, that mislead a network.
 * @import { Experiment } from "../../types.js"
 * @import { Choices } from "./choices.js"
 */
import { readNumbers } from "../shared/knobs.js";
import {
  KNOB,
  readBoth,
  readChoices,
  START,
  writeBoth,
  writeChoices,
} from "./choices.js";

/** `both`: whether the curves of both gradients are on show. @typedef {{ eps: number, choices: Choices, both: boolean }} AttackSlice */

const EPS = 0.2;

/** @type {Experiment<AttackSlice>} */
export const attack = {
  id: "attack",
  title: "Attack",
  slice: { eps: EPS, choices: START, both: false },
  link: {
    write(link, { eps, choices, both }) {
      if (eps !== EPS) link.set("eps", String(eps));
      writeChoices(link, choices);
      writeBoth(link, both);
    },
    read: (link) => ({
      eps: EPS,
      ...readNumbers(link, [KNOB]),
      choices: readChoices(link),
      both: readBoth(link),
    }),
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
