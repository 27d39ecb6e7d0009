/**
 * Jumbled parts: a digit cut into pieces that are moved, turned and shuffled. Does a network
 * see that its parts no longer fit?
 * @import { Experiment } from "../../types.js"
 * @import { CutName } from "./presets.js"
 */
import { choice, text, whole } from "../../core/schema.js";
import { MOST_PIECES } from "./cut.js";
import { CUTS, halves } from "./presets.js";

/**
 * @typedef {object} PartsSlice
 * @property {CutName} cut how the digit is cut
 * @property {string} parts where the pieces are, as `encodeMoves` writes it
 * @property {number} piece the chosen one, which buttons turn
 */

/** @type {Experiment<PartsSlice>} */
export const parts = {
  id: "parts",
  title: "Jumbled parts",
  schema: {
    cut: choice("cut", CUTS, "2"),
    parts: text("parts"),
    piece: whole({ link: "piece", most: MOST_PIECES - 1 }),
  },
  opens: { parts: "guAgSAguAgSA" }, // left and right swapped
  tryFirst: {
    words: "Swap the top and the bottom. Does a network notice?",
    button: "Swap them",
    at: '[data-do="rows"]',
    change: (state) => halves(state, "down"),
  },
  script: "lab/parts/index.js",
  load: () => import("./index.js"),
};
