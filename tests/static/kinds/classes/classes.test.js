import assert from "node:assert/strict";
import { test } from "node:test";

import { runnerUp } from "../../../../static/js/kinds/classes/index.js";
import {
  marginsOf,
  rowsOf,
  scores,
} from "../../../../static/js/kinds/classes/panels.js";
import { sigmoid, softmax } from "../../../../static/js/kinds/classes/softmax.js";
import {
  labelWords,
  rivalWords,
  sumWords,
  sureWords,
  verdictWords,
} from "../../../../static/js/kinds/classes/words.js";
import { givenBy, givenTo, logitSum } from "../../../../static/js/kinds/dense/units.js";
import { closeTo, says, tensor } from "../../fixtures.js";

const near = closeTo(1e-12);

test("logits become shares of 1", () => {
  const logits = [0, Math.log(3), Math.log(4)];
  const { largest, logSum, probabilities } = softmax(logits);
  near(largest, Math.log(4));
  near(logSum, Math.log(8));
  for (const [i, share] of [1 / 8, 3 / 8, 4 / 8].entries())
    near(probabilities[i], share);
});

test("logits whose powers no computer holds are no trouble", () => {
  const { probabilities, logSum } = softmax([1000, 1000, -1000]);
  assert.deepEqual(probabilities, [0.5, 0.5, 0]);
  near(logSum, 1000 + Math.LN2);
  assert.deepEqual(softmax([-5000, -5000]).probabilities, [0.5, 0.5]);
});

const OUTPUT = {
  weights: tensor([2, 3], [1, -2, 0.5, 2, 0, 4]),
  bias: tensor([2], [0.25, -1]),
};
const HIDDEN = Float32Array.of(2, 1, 0);

test("a logit is the sum of what the units add, and its bias", () => {
  assert.deepEqual([...givenTo(OUTPUT, HIDDEN, 0)], [2, -2, 0]);
  assert.deepEqual([...givenBy(OUTPUT, 0, 2)], [2, 4]);
  assert.equal(logitSum(OUTPUT, HIDDEN, 0).total, 0.25);
  assert.equal(logitSum(OUTPUT, HIDDEN, 1).total, 3);
});

test("two logits are compared unit by unit", () => {
  const [logit, other] = [0, 1].map((classIndex) =>
    logitSum(OUTPUT, HIDDEN, classIndex),
  );
  says(rivalWords(logit, other, "A", "B"), "0 units…2 units…−4.00…+1.25…2.75 smaller");
  assert.match(
    rivalWords(other, logit, "B", "A"),
    /2 units add more to B.* 2.75 larger/,
  );
});

for (const [logits, words] of [
  [[10, 0], "is sure that this is A: probability >0.999"],
  [[3, 0], "is fairly sure that this is A: probability 0.953. "],
  [
    [0, 1],
    "leans towards B: probability 0.731.…A, has 0.269:…1.00 smaller.…2.72 times",
  ],
  [[1, 0.9, 0.9], "is undecided; first comes A: probability 0.356"],
  [[2, 2], "leans towards A: …B has exactly the same logit"],
  [[2000, 0], "is 2000.00 smaller…3.88 × 10⁸⁶⁸ times as probable"],
])
  test(`how sure the network is of ${logits}, in words: ${words}`, () =>
    says(sureWords(logits, softmax(logits).probabilities, ["A", "B", "C"]), words));

test("the sum and the label in words", () => {
  says(sumWords([0.25, 0.75], { scores: "probability" }), "The 2 probabilities…1.000");
  const answer = { state: "one", named: [1], order: [1, 0] };
  assert.equal(labelWords(answer, [], ["A", "B"]), "");
  assert.match(labelWords(answer, [1], ["A", "B"]), /is B: the answer is right/);
  assert.match(labelWords(answer, [0], ["A", "B"]), /is A: the answer is wrong/);
  const undecided = { state: "none", named: [], order: [1, 0] };
  assert.equal(labelWords(undecided, [0], ["A", "B"]), "The true label is A.");
});

test("where each class has a sigmoid, nothing is said of shares of 1", () => {
  const model = {
    scores: "probability",
    class_names: ["A", "B", "C"],
    card: { config: { probabilities: "sigmoid" } },
    present: { at_most: 2, threshold: 0.27 },
  };
  const logits = [2, -3, 1];
  const scores = logits.map(sigmoid);
  assert.deepEqual(
    scores.map((share) => share.toFixed(4)),
    ["0.8808", "0.0474", "0.7311"],
  );
  says(sumWords(scores, model), "The 3 probabilities sum to 1.659. They need");
  const tensors = { scores: tensor([3], scores), logits: tensor([3], logits) };
  says(verdictWords({ tensors }, model, [], 0.1), "A (0.881) and C…0.27…B (0.047)");
  assert.equal(sigmoid(-2000), 0);
  assert.equal(sigmoid(2000), 1);
});

const ONE = { present: { at_most: 1, threshold: null }, scores: "length" };
const scored = (scores) => ({ tensors: { scores: tensor([scores.length], scores) } });

test("the runner-up has the second highest score; one class has none", () => {
  const change = (scores, model = ONE) =>
    runnerUp.change({ trace: scored(scores), model });
  const two = { ...ONE, present: { at_most: 2, threshold: 0.25 } };
  assert.deepEqual(change([0.1, 0.9, 0.3], two), { classIndex: 0 });
  assert.deepEqual(change([0.1, 0.9, 0.2], two), { classIndex: 2 });
  assert.deepEqual(change([0.1, 0.9, 0.3]), { classIndex: 2 });
  assert.deepEqual(change([0.5, 0.5]), { classIndex: 1 });
  assert.equal(change([1]), null);
});

test("a verdict names the first, the runner-up and the label, and says if none is there", () => {
  const model = { class_names: ["A", "B"], ...ONE };
  says(
    verdictWords(scored([0.25, 0.9]), model, [1], 0.1),
    "B…0.900…A, 0.250…B: the answer is right",
  );
  const faint = verdictWords(scored([0.01, 0.05]), model, [], 0.1);
  says(faint, "sees none…the longest, B, has 0.050. In training…below m⁻ = 0.1");
  const active = { ...model, scores: "activation" };
  says(
    verdictWords(scored([0.4, 0.2]), active, [1], 0.1),
    "none…most active, A, has 0.400. The true label is B.",
  );
});

test("where several classes can be right, all that are named are, and the next is told", () => {
  const model = {
    class_names: ["A", "B", "C"],
    scores: "length",
    present: { at_most: 2, threshold: 0.49 },
  };
  const wordsOf = (scores, labels = []) =>
    verdictWords(scored(scores), model, labels, 0.1);
  says(
    wordsOf([0.941, 0.959, 0.12], [0, 1]),
    "B (0.959) and A (0.941)…C (0.120)…right.",
  );
  says(
    wordsOf([0.941, 0.4, 0.12], [0, 1]),
    "reads A (0.941);…Next is B (0.400)…wrong.",
  );
  says(wordsOf([0.3, 0.4, 0.12]), "sees none of its classes;…0.49. Next is B (0.400).");
  const tags = (scores, labels) =>
    rowsOf(scored(scores), model, labels).map((row) => row.tags.join(" "));
  assert.deepEqual(tags([0.941, 0.959, 0.12], [0, 1]), [
    "named true label",
    "named true label",
    "next",
  ]);
  assert.deepEqual(tags([0.941, 0.3, 0.12], []), ["named", "runner-up", ""]);
  assert.deepEqual(tags([0.1, 0.3, 0.12], []), ["", "longest", ""]);
});

test("margins are those that the model was trained with, else the paper's", () => {
  const loss = { present_margin: 0.8, absent_margin: 0.2 };
  assert.deepEqual(marginsOf({ loss }), { present: 0.8, absent: 0.2 });
  assert.deepEqual(marginsOf({}), { present: 0.9, absent: 0.1 });
});

test("what training asked of a described network's lengths, nobody knows", () => {
  const layer = { form: "vectors" };
  const trace = { tensors: { scores: tensor([2], [0.04, 0.06]) } };
  const model = {
    class_names: ["cat", "dog"],
    scores: "length",
    present: { at_most: 1, threshold: null },
  };
  const wordsOf = (/** @type {object} */ card, /** @type {number | null} */ absent) =>
    verdictWords(trace, { ...model, card }, [], absent);
  assert.match(wordsOf({}, 0.1), /sees none.* counts as absent/);
  assert.match(wordsOf({ described: {} }, null), /its capsule is the longest, 0.060/);
  const words = (/** @type {object} */ card) =>
    scores.words?.({ layer, trace, model: { ...model, card } });
  assert.match(String(words({})), /margins of the loss/);
  assert.deepEqual(words({ described: {} }), []);
});
