import assert from "node:assert/strict";
import { test } from "node:test";

import {
  givenBy,
  givenTo,
  logitSum,
} from "../../../../../static/js/networks/cnn/probabilities/logit.js";
import { softmax } from "../../../../../static/js/networks/cnn/probabilities/softmax.js";
import {
  labelWords,
  rivalWords,
  sumWords,
  sureWords,
} from "../../../../../static/js/networks/cnn/probabilities/words.js";
import { tensor } from "../../../fixtures.js";

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("logits become shares of 1", () => {
  const { largest, exponentials, sum, logSum, probabilities } = softmax([
    0,
    Math.log(3),
    Math.log(4),
  ]);
  near(largest, Math.log(4));
  for (const [i, each] of [0.25, 0.75, 1].entries()) near(exponentials[i], each);
  near(sum, 2);
  near(logSum, Math.log(8));
  for (const [i, each] of [1 / 8, 3 / 8, 4 / 8].entries()) near(probabilities[i], each);
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
  const [own, other] = [0, 1].map((digit) => logitSum(OUTPUT, HIDDEN, digit));
  assert.equal(
    rivalWords(own, other, "A", "B"),
    "Against B: 0 units add more to A, together 0.00; 2 units add more to B, together −4.00; the biases differ by +1.25. So the logit of A is 2.75 smaller than that of B.",
  );
  assert.match(rivalWords(other, own, "B", "A"), /2 units add more to B.* 2.75 larger/);
});

for (const [name, logits, expected] of [
  ["sure", [10, 0], /^The network is sure that this is A: probability 0.99995\d*\./],
  ["fairly sure", [3, 0], /is fairly sure that this is A: probability 0.9526\. /],
  [
    "leaning",
    [0, 1],
    /leans towards B: probability 0.7311\. The runner-up, A, has 0.2689: its logit is 1.00 smaller\. As e to the power of 1\.00 is 2\.72, its probability is 2\.72 times smaller/,
  ],
  ["undecided", [1, 0.9, 0.9], /is undecided; first comes A: probability 0.3559/],
  ["a tie", [2, 2], /leans towards A: .* B has exactly the same logit/],
  [
    "beyond doubles",
    [2000, 0],
    /is 2000\.00 smaller.*3.88\u00a0×\u00a010⁸⁶⁸ times smaller/,
  ],
])
  test(`how sure the network is, in words: ${name}`, () => {
    const { probabilities } = softmax(logits);
    assert.match(sureWords(logits, probabilities, ["A", "B", "C"]), expected);
  });

test("the sum and the label in words", () => {
  assert.match(sumWords([0.25, 0.75]), /^The 2 probabilities sum to 1.0000/);
  assert.equal(labelWords(1, null, ["A", "B"]), "");
  assert.match(labelWords(1, 1, ["A", "B"]), /is B too/);
  assert.match(labelWords(1, 0, ["A", "B"]), /is A: the network is wrong/);
});
