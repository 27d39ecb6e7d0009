import assert from "node:assert/strict";
import { test } from "node:test";

import {
  paintArrow,
  placesOfFigures,
  widthOf,
} from "../../../static/js/paint/arrows.js";
import { seededRandom } from "../fixtures.js";

const FRAME = { x: 200, y: 150, unit: 100 };

test("figures keep clear of one another and of names; the first has its place", () => {
  const random = seededRandom(7);
  for (let run = 0; run < 100; run++) {
    const tips = Float32Array.from({ length: 20 }, () => 3 * (random() - 0.5));
    const [end, below] = [Float32Array.of(1.2 * random(), 0), random() < 0.5];
    const placed = placesOfFigures(tips, [{ end, below }], FRAME);
    assert.ok(placed.length > 0);
    const name = { x: FRAME.x + end[0] * 100, y: FRAME.y + (below ? 16 : -16) };
    placed.forEach((one, i) => {
      for (const other of placed.slice(i + 1))
        assert.ok(Math.abs(one.x - other.x) >= 30 || Math.abs(one.y - other.y) >= 13);
      assert.ok(Math.abs(one.x - name.x) >= 44 || Math.abs(one.y - name.y) >= 16);
    });
  }
  const apart = Float32Array.of(1.5, 0, -1.5, 0);
  assert.deepEqual(
    placesOfFigures(apart, [], FRAME).map(({ i }) => i),
    [0, 1],
  );
});

test("an arrow ends at its tip, and one of no length is not drawn", () => {
  const points = [];
  const context = {
    beginPath: () => {},
    moveTo: (x, y) => points.push([x, y]),
    lineTo: (x, y) => points.push([x, y]),
    stroke: () => {},
    fill: () => {},
  };
  paintArrow(context, FRAME, FRAME, 3);
  assert.deepEqual(points, []);
  const tip = { x: 290, y: 60 };
  paintArrow(context, FRAME, tip, 3);
  const far = ([x, y]) => Math.hypot(x - FRAME.x, y - FRAME.y);
  const furthest = points.reduce((a, b) => (far(b) > far(a) ? b : a));
  assert.deepEqual(furthest, [tip.x, tip.y]);
});

test("arrows are wider, the larger their coupling", () => {
  assert.ok(widthOf(0) > 0);
  assert.ok(Math.abs(widthOf(1) - widthOf(0.5) - (widthOf(0.5) - widthOf(0))) < 1e-9);
});
