import assert from "node:assert/strict";
import { test } from "node:test";

import { madeInWords } from "../../../static/js/input/index.js";
import {
  digitAt,
  pairWords,
  placeWords,
  randomPair,
  withDigit,
} from "../../../static/js/input/pair.js";
import { apart } from "../../../static/js/lib/overlap.js";
import { grey, says, seededRandom } from "../fixtures.js";

const CANVAS = { channels: 1, rows: 36, columns: 36 };
const inked = (from, to) =>
  grey(Array.from({ length: 784 }, (_, i) => (i >= from && i < to ? 255 : 0)));
const laid = (pixels, label, right = 0, down = 0) => ({ pixels, label, right, down });
const FOUR = laid(inked(280, 300), 4);
const SEVEN = laid(inked(290, 330), 7);

test("words tell how many pixels have ink, and the share of the smaller digit's", () => {
  says(pairWords([FOUR, SEVEN], CANVAS), "on 20 and on 40 pixels.…on 10 pixels, 50 %");
  says(pairWords([SEVEN, FOUR], CANVAS), "on 40 and on 20…50 %");
});

test("one digit, none, and one without ink have words of their own", () => {
  assert.match(pairWords([FOUR, null], CANVAS), /^One digit alone, with ink on 20 pix/);
  assert.match(pairWords([null, SEVEN], CANVAS), /with ink on 40 pixels/);
  assert.match(pairWords([null, null], CANVAS), /^Nothing lies here/);
  const empty = laid(inked(0, 0), null);
  says(pairWords([FOUR, empty], CANVAS), "on 20 and on 0 pixels.…on 0 pixels.");
});

test("words name what training never shows", () => {
  assert.match(pairWords([FOUR, { ...SEVEN, label: 4 }], CANVAS), /of the same class/);
  const unknown = { ...FOUR, label: null };
  assert.doesNotMatch(pairWords([unknown, unknown], CANVAS), /same class/);
  assert.doesNotMatch(pairWords([{ ...FOUR, down: -4 }, SEVEN], CANVAS), /Training/);
  says(pairWords([FOUR, { ...SEVEN, right: 5 }], CANVAS), "by more than 4 pixels");
});

test("a place is told from the middle", () => {
  assert.equal(placeWords(FOUR), "in the middle");
  assert.equal(placeWords({ right: -2, down: 3 }), "2 left, 3 down");
  assert.equal(placeWords({ right: 0, down: -1 }), "1 up");
});

test("a hand takes the digit with ink under it, else the chosen one", () => {
  const alone = apart([FOUR, SEVEN], CANVAS);
  // Row 10 of a digit is row 14 of the canvas.
  assert.equal(digitAt(alone, { row: 14, column: 5 }, 1), 0, "the first one alone");
  assert.equal(digitAt(alone, { row: 15, column: 20 }, 0), 1, "the second one alone");
  assert.equal(digitAt(alone, { row: 14, column: 20 }, 1), 1, "both");
  assert.equal(digitAt(alone, { row: 14, column: 20 }, 0), 0, "both");
  assert.equal(digitAt(alone, { row: 0, column: 0 }, 1), 1, "neither");
});

test("changing one digit leaves the other", () => {
  assert.deepEqual(withDigit([FOUR, SEVEN], 0, null), [null, SEVEN]);
  assert.deepEqual(withDigit([FOUR, SEVEN], 1, FOUR), [FOUR, FOUR]);
});

test("two examples have different labels, and stand as in training", () => {
  const samples = [0, 1, 1, 2].map((label) => ({ label, pixels: inked(0, label) }));
  const random = seededRandom(3);
  const moves = new Set();
  for (let round = 0; round < 300; round++) {
    const [one, other] = randomPair(samples, random);
    assert.notEqual(one.label, other.label);
    for (const { right, down } of [one, other]) {
      moves.add(right);
      assert.ok(Math.max(Math.abs(right), Math.abs(down)) <= 4);
    }
  }
  assert.equal(moves.size, 9);
});

test("on a canvas for two, only a digit that came alone is said to stand in the middle", () => {
  const words = (kind) => madeInWords({ kind }, CANVAS, true);
  assert.match(words("sample"), /^scaled to fit 20×20 .* in the middle of the canvas$/);
  for (const kind of ["upload", "drawing"])
    assert.match(words(kind), /^one digit or two, each scaled to about 20×20/);
});

test("of values that came with a link, nobody knows how they were made", () => {
  for (const isCanvas of [true, false])
    assert.doesNotMatch(
      madeInWords({ kind: "link" }, CANVAS, isCanvas),
      /scaled|placed/,
    );
});
