/**
 * A pixel of a Conv2 map as the sum that it is: what all maps below add, the bias, ReLU;
 * and what each of them adds.
 * @import { Beneath } from "../../../convolution/beneath/window.js"
 * @import { BeneathActions } from "../../../convolution/beneath/index.js"
 * @import { Chosen } from "./focus.js"
 */
import { mountBeneath } from "../../../convolution/beneath/index.js";
import { writeSum } from "../../../convolution/worked-sum.js";
import { writer } from "../../../ui/dom.js";

const WORDS = {
  unit: "activation after pooling",
  reader: "slice",
  check: "Worked out on this page from Pool1's maps",
  precision: "maps come in half precision, which keeps about three digits",
  named: 12,
};

/**
 * @param {HTMLElement} root
 * @param {BeneathActions} actions
 */
export function mountSum(root, actions) {
  const beneath = mountBeneath(root, actions, WORDS);
  const write = writer(root);

  return {
    /**
     * @param {Beneath} shown
     * @param {Chosen} chosen
     * @param {number} traced the pixel before ReLU, as the trace says
     */
    show(shown, { map, map2, beneath: look }, traced) {
      const { window, parts } = shown;
      write("pixel", `row ${window.row}, column ${window.column} of map ${map2}`);
      write("count", String(parts.shares.length));
      writeSum(write, parts);
      beneath.show(shown, { map, look, name: "before ReLU", traced });
    },
  };
}
