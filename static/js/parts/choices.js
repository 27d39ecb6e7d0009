/** Buttons side by side of which one is pressed. */

/**
 * @param {HTMLElement} group holds buttons with a data-value; the template presses one
 * @param {(value: string) => void} choose
 */
export function listenToChoices(group, choose) {
  const buttons = [...group.querySelectorAll("button")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const each of buttons)
        each.setAttribute("aria-pressed", String(each === button));
      choose(button.dataset.value ?? "");
    });
  }
}
