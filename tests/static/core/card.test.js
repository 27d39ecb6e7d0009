import assert from "node:assert/strict";
import { test } from "node:test";
import {
  effortWords,
  errorWords,
  fooledWords,
  intervalWords,
  singlesWords,
  sizeAndError,
  testErrors,
} from "../../../static/js/core/card.js";
import { MODEL, says } from "../fixtures.js";

const plain = (text) => text.replaceAll("\u202f", " ");
const counted = (wrong, low, high) => ({
  images: 10_000,
  error: wrong / 10_000,
  interval: [low, high],
});
const OF_PAIRS = {
  test_error: 0.1406,
  test_images: 10_000,
  overlaps: {
    pairs: counted(1406, 0.1339, 0.1476),
    singles: counted(193, 0.0168, 0.0222),
    one_or_two: {
      pairs: counted(1804, 0.173, 0.1881),
      singles: counted(828, 0.0776, 0.0884),
    },
    misread: { two_highest: [1, 2, 3], named: [1, 2, 3, 4, 5, 6] },
  },
};
const OF_TOYS = {
  test_error: 0.25,
  test_images: 8,
  viewpoints: {
    wrong: [0, 2, 0, 0],
    interval: [0, 0.75],
  },
};

test("size and error, with the number of images", () => {
  const card = { test_error: 0.0053, test_images: 10000 };
  assert.equal(
    plain(sizeAndError({ parameters: 8215568, card })),
    "8 215 568 parameters · 0.53 % wrong of 10 000 test images",
  );
  assert.match(errorWords({ card: {} }), /no test error on its card$/);
});

test("of pairs both counts stand, each with its name", () => {
  const model = { ...MODEL, scores: "length", card: OF_PAIRS };
  says(errorWords(model), "14.06 % misread by the two longest…18.04 % misnamed by");
  says(errorWords({ ...model, scores: "probability" }), "the two highest probab");
  says(intervalWords(model), "13.39 to 14.76 %; 17.30 to 18.81 %, over pairs");
  assert.match(plain(singlesWords(model)), /1.93 % misread .* 8.28 % misnamed/);
  assert.equal(singlesWords(MODEL), "");
});

test("an interval says over what: images of one toy are no units of chance", () => {
  assert.equal(plain(intervalWords({ card: OF_TOYS })), "0.00 to 75.00 %, over 4 toys");
  const images = { card: { test_error: 0.0039, test_images: 10_000 } };
  assert.equal(plain(intervalWords(images)), "0.29 to 0.53 %, over images");
  assert.deepEqual(testErrors({ card: {} }), []);
  assert.equal(intervalWords({ card: {} }), "");
});

test("training says images, minutes and device, and what came before apart from it", () => {
  const card = {
    epochs: 24,
    training_images: 55_000,
    training_time_s: 6421.9,
    lineage: { runs: 4, epochs: 80, training_time_s: 6906.2 },
  };
  says(effortWords(card), "24 epochs of 55 000…1 h 47 min…in 3 runs, 56 epochs, 8 min");
  assert.match(effortWords({ ...card, device: "cuda" }), /on a graphics card/);
  assert.equal(effortWords({}), "");
});

const PASSING = {
  card: {
    outliers: {
      measure: "error",
      made: 300,
      measures: {
        error: { threshold: 1, others: { letters: { alarms: 0.7167 } } },
        score: { threshold: 1, others: { letters: { alarms: 0.3 } } },
      },
    },
  },
};

test("what fools a network is told where its card has measured it", () => {
  says(fooledWords(PASSING), "shown 300…it took 85 for digits.");
  assert.equal(fooledWords(MODEL), "");
  const { made: _, ...unmade } = PASSING.card.outliers;
  assert.equal(fooledWords({ card: { outliers: unmade } }), "");
});
