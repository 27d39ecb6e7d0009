/**
 * The iteration on show with its numbers: from the deviations of a capsule's votes to its
 * cost and its activation, and what the E-step then assigns of one capsule below.
 * @import { Claim, Entry } from "./sums.js"
 * @import { EmPanel, EmRoom, EmScene } from "./types.js"
 */

import { largestOf, reach, sum } from "../../../lib/arithmetic.js";
import { diverging, sequential } from "../../../lib/color.js";
import { compact, exactShare } from "../../../lib/decimals.js";
import { fixed, percent, signed } from "../../../lib/format.js";
import { differenceWords } from "../../../lib/precision.js";
import { findElement, setText, writer } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { numberGrid } from "../../../ui/number-grid.js";
import { sayFinding } from "../../../ui/panel.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { valueTable } from "../../../ui/tables.js";
import { placeInWords } from "../../capsules/places.js";
import { entryAt, entryPlace, SIDE } from "../../matrices.js";
import { claimsOn, costOf, entryOf } from "./sums.js";

/** Decimals of what is written; the trace's numbers come in single and half precision. */
const SHOWN = 3;

/** @type {EmPanel} */
export function mountArithmetic(root, room) {
  const panel = findElement(root, "[data-arithmetic]");
  const write = writer(panel);
  const title = findElement(panel, "[data-title]");
  const claims = findElement(panel, "[data-claims]");
  const grids = ["mean", "deviation", "log"].map((name) =>
    sixteen(findElement(panel, `[data-${name}-grid]`), room),
  );

  /** @param {EmScene} scene */
  function draw(scene) {
    const { routed, step, parent } = scene;
    const cost = costOf(routed, step, parent);
    const costs = cost.logs.map((log) => cost.betaU + log);
    grids[0].show(routed.means(step, parent), scene.entry);
    grids[1].show(routed.deviations(step, parent), scene.entry, "size");
    grids[2].show(costs, scene.entry);
    writeEntry(write, scene);
    writeCost(write, scene, cost);
    writeClaims(write, claims, scene);
  }
  const ask = showSeenFirst(findElement(panel, ".em-arithmetic"), draw);
  sayFinding(panel, room.scenes, findCost);
  room.scenes.watch((scene) => {
    setText(title, scene.name);
    ask(scene);
  });
}

/**
 * @param {Pick<EmScene, "routed" | "step" | "parent" | "name">} scene
 * @returns {string} what the capsule in focus costs, and how active that makes it
 */
export function findCost({ routed, step, parent, name }) {
  const cost = fixed(routed.cost(step, parent), 2);
  return `At a cost of ${cost}, the activation of ${name} is ${fixed(routed.activation(step, parent), 3)}.`;
}

/**
 * One of the 16 numbers: its mean and deviation from votes and weights.
 * @param {ReturnType<typeof writer>} write @param {EmScene} scene
 */
function writeEntry(write, { routed, step, parent, entry, name }) {
  const found = entryOf(routed, step, parent, entry);
  const { row, column } = entryPlace(entry);
  write("entry-name", `row ${row + 1}, column ${column + 1}`);
  write("entry-mass", fixed(found.mass, SHOWN));
  write("entry-sum", fixed(found.weighted, SHOWN));
  write("entry-mean", fixed(found.mean, SHOWN));
  write("entry-variance", fixed(found.variance, SHOWN));
  write("entry-floor", fixed(routed.floor, 2));
  write("entry-deviation", fixed(found.deviation, SHOWN));
  const traced = {
    mean: routed.means(step, parent)[entry],
    deviation: routed.deviations(step, parent)[entry],
  };
  const from = `${routed.children.length} votes for ${name}`;
  write(
    "entry-check",
    `Worked out on this page from ${from}. ${checkWords(found, traced)}`,
  );
}

/**
 * What the network's own mean and deviation are, and why they differ from those worked out.
 * @param {Pick<Entry, "mean" | "deviation" | "most">} worked
 * @param {{ mean: number, deviation: number }} traced
 */
export function checkWords({ most, ...worked }, traced) {
  const says = `The network’s trace says μ = ${fixed(traced.mean, SHOWN)}, σ = ${fixed(traced.deviation, SHOWN)}`;
  const apart = /** @type {const} */ (["mean", "deviation"]).map((name) => ({
    difference: traced[name] - worked[name],
    most: most[name],
    isSame: fixed(traced[name], SHOWN) === fixed(worked[name], SHOWN),
  }));
  if (apart.every(({ isSame }) => isSame)) return `${says}: the same.`;
  const beyond = apart.map(({ difference, most }) => Math.abs(difference) - most);
  const worst = apart[largestOf(beyond)];
  return `${says}; ${differenceWords(worst.difference, worst.most, "votes and assignments come in half precision, which keeps about three digits")}.`;
}

/**
 * @param {ReturnType<typeof writer>} write @param {EmScene} scene
 * @param {ReturnType<typeof costOf>} cost
 */
function writeCost(write, { routed, step, parent }, cost) {
  write("mass", fixed(cost.mass, SHOWN));
  write("even", fixed(cost.even, SHOWN));
  write("ratio", fixed(cost.mass / (cost.even || 1), SHOWN));
  write("beta-u", signed(cost.betaU, SHOWN));
  write("logs", fixed(sum(cost.logs), SHOWN));
  write("each", fixed(cost.each, SHOWN));
  write("cost", fixed(cost.cost, SHOWN));
  write("beta-a", fixed(cost.betaA, SHOWN));
  write("lambda", fixed(cost.lambda, 4));
  write("logit", fixed(cost.logit, SHOWN));
  write("activation", fixed(cost.activation, SHOWN));
  write(
    "cost-check",
    `The network’s trace says cost ${fixed(routed.cost(step, parent), SHOWN)} and activation ${fixed(routed.activation(step, parent), SHOWN)}.`,
  );
}

/**
 * What the E-step that follows the iteration on show assigns of the chosen child; after
 * the last one, that which led to it.
 * @param {ReturnType<typeof writer>} write @param {HTMLElement} table
 * @param {EmScene} scene
 */
function writeClaims(write, table, { routed, step, child, place }) {
  const isLast = step === routed.iterations - 1;
  const from = isLast ? step - 1 : step;
  write("child", placeInWords(place));
  if (from < 0) {
    write(
      "claims-words",
      "One iteration runs: there is no E-step, and assignments stay even.",
    );
    table.replaceChildren();
    return;
  }
  write(
    "claims-words",
    `The E-step after iteration ${from + 1} assigns it anew. The claim of each capsule above is log a + log p, and R is the softmax of the claims. Beside it stands the R that iteration ${from + 2} used.`,
  );
  const claims = claimsOn(routed, from, child);
  const used = routed.assignments(from + 1);
  const here = claims.filter(({ parent }) => parent >= 0);
  const away = claims.filter(({ parent }) => parent < 0);
  const rows = here.map((claim) => [
    ...numbersOf(claim),
    used[child * routed.parents + claim.parent],
  ]);
  const names = here.map(({ parent }) => routed.names[parent]);
  const made = valueTable(rows.flat(), {
    rows: rows.length,
    columns: 6,
    rowNames: names,
    columnNames: ["log a", "− ½ Σ ((V − μ)/σ)²", "− Σ log σ", "claim", "R", "used"],
    corner: routed.isToClasses ? "class" : "type",
  });
  rows.forEach((row, i) => {
    const cells = made.tBodies[0].rows[i].cells;
    [row[4], row[5]].forEach((share, j) => {
      cells[5 + j].textContent = exactShare(share);
    });
  });
  const total = away.reduce((sum, { share }) => sum + share, 0);
  write(
    "claims-away",
    away.length === 0
      ? ""
      : `${away.length} capsules at other places see it too; together they get ${percent(total, 1)}.`,
  );
  markStrongest(made, here);
  table.replaceChildren(made);
}

/** @param {Claim} claim */
function numbersOf({ activation, distance, logs, total, share }) {
  return [activation, -distance, -logs, total, share];
}

/** @param {HTMLTableElement} table @param {readonly Claim[]} claims */
function markStrongest(table, claims) {
  const most = Math.max(...claims.map(({ share }) => share));
  claims.forEach(({ share }, i) => {
    table.tBodies[0].rows[i].classList.toggle("is-focused", share === most);
  });
}

/**
 * Sixteen numbers as a matrix, one of which is in focus.
 * @param {HTMLElement} root @param {EmRoom} room
 */
function sixteen(root, { scenes, store }) {
  const grid = numberGrid(root);
  const format = (/** @type {number} */ value) => compact(value, SHOWN);
  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, ...entryPlace(scenes.shown()?.entry ?? 0) }),
    choose: (cell) => store.set({ entry: entryAt(cell) }),
    hover: grid.point,
  });
  return {
    /**
     * @param {ArrayLike<number>} values @param {number} entry
     * @param {"sign" | "size"} [kind] whether a value's sign or its size is told by colour
     */
    show(values, entry, kind = "sign") {
      const most = reach(values) || 1;
      const scale = kind === "sign" ? diverging(most) : sequential(0, most);
      grid.show(values, { rows: SIDE, columns: SIDE, scale, format });
      grid.choose(entryPlace(entry));
    },
  };
}
