/**
 * What is folded away under the microscope: the capsule's votes, and the vote in focus on its
 * way through an iteration. Their tensors are fetched only while they are open. Escape folds
 * them up again.
 * @import { Scale } from "../../../../lib/color.js"
 * @import { Content } from "../../../../ui/h.js"
 * @import { DynamicScene, PanelAct } from "../types.js"
 * @import { CapsuleScene } from "./panel.js"
 * @import { VoteInFull } from "./one-vote.js"
 * @import { Cell } from "./table.js"
 */
import { legend } from "../../../../draw/tiles.js";
import { reach } from "../../../../lib/arithmetic.js";
import { color, cssColor, diverging, readableOn } from "../../../../lib/color.js";
import { bare } from "../../../../lib/decimals.js";
import { fixed, signed } from "../../../../lib/format.js";
import { differenceWords, SAME } from "../../../../lib/precision.js";
import { h } from "../../../../ui/h.js";
import { hasVotes, votesName } from "../answers.js";
import { poseAt } from "../sums.js";
import { DECIMALS } from "./course.js";
import { PRODUCT_DECIMALS, voteInFull, voteOf } from "./one-vote.js";
import { rowOf, table } from "./table.js";

const VOTE_DECIMALS = 2;

/** @typedef {"votes" | "vote"} FoldName */

/**
 * What is needed on top of what the view draws anyway.
 * @param {DynamicScene} scene @param {readonly FoldName[]} open what is unfolded
 */
export function neededBy({ layer, classIndex, more }, open) {
  const isHere = "votes" in more;
  return open.flatMap((name) => {
    if (name === "votes") return [layer.tensors.votes];
    return isHere ? [] : [votesName(layer, classIndex)];
  });
}

/** @param {CapsuleScene} n @param {PanelAct} act @returns {Content} */
export function foldsIn(n, { chooseClass, unfold }) {
  const { layer, nouns, name, pointed: open = [] } = n.scene;
  if (!hasVotes(layer)) return null;
  const waits = h(
    "p",
    { class: "fine", role: "status" },
    "Loading the votes of this image …",
  );
  const folds = /** @type {const} */ ([
    ["votes", `Its votes: a pose for every ${nouns.one}`, votesOf(n, chooseClass)],
    [
      "vote",
      `Inside its vote for ${name}: number by number from û to û·v`,
      insideOf(n),
    ],
  ]);
  return folds.map(([fold, summary, content]) =>
    h(
      "details",
      {
        "data-fold": fold,
        ontoggle: (/** @type {any} */ { target }) => unfold(fold, target.open),
      },
      h("summary", {}, summary),
      h("div", {}, open.includes(fold) && (content() ?? waits)),
    ),
  );
}

/** Unfold it and go there. @param {Event} event of the panel @param {FoldName} name */
export function openFold({ target }, name) {
  const panel = target instanceof Element ? target.closest(".capsule") : null;
  const fold = panel?.querySelector(`[data-fold="${name}"]`);
  if (!(fold instanceof HTMLDetailsElement)) return;
  fold.open = true;
  fold.querySelector("summary")?.focus();
}

/** Fold up what the key was pressed in. @param {KeyboardEvent} event */
export function closeFold(event) {
  const { target } = event;
  const fold = target instanceof Element && target.closest("[data-fold][open]");
  if (!(fold instanceof HTMLDetailsElement)) return;
  event.preventDefault();
  fold.open = false;
  fold.querySelector("summary")?.focus();
}

/** @param {number} count @param {string} corner @param {...string} after */
const numbered = (count, corner, ...after) => [
  corner,
  ...Array.from({ length: count }, (_, i) => String(i + 1)),
  ...after,
];

/**
 * The chosen capsule's votes, one row for each class, with what becomes of each.
 * @param {CapsuleScene} n @param {PanelAct["chooseClass"]} choose
 */
const votesOf =
  ({ scene, now }, choose) =>
  () => {
    const { model, capsule, classIndex, nouns, more } = scene;
    const { votes } = more;
    if (votes === undefined) return null;
    const [classes, dim] = votes.shape.slice(-2);
    const from = capsule * classes * dim;
    const all = votes.data.subarray(from, from + classes * dim);
    const scale = diverging(reach(all) || 1);
    const rows = model.class_names.map((name, j) => {
      const own = all.subarray(j * dim, (j + 1) * dim);
      const cells = [
        ...heatCells(own, { scale, decimals: VOTE_DECIMALS }),
        { text: fixed(now.couplings[j], DECIMALS) },
        { text: signed(now.agreement[j], DECIMALS) },
      ];
      return rowOf(name, cells, j === classIndex, () => choose(j));
    });
    return h(
      "div",
      {},
      table({
        label: `The votes of the chosen capsule, one row for each ${nouns.one}`,
        look: "heat-table",
        caption: h("caption", { class: "unseen" }, "Votes û of the chosen capsule"),
        head: numbered(dim, "û for", "c", "û·v"),
        rows,
        bodyLook: { "data-ten-rows": "" },
      }),
      legend(scale, "a number of a vote û", 2),
    );
  };

/**
 * The vote in focus, number by number: what it adds, what all capsules add, what squash
 * leaves, and how the vote agrees with that.
 * @param {CapsuleScene} n
 */
const insideOf =
  ({ scene, now }) =>
  () => {
    const { tensors, more, capsule, classIndex, step, layer } = scene;
    const one = more[votesName(layer, classIndex)];
    const vote = voteOf(one, more.votes, capsule, classIndex);
    if (vote === null) return null;
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
        look: "heat-table is-wide",
        caption: h(
          "caption",
          { class: "unseen" },
          "The vote in focus, one column for each of its numbers",
        ),
        head: numbered(vote.length, "number", "sum"),
        rows,
        bodyLook: { "data-vote-rows": "" },
      }),
      h(
        "div",
        { class: "capsule-legends" },
        legend(scale, "a number of û, or of v"),
        legend(products, "û × v", 4),
      ),
      h("p", { class: "fine" }, agreementWords(full, now.agreement[classIndex])),
    );
  };

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
