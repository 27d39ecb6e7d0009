/**
 * Tables of values, and what is made only while it is open.
 * @import { Content, Part } from "./h.js"
 */
import { exactly } from "../lib/decimals.js";
import { make, setAria, setText } from "./dom.js";
import { fill, h } from "./h.js";

/**
 * A table by its columns. A number that is none is a dash; what is no number, such as a
 * button, stands as it is.
 * @typedef {object} Values
 * @property {Content} [caption]
 * @property {string} [look] its class
 * @property {string} of what the rows are
 * @property {readonly Content[]} [names] of the rows; numbers from 0 when absent
 * @property {readonly (readonly [name: Content, values: ArrayLike<number> | readonly Content[], write?: (value: number) => string])[]} columns
 *   three decimals, where `write` is absent
 * @property {readonly [name: string, ...values: (Content | number)[]]} [last] a row below,
 *   such as sums
 * @property {number} [focused] row
 * @property {(row: number) => void} [choose] a row, by its button or anywhere in it
 */

/** @param {Values} values */
export function valuesTable(values) {
  const { caption, look = "values", of, names, columns, last, choose } = values;
  const count = columns[0][1].length;
  /** @type {[name: Content, ...cells: (Content | number)[]][]} */
  const rows = Array.from({ length: count }, (_, i) => [
    choose ? h("button", {}, names?.[i]) : (names?.[i] ?? String(i)),
    ...columns.map(([, values]) => values[i]),
  ]);
  const head = [of, ...columns.map(([name]) => name)].map((name) =>
    name === "" ? h("td") : h("th", { scope: "col" }, name),
  );
  if (last) rows.push([...last]);
  const body = rows.map(([name, ...cells], row) =>
    h(
      "tr",
      {
        class: row === values.focused ? "is-focused" : row === count && "is-sum",
        onclick: choose && row < count ? () => choose(row) : undefined,
      },
      h("th", { scope: "row" }, name),
      cells.map((cell, i) =>
        h("td", {}, typeof cell === "number" ? written(cell, columns[i][2]) : cell),
      ),
    ),
  );
  return h(
    "table",
    { class: look },
    caption && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, body),
  );
}

/**
 * The same as a table of numbers alone: what stands as it is has none.
 * @param {Values} values @returns {import("../lib/numbers.js").Table}
 */
export function numbersIn({ caption, of, names, columns }) {
  const numbers = columns.filter(([, values]) => typeof values[0] === "number");
  return {
    title: typeof caption === "string" ? caption : undefined,
    head: [of, ...numbers.map(([name], at) => textIn(name) || `column ${at + 1}`)],
    rows: Array.from({ length: columns[0][1].length }, (_, row) => [
      textIn(names?.[row]) || row,
      ...numbers.map(([, values]) => Number(values[row])),
    ]),
  };
}

/** @param {Content} content @returns {string} */
function textIn(content) {
  if (typeof content === "string") return content;
  if (content instanceof Element) return content.textContent ?? "";
  const all = Array.isArray(content)
    ? content
    : content && "content" in content
      ? content.content
      : [];
  return all.map(textIn).join("");
}

/**
 * The values of a map, where they stand.
 * @param {string} caption @param {ArrayLike<number>} data row by row
 * @param {number} across columns @param {(value: number) => string} [write]
 * @returns {Values}
 */
export const mapValues = (caption, data, across, write) => ({
  caption,
  of: "row",
  columns: Array.from({ length: across }, (_, column) => [
    String(column),
    Array.from(
      { length: data.length / across },
      (_, row) => data[row * across + column],
    ),
    write,
  ]),
});

/** @param {number} value @param {(value: number) => string} [write] */
const written = (value, write = (value) => exactly(value)) =>
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
  const body = make("div", { class: "scroll", tabindex: "0", role: "group" });
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
