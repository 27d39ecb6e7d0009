/**
 * The digits that a picture holds, where there are several: the one that is read, and
 * the others to choose.
 * @import { AppState, Found, Overrides } from "../../types.js"
 * @import { Store } from "../../core/store.js"
 */
import { percent } from "../../lib/format.js";
import { findElement } from "../../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountDigitsFound(root, store, correct) {
  const group = findElement(root, "[data-found]");
  const list = findElement(group, "[data-found-list]");

  store.watch(["intake", "overrides"], ({ intake, overrides }) => {
    const found = intake?.found ?? [];
    group.hidden = found.length < 2;
    if (group.hidden) return list.replaceChildren();
    // Buttons stay while their number does: one of them may have the focus.
    if (list.children.length !== found.length)
      list.replaceChildren(
        ...found.map((_, part) => toButton(() => correct({ part }))),
      );
    const chosen = overrides.part ?? intake?.chosen;
    [...list.children].forEach((button, part) => {
      show(button, found[part], { part, count: found.length });
      button.setAttribute("aria-pressed", String(part === chosen));
    });
  });
}

/** @param {() => void} choose */
function toButton(choose) {
  const button = document.createElement("button");
  button.type = "button";
  const picture = document.createElement("img");
  picture.alt = "";
  button.append(picture, document.createElement("span"));
  button.addEventListener("click", choose);
  return button;
}

/**
 * @param {Element} button
 * @param {Found} found
 * @param {{ part: number, count: number }} place
 */
function show(button, { image, share }, { part, count }) {
  const [picture, number] = button.children;
  picture.setAttribute("src", image);
  number.textContent = String(part + 1);
  button.setAttribute(
    "aria-label",
    `Read digit ${part + 1} of ${count}, ${percent(share, 0)} of the ink`,
  );
}
