import assert from "node:assert/strict";
import { test } from "node:test";
import {
  followWords,
  reachWords,
  readingWords,
} from "../../../../static/js/lab/pose/words.js";
import { says } from "../../fixtures.js";

const knob = { title: "Turn", start: 0, unit: "°", decimals: 1 };
const held = { first: 2, last: 9, from: -22.5, to: 30 };
const facts = { title: "pose", name: "4", knob, held };

const ZERO = Number.POSITIVE_INFINITY;
const ALONE = { first: 3, last: 3, from: 0, to: 0 };
for (const [patch, words] of [
  [
    { reach: 0.624 },
    "reads 4 at all 8 values asked from −22.5° to 30°; there, the pose is up to 62 %",
  ],
  [{ held: ALONE, reach: 0 }, "Of the values asked, it reads 4 at 0° and at neither"],
  [{ held: null, reach: 0 }, "It does not read 4 at 0°"],
  [{ reach: ZERO }, "from −22.5° to 30°, but the pose is zero at 0°."],
])
  test(`how far a vector moves: ${words}`, () =>
    says(reachWords({ ...facts, ...patch }), words));

const follow = (correlations, patch = {}) =>
  followWords({ knob, held, correlations, isPose: true, ...patch });

test("numbers that follow are named, the closest first", () => {
  says(follow([0.91, null, -0.97, 0.2]), "8 values, 2 of its 4…3 (−0.97), 1 (+0.91).");
  assert.match(follow([0.95, 0]), /1 of its 2 numbers follows the knob “Turn”/);
});

test("many followers are named in part", () => {
  assert.match(follow(Array(9).fill(0.95)), /9 of its 9 .* 6 \(\+0.95\) and 3 more\.$/);
});

test("over few values nothing is said of numbers", () => {
  const few = { held: { ...held, last: 4 } };
  says(follow([0.99], few), "Only 3 values: too few");
  assert.equal(follow([0.99], { held: null }), "");
});

const reading = (numbers, r2) => ({
  numbers,
  r2,
  r2_low: r2 - 0.01,
  r2_high: r2 + 0.01,
});
const read = { title: "Turn", unit: "°", decimals: 1, measured: "rotation" };
const readings = { code: reading(16, 0.914), pixels: reading(784, 0.79) };
const pose = {
  code: "pose of the class capsule",
  images: 1000,
  knobs: { rotation: { low: -45, high: 45, readings } },
};

test("a longer vector is also read by as many components as a pose has numbers", () => {
  const long = { ...readings, code_components: reading(16, 0.777) };
  const hidden = {
    ...pose,
    code: "hidden layer",
    knobs: { rotation: { low: -45, high: 45, readings: long } },
  };
  says(readingWords(hidden, read), "hidden layer…0.91…first 16…0.78");
});

test("reading that is worse than the mean has its sign", () => {
  const worse = { ...readings, code: reading(16, -0.05) };
  const entry = {
    ...pose,
    knobs: { rotation: { low: -45, high: 45, readings: worse } },
  };
  assert.match(readingWords(entry, read), /R² = −0\.05 .*−0\.06 to −0\.04/);
});

test("nothing is said of a knob that was not measured", () => {
  assert.equal(readingWords(null, read), "");
  assert.equal(readingWords(pose, { ...read, measured: "shift_down" }), "");
  assert.equal(readingWords(pose, { ...read, measured: null }), "");
});
