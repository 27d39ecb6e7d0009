import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutVotes } from "../../../../../static/js/kinds/routing/dynamic/vote-plane.js";
import { closeTo, seededRandom, tensor } from "../../../fixtures.js";

const [STEPS, CAPSULES, CLASSES, DIM] = [2, 30, 3, 4];
const RANDOM = seededRandom(31);
const any = (count) => Array.from({ length: count }, () => RANDOM() - 0.3);

const VOTES = tensor([CAPSULES, 1, 1, DIM], any(CAPSULES * DIM));

/** Tensors of a run. */
function run() {
  const shape = [STEPS, CAPSULES, 1, 1, CLASSES];
  return {
    couplings: tensor(shape, any(STEPS * CAPSULES * CLASSES).map(Math.abs)),
    agreement: tensor(shape, any(STEPS * CAPSULES * CLASSES)),
    capsules: tensor([STEPS, CLASSES, DIM], any(STEPS * CLASSES * DIM)),
  };
}

const LAYER = { tensors: { votes: "votes" } };
const INTACT = run();

/** Lay out the votes of a run; those for digit 1 are there. */
function laid(tensors, step, classIndex, ran = { silenced: [] }) {
  const scene = { tensors, more: { "votes.1": VOTES }, ran, step, classIndex };
  return layOutVotes(scene, LAYER);
}

/** The mean vote for digit 1, by slow loops; those of the capsules named are 0. */
function slowMean(tensors, step, silenced = []) {
  const sum = Array.from({ length: DIM }, () => 0);
  let weight = 0;
  for (let i = 0; i < CAPSULES; i++) {
    const c = tensors.couplings.data[(step * CAPSULES + i) * CLASSES + 1];
    weight += c;
    if (silenced.includes(i)) continue;
    for (let d = 0; d < DIM; d++) sum[d] += c * VOTES.data[i * DIM + d];
  }
  return sum.map((value) => value / weight);
}

const assertAllClose = closeTo(1e-5);

test("nothing is laid out before the votes are there", () => {
  assert.equal(laid(INTACT, 0, 2), null);
});

test("the means are those of all votes, in every iteration", () => {
  const { course } = laid(INTACT, 1, 1);
  for (let step = 0; step < STEPS; step++)
    assertAllClose(course.meanVotes[step], slowMean(INTACT, step));
});

test("under surgery the silenced do not count, and points stay where they were", () => {
  const operated = run();
  const surgery = { silenced: [3, 17] };
  const before = laid(INTACT, 1, 1);
  const after = laid(operated, 1, 1, surgery);
  assertAllClose(before.course.meanVotes[1], slowMean(INTACT, 1));
  assertAllClose(after.course.meanVotes[1], slowMean(operated, 1, surgery.silenced));
  assert.equal(after.course.points, before.course.points);
});

test("colours are shares of the most agreement in any iteration", () => {
  const { tints, agreement } = laid(INTACT, 0, 1);
  const all = INTACT.agreement.data.filter((_, i) => i % CLASSES === 1);
  const most = Math.max(...all.map(Math.abs));
  assertAllClose(
    tints,
    [...agreement].map((value) => value / most),
  );
});
