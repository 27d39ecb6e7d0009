/** One number of a pose: a slider, how far it was moved, and what it was found to follow. */
import { fixed, signed } from "../../../lib/format.js";
import { SIDE } from "../places.js";
import { followsInFull, followsInShort } from "./following.js";

/** @import { Follows } from "./following.js" */

const STEP = 0.001;

const CLASSES = ["unseen", "entry-value", "entry-moved", "entry-follows"];

/**
 * One entry of the matrix: where it stands, its slider, and how far it has been moved.
 * @param {number} entry
 * @param {(difference: number) => void} edit
 */
export function entrySlider(entry, edit) {
  const [row, column] = [Math.floor(entry / SIDE) + 1, (entry % SIDE) + 1];
  const element = document.createElement("label");
  const [name, value, moved, follows] = CLASSES.map((each) => {
    const made = document.createElement("span");
    made.className = each;
    return made;
  });
  name.textContent = `Row ${row}, column ${column}`;
  const input = document.createElement("input");
  input.type = "range";
  input.step = String(STEP);
  element.className = "entry-slider";
  element.append(name, value, moved, input, follows);
  let original = 0;

  const rounded = (/** @type {number} */ difference) =>
    Number(difference.toFixed(3)) + 0; // never -0
  input.addEventListener("input", () => edit(rounded(input.valueAsNumber)));
  input.addEventListener("dblclick", () => edit(0));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    edit(0);
  });

  return {
    element,
    /** @param {{ original: number, edit: number, span: [number, number], follows: Follows[] | null }} shown */
    show({ original: own, edit: difference, span: [low, high], follows: found }) {
      original = own;
      input.min = String(rounded(low - own) - STEP);
      input.max = String(rounded(high - own) + STEP);
      input.value = String(difference);
      value.textContent = fixed(original + difference, 2);
      moved.textContent = difference === 0 ? "" : signed(difference, 2);
      input.setAttribute(
        "aria-valuetext",
        difference === 0
          ? `${fixed(own)}, the network’s own`
          : `${fixed(own + difference)}, ${signed(difference)} from the network’s ${fixed(own)}`,
      );
      element.classList.toggle("is-edited", difference !== 0);
      follows.hidden = found === null;
      if (found === null) return;
      follows.textContent = followsInShort(found);
      follows.title = followsInFull(found);
    },
  };
}
