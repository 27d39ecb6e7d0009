/** Buttons side by side of which one is pressed. */

/**
 * @param {HTMLElement} group holds buttons with a data-value; the template presses one
 * @param {(value: string) => void} choose
 */
export function listenToChoices(group, choose) {
  for (const button of group.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const value = button.dataset.value ?? "";
      pressChoice(group, value);
      choose(value);
    });
  }
}

/**
 * Press the button of a value that was chosen elsewhere, such as by a link.
 * @param {HTMLElement} group
 * @param {string | null} value null: none is
 */
export function pressChoice(group, value) {
  for (const button of group.querySelectorAll("button")) {
    const pressed = String(button.dataset.value === value);
    if (button.getAttribute("aria-pressed") !== pressed)
      button.setAttribute("aria-pressed", pressed);
  }
}
