import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agreementOverIterations,
  couplingSpread,
  decidedness,
  QUANTILES,
} from "../../../../../static/js/kinds/routing/dynamic/course.js";
import { closeTo, tensor } from "../../../fixtures.js";
import { CAPSULES, CLASSES, scenes } from "./scenes-made.js";

test("agreement is summed over all capsules; decided is log2 of the classes less their mean entropy", () => {
  const close = closeTo(0.05); // sums of many, in half precision
  for (const { scene, steps } of scenes()) {
    const { step, classIndex, tensors } = scene;
    const { agreement, couplings } = steps[step];
    const sum = agreement.reduce((all, own) => all + own[classIndex], 0);
    close(agreementOverIterations(tensors.agreement)[classIndex][step], sum);
    const bits = couplings.flat().map((c) => (c > 0 ? c * Math.log2(c) : 0));
    const entropy = -bits.reduce((all, each) => all + each, 0) / CAPSULES;
    close(decidedness(tensors.couplings)[step], Math.log2(CLASSES) - entropy);
  }
});

test("couplings a hair off even are not lost to rounding", () => {
  const [c, d] = [0.25 + 2 ** -10, 0.25 - 2 ** -10]; // exact in single precision
  const [bits] = decidedness(tensor([1, 1, 1, 1, 4], [c, d, c, d]));
  const exact = 2 * (c * Math.log2(4 * c) + d * Math.log2(4 * d));
  closeTo(1e-8)(bits, exact);
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
