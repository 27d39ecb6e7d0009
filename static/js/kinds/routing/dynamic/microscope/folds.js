/**
 * What is folded away under the microscope: what the capsule found, its votes, and the vote
 * in focus on its way through an iteration. It is drawn, and its tensors are fetched, only
 * while it is open. Escape folds it up again.
 * @import { Scale } from "../../../../lib/color.js"
 * @import { CellText, RowText } from "../../../../ui/tables.js"
 * @import { Layer, Tensor } from "../../../types.js"
 * @import { DynamicRoom, DynamicScene as Scene } from "../types.js"
 * @import { CapsuleScene } from "./index.js"
 * @import { VoteInFull } from "./one-vote.js"
 */
import { reach } from "../../../../lib/arithmetic.js";
import { color, cssColor, diverging, readableOn } from "../../../../lib/color.js";
import { bare } from "../../../../lib/decimals.js";
import { fixed, signed } from "../../../../lib/format.js";
import { memoize, memoizeByObject } from "../../../../lib/memoize.js";
import { differenceWords } from "../../../../lib/precision.js";
import { find, findElement, make, setText } from "../../../../ui/dom.js";
import { showLegend } from "../../../../ui/pictures.js";
import { onRow } from "../../../../ui/pointing.js";
import { fillRows } from "../../../../ui/tables.js";
import { lengthsOf, squashCurve } from "../../../capsules/squash.js";
import { votesName } from "../answers.js";
import { askFor, chooseClass } from "../scene.js";
import { poseAt } from "../sums.js";
import { DECIMALS } from "./course.js";
import { PRODUCT_DECIMALS, voteInFull, voteOf } from "./one-vote.js";

const FOUND_DECIMALS = 3;
const VOTE_DECIMALS = 2;

/** @typedef {"found" | "votes" | "vote"} FoldName */

/** What each needs on top of what the view draws anyway. @type {Record<FoldName, (scene: Scene, layer: Layer) => string[]>} */
const NEEDED = {
  found: (_, { tensors }) => [tensors.pre, tensors.found].filter(Boolean),
  votes: (_, { tensors }) => [tensors.votes].filter(Boolean),
  vote: ({ classIndex, more }, layer) =>
    "votes" in more ? [] : [votesName(layer, classIndex)],
};

const NAMES = /** @type {FoldName[]} */ (Object.keys(NEEDED));

/**
 * @param {HTMLElement} panel @param {DynamicRoom} room
 * @param {() => void} draw called when something is unfolded
 */
export function mountFolds(panel, room, draw) {
  const { layer } = room;
  const folds = new Map(
    NAMES.map((name) => [
      name,
      find(panel, `[data-fold="${name}"]`, HTMLDetailsElement),
    ]),
  );
  for (const fold of folds.values()) fold.addEventListener("toggle", () => draw());
  panel.addEventListener("keydown", (event) => {
    const { target } = event;
    const fold = target instanceof Element && target.closest("[data-fold][open]");
    if (event.key !== "Escape" || !(fold instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    fold.open = false;
    find(fold, "summary", HTMLElement).focus();
  });
  const shows = {
    found: mountFound(panel),
    votes: mountVotes(panel, room),
    vote: mountVote(panel, layer),
  };
  const nameOfClass = findElement(panel, "[data-vote-digit]");
  const open = () => NAMES.filter((name) => folds.get(name)?.open);

  return {
    /** @param {FoldName} name unfold it and go there */
    open(name) {
      const fold = folds.get(name);
      if (!fold) return;
      fold.open = true;
      find(fold, "summary", HTMLElement).focus();
    },

    /** @param {CapsuleScene} capsuleScene */
    show(capsuleScene) {
      const { scene } = capsuleScene;
      setText(nameOfClass, scene.name);
      askFor(
        room,
        "microscope",
        open().flatMap((name) => NEEDED[name](scene, layer)),
      );
      for (const name of open()) shows[name](capsuleScene);
    },
  };
}

/** One axis for all capsules of an image needs the lengths of all. */
const lengthsBeforeIn = memoizeByObject(
  (/** @type {Tensor} */ pre) => pre,
  ({ shape, data }) => lengthsOf(data, shape.slice(-1)[0]),
);

/**
 * What the chosen capsule found: its numbers before and after squash, and its place on
 * squash's curve.
 * @param {HTMLElement} panel
 */
function mountFound(panel) {
  const head = find(panel, "[data-found-head]", HTMLTableSectionElement);
  const rows = find(panel, "[data-found-rows]", HTMLTableSectionElement);
  const legend = findElement(panel, "[data-found-legend]");
  const caption = findElement(panel, "[data-found-length]");
  const curve = squashCurve(find(panel, "[data-found-curve]", SVGSVGElement), caption);
  curve.point.setAttribute("data-term", "length");

  const draw = memoize(
    (
      /** @type {Tensor} */ pre,
      /** @type {Tensor} */ found,
      /** @type {Tensor} */ lengths,
      /** @type {number} */ capsule,
    ) => {
      const [dim] = pre.shape.slice(-1);
      const [before, after] = [pre, found].map(({ data }) =>
        data.subarray(capsule * dim, (capsule + 1) * dim),
      );
      const scale = diverging(reach(before) || 1);
      const lengthsBefore = lengthsBeforeIn(pre);
      /** @param {string} name @param {Float32Array} values @param {number} length */
      const row = (name, values, length) => ({
        head: { text: name },
        cells: [
          ...heatCells(values, {
            scale,
            format: (value) => fixed(value, FOUND_DECIMALS),
            term: (place) => `found.${place}`,
          }),
          { text: fixed(length, FOUND_DECIMALS), term: "length" },
        ],
      });
      numberColumns(head, { corner: "number", count: dim, after: ["length"] });
      fillRows(rows, [
        row("before, s", before, lengthsBefore[capsule]),
        row("after, u", after, Math.hypot(...after)),
      ]);
      showLegend(legend, scale, { unit: "a number of the capsule", decimals: 2 });
      curve.show({ lengths, lengthsBefore }, capsule);
    },
  );
  return (/** @type {CapsuleScene} */ { scene: { tensors, more, capsule } }) => {
    const { pre, found } = more;
    if (pre && found) draw(pre, found, tensors.lengths, capsule);
  };
}

/**
 * The chosen capsule's votes, one row for each class, with what becomes of each.
 * @param {HTMLElement} panel @param {DynamicRoom} room
 */
function mountVotes(panel, room) {
  const wait = findElement(panel, "[data-ten-wait]");
  const body = findElement(panel, "[data-ten-body]");
  const head = find(panel, "[data-ten-head]", HTMLTableSectionElement);
  const rows = find(panel, "[data-ten-rows]", HTMLTableSectionElement);
  const legend = findElement(panel, "[data-ten-legend]");
  onRow(rows, (classIndex) => chooseClass(room, classIndex));

  /** The votes; what becomes of them changes more often. */
  const heatOf = memoize(
    (
      /** @type {Tensor} */ votes,
      /** @type {number} */ capsule,
      /** @type {number} */ classIndex,
    ) => {
      const [classes, dim] = votes.shape.slice(-2);
      const from = capsule * classes * dim;
      const all = votes.data.subarray(from, from + classes * dim);
      const scale = diverging(reach(all) || 1);
      numberColumns(head, { corner: "û for", count: dim, after: ["c", "û·v"] });
      showLegend(legend, scale, { unit: "a number of a vote û", decimals: 2 });
      return Array.from({ length: classes }, (_, j) =>
        heatCells(all.subarray(j * dim, (j + 1) * dim), {
          scale,
          format: (value) => bare(value, VOTE_DECIMALS),
          term: (d) => (j === classIndex ? `u.${d}` : `vote.${j}.${d}`),
        }),
      );
    },
  );
  return (/** @type {CapsuleScene} */ { scene, now }) => {
    const { model, capsule, classIndex } = scene;
    const { votes } = scene.more;
    wait.hidden = votes !== undefined;
    body.hidden = votes === undefined;
    if (votes === undefined) return;
    fillRows(
      rows,
      heatOf(votes, capsule, classIndex).map((cells, j) => {
        const isFocused = j === classIndex;
        const terms = termsOf(isFocused, `.${j}`);
        const after = [
          { text: fixed(now.couplings[j], DECIMALS), term: terms("c") },
          { text: signed(now.agreement[j], DECIMALS), term: terms("a") },
        ];
        const name = { text: model.class_names[j] };
        return { head: name, isFocused, cells: [...cells, ...after] };
      }),
    );
  };
}

/**
 * The vote in focus, number by number: what it adds, what all capsules add, what squash
 * leaves, and how the vote agrees with that.
 * @param {HTMLElement} panel @param {Layer} layer
 */
function mountVote(panel, layer) {
  const wait = findElement(panel, "[data-vote-wait]");
  const body = findElement(panel, "[data-vote-body]");
  const head = find(panel, "[data-vote-head]", HTMLTableSectionElement);
  const rows = find(panel, "[data-vote-rows]", HTMLTableSectionElement);
  const poseLegend = findElement(panel, "[data-vote-legend]");
  const productLegend = findElement(panel, "[data-product-legend]");
  const words = findElement(panel, "[data-vote-words]");

  return (/** @type {CapsuleScene} */ { scene, now, squash }) => {
    const { tensors, more, capsule, classIndex, step } = scene;
    const vote = voteOf(
      more[votesName(layer, classIndex)],
      more.votes,
      capsule,
      classIndex,
    );
    wait.hidden = vote !== null;
    body.hidden = vote === null;
    if (vote === null) return;
    const coupling = now.couplings[classIndex];
    const full = voteInFull(vote, coupling, poseAt(tensors.capsules, step, classIndex));
    const scale = diverging(Math.max(reach(full.vote), reach(full.capsule)) || 1);
    const products = diverging(reach(full.products) || 1);
    const factor = fixed(squash.factor, squash.decimals);
    const sum = fixed(full.sum, PRODUCT_DECIMALS);
    const pose = { scale, partOf: (/** @type {number} */ place) => `p.${place}` };
    const product = { decimals: PRODUCT_DECIMALS };
    numberColumns(head, { corner: "number", count: vote.length, after: ["sum"] });
    fillRows(rows, [
      vectorRow("û, the vote", full.vote, { ...pose, term: "u" }),
      vectorRow(`c · û, c = ${fixed(coupling, DECIMALS)}`, full.added, {
        ...product,
        term: "w",
      }),
      vectorRow("s, all added up", full.total, { term: "s" }),
      vectorRow(`v = ${factor} · s`, full.capsule, { ...pose, term: "v" }),
      vectorRow(
        "û × v",
        full.products,
        { ...product, scale: products, term: "p", partOf: () => "a" },
        { text: sum, term: "a" },
      ),
    ]);
    showLegend(poseLegend, scale, { unit: "a number of û, or of v" });
    showLegend(productLegend, products, { unit: "û × v", decimals: 4 });
    const agreement = now.agreement[classIndex];
    setText(words, agreementWords(full, agreement));
  };
}

/**
 * What the products add up to, and the network's own agreement.
 * @param {Pick<VoteInFull, "sum" | "most">} full @param {number} agreement as it is written
 */
export function agreementWords({ sum, most }, agreement) {
  const apart = signed(agreement - sum, PRODUCT_DECIMALS);
  const cause =
    "votes and agreements come in half precision, which keeps about three digits";
  const why =
    Number(apart) === 0
      ? "the same"
      : `a difference of ${apart}: ${differenceWords(agreement - sum, most, cause)}`;
  return `The products add up to ${fixed(sum, PRODUCT_DECIMALS)}; the network's own û·v is ${fixed(agreement, DECIMALS)}, ${why}.`;
}

/**
 * @param {string} name @param {readonly number[]} values @param {object} look
 * @param {string} look.term
 * @param {number} [look.decimals]
 * @param {Scale | null} [look.scale] of the tint
 * @param {(place: number) => string} [look.partOf]
 * @param {CellText} [sum] of the values
 * @returns {RowText}
 */
function vectorRow(name, values, look, sum = { text: "" }) {
  const { term, decimals = DECIMALS, scale = null, partOf } = look;
  const cells = heatCells(values, {
    scale,
    format: (value) => bare(value, decimals),
    term: (place) => `${term}.${place}`,
    partOf,
  });
  return { head: { text: name }, cells: [...cells, sum] };
}

/**
 * The names of a number: its own, and that of the number in focus where it is that.
 * @param {boolean} isFocused
 * @param {string} mark such as ".7" or "@0"
 */
export function termsOf(isFocused, mark) {
  return (/** @type {string} */ term) =>
    isFocused ? `${term} ${term}${mark}` : `${term}${mark}`;
}

/**
 * A row of values as tinted cells with the numbers in them: a picture and its table in one.
 * @param {ArrayLike<number>} values @param {object} options
 * @param {Scale | null} options.scale null for numbers without a tint
 * @param {(value: number) => string} options.format
 * @param {(place: number) => string} options.term
 * @param {(place: number) => string} [options.partOf]
 * @returns {CellText[]}
 */
function heatCells(values, { scale, format, term, partOf }) {
  return Array.from(values, (value, place) => ({
    text: format(value),
    term: term(place),
    ...(partOf && { partOf: partOf(place) }),
    ...(scale && {
      color: cssColor(scale, value),
      ink: readableOn(color(scale, value)),
    }),
  }));
}

/**
 * A table's head that numbers its columns from 1.
 * @param {HTMLTableSectionElement} head
 * @param {{ corner: string, count: number, after: readonly string[] }} options corner: of
 *   the rows' names; after: names of further columns
 */
function numberColumns(head, { corner, count, after }) {
  const numbers = Array.from({ length: count }, (_, i) => String(i + 1));
  const names = [corner, ...numbers, ...after];
  if (head.rows[0]?.cells.length === names.length) return;
  const cells = names.map((name) => make("th", { scope: "col" }, name));
  head.replaceChildren(make("tr", "", ...cells));
}
