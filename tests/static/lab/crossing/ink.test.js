import assert from "node:assert/strict";
import { test } from "node:test";

import {
  answersIn,
  claimsIn,
  decodeAnswers,
} from "../../../../static/js/lab/crossing/ink.js";

// Two images, three classes with poses of two numbers.
const SWEEP = {
  tensors: {
    scores: { shape: [2, 3], data: Float32Array.of(0.1, 0.9, 0.5, 0.8, 0.2, 0.3) },
    "digits.capsules": {
      shape: [2, 3, 2],
      data: Float32Array.from({ length: 12 }, (_, i) => i),
    },
  },
};
const CODE = { tensor: "digits.capsules" };

test("an image is answered by its two highest classes, whatever its labels are", () => {
  assert.deepEqual(answersIn(SWEEP, CODE), [
    { image: 0, classIndex: 1, pose: [2, 3] },
    { image: 0, classIndex: 2, pose: [4, 5] },
    { image: 1, classIndex: 0, pose: [6, 7] },
    { image: 1, classIndex: 2, pose: [10, 11] },
  ]);
});

test("each class is decoded in one request, and each picture comes to its answer", async () => {
  const requests = [];
  const server = {
    async computeTensors(model, path, { digit, poses }) {
      requests.push([model.id, path, digit, poses.length]);
      const data = Float32Array.from(poses.flatMap(([first]) => [digit, first]));
      return { images: { shape: [poses.length, 1, 2], data } };
    },
  };
  const drawn = await decodeAnswers(server, { id: "pairs" }, answersIn(SWEEP, CODE));
  assert.deepEqual(
    drawn.map((image) => [...image]),
    [
      [1, 2],
      [2, 4],
      [0, 6],
      [2, 10],
    ],
  );
  assert.deepEqual(requests.toSorted(), [
    ["pairs", "reconstruct", 0, 1],
    ["pairs", "reconstruct", 1, 1],
    ["pairs", "reconstruct", 2, 2],
  ]);
});

test("what is drawn is held against the digit of its own label, or of most ink", () => {
  // Four pixels: the first digit's, the second's, both digits', nobody's.
  const alone = [Float64Array.of(1, 0, 1, 0), Float64Array.of(0, 0.5, 1, 0)];
  const answers = [
    { image: 0, classIndex: 7, pose: [] },
    { image: 0, classIndex: 4, pose: [] },
  ];
  const drawn = [Float32Array.of(0.2, 0.6, 1, 0), Float32Array.of(0.9, 0.1, 1, 0)];
  const claim = (labels) => claimsIn(answers, drawn, [{ alone, labels }])[0];
  assert.deepEqual(claim([4, 7]).classes, [4, 7]);
  assert.equal(claim([4, 7]).share, 1);
  assert.equal(claim([7, 4]).share, 0);
  assert.deepEqual(claim([null, null]).classes, [4, 7]);
  const same = [alone[0], alone[0]];
  assert.equal(
    claimsIn(answers, drawn, [{ alone: same, labels: [4, 7] }])[0].share,
    null,
  );
});
