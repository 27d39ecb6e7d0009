import assert from "node:assert/strict";
import { test } from "node:test";
import { moved, partOf } from "../../../static/js/ui/grid-picker.js";

const UP = [-1, 0];
const DOWN = [1, 0];
const LEFT = [0, -1];
const RIGHT = [0, 1];

// Places 0 1 2 / 3 4 5 / 6, each of 2 x 4 cells.
const LAYOUT = { count: 7, across: 3, rows: 2, columns: 4, gap: 1 };

for (const [from, direction, to] of [
  [4, UP, 1],
  [4, LEFT, 3],
  [4, RIGHT, 5],
  [3, DOWN, 6],
  [1, UP, 1], // the top
  [0, LEFT, 0], // the first
  [3, LEFT, 3], // a row's begin does not lead to the end of the one above
  [2, RIGHT, 2],
  [5, RIGHT, 5],
  [4, DOWN, 4], // nothing stands there
  [6, RIGHT, 6],
  [6, DOWN, 6],
]) {
  test(`from place ${from}, down ${direction[0]} and right ${direction[1]} is ${to}`, () => {
    const cell = { place: from, row: 1, column: 3 };
    assert.deepEqual(moved(cell, direction, LAYOUT, "place"), { ...cell, place: to });
  });
}

for (const [[row, column], direction, to] of [
  [[0, 1], DOWN, [1, 1]],
  [[1, 1], UP, [0, 1]],
  [[1, 1], LEFT, [1, 0]],
  [[1, 1], RIGHT, [1, 2]],
  [[0, 1], UP, [0, 1]],
  [[1, 1], DOWN, [1, 1]],
  [[1, 0], LEFT, [1, 0]],
  [[1, 3], RIGHT, [1, 3]],
]) {
  test(`from cell ${row},${column}, down ${direction[0]} and right ${direction[1]} is ${to}`, () => {
    const cell = { place: 4, row, column };
    const expected = { place: 4, row: to[0], column: to[1] };
    assert.deepEqual(moved(cell, direction, LAYOUT, "cell"), expected);
  });
}

test("every place can be walked to, and none outside", () => {
  const reached = new Set([0]);
  for (const tile of reached) {
    for (const direction of [UP, DOWN, LEFT, RIGHT]) {
      const from = { place: tile, row: 0, column: 0 };
      reached.add(moved(from, direction, LAYOUT, "place").place);
    }
  }
  assert.deepEqual([...reached].sort(), [0, 1, 2, 3, 4, 5, 6]);
});

test("a cell's part of the picture is found among tiles and gaps", () => {
  // Two tiles of 2 x 2 cells with a gap of one between them: 5 cells wide, 2 high.
  const layout = { count: 2, across: 2, rows: 2, columns: 2, gap: 1 };
  const cell = { place: 1, row: 1, column: 0 };
  assert.deepEqual(partOf(layout, cell, "cell"), {
    x: 3 / 5,
    y: 1 / 2,
    width: 1 / 5,
    height: 1 / 2,
  });
  assert.deepEqual(partOf(layout, cell, "place"), {
    x: 3 / 5,
    y: 0,
    width: 2 / 5,
    height: 1,
  });
});
