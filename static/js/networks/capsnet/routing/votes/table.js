/**
 * The votes that give, or take, the most: each can be chosen.
 * @import { Scene } from "../scene.js"
 * @import { Actions } from "../../types.js"
 */

import { fixed, signed } from "../../../../lib/format.js";
import { setText } from "../../../../ui/dom.js";
import { capsulePlace } from "../../places.js";
import { sizesOf } from "../../state.js";
import { strongest } from "./sums.js";

const SHOWN = 8;

/**
 * @param {HTMLElement} body of the table
 * @param {Actions} actions
 */
export function mountStrongest(body, actions) {
  const rows = Array.from({ length: SHOWN }, () => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    const button = document.createElement("button");
    head.scope = "row";
    button.type = "button";
    head.append(button);
    row.append(head);
    const cells = Array.from({ length: 4 }, () => row.insertCell());
    const made = { row, button, cells, capsule: 0 };
    button.addEventListener("click", () => actions.chooseCapsule(made.capsule));
    return made;
  });

  return {
    /** @param {Scene} scene */
    show({ figures, trace, model, iterations, step, digit, capsule: chosen }) {
      const { tensors } = trace;
      const evidence = figures.evidenceOf(step, digit);
      const size = tensors["routing.couplings"].data.length / iterations;
      const shown = strongest(evidence, SHOWN);
      // Not before there is something to choose, and never more than there is.
      if (body.children.length !== shown.length)
        body.replaceChildren(...rows.slice(0, shown.length).map(({ row }) => row));
      shown.forEach((capsule, i) => {
        const { row, button, cells } = rows[i];
        const at = step * size + capsule * model.classes + digit;
        const place = capsulePlace(sizesOf(model), capsule);
        rows[i].capsule = capsule;
        row.classList.toggle("is-focused", capsule === chosen);
        setText(button, `${place.type}: ${place.row}, ${place.column}`);
        [
          fixed(tensors["primary.lengths"].data[capsule], 3),
          fixed(tensors["routing.couplings"].data[at], 3),
          signed(tensors["routing.agreement"].data[at], 3),
          signed(evidence[capsule], 3),
        ].forEach((text, cell) => {
          setText(cells[cell], text);
        });
      });
    },
  };
}
