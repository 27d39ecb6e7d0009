/**
 * Why the image may not be what was meant, beside the place where the picture came in.
 * @import { AppState, Intake, Overrides } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { findElement, setText } from "../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {() => void} openIntake show where it can be put right
 */
export function mountDoubts(root, store, openIntake) {
  const box = findElement(root, "[data-doubts]");
  const words = findElement(root, "[data-doubts-words]");

  store.watch(["intake", "overrides"], ({ intake, overrides }) => {
    const text = doubtsOf(intake, overrides).join(" ");
    box.hidden = text === "";
    setText(words, text);
  });
  findElement(root, "[data-doubts-open]").addEventListener("click", openIntake);
}

/**
 * @param {Intake | null} intake
 * @param {Overrides} overrides
 * @returns {string[]}
 */
function doubtsOf(intake, { part }) {
  const warnings = intake?.warnings ?? [];
  // Whoever has chosen one of several knows that there are others.
  const open =
    part === null ? warnings : warnings.filter(({ code }) => code !== "several");
  return open.map(({ message }) => message);
}
