/**
 * A picture on a stage that is only looked at.
 * @import { Part } from "../ui/h.js"
 * @import { Stage } from "../ui/stage.js"
 */
import { make, setAria } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { createStage } from "../ui/stage.js";

/**
 * @typedef {object} Painted
 * @property {string} label accessible name
 * @property {Record<string, string>} [look] more attributes, such as a hook
 * @property {readonly string[]} [colors] of the theme
 * @property {(stage: Stage<any>) => void} paint
 */

/** @param {Painted} options */
export const painted = (options) => h(paintedPart, options);

/** @type {Part<Painted>} */
function paintedPart() {
  const element = make("canvas", { role: "img", class: "drawn" });
  /** @type {Painted | null} */
  let now = null;
  /** @type {(() => void) | null} */
  let ask = null;
  return {
    element,
    /** @param {Painted} next */
    show(next) {
      now = next;
      setAria(element, { "aria-label": next.label, ...next.look });
      ask ??= createStage(element, next.colors ?? [], (stage) => now?.paint(stage));
      ask();
    },
  };
}
