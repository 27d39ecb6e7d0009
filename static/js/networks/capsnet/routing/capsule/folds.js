/**
 * What is folded away under the microscope: it is drawn, and its tensors are fetched, only
 * while it is open. Escape folds it up again.
 * @import { Scene } from "../scene.js"
 */
import { find } from "../../../../ui/dom.js";

/** @typedef {"found" | "votes" | "vote"} FoldName */

/**
 * What each needs on top of what the view draws anyway.
 * @type {Record<FoldName, (scene: Scene) => string[]>}
 */
const NEEDED = {
  found: () => ["primary.pre", "primary.capsules"],
  votes: () => ["votes"],
  vote: ({ digit, more }) => ("votes" in more ? [] : [`votes.${digit}`]),
};

const NAMES = /** @type {FoldName[]} */ (Object.keys(NEEDED));

/**
 * @param {HTMLElement} panel
 * @param {() => void} draw called when something is unfolded
 */
export function mountFolds(panel, draw) {
  const folds = new Map(
    NAMES.map((name) => [
      name,
      find(panel, `[data-fold="${name}"]`, HTMLDetailsElement),
    ]),
  );
  for (const fold of folds.values()) {
    fold.addEventListener("toggle", () => draw());
  }
  panel.addEventListener("keydown", (event) => {
    const { target } = event;
    const fold = target instanceof Element && target.closest("details[open]");
    if (event.key !== "Escape" || !(fold instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    fold.open = false;
    find(fold, "summary", HTMLElement).focus();
  });

  /** @param {FoldName} name */
  const isOpen = (name) => folds.get(name)?.open ?? false;
  return {
    isOpen,

    /** @param {FoldName} name unfold it and go there */
    open(name) {
      const fold = folds.get(name);
      if (!fold) return;
      fold.open = true;
      find(fold, "summary", HTMLElement).focus();
    },

    /**
     * @param {Scene} scene
     * @returns {string[]} names of tensors
     */
    needed: (scene) => NAMES.filter(isOpen).flatMap((name) => NEEDED[name](scene)),
  };
}

/** @typedef {ReturnType<typeof mountFolds>} Folds */
