/** One small menu for all pictures: which kind of file to save. */

/**
 * @typedef {object} Item
 * @property {string} text
 * @property {() => void} choose
 */

/** @param {HTMLElement} parent the menu becomes a part of it */
export function createMenu(parent) {
  const menu = document.createElement("div");
  menu.className = "save-menu";
  menu.id = "save-menu";
  menu.popover = "auto";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", "Save picture");
  parent.append(menu);
  /** @type {HTMLElement | null} */
  let opener = null;

  menu.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "open") return;
    opener?.setAttribute("aria-expanded", "false");
  });
  menu.addEventListener("keydown", (event) => {
    const items = /** @type {HTMLElement[]} */ ([...menu.children]);
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) items.at((at + step) % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      menu.hidePopover();
      opener?.focus();
      if (event.key === "Tab") return; // on from there
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    /**
     * @param {HTMLElement} at the button that opens it
     * @param {readonly Item[]} items
     */
    open(at, items) {
      opener = at;
      menu.replaceChildren(
        ...items.map(({ text, choose }) => {
          const item = document.createElement("button");
          item.type = "button";
          item.setAttribute("role", "menuitem");
          item.textContent = text;
          item.addEventListener("click", () => {
            menu.hidePopover();
            at.focus();
            choose();
          });
          return item;
        }),
      );
      menu.showPopover();
      const { right, bottom } = at.getBoundingClientRect();
      const { width, height } = menu.getBoundingClientRect();
      menu.style.left = `${Math.max(8, right - width)}px`;
      menu.style.top = `${Math.min(bottom + 4, innerHeight - height - 8)}px`;
      at.setAttribute("aria-expanded", "true");
      /** @type {HTMLElement} */ (menu.firstElementChild).focus();
    },
  };
}
