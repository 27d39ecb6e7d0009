import assert from "node:assert/strict";
import { test } from "node:test";

import { clearOf } from "../../../static/js/guide/lines.js";
import { seededRandom } from "../fixtures.js";

const FREE = { least: -50, most: 50 };

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
    const gap = clearOf(lines, 100, FREE);
    if (best === Infinity) assert.equal(gap, 0);
    else {
      assert.equal(Math.abs(gap), best);
      assert.equal(cut(gap), false);
    }
  }
});
