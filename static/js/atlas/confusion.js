/**
 * The confusion matrix of a test set, as a table of buttons.
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 */
import { confusion } from "../lib/tested.js";
import { make } from "../ui/dom.js";

/**
 * How often each label is read as each class: each number selects its images.
 * @param {Atlas} atlas @param {(selection: Selection) => void} select
 */
export function confusionTable(atlas, select) {
  const { names, each } = atlas;
  const counts = confusion(atlas);
  const wrong = counts.flatMap((row, label) => row.filter((_, read) => read !== label));
  const [most, mostWrong] = [Math.max(1, ...counts.flat()), Math.max(1, ...wrong)];
  const table = make("table");
  /** @param {Selection} selection @param {string} text @param {string} words */
  const button = (selection, text, words) => {
    const made = make("button", { "aria-label": words, "aria-pressed": "false" }, text);
    made.dataset.selection = JSON.stringify(selection);
    made.addEventListener("click", () => select(selection));
    return made;
  };
  const head = table.createTHead().insertRow();
  head.append(make("td"));
  names.forEach((name, read) => {
    const selection = /** @type {Selection} */ ({ kind: "read", class: read });
    const cell = make("th", { scope: "col" });
    cell.append(button(selection, name, `Everything read as ${name}`));
    head.append(cell);
  });
  const body = table.createTBody();
  counts.forEach((row, label) => {
    const line = body.insertRow();
    const cell = make("th", { scope: "row" });
    const selection = /** @type {Selection} */ ({ kind: "label", classes: [label] });
    cell.append(
      button(selection, names[label], `Everything with the label ${names[label]}`),
    );
    line.append(cell);
    row.forEach((count, read) => {
      const cell = line.insertCell();
      if (count === 0) {
        cell.append(make("span", "is-none", "·"));
        return;
      }
      const chosen = /** @type {Selection} */ ({ kind: "cell", label, read });
      const words =
        each === 1
          ? `Label ${names[label]}, read as ${names[read]}: ${count}`
          : label === read
            ? `Label ${names[label]}, which is read: ${count}`
            : `Label ${names[label]}, which is not read, and ${names[read]} read, which is no label: ${count}`;
      const made = button(chosen, String(count), words);
      const share =
        label === read ? (35 * count) / most : 15 + (35 * count) / mostWrong;
      made.style.setProperty("--share", `${share}%`);
      cell.append(made);
    });
  });
  return table;
}
