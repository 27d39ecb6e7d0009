import assert from "node:assert/strict";
import { test } from "node:test";
import { sumsInWords } from "../../../../../static/js/kinds/routing/dynamic/given.js";
import {
  evidenceByPlace,
  evidenceOfCapsules,
} from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { closeTo, says, seededRandom, tensor } from "../../../fixtures.js";

const [STEPS, TYPES, ROWS, COLUMNS, CLASSES, DIM] = [2, 3, 2, 2, 4, 5];
const CAPSULES = TYPES * ROWS * COLUMNS;
const SHAPE = [STEPS, TYPES, ROWS, COLUMNS, CLASSES];

const assertClose = closeTo(1e-5);

/** Votes, couplings and what routing makes of them, by the paper's words. */
function routed(seed) {
  const random = seededRandom(seed);
  const votes = Array.from({ length: CAPSULES }, () =>
    Array.from({ length: CLASSES }, () =>
      Array.from({ length: DIM }, () => random() - 0.4),
    ),
  );
  const couplings = [];
  const agreement = [];
  const capsules = [];
  for (let step = 0; step < STEPS; step++) {
    const c = votes.map((each) => each.map(() => random()));
    const v = Array.from({ length: CLASSES }, (_, j) => {
      const s = Array.from({ length: DIM }, (_, d) =>
        votes.reduce((sum, vote, i) => sum + c[i][j] * vote[j][d], 0),
      );
      const square = s.reduce((sum, x) => sum + x * x, 0);
      const length = Math.sqrt(square);
      return s.map((x) => (square / (1 + square)) * (x / length));
    });
    couplings.push(...c.flat());
    capsules.push(...v.flat());
    for (const vote of votes) {
      for (let j = 0; j < CLASSES; j++)
        agreement.push(vote[j].reduce((sum, x, d) => sum + x * v[j][d], 0));
    }
  }
  return {
    votes,
    routing: {
      couplings: tensor(SHAPE, couplings),
      agreement: tensor(SHAPE, agreement),
      capsules: tensor([STEPS, CLASSES, DIM], capsules),
    },
  };
}

const { votes, routing } = routed(12);

test("what a capsule gives is its weighted vote along the digit's direction", () => {
  const [step, classIndex] = [1, 2];
  const evidence = evidenceOfCapsules(routing, step, classIndex);
  const from = (step * CLASSES + classIndex) * DIM;
  const v = routing.capsules.data.subarray(from, from + DIM);
  const length = Math.hypot(...v);
  votes.forEach((vote, i) => {
    const c = routing.couplings.data[(step * CAPSULES + i) * CLASSES + classIndex];
    const along = vote[classIndex].reduce((sum, x, d) => sum + (x * v[d]) / length, 0);
    assertClose(evidence[i], c * along);
  });
});

test("what a place gives is the sum of the capsules that stand there", () => {
  const cells = ROWS * COLUMNS;
  const places = evidenceByPlace(routing, 1);
  assert.equal(places.length, CLASSES * cells);
  for (let classIndex = 0; classIndex < CLASSES; classIndex++) {
    const evidence = evidenceOfCapsules(routing, 1, classIndex);
    for (let cell = 0; cell < cells; cell++) {
      let sum = 0;
      for (let type = 0; type < TYPES; type++) sum += evidence[type * cells + cell];
      assertClose(places[classIndex * cells + cell], sum);
    }
  }
});

test("what places give and take is summed, and only told where there is some", () => {
  says(
    sumsInWords([0.5, -0.25, 1.5, 0], 2, false),
    "2.00 in…row 1, column 0…1.50.…0.25",
  );
  says(sumsInWords([0.5, 0, 0, 0], 2, true), "0.50 in all; row 0, column 0…0.50.");
  says(sumsInWords([0, -0.5, -1, 0], 2, true), "take from the difference take 1.50");
  assert.equal(sumsInWords([0, 0], 2, false), "No place gives or takes anything.");
});
