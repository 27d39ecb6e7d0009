import assert from "node:assert/strict";
import { test } from "node:test";

import { layOutVotes } from "../../../../../../static/js/networks/capsnet/routing/votes/cloud.js";
import { blank, seededRandom, tensor } from "../../../../fixtures.js";

const [STEPS, CAPSULES, CLASSES, DIM] = [2, 30, 3, 4];
const RANDOM = seededRandom(31);
const any = (count) => Array.from({ length: count }, () => RANDOM() - 0.3);

const VOTES = tensor([CAPSULES, 1, 1, DIM], any(CAPSULES * DIM));
const PIXELS = blank();

function trace(tensors = {}) {
  const shape = [STEPS, CAPSULES, 1, 1, CLASSES];
  return {
    pixels: PIXELS,
    tensors: {
      "routing.couplings": tensor(shape, any(STEPS * CAPSULES * CLASSES).map(Math.abs)),
      "routing.agreement": tensor(shape, any(STEPS * CAPSULES * CLASSES)),
      "routing.capsules": tensor([STEPS, CLASSES, DIM], any(STEPS * CLASSES * DIM)),
      ...tensors,
    },
  };
}

const INTACT = trace({ "votes.1": VOTES });
const NONE = { silenced: [] };

/** Lay out the votes of a run beside the intact one. */
function laid(run, step, digit, { intact = INTACT, ran = NONE } = {}) {
  return layOutVotes({ trace: run, more: run.tensors, intact, ran, step, digit });
}

/** s of digit 1, by slow loops, without the capsules named. */
function slowSum({ tensors }, step, left = []) {
  const sum = Array.from({ length: DIM }, () => 0);
  for (let i = 0; i < CAPSULES; i++) {
    if (left.includes(i)) continue;
    const c = tensors["routing.couplings"].data[(step * CAPSULES + i) * CLASSES + 1];
    for (let d = 0; d < DIM; d++) sum[d] += c * VOTES.data[i * DIM + d];
  }
  return sum;
}

function assertAllClose(actual, expected) {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => {
    assert.ok(Math.abs(actual[i] - value) < 1e-5, `${actual[i]}, not ${value}`);
  });
}

test("nothing is laid out before the votes are there", () => {
  assert.equal(laid(INTACT, 0, 2), null);
});

test("the sums are those of all votes, in every iteration", () => {
  const { course } = laid(INTACT, 1, 1);
  for (let step = 0; step < STEPS; step++)
    assertAllClose(course.sums[step], slowSum(INTACT, step));
});

test("under surgery the silenced do not count, and points stay where they were", () => {
  const operated = trace();
  const surgery = { silenced: [3, 17] };
  const before = laid(INTACT, 1, 1);
  const after = laid(operated, 1, 1, { ran: surgery });
  assertAllClose(before.course.sums[1], slowSum(INTACT, 1));
  assertAllClose(after.course.sums[1], slowSum(operated, 1, surgery.silenced));
  assert.equal(after.course.points, before.course.points);
});

test("votes of another image are not mixed in", () => {
  const other = { ...INTACT, pixels: blank() };
  assert.equal(laid(trace(), 0, 1, { intact: other }), null);
});

test("colours are shares of the most agreement in any iteration", () => {
  const { tints, agreement } = laid(INTACT, 0, 1);
  const all = INTACT.tensors["routing.agreement"].data.filter(
    (_, i) => i % CLASSES === 1,
  );
  const most = Math.max(...all.map(Math.abs));
  assertAllClose(
    tints,
    [...agreement].map((value) => value / most),
  );
});
