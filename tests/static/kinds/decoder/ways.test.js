import assert from "node:assert/strict";
import { test } from "node:test";
import { shownOf } from "../../../../static/js/kinds/decoder/paths.js";
import { sweepPoses, sweepSteps } from "../../../../static/js/kinds/decoder/sweep.js";
import {
  amountOn,
  failingWays,
  movedTo,
  principalPaths,
  propertyPaths,
} from "../../../../static/js/kinds/decoder/ways.js";
import { MODEL, tensor } from "../../fixtures.js";

/** One class, two numbers; slant is the first number, in units of 0.1. */
const MEASURES = {
  mean: tensor([1, 2], [1, 2]),
  directions: tensor([1, 2, 2], [0.6, 0.8, 0.8, -0.6]),
  deviations: tensor([1, 2], [2, 1]),
  ways: tensor([1, 2, 2], [0.1, 0, 0, 0.5]),
  slopes: tensor([1, 2, 2], [10, 0, 0, 2]),
};
const way = (property, holds) => ({
  property,
  correlation: 0.97,
  change: 14,
  spilled: "width",
  spill: 0.1,
  holds,
});
const MEASURED = {
  ...MODEL,
  card: {
    ...MODEL.card,
    meanings: {
      images: 100,
      movable: ["slant", "width"],
      classes: [{ numbers: [], along: [way("slant", true), way("width", false)] }],
    },
  },
};

test("only directions that hold are offered, the others are named", () => {
  const paths = propertyPaths(MEASURED, MEASURES, 0);
  assert.deepEqual(
    paths.map(({ id }) => id),
    ["slant"],
  );
  assert.deepEqual(
    failingWays(MEASURED, 0).map(({ property }) => property),
    ["width"],
  );
  assert.deepEqual(propertyPaths(MODEL, MEASURES, 0), []);
});

test("moving along a property reaches the amount asked for", () => {
  const [slant] = propertyPaths(MEASURED, MEASURES, 0);
  assert.equal(amountOn(slant, [0, 0]), 0);
  const edits = movedTo(slant, [0, 0.3], 1.5);
  assert.deepEqual(edits, [0.15, 0.3]);
  assert.ok(Math.abs(amountOn(slant, edits) - 1.5) < 1e-6);
  assert.deepEqual(movedTo(slant, edits, 0), [0, 0.3]);
});

test("a principal direction begins where the capsule stands", () => {
  const paths = principalPaths(MEASURES, 0, [2.2, 3.6]); // the mean + 2 (0.6, 0.8)
  assert.ok(Math.abs(paths[0].own - 1) < 1e-6);
  assert.ok(Math.abs(paths[1].own) < 1e-6);
  assert.deepEqual(
    paths.map(({ share }) => share),
    [0.8, 0.2],
  );
});

test("moving along one principal direction leaves the other", () => {
  const [first, second] = principalPaths(MEASURES, 0, [1, 2]);
  const edits = movedTo(first, [0, 0], 2);
  assert.deepEqual(edits, [2.4, 3.2]);
  assert.ok(Math.abs(amountOn(second, edits)) < 1e-6);
});

test("a direction without deviation has no slider", () => {
  const flat = { ...MEASURES, deviations: tensor([1, 2], [2, 0]) };
  assert.equal(principalPaths(flat, 0, [1, 2]).length, 1);
});

test("a slider tells what its amount does, in the property's unit", () => {
  const [slant] = propertyPaths(MEASURED, MEASURES, 0);
  const still = shownOf(slant, { edits: [0, 0] });
  assert.equal(still.value, "0°");
  assert.equal(still.spoken, "0°, the network’s own");
  assert.deepEqual(still.ends, ["−21°", "+21°"]);
  const moved = shownOf(slant, { edits: [0.1, 0] });
  assert.equal(moved.value, "+14°");
  assert.ok(moved.at > moved.own);
});

test("an amount beyond the slider's ends widens it", () => {
  const [slant] = propertyPaths(MEASURED, MEASURES, 0);
  assert.equal(shownOf(slant, { edits: [0.4, 0] }).at, 1);
});

test("a sweep goes from end to end in equal steps", () => {
  assert.deepEqual(sweepSteps({ low: -0.2, high: 0.2 }, 5), [-0.2, -0.1, 0, 0.1, 0.2]);
});

test("each pose of a sweep moves one number from its own place, edits stay", () => {
  const original = [1, 2];
  const edited = [1.5, 2]; // the first is edited by 0.5
  const steps = [
    [-1, 1],
    [-2, 0],
  ];
  assert.deepEqual(sweepPoses(original, edited, steps), [
    [0, 2],
    [2, 2],
    [1.5, 0],
    [1.5, 2],
  ]);
});
