import assert from "node:assert/strict";
import { test } from "node:test";
import {
  costElsewhere,
  costThere,
  costWords,
  marginsOf,
} from "../../../static/js/train/margin.js";
import { closeTo } from "../fixtures.js";

const near = closeTo(1e-9);
const MARGINS = { present: 0.9, absent: 0.1, weight: 0.5 };

test("a length costs its distance from the margin, squared", () => {
  near(costThere(MARGINS, 0.6), 0.09);
  near(costElsewhere(MARGINS, 0.6), 0.125);
  assert.equal(costThere(MARGINS, 0.95) + costElsewhere(MARGINS, 0.05), 0);
});

test("what a length of 0.6 costs is told, and how hard it pulls", () => {
  const words = costWords(MARGINS, [0.05, 0.6, 0.3], 1, ["a", "b", "c"], true);
  assert.match(
    words,
    /^b is 0\.60 long and costs \(0\.9 − 0\.60\)² = 0\.090; .* = 0\.60/,
  );
  assert.match(words, /each where they are above 0\.1: 0\.020 together\. From v/);
  const long = costWords(MARGINS, [0.95, 0.05], 0, ["a", "b"], false);
  assert.match(long, /^At 0\.95, a costs nothing.* 0\.000 together\.$/);
});

test("margins are those of the card, of networks that learned by them", () => {
  const loss = { present_margin: 0.97, absent_margin: 0.1, absent_weight: 0.5 };
  assert.equal(marginsOf({ scores: "length", card: { loss } }).present, 0.97);
  const other = { ...loss, class_loss: "cross_entropy" };
  assert.equal(marginsOf({ scores: "length", card: { loss: other } }), null);
  assert.equal(marginsOf({ scores: "probability", card: { loss: {} } }), null);
});
