import assert from "node:assert/strict";
import { test } from "node:test";
import { mostMoved, snapToSteps } from "../../../../static/js/lab/pose/handles.js";
import { codeOf } from "../../../../static/js/lab/pose/paths.js";

const STILL = { turn: 0, right: 0, down: 0, scale: 1, shear: 0 };

test("a drag ends on the knob's steps and within its limits", () => {
  assert.deepEqual(snapToSteps({ turn: 12.7, scale: 9 }), { turn: 13, scale: 1.6 });
  assert.deepEqual(snapToSteps({ right: -1.3, down: 0.2 }), { right: -1.5, down: 0 });
});

test("of two knobs, curves are drawn over the one that moved the most", () => {
  assert.equal(mostMoved({ right: 1, down: -3 }, STILL), "down");
  assert.equal(mostMoved({ right: 2, down: -1 }, STILL), "right");
});

test("a pose is cut from those of all classes, a hidden layer is whole", () => {
  const data = Float32Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
  const tensors = { poses: { shape: [2, 3, 2, 2], data } };
  const { points, dim } = codeOf({ tensors }, { tensor: "poses", isPose: true }, 1);
  assert.equal(dim, 4);
  assert.deepEqual([...points], [4, 5, 6, 7, 16, 17, 18, 19]);
  const whole = codeOf({ tensors }, { tensor: "poses", isPose: false }, 1);
  assert.deepEqual([whole.dim, whole.points.length], [12, 24]);
});
