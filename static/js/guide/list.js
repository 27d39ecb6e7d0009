/**
 * The list of chapters, with what is done of each.
 * @import { Progress } from "./progress.js"
 * @import { Chapter } from "./types.js"
 */
import { find, findElement } from "../ui/dom.js";
import { doneOf } from "./progress.js";

/**
 * @param {HTMLElement} root a dialog
 * @param {object} from
 * @param {readonly Chapter[]} from.chapters
 * @param {Progress} from.progress
 * @param {(chapter: string) => void} from.choose called with the id of a chapter
 * @param {() => void} from.resume
 */
export function mountList(root, { chapters, progress, choose, resume }) {
  const dialog = /** @type {HTMLDialogElement} */ (root);
  const rows = findElement(root, "[data-chapters-list]");
  const none = findElement(root, "[data-none]");
  const on = find(root, "[data-resume]", HTMLButtonElement);
  on.addEventListener("click", () => {
    dialog.close();
    resume();
  });

  return {
    open() {
      const kept = progress.get();
      none.hidden = chapters.length > 0;
      rows.replaceChildren(
        ...chapters.map((chapter) => {
          const item = document.createElement("li");
          item.value = chapter.number;
          const button = document.createElement("button");
          button.type = "button";
          button.className = "quiet";
          button.textContent = chapter.title;
          button.addEventListener("click", () => {
            dialog.close();
            choose(chapter.id);
          });
          const done = document.createElement("span");
          const { words, isDone } = doneOf(chapter, kept);
          done.className = isDone ? "fine is-done" : "fine";
          done.textContent = isDone ? `✓ ${words}` : words;
          item.append(button, done);
          return item;
        }),
      );
      const last = chapters.find(({ id }) => kept.at?.startsWith(`${id}/`));
      on.hidden = last === undefined;
      on.textContent = `Continue with chapter ${last?.number}`;
      dialog.showModal();
      const first = last === undefined ? rows.querySelector("button") : on;
      first?.focus();
    },
  };
}
