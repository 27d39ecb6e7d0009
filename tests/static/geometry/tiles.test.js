import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureSize, tileAt, tilePlace } from "../../../static/js/geometry/tiles.js";

// Seven tiles of 2 x 4 cells, three in a row, the last row not full.
const LAYOUT = { count: 7, across: 3, rows: 2, columns: 4, gap: 1 };

test("a picture holds its tiles and the gaps between them, none around them", () => {
  // 3 * 4 + 2 gaps across, 3 * 2 + 2 gaps down
  assert.deepEqual(pictureSize(LAYOUT), { width: 14, height: 8 });
  assert.deepEqual(
    pictureSize({ count: 256, across: 16, rows: 20, columns: 20, gap: 1 }),
    { width: 335, height: 335 },
  );
});

for (const layout of [
  LAYOUT,
  { ...LAYOUT, gap: 0 },
  { count: 1, across: 1, rows: 28, columns: 28, gap: 0 },
  { count: 5, across: 8, rows: 3, columns: 1, gap: 2 },
]) {
  test(`every cell of ${JSON.stringify(layout)} is found, anything else is a gap`, () => {
    const { width, height } = pictureSize(layout);
    const owners = new Map();
    for (let tile = 0; tile < layout.count; tile++) {
      const { x, y } = tilePlace(layout, tile);
      for (let row = 0; row < layout.rows; row++) {
        for (let column = 0; column < layout.columns; column++) {
          owners.set(`${x + column},${y + row}`, { tile, row, column });
        }
      }
    }
    assert.equal(owners.size, layout.count * layout.rows * layout.columns);
    for (let y = -2; y <= height; y++) {
      for (let x = -2; x <= width; x++) {
        const expected = owners.get(`${x},${y}`) ?? null;
        assert.deepEqual(tileAt(layout, x, y), expected);
        assert.deepEqual(tileAt(layout, x + 0.5, y + 0.5), expected);
      }
    }
  });
}
