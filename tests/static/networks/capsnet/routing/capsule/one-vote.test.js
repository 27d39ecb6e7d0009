import assert from "node:assert/strict";
import { test } from "node:test";

import { rounded } from "../../../../../../static/js/lib/decimals.js";
import {
  capsuleOf,
  DECIMALS,
  PRODUCT_DECIMALS,
  squashOf,
  voteInFull,
  voteOf,
} from "../../../../../../static/js/networks/capsnet/routing/capsule/one-vote.js";
import { seededRandom, tensor } from "../../../../fixtures.js";

// Two capsules below, two digits, votes of three numbers.
const ALL = tensor([2, 1, 1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
const OF_DIGIT_1 = tensor([2, 1, 1, 3], [4, 5, 6, 10, 11, 12]);

test("a vote is found in those for its digit, or in all", () => {
  assert.deepEqual([...voteOf({ votes: ALL }, 1, 0)], [7, 8, 9]);
  assert.deepEqual([...voteOf({ votes: ALL }, 1, 1)], [10, 11, 12]);
  assert.deepEqual([...voteOf({ "votes.1": OF_DIGIT_1 }, 1, 1)], [10, 11, 12]);
  assert.equal(voteOf({ "votes.1": OF_DIGIT_1 }, 1, 0), null);
});

test("a digit capsule is found by its iteration and its digit", () => {
  const capsules = tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([...capsuleOf(capsules, 1, 0)], [5, 6]);
});

test("squash is read backwards: a length of 0.5 came from 1", () => {
  const { before, squared, after, factor } = squashOf([0.3, 0.4]);
  assert.deepEqual([before, squared, after, factor], [1, 1, 0.5, 0.5]);
});

test("a capsule of zeros came from nothing", () => {
  const { before, squared, after, factor } = squashOf([0, 0]);
  assert.deepEqual([before, squared, after, factor], [0, 0, 0, 0]);
  const { total, sum } = voteInFull([1, 2], 0.5, [0, 0]);
  assert.deepEqual([...total, sum], [0, 0, 0]);
});

test("squash comes out as it is written, whatever the capsule", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 500; round++) {
    const reach = 0.24 * random() ** 2;
    const capsule = Array.from({ length: 16 }, () => (2 * random() - 1) * reach);
    const { before, squared, after, decimals } = squashOf(capsule);
    assert.equal(after, rounded(Math.hypot(...capsule), DECIMALS));
    assert.equal(rounded(before ** 2, decimals), squared);
    assert.equal(rounded(squared / (1 + squared), DECIMALS), after);
  }
});

test("a vote's way, worked out by hand", () => {
  // v = (0.3, 0.4) is 0.5 long, so s is twice as long.
  const full = voteInFull([0.5, -0.25], 0.2, [0.3, 0.4]);
  assert.deepEqual(full, {
    vote: [0.5, -0.25],
    added: [0.1, -0.05],
    total: [0.6, 0.8],
    capsule: [0.3, 0.4],
    products: [0.15, -0.1],
    sum: 0.05,
  });
});

test("products and their sum are those of the numbers written", () => {
  const random = seededRandom(6);
  const numbers = () => Array.from({ length: 16 }, () => random() - 0.5);
  for (let round = 0; round < 100; round++) {
    const capsule = numbers().map((value) => value / 3);
    const { vote, capsule: v, products, sum } = voteInFull(numbers(), 0.1, capsule);
    let units = 0;
    products.forEach((product, d) => {
      assert.equal(product, rounded(vote[d] * v[d], PRODUCT_DECIMALS));
      units += Math.round(product * 1e5);
    });
    assert.equal(Math.round(sum * 1e5), units);
  }
});
