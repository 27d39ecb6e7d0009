import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areaPath,
  outlinePath,
  stepOf,
} from "../../../../static/js/lab/parts/stage.js";
import { square } from "../../fixtures.js";

// Piece 0 is an L at the edge, piece 1 the rest of the middle row.
const CUT = {
  ...square(3),
  owners: Uint8Array.of(0, 9, 9, 0, 0, 1, 9, 9, 9),
  pieces: [],
};

test("the area of a piece, row by row", () => {
  assert.equal(areaPath(CUT, 0), "M0 0h1v1H0zM0 1h2v1H0z");
  assert.equal(areaPath(CUT, 1), "M2 1h1v1H2z");
});

test("as many edges as its pixels have neighbours that are not its own", () => {
  const edges = outlinePath(CUT, 0).split("M").slice(1);
  assert.deepEqual(
    new Set(edges),
    new Set(["0 0h1", "0 0v1", "1 0v1", "1 1h1", "0 1v1", "2 1v1", "0 2h1", "1 2h1"]),
  );
  assert.equal(outlinePath(CUT, 1).split("M").length - 1, 4);
});

for (const [key, by] of [
  [{ key: "ArrowUp" }, { down: -1, right: 0 }],
  [
    { key: "ArrowLeft", shiftKey: true },
    { down: 0, right: -4 },
  ],
  [{ key: "PageUp" }, { turn: 15 }],
  [{ key: "PageDown" }, { turn: -15 }],
  [{ key: "Home" }, "back"],
  [{ key: "Home", ctrlKey: true }, null],
  [{ key: "ArrowUp", altKey: true }, null],
  [{ key: "a" }, null],
])
  test(`${JSON.stringify(key)} does ${JSON.stringify(by)}`, () => {
    const step = stepOf(key);
    assert.deepEqual(step, by);
  });
