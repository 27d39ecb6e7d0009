import assert from "node:assert/strict";
import { test } from "node:test";

import {
  axisOf,
  barsOf,
  saidOf,
  scoresOf,
  scoreWords,
} from "../../../static/js/core/scores.js";
import { tensor } from "../fixtures.js";

const PRESENT = { at_most: 1, threshold: null };

test("probabilities of classes that are decided on alone do not make 1", () => {
  const card = { config: { probabilities: "sigmoid" } };
  const { meaning } = scoreWords({ scores: "probability", card });
  assert.match(meaning, /need not make 1/);
  const alone = { scores: "probability", card, present: PRESENT };
  assert.equal(saidOf([0.3, 0.2], alone).state, "none");
  assert.equal(saidOf([0.3, 0.2], { ...alone, card: {} }).state, "undecided");
  assert.match(scoreWords({ scores: "probability" }).meaning, /together they make 1/);
});

test("scores are in the tensor of that name, once they have come", () => {
  assert.deepEqual([...scoresOf({ tensors: { scores: tensor([2], [0, 1]) } })], [0, 1]);
  assert.equal(scoresOf({ tensors: {} }), null);
});

test("scores as a network gives them have an axis of their own, and no threshold", () => {
  const { title, meaning, unsure } = scoreWords({ scores: "score" });
  assert.match(title, /as the network gives them/);
  assert.doesNotMatch(meaning, /capsule|0 to 1|present/);
  assert.ok(!(-1e9 < unsure));
  const logs = [-2.4, -2.2, -2.3];
  const bars = barsOf(logs, "score");
  assert.equal(bars[1], 1);
  assert.ok(bars[0] > 0 && bars[0] < bars[2] && bars[2] < 1);
  assert.deepEqual(axisOf([0.2, 0.7], "length"), { low: 0, high: 1 });
  assert.ok(barsOf([-1, -1], "score").every((bar) => bar > 0 && bar <= 1));
});

test("how short a length of a described network must be to mean nothing, nobody knows", () => {
  const stateOf = (card) =>
    saidOf([0.2, 0.1], { scores: "length", card, present: PRESENT }).state;
  assert.equal(stateOf({ described: {} }), "one");
  assert.equal(stateOf({}), "none");
});
