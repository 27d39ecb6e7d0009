/**
 * What to try first: one line at the top of a panel, with a button that does it. The line
 * goes once that has been done or it is dismissed.
 * @import { FirstTry } from "../types.js"
 */

import { lead } from "./controls.js";
import { make } from "./dom.js";

/** The line follows the panel's heading; without one, it comes first. */
const HEADING = ":scope > header > h2";

/**
 * @template {object} State
 * @template {object} Patch
 * @param {HTMLElement} panel
 * @param {{ get: () => State | null, set: (patch: Patch) => void, subscribe: (check: () => void) => () => void }} store
 *   null while the panel is closed or lacks something
 * @param {FirstTry<State, Patch>} first
 * @param {{ isKept: () => boolean, keep: () => void }} memory whether the line is wanted no
 *   more
 */
export function mountTryFirst(panel, store, first, { isKept, keep }) {
  if (isKept()) return;
  const { line, act, dismiss } = createLine(first);
  const heading = panel.querySelector(HEADING);
  if (heading === null) panel.prepend(line);
  else heading.after(line);
  let isOpen = false;

  /**
   * If the reader has done it already, there is nothing to try; the line goes when the
   * view does.
   */
  function check() {
    const state = store.get();
    const patch = state === null ? null : first.change(state);
    const isDone = state !== null && patch !== null && isSame(state, patch);
    if (isDone) keep();
    act.disabled = patch === null;
    if (state === null) isOpen = false;
    else if (patch === null) line.hidden = true;
    else if (!isOpen) line.hidden = isDone || isKept();
    isOpen = state !== null;
  }
  const stop = store.subscribe(check);
  check();

  function end() {
    keep();
    stop();
    line.remove();
  }
  act.addEventListener("click", () => {
    const state = store.get();
    const patch = state === null ? null : first.change(state);
    if (patch === null) return;
    end();
    store.set(patch);
    // Another view may have such a part, too, which is out of sight.
    const targets = [panel, document].flatMap((root) => [
      ...root.querySelectorAll(first.at),
    ]);
    lead(targets.find((target) => target.checkVisibility()) ?? heading ?? panel);
  });
  dismiss.addEventListener("click", () => {
    end();
    lead(heading ?? panel);
  });
}

/** @param {Pick<FirstTry<never, never>, "words" | "button">} first */
function createLine({ words, button }) {
  const line = make("div", {
    class: "try-first",
    role: "group",
    "aria-label": "What to try first",
  });
  const act = make("button", "", button);
  const dismiss = make(
    "button",
    { class: "quiet", "aria-label": "Dismiss this suggestion" },
    "×",
  );
  line.append(make("span", "", make("strong", "", "Try first: "), words), act, dismiss);
  return { line, act, dismiss };
}

/** Whether a patch would change nothing. @param {object} state @param {object} patch */
export function isSame(state, patch) {
  const now = new Map(Object.entries(state));
  return Object.entries(patch).every(
    ([key, value]) =>
      now.get(key) === value || JSON.stringify(now.get(key)) === JSON.stringify(value),
  );
}
