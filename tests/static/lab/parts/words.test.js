import assert from "node:assert/strict";
import { test } from "node:test";
import { STAY } from "../../../../static/js/lab/parts/arrangement.js";
import {
  arrangementWords,
  moveWords,
  verdictWords,
} from "../../../../static/js/lab/parts/words.js";
import { says } from "../../fixtures.js";

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

const reads = (best, score) => ({ reads: `reads ${best}`, score });

/** @param {Partial<import("../../../../static/js/lab/parts/words.js").Verdict>} patch */
const verdict = (patch) => ({
  name: "CapsNet",
  whole: reads("4", 0.96),
  jumbled: reads("4", 0.72),
  passing: null,
  ...patch,
});

/** @param {object[]} verdicts */
const sentences = (...verdicts) =>
  verdictWords(verdicts.map(verdict), true).map((sentence) =>
    sentence.replaceAll("\u202f", " "),
  );

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
    const result = sentences(...verdicts);
    assert.equal(result.length, words === null ? 1 : 2);
    if (words !== null) says(result[1], words);
  });
