/**
 * A network of one's own: the lines of Python that open it, to copy. On a site, which runs no
 * Python: weights of one's own.
 * @import { Actions, AppState, Model, Store } from "../types.js"
 */

import { isCopied } from "../ui/copying.js";
import { find, findElement, setText } from "../ui/dom.js";

const SAID_MS = 2500;

/**
 * @param {HTMLElement} root holds the dialog @param {HTMLElement} announcer
 * @returns {() => void} opens it
 */
export function mountOwnNetwork(root, announcer) {
  const dialog = find(root, '[data-dialog="own"]', HTMLDialogElement);
  const code = findElement(dialog, "[data-lines]");
  const copy = find(dialog, "[data-copy-lines]", HTMLButtonElement);
  let timer = 0;

  copy.addEventListener("click", async () => {
    clearTimeout(timer);
    if (await isCopied(code.textContent ?? "")) {
      setText(copy, "Copied");
      announcer.textContent = "The lines are copied.";
    } else {
      getSelection()?.selectAllChildren(code);
      setText(copy, "Selected: copy them with Ctrl C");
    }
    timer = setTimeout(() => setText(copy, "Copy the lines"), SAID_MS);
  });

  return () => dialog.showModal();
}

/**
 * What opens a file of weights, beside the networks of a site.
 * @param {Store<AppState>} store @param {Pick<Actions, "report" | "useModel">} actions
 * @param {(file: File, models: readonly Model[]) => Promise<Model>} open
 * @param {(models: readonly Model[]) => Promise<void>} complete brings all that is known of them
 */
export function weightsReader(store, actions, open, complete) {
  return async (/** @type {File} */ file) => {
    const { model, models } = store.get();
    try {
      const others = models.filter(
        (candidate) => candidate !== model && !candidate.kept,
      );
      const all = model === null || model.kept ? others : [model, ...others];
      await complete(all);
      const added = await open(file, all);
      store.set({ models: [...store.get().models, added] });
      await actions.useModel(added);
    } catch (error) {
      actions.report(/** @type {Error} */ (error).message);
    }
  };
}

/**
 * @param {HTMLElement} root holds the dialog @param {(file: File) => void} read
 * @returns {() => void} opens it
 */
export function mountOwnWeights(root, read) {
  const dialog = find(root, '[data-dialog="own"]', HTMLDialogElement);
  const chooser = find(dialog, "[data-weights]", HTMLInputElement);
  chooser.addEventListener("change", () => {
    const [file] = chooser.files ?? [];
    if (file === undefined) return;
    dialog.close();
    read(file);
    chooser.value = ""; // so that the same file can be chosen again
  });
  return () => dialog.showModal();
}
