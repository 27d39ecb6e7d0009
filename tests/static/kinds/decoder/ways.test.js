import assert from "node:assert/strict";
import { test } from "node:test";
import { shownOf } from "../../../../static/js/kinds/decoder/paths.js";
import { sweepPoses, sweepSteps } from "../../../../static/js/kinds/decoder/sweep.js";
import {
  amountOn,
  failingWays,
  movedTo,
  propertyPaths,
} from "../../../../static/js/kinds/decoder/ways.js";
import { MODEL, tensor } from "../../fixtures.js";

/** One class, two numbers; slant is the first number, in units of 0.1. */
const MEASURES = {
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
    paths.map(({ way }) => way.property),
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
