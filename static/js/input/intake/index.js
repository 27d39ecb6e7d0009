/**
 * How a picture became the input: its steps in a row, and what can be decided at each.
 * @import { AppState, Overrides, Source } from "../../types.js"
 * @import { Store } from "../../core/store.js"
 */
import { AUTOMATIC, decided } from "../../lib/overrides.js";
import { findElement, setText } from "../../ui/dom.js";
import { mountDigitsFound } from "./digits.js";
import { mountPicture } from "./picture.js";
import { mountSteps } from "./steps.js";

/** What the controls are called. @type {Record<keyof Overrides, string>} */
const NAMES = {
  invert: "Invert",
  threshold: "Ink from",
  crop: "Frame",
  rotate: "Turn",
  thickness: "Width",
  part: "Which digit",
};

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountIntake(root, store, correct) {
  const origin = findElement(root, "[data-intake-note]");
  const reading = findElement(root, "[data-reading]");
  const state = findElement(root, "[data-decided]");
  const automatic = findElement(root, "[data-automatic]");

  store.watch(["intake", "source"], ({ intake, source }) => {
    reading.hidden = intake === null;
    automatic.hidden = intake === null;
    origin.hidden = intake !== null;
    setText(origin, intake === null ? originOf(source) : "");
  });
  store.watch(["overrides", "intake"], ({ overrides, intake }) => {
    const names = decided(overrides).map((name) => `“${NAMES[name]}”`);
    // Not disabled: that would take the focus from whoever has just pressed it.
    automatic.setAttribute("aria-disabled", String(names.length === 0));
    setText(state, intake === null ? "" : stateOf(names));
  });
  automatic.addEventListener("click", () => {
    if (decided(store.get().overrides).length > 0) correct(AUTOMATIC);
  });

  mountPicture(root, store, correct);
  mountDigitsFound(root, store, correct);
  mountSteps(findElement(root, "[data-steps]"), store, correct);
}

/** @param {string[]} names of what is decided */
function stateOf(names) {
  if (names.length === 0)
    return "Everything was found automatically. Correct what is wrong.";
  return `You set ${listOf(names)}; the rest was found automatically.`;
}

/** @param {string[]} names */
function listOf(names) {
  const last = names.at(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** @param {Source} source */
function originOf(source) {
  switch (source.kind) {
    case "sample":
      return `“${source.title}” was drawn for this project, in 28×28 pixels. Draw or upload a digit of your own to see how it gets here.`;
    case "dataset":
      return `Image ${source.index} of the test set did not have to be found in a picture. Draw or upload a digit of your own to see how it gets here.`;
    case "drawing":
      return source.on === undefined
        ? ""
        : "Your strokes were added to the unchanged image. Clear the drawing area and draw a digit of your own to see how a picture gets here.";
    case "link":
      return "The link contained this image, ready for the network. Draw or upload a digit of your own to see how it gets here.";
    default:
      return "";
  }
}
