import assert from "node:assert/strict";
import { test } from "node:test";
import { STAY } from "../../../../static/js/lab/parts/arrangement.js";
import { decodeMoves, encodeMoves } from "../../../../static/js/lab/parts/code.js";

test("moves as characters by hand", () => {
  const moves = [STAY, { down: 0, right: -1, turn: 30 }, STAY];
  assert.equal(encodeMoves(moves, 28), ".gfC");
  assert.deepEqual(decodeMoves(".gfC", 28), moves.slice(0, 2));
  assert.equal(encodeMoves([STAY, STAY], 28), "");
  assert.deepEqual(decodeMoves("", 28), []);
});

for (const side of [28, 32, 96])
  test(`any arrangement of ${side} pixels comes back, from what a link may hold`, () => {
    for (let down = 1 - side; down < side; down += 3) {
      const moves = Array.from({ length: 16 }, (_, i) => ({
        down,
        right: ((i * 37) % (2 * side - 1)) + 1 - side,
        turn: ((i * 45 + 15) % 24) * 15,
      }));
      const text = encodeMoves(moves, side);
      assert.ok(text.length <= 16 * (side > 32 ? 5 : 3));
      assert.equal(new URLSearchParams({ text }).toString(), `text=${text}`);
      assert.deepEqual(decodeMoves(text, side), moves);
    }
  });

for (const text of [
  "A",
  "gg",
  "gg!",
  "gg-",
  "AAA",
  "gAA",
  "g".repeat(60),
  ".".repeat(17),
])
  test(`“${text.slice(0, 9)}” of ${text.length} says no arrangement`, () => {
    assert.equal(decodeMoves(text, 28), null);
  });
