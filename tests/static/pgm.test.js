import assert from "node:assert/strict";
import { test } from "node:test";

import { encodePgm } from "../../static/js/lib/pgm.js";

test("a picture is its header and one byte for each pixel, row by row", () => {
  const rgba = Uint8ClampedArray.of(
    ...[10, 0, 0, 255],
    ...[0, 9, 9, 255],
    ...[255, 9, 9, 0],
    ...[32, 9, 9, 255],
    ...[5, 9, 9, 255],
    ...[6, 9, 9, 255],
  );
  const bytes = [...encodePgm(rgba, 3, 2)];
  assert.equal(String.fromCharCode(...bytes.slice(0, -6)), "P5\n3 2\n255\n");
  assert.deepEqual(bytes.slice(-6), [10, 0, 255, 32, 5, 6]);
});
