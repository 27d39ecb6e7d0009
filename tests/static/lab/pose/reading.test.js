import assert from "node:assert/strict";
import { test } from "node:test";

import { readingEntry, readingWords } from "../../../../static/js/lab/pose/reading.js";

const reading = (numbers, r2) => ({
  numbers,
  r2,
  r2_low: r2 - 0.01,
  r2_high: r2 + 0.01,
});
const knob = { title: "Turn", unit: "°", decimals: 1, measured: "rotation" };
const readings = { code: reading(16, 0.914), pixels: reading(784, 0.79) };
const pose = {
  code: "pose of the class capsule",
  images: 1000,
  knobs: { rotation: { low: -45, high: 45, readings } },
};

test("what a capsule tells of the knob, beside the pixels", () => {
  assert.equal(
    readingWords(pose, knob),
    "On 1\u202f000 test digits, a linear reader tells the knob “Turn”, −45° to 45°, from the pose of the class capsule with R² = 0.91 (95\u202f% interval 0.90 to 0.92). From the pixels themselves, R² = 0.79.",
  );
});

test("a longer vector is also read by as many components as a pose has numbers", () => {
  const long = { ...readings, code_components: reading(16, 0.777) };
  const hidden = {
    ...pose,
    code: "hidden layer",
    knobs: { rotation: { low: -45, high: 45, readings: long } },
  };
  assert.match(
    readingWords(hidden, knob),
    /from the hidden layer with R² = 0\.91 .* From its first 16 components, R² = 0\.78\. From the pixels/,
  );
});

test("reading that is worse than the mean has its sign", () => {
  const worse = { ...readings, code: reading(16, -0.05) };
  const entry = {
    ...pose,
    knobs: { rotation: { low: -45, high: 45, readings: worse } },
  };
  assert.match(readingWords(entry, knob), /R² = −0\.05 .*−0\.06 to −0\.04/);
});

test("nothing is said of a knob that was not measured", () => {
  assert.equal(readingWords(null, knob), "");
  assert.equal(readingWords(pose, { ...knob, measured: "shift_down" }), "");
  assert.equal(readingWords(pose, { ...knob, measured: null }), "");
});

test("the entry is the card's", () => {
  assert.equal(readingEntry({ card: {} }), null);
  assert.equal(readingEntry({ card: { measurements: { pose_reading: pose } } }), pose);
});
