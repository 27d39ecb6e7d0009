import assert from "node:assert/strict";
import { test } from "node:test";

import {
  isNormed,
  normalizedMaps,
  normTexts,
} from "../../../../static/js/kinds/convolution/norm.js";
import {
  readLayer,
  trainedReading,
} from "../../../../static/js/kinds/convolution/reading.js";
import { layersOf } from "../../../../static/js/kinds/network.js";
import { grey, seededRandom, tensor } from "../../fixtures.js";

const NORM = {
  gain: tensor([2], [2, -1]),
  shift: tensor([2], [0.5, 0.25]),
  mean: tensor([2], [1, 0.5]),
  deviation: tensor([2], [4, 0.5]),
};

test("each map is scaled and shifted by its own four numbers", () => {
  const relu = tensor([2, 1, 2], [0, 3, 0, 1]);
  assert.deepEqual([...normalizedMaps(relu, NORM).data], [0, 1.5, 1.25, -0.75]);
});

const LAYER = {
  ...{ id: "conv1", title: "Conv1", kind: {} },
  window: () => ({ size: 1, step: 1 }),
  tensors: { pre: "pre" },
};
const WEIGHTS = { kernels: tensor([2, 1, 1], [1, 1]), bias: tensor([2], [0, 0]) };
const TRACE = {
  pixels: grey([0, 0], 1),
  tensors: { pre: tensor([2, 1, 2], [-2, 3, 0, 1]) },
};

test("maps of a layer with batch norm are what the layer above reads", () => {
  const [layer] = layersOf([LAYER]);
  const read = readLayer(TRACE, { ...WEIGHTS, ...NORM }, { card: {} }, layer);
  const { out, norm, after } = trainedReading(read, 1);
  assert.deepEqual([...out], [1.25, -0.75]);
  assert.deepEqual([...after], [0, 1]);
  assert.deepEqual(norm, { gain: -1, shift: 0.25, mean: 0.5, deviation: 0.5 });
});

test("where there is none, ReLU comes last", () => {
  const [layer] = layersOf([LAYER]);
  assert.equal(isNormed(layer), false);
  assert.equal(isNormed({ weights: { kernels: "k", gain: "g" } }), true);
  const { out, norm } = trainedReading(
    readLayer(TRACE, WEIGHTS, { card: {} }, layer),
    0,
  );
  assert.deepEqual([...out], [0, 3]);
  assert.equal(norm, null);
});

/** A number as it is written. @param {string} text */
const numberOf = (text) => Number(text.replaceAll(/[()]/g, "").replace("−", "-"));

test("the written sum comes out, whatever its signs", () => {
  const random = seededRandom(8);
  const any = () => 4 * random() - 2;
  for (let i = 0; i < 500; i++) {
    const norm = { gain: any(), shift: any(), mean: any(), deviation: 0.1 + random() };
    const value = Math.max(0, any());
    const texts = normTexts(value, norm);
    const shift = numberOf(texts["shift-size"]) * (texts.sign === "+" ? 1 : -1);
    assert.equal(
      (numberOf(texts.scaled) + shift).toFixed(3),
      numberOf(texts.out).toFixed(3),
    );
    const out = (norm.gain * (value - norm.mean)) / norm.deviation + norm.shift;
    assert.ok(Math.abs(numberOf(texts.out) - out) <= 0.0005 + 1e-9);
    assert.equal(texts["less-mean"].startsWith("("), numberOf(texts.mean) < 0);
    if (value === 0) assert.equal(texts.zero, texts.out);
  }
});
