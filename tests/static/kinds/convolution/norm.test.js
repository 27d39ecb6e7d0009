import assert from "node:assert/strict";
import { test } from "node:test";

import { isNormed, normWords } from "../../../../static/js/kinds/convolution/norm.js";
import {
  readLayer,
  trainedReading,
} from "../../../../static/js/kinds/convolution/reading.js";
import { layersOf } from "../../../../static/js/kinds/network.js";
import { grey, says, tensor } from "../../fixtures.js";

const NORM = {
  gain: tensor([2], [2, -1]),
  shift: tensor([2], [0.5, 0.25]),
  mean: tensor([2], [1, 0.5]),
  deviation: tensor([2], [4, 0.5]),
};

const LAYER = {
  id: "conv1",
  title: "Conv1",
  kind: {},
  window: () => ({ size: 1, step: 1 }),
  tensors: { pre: "pre" },
};
const WEIGHTS = { kernels: tensor([2, 1, 1], [1, 1]), bias: tensor([2], [0, 0]) };
const TRACE = {
  pixels: grey([0, 0], 1),
  tensors: { pre: tensor([2, 1, 2], [-2, 3, 0, 1]) },
};

test("each map has four numbers of its own", () => {
  const [layer] = layersOf([LAYER]);
  const read = readLayer(TRACE, { ...WEIGHTS, ...NORM }, { card: {} }, layer);
  const { norm, after } = trainedReading(read, 1);
  assert.deepEqual([...after], [0, 1]);
  assert.deepEqual(norm, { gain: -1, shift: 0.25, mean: 0.5, deviation: 0.5 });
  says(
    normWords(norm, "Map 1", after[1]),
    "makes it −0.750…all of Map 1…each 0 1.250.",
  );
});

test("where there is none, ReLU comes last", () => {
  const [layer] = layersOf([LAYER]);
  assert.equal(isNormed(layer), false);
  assert.equal(isNormed({ weights: { kernels: "k", gain: "g" } }), true);
  const read = readLayer(TRACE, WEIGHTS, { card: {} }, layer);
  assert.equal(trainedReading(read, 0).norm, null);
});
