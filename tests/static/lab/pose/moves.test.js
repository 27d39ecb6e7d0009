import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dragHandle,
  framePoints,
  halfOf,
  halfTurns,
  handlePlace,
  movePoint,
} from "../../../../static/js/lab/pose/moves.js";
import { closeTo } from "../../fixtures.js";

const STILL = { turn: 0, right: 0, down: 0, scale: 1, shear: 0 };

const HALF = halfOf({ rows: 28, columns: 28 });
const near = closeTo(1e-9);

test("scale, shear, turn and shift follow each other in this order", () => {
  const all = { turn: 90, right: 5, down: -1, scale: 2, shear: 45 };
  // (1, -1) scaled (2, -2), sheared (4, -2), turned (-2, -4), shifted (3, -5)
  near(movePoint(all, { x: 1, y: -1 }), { x: 3, y: -5 });
});

test("the frame of an unmoved image is a square around its centre", () => {
  const points = framePoints(STILL, HALF).split(" ");
  assert.deepEqual(points[0].split(",").map(Number), [-HALF, -HALF]);
  assert.deepEqual(points[2].split(",").map(Number), [HALF, HALF]);
});

test("of a larger or a wide image it is as large a part of the shorter side", () => {
  assert.equal(HALF, 9);
  assert.equal(halfOf({ rows: 56, columns: 56 }), 18);
  assert.equal(halfOf({ rows: 28, columns: 64 }), 9);
});

const OTHER = { turn: 30, right: 2, down: -1, scale: 1.2, shear: 10 };
for (const start of [STILL, OTHER]) {
  for (const [handle, change] of Object.entries({
    shift: { right: start.right + 3, down: start.down - 2 },
    turn: { turn: start.turn + 75 },
    scale: { scale: start.scale * 0.7 },
    shear: { shear: start.shear + 15 },
  })) {
    test(`dragging ${handle} to where a move puts its handle is that move, from ${start.turn}°`, () => {
      const end = { ...start, ...change };
      const [from, to] = [start, end].map((move) => handlePlace(move, handle, HALF));
      near(dragHandle(start, handle, from, to, HALF), change);
    });
  }
}

test("turns stay between two half turns", () => {
  assert.deepEqual([190, -190, 540, 0].map(halfTurns), [-170, 170, -180, 0]);
});

test("a scale dragged from the very centre stays", () => {
  const centre = { x: 0, y: 0 };
  assert.deepEqual(dragHandle(STILL, "scale", centre, { x: 1, y: 0 }, HALF), {
    scale: 1,
  });
});
