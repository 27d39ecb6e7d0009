import assert from "node:assert/strict";
import { test } from "node:test";

import { areApart, placeLabels } from "../../../static/js/geometry/labels.js";
import { seededRandom } from "../fixtures.js";

const PICTURE = { width: 400, height: 300 };
const WORD = { width: 40, height: 14 };

test("no label lies on another, and none leaves the picture", () => {
  const random = seededRandom(7);
  for (let run = 0; run < 100; run++) {
    const labels = Array.from({ length: 20 }, (_, i) => ({
      ...WORD,
      places: [{ x: 400 * random(), y: 300 * random() }],
      isNeeded: i === 0,
    }));
    const placed = placeLabels(labels, PICTURE);
    assert.ok(placed[0] !== null);
    const shown = placed.filter((box) => box !== null);
    assert.ok(shown.length > 5);
    shown.forEach((box, i) => {
      for (const other of shown.slice(i + 1)) assert.ok(areApart(box, other));
      assert.ok(box.x >= 20 && box.x <= 380 && box.y >= 7 && box.y <= 293);
    });
  }
});

test("a label takes the first place that is free, and clear of what it avoids", () => {
  const places = [100, 150, 200].map((y) => ({ x: 200, y }));
  const line = [
    { x: 0, y: 100 },
    { x: 400, y: 100 },
  ];
  const placed = placeLabels(
    [
      { ...WORD, places },
      { ...WORD, places, avoids: [line] },
      { ...WORD, places, avoids: [line] },
    ],
    PICTURE,
  );
  assert.deepEqual(
    placed.map((box) => box?.y),
    [100, 150, 200],
  );
  // A line that ends before it is in nobody's way.
  const short = [line[0], { x: 170, y: 100 }];
  assert.equal(placeLabels([{ ...WORD, places, avoids: [short] }], PICTURE)[0]?.y, 100);
});

test("where nothing is free, what is needed is placed and the rest is left out", () => {
  const places = [{ x: 50, y: 50 }];
  const needed = { ...WORD, places, isNeeded: true };
  const placed = placeLabels([needed, { ...WORD, places }, needed], PICTURE);
  assert.deepEqual(
    placed.map((box) => box !== null),
    [true, false, true],
  );
});
