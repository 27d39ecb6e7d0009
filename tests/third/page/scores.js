/** The scores as words; choosing one marks it. */

/** Fill the panel. */
export function mount(root, store, actions) {
  const list = document.createElement("ol");
  root.append(list);
  store.watch(["trace", "marked"], ({ trace, marked }) => {
    const rows = Array.from(trace.tensors.scores.data, (score, digit) => {
      const button = document.createElement("button");
      button.textContent = `${digit}: ${score.toFixed(3)}`;
      button.setAttribute("aria-pressed", String(digit === marked));
      button.addEventListener("click", () => actions.mark(digit));
      const row = document.createElement("li");
      row.append(button);
      return row;
    });
    list.replaceChildren(...rows);
  });
}
