import assert from "node:assert/strict";
import { test } from "node:test";
import { CUTS, cutOf, movesIn } from "../../../../static/js/lab/parts/cuts.js";
import { stepOf } from "../../../../static/js/lab/parts/stage.js";

const pixels = Uint8Array.from({ length: 784 }, (_, i) => (i % 28 === 9 ? 255 : 0));

for (const name of CUTS)
  test(`the cut ${name} of an image is the same while pieces move`, () => {
    assert.equal(cutOf(pixels, name), cutOf(pixels, name));
    assert.notEqual(cutOf(pixels, name), cutOf(pixels.slice(), name));
  });

test("what a link does not say, or says wrongly, stays", () => {
  const cut = cutOf(pixels, "2");
  const stays = { down: 0, right: 0, turn: 0 };
  assert.deepEqual(movesIn(cut, ".gfC"), [
    stays,
    { down: 0, right: -1, turn: 30 },
    stays,
    stays,
  ]);
  assert.deepEqual(movesIn(cut, "!"), [stays, stays, stays, stays]);
  assert.equal(movesIn(cut, ".........").length, 4);
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
    const found = stepOf(key);
    assert.deepEqual(found, by);
  });
