/**
 * What is folded away under the microscope: the vote in focus on its way through an
 * iteration. Escape folds it up again.
 * @import { Scale } from "../../../../lib/color.js"
 * @import { Content } from "../../../../ui/h.js"
 * @import { CapsuleScene } from "./panel.js"
 * @import { VoteInFull } from "./one-vote.js"
 * @import { Cell } from "./table.js"
 */
import { legend } from "../../../../draw/tiles.js";
import { reach } from "../../../../lib/arithmetic.js";
import { color, cssColor, diverging, readableOn } from "../../../../lib/color.js";
import { bare } from "../../../../lib/decimals.js";
import { fixed } from "../../../../lib/format.js";
import { differenceWords, SAME } from "../../../../lib/precision.js";
import { h, note } from "../../../../ui/h.js";
import { fold } from "../../../../ui/values.js";
import { hasVotes, votesName } from "../answers.js";
import { poseAt } from "../sums.js";
import { DECIMALS } from "./course.js";
import { PRODUCT_DECIMALS, voteInFull, voteOf } from "./one-vote.js";
import { rowOf, table } from "./table.js";

/** @param {CapsuleScene} n @returns {Content} */
export function voteFold(n) {
  const { layer, name } = n.scene;
  if (!hasVotes(layer)) return null;
  const title = `Inside its vote for ${name}: number by number from û to û·v`;
  return fold(title, () => insideOf(n), { "data-vote": "" });
}

/** Unfold it and go there. @param {Event} event of the panel */
export function openVote({ target }) {
  const panel = target instanceof Element ? target.closest(".capsule") : null;
  const vote = panel?.querySelector("[data-vote]");
  if (!(vote instanceof HTMLDetailsElement)) return;
  vote.open = true;
  vote.querySelector("summary")?.focus();
}

/** Fold it up, where the key was pressed in it. @param {KeyboardEvent} event */
export function closeVote(event) {
  const { target } = event;
  const vote = target instanceof Element && target.closest("[data-vote][open]");
  if (!(vote instanceof HTMLDetailsElement)) return;
  event.preventDefault();
  vote.open = false;
  vote.querySelector("summary")?.focus();
}

/**
 * The vote in focus, number by number: what it adds, what all capsules add, what squash
 * leaves, and how the vote agrees with that.
 * @param {CapsuleScene} n
 */
function insideOf({ scene, now }) {
  const { tensors, more, capsule, classIndex, step, layer } = scene;
  const votes = more[votesName(layer, classIndex)];
  if (votes === undefined)
    return h(
      "p",
      { class: "fine", role: "status" },
      "Loading the votes of this image …",
    );
  const vote = voteOf(votes, capsule);
  const coupling = now.couplings[classIndex];
  const full = voteInFull(vote, coupling, poseAt(tensors.capsules, step, classIndex));
  const scale = diverging(Math.max(reach(full.vote), reach(full.capsule)) || 1);
  const products = diverging(reach(full.products) || 1);
  const decimals = PRODUCT_DECIMALS;
  const rows = [
    vectorRow("û, the vote", full.vote, { scale }),
    vectorRow(`c · û, c = ${fixed(coupling, DECIMALS)}`, full.added, { decimals }),
    vectorRow("s, all added up", full.total, { decimals: full.decimals }),
    vectorRow(`v = ${full.factor} · s`, full.capsule, { scale }),
    vectorRow(
      "û × v",
      full.products,
      { decimals, scale: products },
      fixed(full.sum, PRODUCT_DECIMALS),
    ),
  ];
  return h(
    "div",
    {},
    table({
      label: "The vote in focus, number by number",
      look: "heat-table",
      caption: h(
        "caption",
        { class: "unseen" },
        "The vote in focus, one column for each of its numbers",
      ),
      head: ["number", ...Array.from(vote, (_, i) => String(i + 1)), "sum"],
      rows,
      bodyLook: { "data-vote-rows": "" },
    }),
    h(
      "div",
      { class: "capsule-legends" },
      legend(scale, "a number of û, or of v"),
      legend(products, "û × v", 4),
    ),
    note(agreementWords(full, now.agreement[classIndex])),
  );
}

/**
 * What the products add up to, and the network's own agreement.
 * @param {Pick<VoteInFull, "sum" | "most">} full @param {number} agreement as it is written
 */
export function agreementWords({ sum, most }, agreement) {
  const cause =
    "votes and agreements come in half precision, which keeps about three digits";
  if (Math.abs(agreement - sum) <= most) return SAME;
  return `The products add up to ${fixed(sum, PRODUCT_DECIMALS)}; the network's own û·v is ${fixed(agreement, DECIMALS)}: ${differenceWords(agreement - sum, most, cause)}.`;
}

/**
 * @param {string} name @param {readonly number[]} values @param {Heat} look
 * @param {string} [sum] of the values
 */
const vectorRow = (name, values, look, sum = "") =>
  rowOf(name, [...heatCells(values, look), { text: sum }]);

/**
 * @typedef {object} Heat
 * @property {number} [decimals]
 * @property {Scale} [scale] of the tint; none where it is absent
 */

/**
 * Values as tinted cells with the numbers in them: a picture and its table in one.
 * @param {ArrayLike<number>} values @param {Heat} look
 * @returns {Cell[]}
 */
const heatCells = (values, { decimals = DECIMALS, scale }) =>
  Array.from(values, (value) => ({
    text: bare(value, decimals),
    ...(scale && {
      color: cssColor(scale, value),
      ink: readableOn(color(scale, value)),
    }),
  }));
