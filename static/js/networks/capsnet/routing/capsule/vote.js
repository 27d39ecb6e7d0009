/**
 * The vote in focus on its way through an iteration, number by number: what it adds, what
 * all capsules add, what squash leaves, and how the vote agrees with that.
 * @import { Scale } from "../../../../lib/color.js"
 * @import { RowText } from "../../../../ui/tables.js"
 * @import { CapsuleScene } from "./index.js"
 * @import { Folds } from "./folds.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { bare } from "../../../../lib/decimals.js";
import { fixed, signed } from "../../../../lib/format.js";
import { find, findElement } from "../../../../ui/dom.js";
import { showLegend } from "../../../../ui/pictures.js";
import { fillRows } from "../../../../ui/tables.js";
import { heatCells, numberColumns } from "./heat-rows.js";
import {
  capsuleOf,
  DECIMALS,
  PRODUCT_DECIMALS,
  voteInFull,
  voteOf,
} from "./one-vote.js";

/**
 * @param {HTMLElement} panel
 * @param {Folds} folds
 */
export function mountVote(panel, folds) {
  const digitName = findElement(panel, "[data-vote-digit]");
  const wait = findElement(panel, "[data-vote-wait]");
  const body = findElement(panel, "[data-vote-body]");
  const head = find(panel, "[data-vote-head]", HTMLTableSectionElement);
  const rows = find(panel, "[data-vote-rows]", HTMLTableSectionElement);
  const poseLegend = findElement(panel, "[data-vote-legend]");
  const productLegend = findElement(panel, "[data-product-legend]");
  const words = findElement(panel, "[data-vote-words]");

  return {
    /** @param {CapsuleScene} capsuleScene */
    show(capsuleScene) {
      const { trace, more, capsule, digit, name, step } = capsuleScene.scene;
      digitName.textContent = name;
      if (!folds.isOpen("vote")) return;
      const vote = voteOf(more, capsule, digit);
      wait.hidden = vote !== null;
      body.hidden = vote === null;
      if (vote === null) return;
      const { now, squash } = capsuleScene;
      const coupling = now.couplings[digit];
      const of = trace.tensors["routing.capsules"];
      const full = voteInFull(vote, coupling, capsuleOf(of, step, digit));
      const poses = diverging(Math.max(reach(full.vote), reach(full.capsule)) || 1);
      const products = diverging(reach(full.products) || 1);
      const factor = fixed(squash.factor, squash.decimals);
      numberColumns(head, { corner: "number", count: vote.length, after: ["sum"] });
      const pose = { decimals: DECIMALS, scale: poses, partOf: factorOf };
      fillRows(rows, [
        row("û, the vote", full.vote, { ...pose, term: "u" }),
        row(`c · û, c = ${fixed(coupling, DECIMALS)}`, full.added, {
          decimals: PRODUCT_DECIMALS,
          term: "w",
        }),
        row("s, all added up", full.total, { decimals: DECIMALS, term: "s" }),
        row(`v = ${factor} · s`, full.capsule, { ...pose, term: "v" }),
        withSum(
          row("û × v", full.products, {
            decimals: PRODUCT_DECIMALS,
            scale: products,
            term: "p",
            partOf: () => "a",
          }),
          fixed(full.sum, PRODUCT_DECIMALS),
        ),
      ]);
      showLegend(poseLegend, poses, { unit: "a number of û, or of v" });
      showLegend(productLegend, products, { unit: "û × v", decimals: 4 });
      const difference = now.agreement[digit] - full.sum;
      words.textContent = `The products add up to ${fixed(full.sum, PRODUCT_DECIMALS)}; the network's own û·v is ${fixed(now.agreement[digit], DECIMALS)}, a difference of ${signed(difference, PRODUCT_DECIMALS)}: votes and agreements come in half precision, which keeps about three digits.`;
    },
  };
}

/** @param {number} place of a number that is a factor of the product there */
function factorOf(place) {
  return `p.${place}`;
}

/**
 * @param {string} name
 * @param {readonly number[]} values
 * @param {object} look
 * @param {number} look.decimals
 * @param {string} look.term
 * @param {Scale | null} [look.scale] of the tint
 * @param {(place: number) => string} [look.partOf]
 * @returns {RowText}
 */
function row(name, values, { decimals, term, scale = null, partOf }) {
  const cells = heatCells(values, {
    scale,
    format: (value) => bare(value, decimals),
    term: (place) => `${term}.${place}`,
    partOf,
  });
  return { head: { text: name }, cells: [...cells, { text: "" }] };
}

/**
 * @param {RowText} products
 * @param {string} sum
 * @returns {RowText}
 */
function withSum(products, sum) {
  return { ...products, cells: products.cells.with(-1, { text: sum, term: "a" }) };
}
