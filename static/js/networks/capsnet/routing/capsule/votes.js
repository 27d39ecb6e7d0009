/**
 * The chosen capsule's votes, one row for each digit, with what becomes of each.
 * @import { CellText } from "../../../../ui/tables.js"
 * @import { Tensor } from "../../../../types.js"
 * @import { CapsuleScene } from "./index.js"
 * @import { Folds } from "./folds.js"
 * @import { Actions } from "../../types.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { bare } from "../../../../lib/decimals.js";
import { fixed, signed } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { find, findElement } from "../../../../ui/dom.js";
import { showLegend } from "../../../../ui/pictures.js";
import { fillRows } from "../../../../ui/tables.js";
import { DECIMALS } from "./course.js";
import { heatCells, numberColumns } from "./heat-rows.js";

const VOTE_DECIMALS = 2;

/**
 * @param {HTMLElement} panel
 * @param {Folds} folds
 * @param {Actions} actions
 */
export function mountVotes(panel, folds, actions) {
  const wait = findElement(panel, "[data-ten-wait]");
  const body = findElement(panel, "[data-ten-body]");
  const head = find(panel, "[data-ten-head]", HTMLTableSectionElement);
  const rows = find(panel, "[data-ten-rows]", HTMLTableSectionElement);
  const legend = findElement(panel, "[data-ten-legend]");
  rows.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (row !== null) actions.focusDigit(row.sectionRowIndex);
  });

  /** @type {CellText[][]} the votes; what becomes of them changes more often */
  let heat = [];
  const readVotes = memoize(
    (
      /** @type {Tensor} */ votes,
      /** @type {number} */ capsule,
      /** @type {number} */ digit,
    ) => {
      const [classes, dim] = votes.shape.slice(-2);
      const from = capsule * classes * dim;
      const all = votes.data.subarray(from, from + classes * dim);
      const scale = diverging(reach(all) || 1);
      heat = Array.from({ length: classes }, (_, j) =>
        heatCells(all.subarray(j * dim, (j + 1) * dim), {
          scale,
          format: (value) => bare(value, VOTE_DECIMALS),
          term: (d) => (j === digit ? `u.${d}` : `vote.${j}.${d}`),
        }),
      );
      numberColumns(head, { corner: "û for", count: dim, after: ["c", "û·v"] });
      showLegend(legend, scale, { unit: "a number of a vote û", decimals: 2 });
    },
  );

  return {
    /** @param {CapsuleScene} capsuleScene */
    show({ scene, now }) {
      if (!folds.isOpen("votes")) return;
      const { model, capsule, digit } = scene;
      const { votes } = scene.more;
      wait.hidden = votes !== undefined;
      body.hidden = votes === undefined;
      if (votes === undefined) return;
      readVotes(votes, capsule, digit);
      fillRows(
        rows,
        heat.map((cells, j) => {
          const isFocused = j === digit;
          /** @param {string} term */
          const terms = (term) => (isFocused ? `${term} ${term}.${j}` : `${term}.${j}`);
          const after = [
            { text: fixed(now.couplings[j], DECIMALS), term: terms("c") },
            { text: signed(now.agreement[j], DECIMALS), term: terms("a") },
          ];
          const name = { text: model.class_names[j] };
          return { head: name, isFocused, cells: [...cells, ...after] };
        }),
      );
    },
  };
}
