import assert from "node:assert/strict";
import { test } from "node:test";

import {
  isMoved,
  movedPixels,
  packShift,
  sameShift,
  shiftWords,
  stepped,
  UNMOVED,
  unpackShift,
} from "../../../static/js/lib/shift.js";

const RIGHT = { down: 0, right: 1 };

test("an image moves, and what leaves it is lost", () => {
  const bytes = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const moved = (shift, channels, rows) => [
    ...movedPixels({ channels, rows, columns: 3, bytes }, shift).bytes,
  ];
  assert.deepEqual(moved(RIGHT, 1, 3), [0, 1, 2, 0, 4, 5, 0, 7, 8]);
  assert.deepEqual(moved({ down: -1, right: -1 }, 1, 3), [5, 6, 0, 8, 9, 0, 0, 0, 0]);
  assert.deepEqual(moved(RIGHT, 3, 1), [0, 1, 2, 0, 4, 5, 0, 7, 8]);
  assert.deepEqual(moved({ down: 1, right: 0 }, 3, 1), Array(9).fill(0));
});

test("a move is at most two pixels each way", () => {
  assert.deepEqual(stepped({ down: 0, right: 2 }, RIGHT), { down: 0, right: 2 });
  assert.deepEqual(stepped({ down: -2, right: 0 }, RIGHT), { down: -2, right: 1 });
  assert.deepEqual(stepped({ down: -9, right: 1 }), { down: -2, right: 1 });
  assert.equal(isMoved(UNMOVED), false);
  assert.equal(isMoved(RIGHT), true);
  assert.ok(sameShift(RIGHT, { ...RIGHT }) && !sameShift(RIGHT, UNMOVED));
});

test("a move in words", () => {
  assert.equal(shiftWords({ down: -1, right: 2 }), "2 pixels right and 1 pixel up");
  assert.equal(shiftWords({ down: 2, right: 0 }, "window"), "2 windows down");
  assert.equal(shiftWords(UNMOVED), "");
});

test("a move comes back from its text, and nothing else is one", () => {
  for (const shift of [UNMOVED, RIGHT, { down: -2, right: 1 }])
    assert.deepEqual(unpackShift(packShift(shift)), shift);
  assert.ok(Object.is(unpackShift("-0,1").down, 0));
  for (const text of ["", "3,0", "1", "1,2,0", "a,b"])
    assert.equal(unpackShift(text), null);
});
