import assert from "node:assert/strict";
import { test } from "node:test";
import {
  framePoints,
  nearestPoint,
  nextPoint,
} from "../../../static/js/geometry/plane.js";
import { seededRandom } from "../fixtures.js";

const SIZE = { width: 600, height: 400, margin: 20 };
const RANDOM = seededRandom(21);
const CLOUD = Float32Array.from({ length: 400 }, () => RANDOM() * 3 - 1);

test("two points by hand", () => {
  // 4 wide in 560, 2 high in 360: width decides, 140 to 1.
  const frame = framePoints([Float32Array.of(-1, -1, 3, 1)], SIZE);
  assert.deepEqual(frame, { x: 160, y: 200, unit: 140 });
});

test("all points and zero are on the picture, margins kept", () => {
  const frame = framePoints([CLOUD.subarray(0, 200), CLOUD.subarray(200)], SIZE);
  for (let i = -2; i < CLOUD.length; i += 2) {
    const [a, b] = i < 0 ? [0, 0] : [CLOUD[i], CLOUD[i + 1]];
    const [x, y] = [frame.x + a * frame.unit, frame.y - b * frame.unit];
    assert.ok(x >= 20 - 1e-9 && x <= 580 + 1e-9);
    assert.ok(y >= 20 - 1e-9 && y <= 380 + 1e-9);
  }
});

test("the nearest point is the one a search of all finds", () => {
  const frame = framePoints([CLOUD], SIZE);
  for (const [x, y] of [
    [100, 100],
    [300, 200],
    [555, 390],
  ]) {
    const distances = Array.from({ length: 200 }, (_, i) =>
      Math.hypot(
        frame.x + CLOUD[2 * i] * frame.unit - x,
        frame.y - CLOUD[2 * i + 1] * frame.unit - y,
      ),
    );
    const least = Math.min(...distances);
    const nearest = nearestPoint(CLOUD, frame, x, y, 1000);
    assert.ok(Math.abs(distances[nearest] - least) < 1e-6);
    assert.equal(nearestPoint(CLOUD, frame, x, y, least / 2), -1);
  }
});

test("an arrow leads to the nearest point that way", () => {
  //   1
  // 3 0 2    4 further right
  const points = Float32Array.of(0, 0, 0.2, 1, 1, 0.5, -1, 0, 2, 0);
  assert.equal(nextPoint(points, 0, [-1, 0]), 1);
  assert.equal(nextPoint(points, 0, [0, 1]), 2);
  assert.equal(nextPoint(points, 0, [0, -1]), 3);
  assert.equal(nextPoint(points, 2, [0, 1]), 4);
});
