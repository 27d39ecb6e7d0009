/**
 * The chosen vote step by step, from the capsule to what it adds to the length of its class;
 * each number opened down to its products.
 * @import { AttentionPanel, AttentionScene } from "./types.js"
 * @import { Steps } from "./sums.js"
 */
import { fixed, signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { differenceWords, HALF } from "../../../lib/precision.js";
import { find, findElement, setText, writer } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { valueTable } from "../../../ui/tables.js";
import { alongSum, lengthOf, ofClass, sizesOf, stepsOf, voteOf } from "./sums.js";

const DECIMALS = 3;

const workedOut = memoize(stepsOf);

/** @typedef {{ scene: AttentionScene, steps: Steps }} Shown */

/** The tables that are folded away, by name. @type {Record<string, (shown: Shown) => HTMLTableElement>} */
const TABLES = {
  vote: voteTable,
  total: totalTable,
  product: productTable,
  softmax: softmaxTable,
  length: lengthTable,
};

/** @type {AttentionPanel} */
export function mountSteps(root, { scenes, store }) {
  const panel = findElement(root, "[data-steps]");
  const write = writer(panel);
  const entry = find(panel, "[data-entry]", HTMLInputElement);
  const folds = Object.entries(TABLES).map(([name, tableOf]) => {
    const fold = find(panel, `[data-fold="${name}"]`, HTMLDetailsElement);
    return { fold, place: findElement(fold, "[data-table]"), tableOf };
  });
  /** @type {Shown | null} */
  let shown = null;

  function fill() {
    if (shown === null) return;
    for (const { fold, place, tableOf } of folds)
      if (fold.open) place.replaceChildren(tableOf(shown));
  }
  for (const { fold } of folds) fold.addEventListener("toggle", fill);
  entry.addEventListener("input", () => store.set({ entry: Number(entry.value) - 1 }));

  /** @param {AttentionScene} scene */
  function draw(scene) {
    const { tensors, learned, ran, capsule, classIndex } = scene;
    const steps = workedOut(tensors, learned, ran, capsule, classIndex);
    shown = { scene, steps };
    entry.max = String(steps.vote.length);
    entry.value = String(scene.entry + 1);
    writeVote(write, shown);
    writeAgreement(write, shown);
    writeCoupling(write, shown);
    writeLength(write, shown);
    fill();
  }
  const ask = showSeenFirst(findElement(panel, "ol"), draw);
  scenes.watch((scene) => {
    setText(findElement(panel, "[data-title]"), titleOf(scene));
    ask(scene);
  });
}

/** @param {Pick<AttentionScene, "capsule" | "name">} scene */
const titleOf = ({ capsule, name }) => `capsule ${capsule} votes for ${name}`;

/** @typedef {ReturnType<typeof writer>} Write */

/** @param {Write} write @param {Shown} shown */
function writeVote(write, { scene, steps }) {
  const { capsule, entry, ran, tensors, classIndex } = scene;
  const { input, transform, vote, total } = steps;
  const { capsules } = sizesOf(tensors.votes);
  write("vote-size", `${transform.length} weights, ${input.length} numbers`);
  write("vote-length", fixed(lengthOf(vote), DECIMALS));
  write(
    "vote-words",
    ran.silenced.includes(capsule)
      ? "Silenced by surgery: its numbers count as 0, and so does its vote."
      : "",
  );
  write("entry-value", `${entry + 1} of ${vote.length}`);
  write("entry-sum", entryInWords(steps, entry));
  const sizes = Array.from(vote, (_, d) =>
    sizeOf(input, transform.subarray(d * input.length)),
  );
  const own = lengthOf(voteOf(tensors.votes, capsule, classIndex));
  write("vote-check", checkOf(lengthOf(vote), own, "‖û‖", lengthOf(sizes)));
  write("capsules", String(capsules));
  write("total-length", fixed(lengthOf(total), DECIMALS));
}

/**
 * One number of the vote with all its products.
 * @param {Pick<Steps, "input" | "transform" | "vote">} steps @param {number} entry
 */
export function entryInWords({ input, transform, vote }, entry) {
  const products = Array.from(
    input,
    (value, k) =>
      `${fixed(transform[entry * input.length + k], 2)} × ${fixed(value, 2)}`,
  );
  return `û${subscript(entry + 1)} = ${products.join(" + ")} = ${fixed(vote[entry], DECIMALS)}`;
}

/** @param {number} number */
const subscript = (number) =>
  String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

/**
 * That the page works out what the network did, or by how much it does not.
 * @param {number} here @param {number} traced @param {string} symbol
 * @param {number} size of all that was added up, without signs
 */
export function checkOf(here, traced, symbol, size) {
  const [own, its] = [here, traced].map((value) => fixed(value, DECIMALS));
  if (own === its) return `The network’s trace says the same: ${symbol} = ${its}.`;
  const why = differenceWords(
    traced - here,
    2 * HALF * size,
    "what it is made of was rounded to half precision",
  );
  return `The network’s trace says ${symbol} = ${its}: ${why}.`;
}

/** @param {ArrayLike<number>} one @param {ArrayLike<number>} other */
const sizeOf = (one, other) =>
  Array.from(one).reduce((size, value, i) => size + Math.abs(value * other[i]), 0);

/** @param {Write} write @param {Shown} shown */
function writeAgreement(write, { scene, steps }) {
  const { tensors, capsule, classIndex } = scene;
  const [, classes] = tensors.agreement.shape;
  const { product, scale, agreement, input } = steps;
  write("product", signed(product, DECIMALS));
  write("product-again", signed(product, DECIMALS));
  write("inputs", String(input.length));
  write("scale", fixed(scale, DECIMALS));
  write("agreement", signed(agreement, DECIMALS));
  const size = sizeOf(steps.vote, steps.total) / scale;
  const traced = tensors.agreement.data[capsule * classes + classIndex];
  write("agreement-check", checkOf(agreement, traced, "a", size));
}

/** @param {Write} write @param {Shown} shown */
function writeCoupling(write, { scene, steps }) {
  const { ran, classIndex } = scene;
  const { logits, exponentials, left, shares, held, prior, coupling } = steps;
  const own = logits[classIndex];
  write("exponent", held === null ? fixed(Math.exp(own), DECIMALS) : "–");
  write("exponentials", fixed(exponentials, DECIMALS));
  write("share", fixed(shares[classIndex], DECIMALS));
  write("share-again", fixed(shares[classIndex], DECIMALS));
  write("prior", held === null ? signed(prior, DECIMALS) : "–");
  write("coupling", fixed(coupling, DECIMALS));
  write("softmax-words", softmaxWords({ ran, held, left }));
}

/**
 * What surgery changes about the softmax.
 * @param {Pick<AttentionScene, "ran"> & Pick<Steps, "held" | "left">} scene
 */
export function softmaxWords({ ran, held, left }) {
  if (held !== null)
    return "Held there by surgery: neither attention nor the prior decides it.";
  const ignored =
    ran.routing === "uniform"
      ? "Surgery ignores attention: every class has e⁰ = 1."
      : "";
  const rest =
    left < 1
      ? `Another coupling of this capsule is held, so its shares are multiplied by ${fixed(left, 2)}.`
      : "";
  return [ignored, rest].filter((words) => words !== "").join(" ");
}

/** @param {Write} write @param {Shown} shown */
function writeLength(write, { scene, steps }) {
  const { coupling, along, gives, before, after } = steps;
  const { capsules } = scene.tensors;
  const dim = capsules.shape[1];
  const from = scene.classIndex * dim;
  const traced = lengthOf(capsules.data.subarray(from, from + dim));
  write("coupling-again", fixed(coupling, DECIMALS));
  write("along", signed(along, DECIMALS));
  write("gives", signed(gives, DECIMALS));
  write("before", fixed(before, DECIMALS));
  write("before-again", fixed(before, DECIMALS));
  write("rest", fixed(Math.exp(-before), DECIMALS));
  write("after", fixed(after, DECIMALS));
  write("length-check", checkOf(after, traced, "‖v‖", 2 * before));
}

/** @param {number} count @param {string} letter */
const numbered = (count, letter) =>
  Array.from({ length: count }, (_, d) => `${letter}${subscript(d + 1)}`);

/** Every product W·u of a vote, a row for each of its numbers. @param {Shown} shown */
function voteTable({ steps: { input, transform, vote } }) {
  const rows = Array.from(vote, (value, d) => [
    ...Array.from(input, (each, k) => transform[d * input.length + k] * each),
    value,
  ]);
  return valueTable(rows.flat(), {
    rows: rows.length,
    columns: input.length + 1,
    rowNames: numbered(vote.length, "û"),
    columnNames: [
      ...Array.from(input, (value, k) => `u${subscript(k + 1)} = ${fixed(value, 2)}`),
      "sum",
    ],
    corner: "W × u",
  });
}

/** All votes for the class, and their sum. @param {Shown} shown */
function totalTable({ scene, steps: { total } }) {
  const { tensors, classIndex } = scene;
  const { capsules, dim } = sizesOf(tensors.votes);
  const votes = Array.from({ length: capsules }, (_, i) =>
    Array.from(voteOf(tensors.votes, i, classIndex)),
  );
  return marked(
    valueTable([...votes, Array.from(total)].flat(), {
      rows: capsules + 1,
      columns: dim,
      rowNames: [...votes.map((_, i) => String(i)), "Σû"],
      columnNames: numbered(dim, "û"),
      corner: "capsule",
    }),
    scene.capsule,
  );
}

/** The dot product, number by number. @param {Shown} shown */
function productTable({ steps: { vote, total, product } }) {
  const rows = Array.from(vote, (value, d) => [value, total[d], value * total[d]]);
  return valueTable([...rows.flat(), Number.NaN, Number.NaN, product], {
    rows: rows.length + 1,
    columns: 3,
    rowNames: [...rows.map((_, d) => String(d + 1)), "sum"],
    columnNames: ["û", "Σû", "û × Σû"],
    corner: "number",
  });
}

/** The softmax over the classes, and the prior. @param {Shown} shown */
function softmaxTable({ scene, steps: { logits, shares } }) {
  const { model, learned, capsule, classIndex, tensors } = scene;
  const [, classes] = learned.prior.shape;
  const rows = Array.from(logits, (logit, n) => [
    logit,
    Math.exp(logit),
    shares[n],
    Number.isNaN(logit) ? Number.NaN : learned.prior.data[capsule * classes + n],
    tensors.couplings.data[capsule * classes + n],
  ]);
  return marked(
    valueTable(rows.flat(), {
      rows: rows.length,
      columns: 5,
      rowNames: model.class_names,
      columnNames: ["a", "eᵃ", "share", "prior b", "coupling c"],
      corner: "class",
    }),
    classIndex,
  );
}

/** What every capsule gives to the length of the class. @param {Shown} shown */
function lengthTable({ scene, steps: { before } }) {
  const { tensors, classIndex, figures, capsule } = scene;
  const couplings = ofClass(tensors.couplings, classIndex);
  const along = alongSum(tensors, classIndex);
  const evidence = figures.evidence(classIndex);
  const rows = Array.from(evidence, (given, i) => [couplings[i], along[i], given]);
  return marked(
    valueTable([...rows.flat(), Number.NaN, Number.NaN, before], {
      rows: rows.length + 1,
      columns: 3,
      rowNames: [...rows.map((_, i) => String(i)), "‖s‖"],
      columnNames: ["coupling c", "û·s ∕ ‖s‖", "gives"],
      corner: "capsule",
    }),
    capsule,
  );
}

/** @param {HTMLTableElement} table @param {number} row in focus */
function marked(table, row) {
  table.tBodies[0].rows[row].classList.add("is-focused");
  return table;
}
