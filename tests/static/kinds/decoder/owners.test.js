import assert from "node:assert/strict";
import { test } from "node:test";

import { ownersOf, shareWords } from "../../../../static/js/kinds/decoder/owners.js";
import { ownersIn, ownersWish } from "../../../../static/js/kinds/decoder/pose.js";
import { apart, merged } from "../../../../static/js/lib/overlap.js";
import { inkOf } from "../../../../static/js/lib/pixels.js";
import { grey, MODEL, says, tensor } from "../../fixtures.js";

const CANVAS = { channels: 1, rows: 4, columns: 4 };
const model = {
  scores: "length",
  ...MODEL,
  classes: 4,
  class_names: ["0", "1", "2", "3"],
  present: { at_most: 2, threshold: 0.5 },
  card: {},
};
const bar = (index) => grey([0, 1, 2, 3].map((i) => (i === index ? 255 : 0)));
const DIGITS = [
  { pixels: bar(0), label: 1, right: 0, down: 0 },
  { pixels: bar(3), label: 2, right: 0, down: 0 },
];

/** A run whose classes have these lengths, each a pose of one number. */
function stateOf(lengths, { digits = DIGITS, edits = {}, classIndex = null } = {}) {
  const alone = apart(digits, CANVAS);
  const ranked = lengths.map((_, i) => i).sort((a, b) => lengths[b] - lengths[a]);
  const state = {
    model,
    edits,
    classIndex,
    source: { kind: "pair", digits, turn: 1 },
    trace: {
      pixels: merged(alone),
      prediction: ranked[0],
      present: ranked.slice(0, 2).filter((classIndex) => lengths[classIndex] >= 0.5),
      tensors: { poses: tensor([4, 1], lengths), scores: tensor([4], lengths) },
    },
    owned: [],
  };
  // Capsule 1 draws the first digit, 2 the second, others nothing.
  const drawnBy = { 1: inkOf(alone[0]), 2: inkOf(alone[1]) };
  const owned = ownersWish(state).poses.map((wish) => ({
    ...wish,
    data: Float32Array.from(drawnBy[wish.classIndex] ?? new Float32Array(16)),
  }));
  return { ...state, owned };
}

test("the pictures are of the two highest and of one that is not there", () => {
  const inFocus = (classIndex) =>
    ownersIn({ ...stateOf([0.1, 0.6, 0.8, 0.2]), classIndex });
  assert.deepEqual(inFocus(null), [2, 1, 3]);
  assert.deepEqual(inFocus(1), [2, 1, 3]);
  assert.deepEqual(inFocus(0), [2, 1, 0]);
});

test("a number that is edited moves the digit of its own capsule alone", () => {
  const lengths = [0.1, 0.6, 0.8, 0.2];
  const [before, after] = [{}, { 1: [0.25] }].map(
    (edits) => ownersWish(stateOf(lengths, { edits })).poses,
  );
  assert.deepEqual(after[0], before[0]);
  assert.ok(Math.abs(after[1].pose[0] - before[1].pose[0] - 0.25) < 1e-6);
  const moved = stateOf(lengths, { edits: { 1: [0.25] } });
  assert.ok(Math.abs(ownersOf(moved).scores[0] - 0.85) < 1e-6, "its length follows");
});

test("nothing is shown before all have been drawn", () => {
  const state = stateOf([0.1, 0.6, 0.8, 0.2]);
  assert.equal(ownersOf({ ...state, owned: state.owned.slice(0, 2) }), null);
  assert.equal(ownersOf({ ...state, edits: { 2: [0.1] } }), null, "an earlier pose");
});

test("ink that the wrong capsule draws is not given right", () => {
  const labels = DIGITS.map((digit, i) => ({ ...digit, label: 2 - i }));
  const facts = ownersOf(stateOf([0.1, 0.6, 0.8, 0.2], { digits: labels }));
  assert.deepEqual(facts.classes, [2, 1, 3]);
  assert.match(shareWords(facts, model), /Of that ink, 0\u202f% lies/);
});

test("without labels, digits are assigned as more ink is given right", () => {
  const digits = DIGITS.map((digit) => ({ ...digit, label: null }));
  for (const [lengths, classes] of [
    [
      [0.1, 0.6, 0.8, 0.2],
      [2, 1, 3],
    ],
    [
      [0.1, 0.8, 0.6, 0.2],
      [1, 2, 3],
    ],
  ]) {
    const facts = ownersOf(stateOf(lengths, { digits }));
    assert.deepEqual(facts.classes, classes, "in the order of their lengths");
    assert.equal(facts.isTruthTurned, classes[0] === 2);
    says(shareWords(facts, model), "100 %…(no label, no label): 1 is taken for the");
  }
});

test("of other images, and of digits on the same pixels, no share is told", () => {
  const state = stateOf([0.1, 0.6, 0.8, 0.2]);
  const drawn = ownersOf({ ...state, source: { kind: "drawing" } });
  assert.equal(drawn.truth, null);
  assert.match(shareWords(drawn, model), /can only be told of two digits/);
  const single = { kind: "pair", digits: [DIGITS[0], null], turn: 1 };
  assert.equal(ownersOf({ ...state, source: single }).truth, null);
  const same = stateOf([0.1, 0.6, 0.8, 0.2], { digits: [DIGITS[0], DIGITS[0]] });
  assert.match(shareWords(ownersOf(same), model), /^No pixel has ink of one digit/);
});
