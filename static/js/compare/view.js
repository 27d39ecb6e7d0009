/**
 * The view that shows the kept image beside the one on show, whatever the network.
 * @import { AppState, FirstTry } from "../types.js"
 */
import { sampleSource } from "../core/link.js";
import { COMPARE, fittedTo } from "../core/state.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { samePixels } from "../lib/pixels.js";

/** @type {FirstTry<AppState, Partial<AppState>>} */
const tryFirst = {
  words: "Keep this image, and put another one beside it.",
  button: "Show an example",
  at: "[data-part=networks]",
  change({ pixels, source, kept, samples, model }) {
    if (pixels === null || (kept !== null && !samePixels(kept.pixels, pixels)))
      return null;
    const other = samples.find(
      (entry) => model && !samePixels(fittedTo(entry.pixels, model), pixels),
    );
    if (other === undefined) return null;
    return {
      kept: kept ?? { pixels, source },
      pixels: other.pixels,
      source: sampleSource(other),
      intake: null,
      overrides: AUTOMATIC,
      unread: [],
      problem: null,
    };
  },
};

export const compareView = {
  id: COMPARE,
  title: "Compare",
  shape: () => "two images",
  tryFirst,
  script: "compare/index.js",
  load: () => import("./index.js"),
};
