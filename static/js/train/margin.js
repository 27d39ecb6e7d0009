/**
 * What the lengths on show cost by margin loss, and the way on which that cost changes weights.
 * @import { Model } from "../types.js"
 * @import { Content } from "../ui/h.js"
 */
import { plot } from "../draw/plot.js";
import { fixed } from "../lib/format.js";
import { h } from "../ui/h.js";

/** @typedef {{ present: number, absent: number, weight: number }} Margins */

const STEPS = 50; // of the curves

/**
 * @param {Pick<Model, "card" | "scores">} model
 * @returns {Margins | null} null where it was not trained by margins of lengths
 */
export function marginsOf({ card, scores }) {
  const { class_loss, present_margin, absent_margin, absent_weight } =
    /** @type {any} */ (card).loss ?? {};
  const isMargin = scores === "length" && class_loss !== "cross_entropy";
  if (!isMargin || present_margin === undefined) return null;
  return { present: present_margin, absent: absent_margin, weight: absent_weight };
}

/** @param {Margins} margins @param {number} length of the class that is there */
export const costThere = ({ present }, length) => Math.max(0, present - length) ** 2;

/** @param {Margins} margins @param {number} length of a class that is not there */
export const costElsewhere = ({ absent, weight }, length) =>
  weight * Math.max(0, length - absent) ** 2;

/**
 * What each length costs, in sum and at worst, and how the error reaches the weights W.
 * @param {Margins} margins @param {ArrayLike<number>} lengths @param {number} there
 * @param {readonly string[]} names @param {boolean} isRouted by agreement
 */
export function costWords(margins, lengths, there, names, isRouted) {
  const { present, absent, weight } = margins;
  const length = lengths[there];
  const others = Array.from(lengths, (length, i) =>
    i === there ? 0 : costElsewhere(margins, length),
  );
  const elsewhere = others.reduce((so, cost) => so + cost, 0);
  const slope = 2 * Math.max(0, present - length);
  const pull =
    slope === 0
      ? `At ${fixed(length, 2)}, ${names[there]} costs nothing: nothing lengthens it further.`
      : `${names[there]} is ${fixed(length, 2)} long and costs (${present} − ${fixed(length, 2)})² = ${fixed(costThere(margins, length), 3)}; the slope, 2 × ${fixed(present - length, 2)} = ${fixed(slope, 2)}, is how hard training lengthens it.`;
  const rest = `The other lengths cost ${weight} × (length − ${absent})² each where they are above ${absent}: ${fixed(elsewhere, 3)} together.`;
  const way = isRouted
    ? ` From v, the error goes back through squash to the sum s, from s to each vote in proportion to its coupling c of the last iteration, and from a vote û = W·u to its W in proportion to u. The iterations before only made c: no error goes through them.`
    : "";
  return `${pull} ${rest}${way}`;
}

/**
 * @param {Margins} margins @param {ArrayLike<number>} lengths @param {number} there
 * @param {readonly string[]} names @param {boolean} isRouted
 * @returns {Content}
 */
export function marginLoss(margins, lengths, there, names, isRouted) {
  const x = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS);
  const axis = { low: 0, high: 1, ticks: [0, 0.5, 1], write: String };
  const dots = Array.from(lengths, (length, i) => ({ length, isThere: i === there }));
  const costOf = (/** @type {typeof dots[number]} */ { length, isThere }) =>
    (isThere ? costThere : costElsewhere)(margins, length);
  return h(
    "section",
    { class: "train-margin", "aria-labelledby": "train-margin" },
    h("h4", { id: "train-margin" }, "What these lengths cost: the margin loss"),
    plot(
      [
        {
          x,
          y: x.map((length) => costThere(margins, length)),
          name: `${names[there]}, which is there`,
          look: "is-focused",
        },
        {
          x,
          y: x.map((length) => costElsewhere(margins, length)),
          name: "any other",
          look: "is-set-off",
        },
        { x: dots.map(({ length }) => length), y: dots.map(costOf), as: "dots" },
      ],
      {
        label: "Cost over length",
        isSilent: true,
        x: { ...axis, title: "length" },
        y: { low: 0, high: 1, ticks: [0, 0.5, 1], write: String },
      },
    ),
    h("p", { class: "fine" }, costWords(margins, lengths, there, names, isRouted)),
  );
}
