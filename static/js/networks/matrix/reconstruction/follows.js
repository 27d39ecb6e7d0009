/**
 * What the numbers of a pose follow, below the title of their sliders and as a table.
 * @import { ViewStore } from "../../../types.js"
 * @import { Matrix } from "../types.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { valueTable } from "../../../ui/tables.js";
import { POSE } from "../places.js";
import { followingWords, followsOf, MOVES, placeOf } from "./following.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "scores" | "classes.poses" | "reconstruction">} store
 */
export function mountFollowing(root, store) {
  const words = findElement(root, "[data-follows-words]");
  const folder = find(root, "[data-follows]", HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  store.watch(["model", "trace", "digit"], (state) => {
    const { model } = state;
    const digit = focusedDigit(state);
    const { following } = model.card;
    words.hidden = following === undefined;
    folder.hidden = !following?.classes[digit];
    if (following === undefined) return;
    setText(words, followingWords(following, digit, model.class_names[digit]));
    if (!folder.hidden) table.replaceChildren(tableOf(model, digit));
  });
}

/**
 * @param {Parameters<typeof followsOf>[0]} model
 * @param {number} digit
 */
function tableOf(model, digit) {
  const entries = Array.from({ length: POSE }, (_, entry) => entry);
  const rows = entries.map((entry) => followsOf(model, digit, entry) ?? []);
  return valueTable(
    rows.flatMap((row) =>
      row.flatMap(({ move, correlation, slope }) => [
        correlation,
        slope * MOVES[move].by,
      ]),
    ),
    {
      rows: POSE,
      columns: 2 * Object.keys(MOVES).length,
      rowNames: entries.map(placeOf),
      columnNames: Object.values(MOVES).flatMap(({ short, per }) => [
        `${short}: r`,
        `per ${per}`,
      ]),
      corner: "number",
    },
  );
}
