/**
 * The confusion matrix of a test set, as a table of buttons.
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 */
import { confusion, isMisread, labelsOf } from "../lib/tested.js";
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
  const button = buttons(select);
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

/**
 * How many images of each pair of labels are misread: each number selects all of the pair.
 * @param {Atlas} atlas of two labels an image
 * @param {(selection: Selection) => void} select
 */
export function pairsTable(atlas, select) {
  const { names } = atlas;
  const counts = pairCounts(atlas);
  const shares = counts.flat().map(({ wrong, count }) => wrong / Math.max(1, count));
  const most = Math.max(...shares) || 1;
  const button = buttons(select);
  const table = make("table");
  const head = table.createTHead().insertRow();
  head.append(make("td"));
  names.slice(0, -1).forEach((name) => {
    head.append(make("th", { scope: "col" }, name));
  });
  const body = table.createTBody();
  names.forEach((name, high) => {
    if (high === 0) return;
    const line = body.insertRow();
    line.append(make("th", { scope: "row" }, name));
    for (let low = 0; low < high; low++) {
      const { wrong, count } = counts[low][high];
      const selection = /** @type {Selection} */ ({
        kind: "label",
        classes: [low, high],
      });
      const words = `Labels ${names[low]} and ${name}: ${wrong} of ${count} misread`;
      const made = button(selection, String(wrong), words);
      const share = (50 * wrong) / Math.max(1, count) / most;
      made.style.setProperty("--share", `${share}%`);
      line.insertCell().append(made);
    }
  });
  return table;
}

/**
 * @param {Atlas} atlas of two labels an image
 * @returns {{ count: number, wrong: number }[][]} [lower label][higher label]
 */
export function pairCounts(atlas) {
  const counts = atlas.names.map(() => atlas.names.map(() => ({ count: 0, wrong: 0 })));
  for (let i = 0; i < atlas.count; i++) {
    const [low, high] = labelsOf(atlas, i).sort((a, b) => a - b);
    counts[low][high].count++;
    if (isMisread(atlas, i)) counts[low][high].wrong++;
  }
  return counts;
}

/** Makes buttons that select. @param {(selection: Selection) => void} select */
function buttons(select) {
  return (
    /** @type {Selection} */ selection,
    /** @type {string} */ text,
    /** @type {string} */ words,
  ) => {
    const made = make("button", { "aria-label": words, "aria-pressed": "false" }, text);
    made.dataset.selection = JSON.stringify(selection);
    made.addEventListener("click", () => select(selection));
    return made;
  };
}
