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
