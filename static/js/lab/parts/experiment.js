/**
 * Jumbled parts: a digit cut into pieces that are moved, turned and shuffled. Does a network
 * see that its parts no longer fit?
 * @import { Experiment } from "../../types.js"
 * @import { CutName } from "./cuts.js"
 */
import { readSwitches, readWhole, writeSwitches } from "../../lib/links.js";
import { MOST_PIECES } from "./cut.js";
import { CUTS } from "./cuts.js";
import { halves } from "./presets.js";

/**
 * @typedef {object} PartsSlice
 * @property {CutName} cut how the digit is cut
 * @property {string} parts where the pieces are, as `code.js` writes it
 * @property {number} piece the chosen one, which buttons turn
 */

/** @type {PartsSlice} */
const START = { cut: "2", parts: "", piece: 0 };

const SWITCHES = { cut: { name: "cut", values: CUTS } };

/** @type {Experiment<PartsSlice>} */
export const parts = {
  id: "parts",
  title: "Jumbled parts",
  slice: START,
  link: {
    write(link, slice) {
      writeSwitches(link, SWITCHES, slice, START);
      if (slice.parts !== "") link.set("parts", slice.parts);
      if (slice.piece !== 0) link.set("piece", String(slice.piece));
    },
    read: (link) => ({
      ...readSwitches(link, SWITCHES, START),
      parts: link.get("parts") ?? "",
      piece: readWhole(link.get("piece"), 0, MOST_PIECES - 1) ?? 0,
    }),
  },
  tryFirst: {
    words: "Swap the top and the bottom. Does a network notice?",
    button: "Swap them",
    at: '[data-do="rows"]',
    change: (state) => halves(state, "down"),
  },
  script: "lab/parts/index.js",
  load: () => import("./index.js"),
};
