/**
 * Whether anything is routed at all.
 * @import { Surgery } from "../types.js"
 * @import { Case } from "./surgery.js"
 */
import { NO_SURGERY } from "../lib/surgery.js";
import { findElement } from "../parts/find.js";

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
    /** @param {Case} found */
    show(found) {
      surgery = found.surgery;
      for (const button of buttons) {
        const isOn = button.dataset.value === surgery.routing;
        button.setAttribute("aria-pressed", String(isOn));
      }
    },
  };
}
