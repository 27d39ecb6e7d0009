import assert from "node:assert/strict";
import { test } from "node:test";

import { clearOf } from "../../../static/js/guide/lines.js";
import { seededRandom } from "../fixtures.js";

const FREE = { least: -50, most: 50 };

test("nothing moves where the edge cuts no line", () => {
  assert.equal(clearOf([], 100, FREE), 0);
  const around = [80, 100].map((top) => ({ top, bottom: top + 20 }));
  assert.equal(clearOf(around, 100, FREE), 0);
});

test("a line that is cut is shown or hidden, whichever is nearer and within reach", () => {
  const line = { top: 95, bottom: 113 };
  assert.equal(clearOf([line], 100, FREE), -5);
  assert.equal(clearOf([line], 110, FREE), 3);
  assert.equal(clearOf([line], 100, { least: -4, most: 50 }), 13);
  assert.equal(clearOf([line], 100, { least: -4, most: 12 }), 0);
  // A second column, whose line would be cut if the first were shown.
  assert.equal(clearOf([line, { top: 80, bottom: 98 }], 100, FREE), 13);
});

test("after moving, no line is cut, if any whole number of pixels does that", () => {
  const random = seededRandom(30);
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 6 }, () => {
      const top = 60 + 100 * random();
      return { top, bottom: top + 8 + 12 * random() };
    });
    const cut = (way) =>
      lines.some(({ top, bottom }) => top < 100 + way && 100 + way < bottom);
    const ways = Array.from({ length: 101 }, (_, i) => i - 50);
    const best = Math.min(...ways.filter((way) => !cut(way)).map(Math.abs));
    const found = clearOf(lines, 100, FREE);
    if (best === Infinity) assert.equal(found, 0);
    else {
      assert.equal(Math.abs(found), best);
      assert.equal(cut(found), false);
    }
  }
});
