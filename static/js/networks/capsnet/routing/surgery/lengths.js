/**
 * The ten lengths of both runs, and what has become of the answer.
 * @import { SurgeryScene } from "./index.js"
 * @import { Actions } from "../../types.js"
 */
import { fixed, signed } from "../../../../lib/format.js";
import { find, findElement } from "../../../../ui/dom.js";
import { fillRows } from "../../../../ui/tables.js";
import { answerInWords } from "./words.js";

/**
 * @param {HTMLElement} panel
 * @param {Actions} actions
 */
export function mountLengths(panel, actions) {
  const verdict = findElement(panel, "[data-surgery-verdict]");
  const body = find(panel, "[data-surgery-lengths]", HTMLTableSectionElement);
  body.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (row !== null) actions.focusDigit(row.sectionRowIndex);
  });

  return {
    /** @param {SurgeryScene} found */
    show(found) {
      const { model, intact, changed, digit } = found;
      const before = intact.tensors["digits.lengths"].data;
      const after = changed.tensors["digits.lengths"].data;
      verdict.textContent = answerInWords(found);
      verdict.classList.toggle("is-other", changed.prediction !== intact.prediction);
      fillRows(
        body,
        model.class_names.map((name, j) => ({
          head: { text: name },
          isFocused: j === digit,
          cells: [
            { text: "" },
            { text: fixed(before[j]) },
            { text: fixed(after[j]) },
            { text: signed(after[j] - before[j]) },
          ],
        })),
      );
      [...body.rows].forEach((row, j) => {
        showBars(row.cells[1], before[j], after[j]);
      });
    },
  };
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {number} before 0..1
 * @param {number} after 0..1
 */
function showBars(cell, before, after) {
  if (cell.childElementCount === 0) {
    cell.className = "surgery-bars";
    const bars = ["is-before", "is-after"].map((name) => {
      const bar = document.createElement("i");
      bar.className = name;
      return bar;
    });
    cell.append(...bars);
  }
  [before, after].forEach((length, i) => {
    /** @type {HTMLElement} */ (cell.children[i]).style.width = `${100 * length}%`;
  });
}
