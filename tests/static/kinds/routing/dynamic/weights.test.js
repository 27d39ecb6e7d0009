import assert from "node:assert/strict";
import { test } from "node:test";
import { weightsWords } from "../../../../../static/js/kinds/routing/dynamic/microscope/weights.js";

const PAIRS = { capsules: 6, classes: 3, noun: "digit" };

test("the weights of all pairs are counted, and told as a share of all", () => {
  // 6 × 3 pairs of 4 × 2 weights: 144 of 400.
  const weights = [
    { name: "kernels", shape: [6, 6, 4, 2] },
    { name: "transforms", shape: [6, 3, 4, 2] },
  ];
  const words = weightsWords({ weights, parameters: 400 }, PAIRS);
  assert.match(words, /6×3 pairs .* 4×2 = 8 weights/);
  assert.match(words, /All of them are 144 weights, 36\s?% of the network’s 400\./);
});

test("nothing is said where pairs share their weights", () => {
  const weights = [{ name: "kernels", shape: [6, 6, 4, 2] }];
  assert.equal(weightsWords({ weights, parameters: 400 }, PAIRS), "");
});
