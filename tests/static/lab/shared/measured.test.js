import assert from "node:assert/strict";
import { test } from "node:test";

import {
  measuredWords,
  measurementOf,
  measuringCommand,
  testWords,
} from "../../../../static/js/lab/shared/measured.js";

const TEST = {
  images: 1000,
  values: [-15, 0, 15],
  accuracy: [0.5, 0.99, 0.75],
  true_score: [0, 0, 0],
  winner_score: [0, 0, 0],
};
const knob = { unit: "°", decimals: 1 };

test("a card's measurement is used where it is complete", () => {
  const card = { measurements: { rotation: TEST, shift: { ...TEST, accuracy: [1] } } };
  assert.equal(measurementOf({ card }, "rotation"), TEST);
  assert.equal(measurementOf({ card }, "shift"), null);
  assert.equal(measurementOf({ card }, "scale"), null);
  assert.equal(measurementOf({ card: {} }, "scale"), null);
  assert.equal(measurementOf({ card }, null), null);
});

test("a measured curve says of how many images, another how to measure it", () => {
  assert.equal(
    measuredWords("length of 4", TEST, "x"),
    "Line: length of 4, this digit. Band: share of 1\u202f000 test images read right.",
  );
  const command = measuringCommand({ id: "net" }, "shear");
  assert.equal(
    measuredWords("length of 4", null, command),
    "Line: length of 4, this digit. The test set is not measured: run python -m model measure weights/net.safetensors --only shear",
  );
  assert.match(measuredWords("a", null, ""), /is not measured over this knob\.$/);
});

test("the test set at the measured value nearest to the knob's", () => {
  const networks = [
    { title: "A", test: TEST },
    { title: "B", test: null },
    { title: "C", test: { ...TEST, images: 50 } },
  ];
  assert.equal(
    testWords(knob, 9, networks),
    "Test images at 15°, this knob alone: A reads 75.0\u202f% of 1\u202f000 right; C reads 75.0\u202f% of 50 right.",
  );
  const coarse = { title: "D", test: { ...TEST, values: [-30, 0, 30] } };
  assert.equal(
    testWords(knob, 9, [networks[0], coarse]),
    "Test images, this knob alone: A reads 75.0\u202f% of 1\u202f000 right at 15°; D reads 99.0\u202f% of 1\u202f000 right at 0°.",
  );
  assert.equal(testWords(knob, 9, [networks[1]]), "");
});
