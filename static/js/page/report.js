/**
 * What the check of a described network found, as a part of its card.
 * @import { Report } from "../types.js"
 */
import { h } from "../ui/h.js";

const COLUMNS = ["Layer", "Shape", "Found", "Largest difference"];

/** @param {Report} report */
export function reportContent({ heading, layers, sentences }) {
  return [
    h("h3", {}, "What the check of its description found"),
    h("p", {}, heading),
    h(
      "div",
      {
        class: "scrolled",
        tabindex: 0,
        role: "group",
        "aria-label": "Layers as they were checked",
      },
      h(
        "table",
        { class: "side-by-side" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            COLUMNS.map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          layers.map(({ title, shape, words, difference }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, title),
              [shape.join("×"), words, numberWords(difference)].map((text) =>
                h("td", {}, text),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "ul",
      { class: "found" },
      sentences.map(({ text }) => h("li", {}, text)),
    ),
  ];
}

/** As the report in Python says it. @param {number | null} value */
export function numberWords(value) {
  if (value === null) return "not compared";
  if (value === 0) return "0";
  return value < 0.01
    ? value.toExponential(1).replace(/e([-+])(\d)$/, "e$10$2")
    : `${Number(value.toPrecision(2))}`;
}
