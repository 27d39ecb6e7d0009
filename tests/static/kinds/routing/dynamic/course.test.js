import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agreementOverIterations,
  couplingSpread,
  decidedness,
  QUANTILES,
} from "../../../../../static/js/kinds/routing/dynamic/course.js";
import { closeTo, seededRandom, tensor } from "../../../fixtures.js";

const [STEPS, CAPSULES, CLASSES] = [3, 40, 4];
const SHAPE = [STEPS, 10, 2, 2, CLASSES];

const assertClose = closeTo(1e-6);

/** Values of (steps, capsules, classes), drawn at random. */
function randomValues(seed, of = (value) => value) {
  const random = seededRandom(seed);
  return Array.from({ length: STEPS * CAPSULES * CLASSES }, () => of(random()));
}

/** Each capsule's sum to 1 over the classes. */
function randomCouplings(seed) {
  const values = randomValues(seed, (value) => value ** 4);
  return values.map((value, i) => {
    const from = i - (i % CLASSES);
    const sum = values.slice(from, from + CLASSES).reduce((a, b) => a + b);
    return value / sum;
  });
}

test("agreement is summed over all capsules, for each class and iteration", () => {
  const values = randomValues(4, (value) => value - 0.5);
  const sums = agreementOverIterations(tensor(SHAPE, values));
  for (let classIndex = 0; classIndex < CLASSES; classIndex++) {
    for (let step = 0; step < STEPS; step++) {
      let sum = 0;
      for (let capsule = 0; capsule < CAPSULES; capsule++)
        sum += values[(step * CAPSULES + capsule) * CLASSES + classIndex];
      assertClose(sums[classIndex][step], sum, 1e-5);
    }
  }
});

test("decided is log2 of the classes less the capsules' mean entropy", () => {
  const values = randomCouplings(8);
  const bits = decidedness(tensor(SHAPE, values));
  for (let step = 0; step < STEPS; step++) {
    let entropy = 0;
    for (let i = step * CAPSULES * CLASSES; i < (step + 1) * CAPSULES * CLASSES; i++)
      entropy -= values[i] * Math.log2(values[i]);
    assertClose(bits[step], Math.log2(CLASSES) - entropy / CAPSULES);
  }
});

test("couplings a hair off even are not lost to rounding", () => {
  const [c, d] = [0.25 + 2 ** -10, 0.25 - 2 ** -10]; // exact in single precision
  const [bits] = decidedness(tensor([1, 1, 1, 1, 4], [c, d, c, d]));
  const exact = 2 * (c * Math.log2(4 * c) + d * Math.log2(4 * d));
  assertClose(bits, exact, 1e-8);
  assert.ok(bits > 0);
});

test("the spread tells what half, nine in ten, 99 in 100 and all do not exceed", () => {
  assert.deepEqual(QUANTILES, [0.5, 0.9, 0.99, 1]);
  const values = Array.from({ length: 100 }, (_, i) => [
    ((i * 37) % 100) / 128, // 0..99 in some order; 37 and 100 have no common factor
    1 - ((i * 37) % 100) / 128,
  ]).flat();
  const spread = couplingSpread(tensor([1, 100, 1, 1, 2], values), 0);
  assert.deepEqual(spread, [[49 / 128], [89 / 128], [98 / 128], [99 / 128]]);
});

test("a share of the capsules that is no whole number of them is rounded up", () => {
  const spread = couplingSpread(tensor([1, 3, 1, 1, 1], [0.25, 0.75, 0.5]), 0);
  assert.deepEqual(spread, [[0.5], [0.75], [0.75], [0.75]]);
});
