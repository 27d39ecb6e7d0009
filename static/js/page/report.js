/**
 * What the check of a described network found, as a part of its card.
 * @import { Report } from "../types.js"
 */
import { h } from "../ui/h.js";

const COLUMNS = ["Layer", "Shape", "Found", "Largest difference"];
/** Rooms of the museum of mistakes, by the names that recipes give them. */
const ROOMS = /** @type {Readonly<Record<string, string>>} */ ({
  axis: "softmax over the wrong axis",
  view: "reshaping without reordering the axes",
  iteration: "one iteration too many",
  mask: "a mask that is missing",
});

/**
 * @param {Report} report
 * @param {(room: string) => void} openMuseum
 */
export function reportContent({ heading, layers, sentences }, openMuseum) {
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
      sentences.map(({ text, room }) =>
        h("li", {}, text, room && [" ", museumButton(room, openMuseum)]),
      ),
    ),
  ];
}

/** @param {string} room @param {(room: string) => void} open */
function museumButton(room, open) {
  const words = `In the museum of mistakes: ${ROOMS[room] ?? room}`;
  return h("button", { class: "quiet", onclick: () => open(room) }, words);
}

/** As the report in Python says it. @param {number | null} value */
export function numberWords(value) {
  if (value === null) return "not compared";
  if (value === 0) return "0";
  return value < 0.01
    ? value.toExponential(1).replace(/e([-+])(\d)$/, "e$10$2")
    : `${Number(value.toPrecision(2))}`;
}
