/**
 * Whether anything is routed at all.
 * @import { SurgeryScene } from "./index.js"
 * @import { Surgery } from "../../types.js"
 */

import { findElement } from "../../../../ui/dom.js";
import { NO_SURGERY } from "./changes.js";

/**
 * @param {HTMLElement} panel
 * @param {(surgery: Surgery) => void} operate
 */
export function mountRoutingChoice(panel, operate) {
  const buttons = [...findElement(panel, "[data-routing]").querySelectorAll("button")];
  let surgery = NO_SURGERY;
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const routing = button.dataset.value === "uniform" ? "uniform" : "agreement";
      operate({ ...surgery, routing });
    });
  }
  return {
    /** @param {SurgeryScene} found */
    show(found) {
      surgery = found.surgery;
      for (const button of buttons) {
        const isOn = button.dataset.value === surgery.routing;
        button.setAttribute("aria-pressed", String(isOn));
      }
    },
  };
}
