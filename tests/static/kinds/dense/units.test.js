import assert from "node:assert/strict";
import { test } from "node:test";

import {
  beforeRelu,
  countActive,
  unitsBefore,
} from "../../../../static/js/kinds/dense/units.js";
import {
  activeWords,
  givenWords,
  reluWords,
} from "../../../../static/js/kinds/dense/words.js";
import { says, tensor } from "../../fixtures.js";

test("a unit is the sum over every value of every map, and its bias", () => {
  const maps = tensor([2, 1, 2], [1, 2, 3, 4]);
  const kernels = tensor([2, 2, 1, 2], [1, 0, 0, 1, -1, -1, -1, -1]);
  const before = unitsBefore(maps, { kernels, bias: tensor([2], [0.5, 0.25]) });
  assert.deepEqual([...before], [5.5, -9.75]);
});

test("what ReLU lets through is the network's own, and ReLU makes of it what it is", () => {
  const before = beforeRelu([3.0938, -1.5, 0.0001], [3.09375, 0, 0]);
  assert.deepEqual([...before], [3.09375, -1.5, 0]);
});

test("what ReLU stops is counted", () => {
  assert.equal(countActive([0, 1, 0, 0.5]), 2);
  assert.match(activeWords(0, 4), /^None of the 4 units/);
  assert.match(activeWords(4, 4), /^All 4 units are above 0/);
  assert.match(activeWords(1, 4), /^1 unit of 4 is above 0 \(25.0\u202f%\).* other 3/);
});

test("a unit in words, whatever ReLU makes of it", () => {
  assert.match(reluWords(0.5, 0.5), /lets it pass: 0.500/);
  says(reluWords(-0.5, 0), "−0.500. It is not above 0");
  assert.equal(givenWords([0, 0], ["A", "B"]), "It adds 0 to every logit.");
  says(givenWords([1, -2], ["A", "B"]), "most for A (+1.000)…against B (−2.000).");
  says(givenWords([1, 2], ["A", "B"]), "speaks most for B (+2.000).");
});
