import assert from "node:assert/strict";
import { test } from "node:test";

import {
  countsOf,
  inkLost,
  isSameValue,
  KINDS,
  keptAlong,
  kindsOf,
  movedWindows,
} from "../../../../static/js/kinds/pooling/moves.js";
import {
  alongWords,
  answerWords,
  lostInkWords,
  movedWords,
  softenedWords,
} from "../../../../static/js/kinds/pooling/moves-words.js";
import { UNMOVED } from "../../../../static/js/lib/shift.js";
import { grey, says, tensor } from "../../fixtures.js";

const RIGHT = { down: 0, right: 1 };

const won = (pooled, winners) => ({
  pooled: Float32Array.from(pooled),
  winners: Float32Array.from(winners),
});

test("ink that leaves the image is counted", () => {
  assert.equal(inkLost(grey([1, 2, 3, 0]), grey([0, 1, 2, 0])), 3 / 6);
  assert.equal(inkLost(grey(new Uint8Array(9)), grey(new Uint8Array(9))), 0);
});

test("values one step of half precision apart are the same", () => {
  assert.equal(isSameValue(1, 1 + 2 ** -10), true);
  assert.equal(isSameValue(1, 1 + 2 ** -9), false);
  assert.equal(isSameValue(0, 2 ** -24), true);
  assert.equal(isSameValue(0, 2 ** -14), false);
});

const BEFORE = won([0, 1, 1, 1, 1, 0, 2], [0, 1, 0, 3, 2, 0, 0]);
const AFTER = won([0, 1, 1, 2, 2, 3, 0], [0, 1, 1, 3, 1, 2, 0]);

test("each window is of one kind", () => {
  const kinds = [...kindsOf(BEFORE, AFTER)].map((number) => KINDS[number]);
  assert.deepEqual(kinds, [
    ...["zero", "same", "absorbed", "other", "other", "lit", "lit"],
  ]);
});

test("windows are counted, those of four zeros apart", () => {
  assert.deepEqual(countsOf(BEFORE, AFTER), {
    ...{ zero: 1, same: 1, absorbed: 1, other: 2, lit: 2 },
    ...{ windows: 7, active: 6, kept: 2, contested: 4, rewon: 2 },
  });
});

test("a map that moved by a whole window is the same one window on", () => {
  const before = tensor([1, 2, 2], [1, 2, 0, 3]);
  const after = tensor([1, 2, 2], [9, 1, 9, 5]);
  // (0, 1) holds what (0, 0) held; (1, 1) does not hold what (1, 0) held.
  assert.deepEqual(keptAlong(before, after, RIGHT), { active: 2, kept: 1 });
  assert.deepEqual(movedWindows({ down: -2, right: 2 }, 2), { down: -1, right: 1 });
  assert.equal(movedWindows({ down: 0, right: 1 }, 2), null);
  assert.equal(movedWindows({ down: 2, right: 2 }, 4), null);
});

/** Counts that fit together. */
function counts({ zero = 0, same = 0, absorbed = 0, other = 0, lit = 0, rewon }) {
  const active = same + absorbed + other + lit;
  return {
    ...{ zero, same, absorbed, other, lit, active },
    windows: zero + active,
    kept: same + absorbed,
    contested: same + absorbed + other,
    rewon: rewon ?? absorbed,
  };
}

for (const [given, told] of [
  [null, "has not moved"],
  [{ zero: 4 }, "All 4 windows of map 5 are 0 before and after the move"],
  [{ same: 3 }, "3 windows of map 5 are above 0…Every value stays, and so…winner"],
  [
    { absorbed: 1, zero: 3 },
    "1 window of…another pixel wins in that one…other 3 are 0",
  ],
  [{ other: 3, rewon: 2 }, "No value stays…wins in 2 of the 3 with"],
  [{ lit: 3 }, "above 0 before the move or after it. No value"],
  [{ same: 1, other: 3 }, "in 1 (25 %), with the same winner…The value changes in 3."],
  [{ absorbed: 1, lit: 1 }, "in 1 (50 %); in that one another"],
  [{ absorbed: 2, lit: 2 }, "; in all of these another"],
  [{ same: 1, absorbed: 2, other: 5, zero: 1 }, "in 3 (38 %); in 2 of these…in 5."],
])
  test(`a move in words: ${told}`, () =>
    says(movedWords(counts(given ?? {}), given ? RIGHT : UNMOVED, "map 5"), told));

test("where it moved, and whether pooling softens it", () => {
  const names = { below: "Conv1", own: "Pool1" };
  says(softenedWords({ below: 0.5, own: 0.25 }, names), "50.0…25.0…: pooling softens");
  assert.match(softenedWords({ below: 0.25, own: 0.5 }, names), /does not soften/);
  says(softenedWords({ below: 0.25, own: 0.2501 }, names), "no difference");
  assert.match(softenedWords({ below: 0, own: 0 }, names), /no value changes/);
  assert.equal(softenedWords({ below: Number.NaN, own: Number.NaN }, names), "");
  const by = { down: 0, right: 1 };
  says(alongWords({ active: 9, kept: 9 }, by), "1 window right.…all 9 windows keep");
  assert.match(alongWords({ active: 9, kept: 4 }, by), /4 of 9 windows keep their/);
  assert.match(alongWords({ active: 9, kept: 1 }, by), /1 of 9 windows keeps its/);
  assert.match(alongWords({ active: 1, kept: 1 }, by), /the only window keeps its/);
  assert.match(alongWords({ active: 1, kept: 0 }, by), /0 of 1 window keeps its/);
  assert.equal(alongWords({ active: 0, kept: 0 }, by), "");
});

test("answers before and after, and lost ink, in words", () => {
  const scores = { names: ["0", "1"], before: [0.25, 0.75], after: [0.5, 0.5] };
  says(answerWords({ ...scores, first: 1, now: 1 }), "reads 1…0.7500…1 again…0.5000");
  says(answerWords({ ...scores, first: 1, now: 0 }), "; after it, 0 with");
  const sure = { ...scores, before: [0, 0.99997], first: 1, now: 1 };
  assert.match(answerWords(sure), /a probability of 0.99997;/);
  assert.equal(lostInkWords(0.0001), "");
  assert.match(lostInkWords(0.125), /^12.5\u202f% of the ink/);
});
