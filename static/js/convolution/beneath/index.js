/**
 * Where one output of a convolution comes from: its window on every map below, the kernel
 * that reads it, and what each map adds to the sum.
 * @import { BeneathLook, MapsActions, Place } from "../types.js"
 * @import { Beneath } from "./window.js"
 */
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { mountBeneathMap } from "./map.js";
import { mountShares } from "./shares.js";
import { mountSheet } from "./sheet.js";

/**
 * What the reader does here.
 * @typedef {object} BeneathActions
 * @property {MapsActions["lookAt"]} lookAt
 * @property {(map: number) => void} chooseMap of those below
 * @property {(look: Partial<BeneathLook>) => void} lookBeneath
 * @property {(pixel: Place) => void} openPixel go to a pixel of the chosen map below
 */

/**
 * What things are called here, and how many are.
 * @typedef {object} BeneathWords
 * @property {string} unit of the maps' values
 * @property {string} reader what reads one map: a kernel, or the slice of one
 * @property {string} check how the sum was worked out
 * @property {string} precision why it may differ from the trace
 * @property {number} named how many maps are told one by one
 */

/**
 * What is shown of it.
 * @typedef {object} Chosen
 * @property {number} map of those below
 * @property {BeneathLook} look
 * @property {string} name of the output
 * @property {number} traced its value, as the trace says
 */

/**
 * @param {HTMLElement} root filled by `convolution/beneath.html`
 * @param {BeneathActions} actions
 * @param {BeneathWords} words
 */
export function mountBeneath(root, actions, words) {
  const windowSize = findElement(root, "[data-window-size]");
  const body = findElement(root, "[data-beneath-body]");
  const waiting = findElement(root, "[data-beneath-waiting]");
  const shows = findElement(root, "[data-shows]");
  const orders = findElement(root, "[data-orders]");
  const sheet = mountSheet(findElement(root, "[data-sheet]"), actions, words);
  const shares = mountShares(findElement(root, "[data-shares]"), actions, words);
  const map = mountBeneathMap(findElement(root, "[data-one-map]"), actions, words);

  listenToChoices(shows, (value) =>
    actions.lookBeneath({ shown: /** @type {BeneathLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    actions.lookBeneath({ order: value === "number" ? value : "share" }),
  );

  return {
    /**
     * @param {Beneath | null} beneath null while its kernels are on their way: the last
     *   picture stays, dimmed
     * @param {Chosen} chosen
     */
    show(beneath, chosen) {
      pressChoice(shows, chosen.look.shown);
      pressChoice(orders, chosen.look.order);
      body.classList.toggle("is-old", beneath === null);
      waiting.hidden = beneath !== null;
      if (beneath === null) return;
      body.hidden = false;
      setText(windowSize, `${beneath.window.size}×${beneath.window.size}`);
      sheet.show(beneath, chosen.map, chosen.look);
      shares.show(beneath, chosen.map, chosen.name, chosen.traced);
      map.show(beneath, chosen.map);
    },
  };
}
