/**
 * Attack: changes too small to matter to people, that mislead a network.
 * @import { Experiment } from "../../types.js"
 * @import { Choices } from "./choices.js"
 */
import { readNumbers } from "../shared/knobs.js";
import { KNOB, readChoices, START, writeChoices } from "./choices.js";

/** @typedef {{ eps: number, choices: Choices }} AttackSlice */

const EPS = 0.2;

/** @type {Experiment<AttackSlice>} */
export const attack = {
  id: "attack",
  title: "Attack",
  slice: { eps: EPS, choices: START },
  link: {
    write(link, { eps, choices }) {
      if (eps !== EPS) link.set("eps", String(eps));
      writeChoices(link, choices);
    },
    read: (link) => ({
      eps: EPS,
      ...readNumbers(link, [KNOB]),
      choices: readChoices(link),
    }),
  },
  script: "lab/attack/index.js",
  load: () => import("./index.js"),
};
