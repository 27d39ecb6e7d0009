/**
 * Tables of values, and what is made only while it is open.
 * @import { Content, Part } from "./h.js"
 */
import { fixed } from "../lib/format.js";
import { make, setAria, setText } from "./dom.js";
import { fill, h } from "./h.js";

/**
 * A table by its columns. What is not a number is a dash.
 * @typedef {object} Values
 * @property {string} [caption]
 * @property {string} of what the rows are
 * @property {readonly string[]} [names] of the rows; numbers from 0 when absent
 * @property {readonly (readonly [name: string, values: ArrayLike<number>, write?: (value: number) => string])[]} columns
 *   three decimals, where `write` is absent
 * @property {readonly [name: string, ...values: number[]]} [last] a row below, such as sums
 * @property {number} [focused] row
 */

/** @param {Values} values */
export function valuesTable({ caption, of, names, columns, last, focused }) {
  const rows = Array.from(columns[0][1], (_, i) => [
    names?.[i] ?? String(i),
    ...columns.map(([, values]) => values[i]),
  ]);
  const head = [of, ...columns.map(([name]) => name)].map((name) =>
    name === "" ? h("td") : h("th", { scope: "col" }, name),
  );
  const body = [...rows, ...(last ? [last] : [])].map(([name, ...cells], row) =>
    h(
      "tr",
      { class: row === focused && "is-focused" },
      h("th", { scope: "row" }, String(name)),
      cells.map((value, i) => h("td", {}, written(Number(value), columns[i][2]))),
    ),
  );
  return h(
    "table",
    { class: "values" },
    caption && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, body),
  );
}

/** @param {number} value @param {(value: number) => string} [write] */
const written = (value, write = (value) => fixed(value, 3)) =>
  Number.isNaN(value) ? "–" : write(value);

/**
 * What is made only while it is open.
 * @param {string} title @param {() => Content} content
 * @param {Record<string, string>} [look] attributes of the `<details>`
 */
export const fold = (title, content, look = {}) =>
  h(openFold, { title, content, look });

/** @type {Part<{ title: string, content: () => Content, look: Record<string, string> }>} */
function openFold() {
  const summary = make("summary");
  const body = make("div", { class: "scroll", tabindex: "0", role: "region" });
  const element = make("details", "", summary, body);
  /** @type {() => Content} */
  let content = () => null;
  const draw = () => element.open && fill(body, content());
  element.addEventListener("toggle", draw);
  return {
    element,
    show(now) {
      setText(summary, now.title);
      setAria(body, { "aria-label": now.title });
      setAria(element, now.look);
      content = now.content;
      draw();
    },
  };
}
