/** Every sentence on attention routing, held to the numbers that it speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stepsOf } from "../../../../../static/js/kinds/routing/attention/numbers.js";
import {
  checksInWords,
  entryInWords,
  readVote,
  tell,
  tellPrior,
} from "../../../../../static/js/kinds/routing/attention/words.js";
import { exactShare } from "../../../../../static/js/lib/decimals.js";
import { numbersIn } from "../../../fixtures.js";
import { CAPSULES, CLASSES, dot, NAMES, norm, range, runs, total } from "./made.js";

/** The numbers of a sentence, as it writes them. */
const near = (value, expected, words, tolerance = 0.00051) =>
  assert.ok(
    Math.abs(value - expected) <= tolerance,
    `${value}, not ${expected}: ${words}`,
  );
const lower = (text) => text.toLowerCase();

/** One scene for each class of each run. */
function* stories() {
  for (const run of runs()) if (run.scene.capsule === 0) yield run;
}

const FAINT = "None is 0.5 long, so the network sees none of its classes; ";

test("who leads is told by the lengths of the capsules", () => {
  const kinds = new Set();
  for (const { scene, run } of stories()) {
    const [sentence] = tell(scene).split(". ");
    const lead = sentence.replace(FAINT, "");
    const lengths = run.capsules.map(norm);
    const order = range(CLASSES).sort((a, b) => lengths[b] - lengths[a]);
    const [first, second] = order.map((n) => lengths[n]);
    if (first === 0) {
      assert.equal(lead, "No class has any length");
      kinds.add("none");
    } else if (first.toFixed(3) === second.toFixed(3)) {
      assert.match(lead, /equally long/);
      kinds.add("equal");
    } else {
      const isNone = first < 0.5;
      assert.equal(sentence !== lead, isNone, sentence);
      const isClose = !isNone && first - second < 0.1 * first;
      assert.equal(lead.startsWith("A close thing"), isClose, lead);
      kinds.add(isClose ? "close" : "clear");
      const [highest, next] = numbersIn(lead);
      near(highest, first, lead);
      near(next, second, lead);
      const named = lower(lead).match(/zero|one|two|three/g);
      const alike = order.filter((n) => lengths[n].toFixed(3) === second.toFixed(3));
      assert.deepEqual(
        named.toSorted(),
        [order[0], ...alike].map((n) => NAMES[n]).toSorted(),
      );
    }
  }
  for (const kind of ["none", "close", "clear"]) assert.ok(kinds.has(kind), kind);
});

test("of a network that can name two classes, those that are named are told as such", () => {
  const present = { at_most: 2, threshold: 0.5 };
  const starts = ["None is long", "Only", ""];
  for (const { scene, run } of stories()) {
    const lengths = run.capsules.map(norm);
    const order = range(CLASSES).sort((a, b) => lengths[b] - lengths[a]);
    if (lengths[order[0]] === 0) continue;
    const [lead] = tell({ ...scene, model: { ...scene.model, present } }).split(". ");
    const figures = numbersIn(lead);
    const named = Math.min(2, lengths.filter((length) => length >= 0.5).length);
    const count = named === 2 ? 3 : 2;
    assert.ok(lead.startsWith(starts[named]), lead);
    assert.equal(figures.length, count, lead);
    for (const rank of range(count)) near(figures[rank], lengths[order[rank]], lead);
    if (new Set(figures).size === count)
      assert.deepEqual(
        lower(lead).match(/\b(zero|one|two|three)\b/g),
        order.slice(0, count).map((n) => NAMES[n]),
      );
  }
});

test("how few give most of a class follows from what each capsule gives", () => {
  let count = 0;
  for (const { scene, run } of stories()) {
    const { classIndex: n, name } = scene;
    const words = tell(scene);
    const length = norm(run.sums[n]);
    const amounts = range(CAPSULES).map((i) =>
      length === 0
        ? 0
        : (run.couplings[i][n] * dot(run.votes[i][n], run.sums[n])) / length,
    );
    const gifts = amounts.filter((gift) => gift > 0).toSorted((a, b) => b - a);
    if (gifts.length === 0) {
      assert.match(words, new RegExp(`No vote lengthens ${name}\\.`));
      continue;
    }
    const match = new RegExp(
      `(\\d+) of ${CAPSULES} capsules give ([\\d.]+)\\D*% of all that lengthens ${name}; the strongest, capsule (\\d+), gives ([\\d.]+)`,
    ).exec(words);
    if (match === null) {
      assert.match(words, /One capsule of/);
      continue;
    }
    count++;
    const whole = gifts.reduce((a, b) => a + b);
    const share = gifts.slice(0, Number(match[1])).reduce((a, b) => a + b) / whole;
    near(Number(match[2]) / 100, share, words, 0.0051);
    assert.ok(Math.abs(amounts[Number(match[3])] - gifts[0]) < 1e-6);
    near(Number(match[4]) / 100, gifts[0] / whole, words, 0.0051);
    if (length < 0.0005) continue;
    const takes = amounts.filter((gift) => gift < -1e-6).length;
    assert.equal(/shortens? it/.test(words), takes > 0, words);
  }
  assert.ok(count > 100);
});

test("shares are told as they are", () => {
  for (const { scene, run } of stories()) {
    const { classIndex: n, ran } = scene;
    const words = tell(scene);
    const shares = run.shares.map((row) => row[n]);
    const [low, high] = [Math.min(...shares), Math.max(...shares)];
    const between = /between (.+?) and (.+?) of a capsule/.exec(words);
    if (between === null) {
      assert.ok(high - low < 0.0011, words);
      assert.match(words, /Every capsule has the same share/);
    } else {
      assert.equal(between[1], exactShare(low, 3));
      assert.equal(between[2], exactShare(high, 3));
    }
    assert.equal(
      words.includes("ttention is ignored"),
      ran.routing === "uniform",
      words,
    );
    assert.equal(words.includes("held by surgery"), ran.pins.length > 0);
  }
});

test("what the prior does to an even share is told as it is", () => {
  const kinds = new Set();
  for (const { scene, network } of stories()) {
    const { classIndex: n, name } = scene;
    const words = tellPrior(scene);
    const mean = network.prior.reduce((sum, row) => sum + row[n], 0) / CAPSULES;
    const prior = new RegExp(
      `adds ([−+][\\d.]+) to a share for ${name} on average; an even share is left with a coupling of ([−+]?\\d+\\.\\d+)`,
    ).exec(words);
    const [adds, coupling] = prior
      .slice(1)
      .map((text) => Number(text.replace("−", "-")));
    near(adds, mean, words);
    near(coupling, 1 / CLASSES + mean, words);
    assert.equal(words.includes("almost no say"), Math.abs(1 / CLASSES + mean) < 0.02);
    assert.equal(words.includes("opposite sign"), 1 / CLASSES + mean <= -0.02, words);
    kinds.add(`${words.includes("almost no say")}${words.includes("opposite sign")}`);
  }
  assert.equal(kinds.size, 3);
});

test("a vote is read with its length, its angle and its coupling", () => {
  for (const { scene, run, network } of runs()) {
    const { capsule: i, classIndex: n, ran } = scene;
    const words = readVote(scene, i, n);
    const vote = run.votes[i][n];
    const sum = total(run.votes.map((row) => row[n]));
    const [, length] = /vote ([\d.]+) long/.exec(words);
    near(Number(length), norm(vote), words, 0.0051);
    const angle = /long, (\d+)°/.exec(words);
    if (angle !== null && norm(sum) > 0.05) {
      const cosine = dot(vote, sum) / norm(vote) / norm(sum);
      near(Number(angle[1]), (Math.acos(cosine) * 180) / Math.PI, words, 0.6);
    }
    const isHeld = ran.pins.some((pin) => pin.capsule === i && pin.classIndex === n);
    assert.equal(words.includes("held at"), isHeld);
    const numbers = numbersIn(words.slice(words.indexOf("; coupling")));
    near(numbers.at(-1), run.couplings[i][n], words);
    if (!isHeld) {
      near(numbers[0], run.shares[i][n], words);
      near(numbers[1], network.prior[i][n], words);
    }
  }
});

test("one number of a vote is written out, product by product", () => {
  for (const { scene, run } of runs()) {
    const { tensors, learned, ran, capsule: i, classIndex: n } = scene;
    const steps = stepsOf(tensors, learned, ran, i, n);
    const words = entryInWords(steps, 4);
    assert.match(words, /^û₅ = /);
    assert.equal(words.split(" × ").length - 1, steps.input.length);
    near(numbersIn(words).at(-1), run.votes[i][n][4], words);
  }
});

test("one sentence says what agrees with the trace; what does not, says by how much", () => {
  // Rounding to half precision moves a sum of 3 by up to 3/1024.
  const same = [
    [1.2341, 1.2339, "a", 1],
    [1.2341, 1.2361, "b", 3],
  ];
  const apart = [1.2341, 1.2361, "c", 1];
  assert.match(checksInWords(same), /^The network’s trace says the same, as closely/);
  assert.doesNotMatch(checksInWords(same), /\d/, "no second number");
  assert.match(
    checksInWords([...same, apart]),
    /^The network’s trace says c = 1\.236: half precision explains no/,
  );
});
