import assert from "node:assert/strict";
import { test } from "node:test";
import { STAY } from "../../../../static/js/lab/parts/arrangement.js";
import { cutTiles } from "../../../../static/js/lab/parts/cut.js";
import {
  arrangementWords,
  measuredTiles,
  moveWords,
  pieceWords,
  verdictWords,
  winnerName,
} from "../../../../static/js/lab/parts/words.js";
import { says, square } from "../../fixtures.js";

const move = (down, right, turn = 0) => ({ down, right, turn });

for (const [given, words] of [
  [STAY, "where it was"],
  [move(0, 3), "3 px right"],
  [move(-1, -2), "2 px left, 1 px up"],
  [move(4, 0, 90), "4 px down, turned 90°"],
  [move(0, 0, 180), "turned 180°"],
  [move(0, 0, 345), "turned 15° clockwise"],
])
  test(`a move in words: ${words}`, () => assert.equal(moveWords(given), words));

test("a piece in words", () => {
  assert.equal(
    pieceWords(cutTiles(square(28), 2), 1, move(0, -14)),
    "Piece 2 of 4: 14 px left",
  );
});

const kept = { hasInk: true, beyond: 0, covered: 0 };

const both = [move(0, 1), move(1, 0)];
for (const [moves, made, words] of [
  [[], {}, "There is no ink to cut."],
  [[move(0, 1)], { hasInk: false }, "There is no ink to cut."],
  [[STAY], {}, "The image is a single piece: nothing can change places."],
  [[move(0, 1)], {}, "1 of 1 piece moved or turned. All of the ink is still there."],
  [[STAY, STAY], {}, "2 pieces, all where they were."],
  [
    [STAY, move(1, 0)],
    { beyond: 0.0004 },
    "1 of 2 pieces moved…Nearly all of the ink is",
  ],
  [both, { beyond: 0.25 }, "2 of 2 pieces moved…. 25.0 % of the ink lies outside the"],
  [
    both,
    { covered: 0.031 },
    "2 of 2 pieces moved or turned. 3.1 % of the ink lies under other ink.",
  ],
  [both, { beyond: 0.5, covered: 0.01 }, "50.0 % of…image, 1.0 % under other ink."],
])
  test(`an arrangement: ${words}`, () =>
    says(arrangementWords(moves, { ...kept, ...made }), words));

const reads = (best, score) => ({ reads: `reads ${best}`, best, score });

/** @param {Partial<import("../../../../static/js/lab/parts/words.js").Verdict>} given */
const verdict = (given) => ({
  name: "CapsNet",
  kind: "length",
  whole: reads("4", 0.96),
  jumbled: reads("4", 0.72),
  passing: null,
  errors: null,
  ...given,
});

/** @param {object[]} verdicts */
const told = (...verdicts) =>
  verdictWords(verdicts.map(verdict), true).map((sentence) =>
    sentence.replaceAll("\u202f", " "),
  );

test("a sentence without anything measured", () => {
  assert.deepEqual(told({}), [
    "CapsNet still reads 4: its longest capsule goes from 0.96 to 0.72.",
  ]);
});

test("another class, and nothing before", () => {
  assert.deepEqual(
    told({
      kind: "activation",
      whole: { ...reads("4", 0), reads: "sees none of its classes" },
      jumbled: reads("9", 0.5),
    }),
    [
      "CapsNet sees none of its classes in the whole image and now reads 9: its highest activation goes from 0.00 to 0.50.",
    ],
  );
});

const REACH = "0.80 that 95 % of whole test images reach";
for (const [whole, jumbled, held] of [
  [0.9, 0.85, `; both reach the ${REACH}.`],
  [0.9, 0.7, `; the whole image reaches the ${REACH}, the jumbled one does not.`],
  [0.6, 0.8, `; the jumbled image reaches the ${REACH}, the whole one does not.`],
  [0.6, 0.7, `; neither reaches the ${REACH}.`],
  [0.7996, 0.7, "from 0.7996 to 0.7000; neither reaches the 0.8000 that"],
])
  test(`${whole} and ${jumbled} against 0.8: ${held}`, () => {
    const [words] = told({
      ...{ passing: 0.8, whole: reads("4", whole), jumbled: reads("4", jumbled) },
    });
    says(words, held);
  });

for (const [whole, jumbled, told] of [
  [0.02, 0.08, "9 that it draws is off by 0.080…; for the whole image it was 0.020."],
  [0.0201, 0.0204, "9 that it draws is off by 0.020…, as much as for the whole image."],
  [0.08, 0.02, "9 that it draws is off by 0.020…, less than…whole image (0.080)."],
])
  test(told, () => {
    const given = { jumbled: reads("9", 0.5), errors: { whole, jumbled } };
    says(verdictWords([verdict(given)], true)[0], told);
  });

const sure = (name) => ({ name, passing: 0.5 });
const unsure = (name) => ({ name, passing: 0.8 });

for (const [verdicts, words] of [
  [[sure("A")], null],
  [[sure("A"), {}], null],
  [[sure("A"), { ...unsure("B"), passing: 0.99 }], null], // not sure of the whole one either
  [[sure("A"), sure("B"), sure("C")], "A, B and C do not notice: they still reach it."],
  [[unsure("A"), unsure("B")], "A and B notice: they fall below it."],
  [[sure("A"), unsure("B")], "B notices that something is wrong; A does not."],
  [[sure("A"), unsure("B"), unsure("C")], "B and C notice that…; A does not."],
  [[unsure("A"), sure("B"), sure("C")], "A notices that…; B and C do not."],
])
  test(`together: ${words}`, () => {
    const found = told(...verdicts);
    assert.equal(found.length, verdicts.length + (words === null ? 0 : 1));
    if (words !== null) says(found[verdicts.length], words);
  });

test("nobody, and nothing moved", () => {
  assert.deepEqual(verdictWords([], true), ["No network takes part."]);
  assert.deepEqual(verdictWords([verdict({})], false), [
    "The image is as it was. Move, turn or shuffle some of its pieces.",
  ]);
});

test("each kind of score has its own name", () => {
  const kinds = ["length", "probability", "activation"];
  assert.equal(new Set(kinds.map(winnerName)).size, 3);
});

const TEST = {
  knob: "tiles",
  images: 1000,
  date: "2026-01-01",
  values: [1, 2, 3, 4],
  accuracy: [0.99, 0.3, 0.2, 0.1],
  true_score: [0.9, 0.3, 0.2, 0.1],
  winner_score: [0.9, 0.6, 0.5, 0.4],
  passing: [0.95, 0.25, 0.1, 0.05],
  roc_area: [0.5, 0.9, 0.95, 0.99],
  passing_score: 0.8231,
};

test("what the test set says of tiles", () => {
  const told = (test, across) => measuredTiles(test, across).replaceAll("\u202f", " ");
  says(told(TEST, 1), "1 000…whole, 99.0 %…0.823 in 95.0 %");
  says(told(TEST, 3), "3×3…20.0 %…0.823 in 10.0 %…95 %…0.950");
  const { passing, ...old } = TEST;
  says(told(old, 2), "2×2 shuffled tiles, 30.0 %");
  assert.equal(told(TEST, 5), "");
});
