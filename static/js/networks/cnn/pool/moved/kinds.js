/**
 * What became of each window, as a picture: a colour and a sign for each kind.
 */
import { svg } from "../../../../ui/dom.js";
import { KINDS } from "./comparison.js";

/** @typedef {import("./comparison.js").Kind} Kind */

/** What each kind is called, and the sign that stands for it where colours fail. */
export const KIND_WORDS = /** @type {const} */ ({
  same: { sign: "=", words: "same value, same pixel" },
  absorbed: { sign: "⇄", words: "same value, another pixel wins" },
  other: { sign: "≠", words: "another value" },
  lit: { sign: "±", words: "all 0 before, or all 0 after" },
  zero: { sign: "", words: "all 0 both times: no winner" },
});

/**
 * @param {SVGSVGElement} picture filled
 * @param {Uint8Array} kinds of the windows, row by row, as places in `KINDS`
 * @param {number} across windows in a row
 */
export function drawKinds(picture, kinds, across) {
  picture.setAttribute("viewBox", `0 0 ${across} ${across}`);
  picture.replaceChildren(
    ...Array.from(kinds, (number, i) => {
      const kind = KINDS[number];
      const [x, y] = [i % across, Math.floor(i / across)];
      const group = svg("g", { class: `kind is-${kind}` });
      group.append(
        svg("rect", { x, y, width: 1, height: 1 }),
        svg("text", { x: x + 0.5, y: y + 0.5 }, KIND_WORDS[kind].sign),
      );
      return group;
    }),
  );
}
