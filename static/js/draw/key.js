/** What the marks of a picture mean. */
import { h } from "../ui/h.js";

/**
 * @param {readonly (readonly [width: number, sample: import("../ui/h.js").Content, meaning: string])[]} samples
 *   each 14 high
 */
export const key = (samples) =>
  h(
    "ul",
    { class: "key fine" },
    samples.map(([width, sample, meaning]) =>
      h(
        "li",
        {},
        h("svg", { viewBox: `0 0 ${width} 14`, "aria-hidden": "true" }, sample),
        " ",
        h("span", {}, meaning),
      ),
    ),
  );

/**
 * What strokes of an arrow's colours and widths mean.
 * @param {readonly (readonly [look: string, width: number, meaning: string])[]} strokes
 */
export const strokeKey = (strokes) =>
  key(
    strokes.map(([look, width, meaning]) => {
      const line = { class: look, x1: 0, y1: 7, x2: 20, y2: 7, "stroke-width": width };
      return [26, h("line", line), meaning];
    }),
  );
