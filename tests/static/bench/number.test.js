import assert from "node:assert/strict";
import { test } from "node:test";
import {
  around,
  doubtWords,
  lengthsOf,
  numberWords,
} from "../../../static/js/bench/number.js";

const digit = (...doubts) => ({
  prediction: 4,
  box: [0.1, 0.2, 0.2, 0.4],
  doubts,
});

test("a digit is shown with paper around it, inside the picture", () => {
  assert.deepEqual(around([0.1, 0.2, 0.2, 0.4]), [0.04, 0.14, 0.36, 0.66]);
  assert.deepEqual(around([0, 0, 0.9, 1]), [0, 0, 1, 1]);
});

test("a thin and low digit is shown at least as large as a picture may be cut", () => {
  const [left, top, right, bottom] = around([0.5, 0.5, 0.002, 0.01]);
  assert.ok(right - left >= 0.05 && bottom - top >= 0.05);
});

test("what is doubtful is counted", () => {
  /** @param {string} number @param {ReturnType<typeof digit>[]} digits */
  const read = (number, ...digits) => numberWords({ number, digits });
  assert.equal(read("407", digit(), digit(), digit()), "As a number: 407.");
  assert.equal(
    read("4\n7", digit(), digit("Two may touch.")),
    "As a number: 4, 7. 1 of its 2 digits is doubtful.",
  );
});

test("digits that are doubtful say why, the first three of them", () => {
  const names = [..."abcde"];
  const few = [digit(), digit("It may be 7.", "It is faint.")];
  assert.deepEqual(doubtWords({ digits: few }, names), [
    "Digit 2, read as e: It may be 7. It is faint.",
  ]);
  const many = doubtWords({ digits: Array(6).fill(digit("Why.")) }, names);
  assert.deepEqual(many.slice(2), [
    "Digit 3, read as e: Why.",
    "3 other digits as well.",
  ]);
});

test("lines have as many digits as are written in them", () => {
  const digits = Array(5).fill(digit());
  assert.deepEqual(lengthsOf({ number: "1 2\n345", digits }), [2, 3]);
  assert.deepEqual(lengthsOf({ number: "onetwo\nthree", digits }), [5]);
});
