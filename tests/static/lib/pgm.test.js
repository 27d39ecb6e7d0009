import assert from "node:assert/strict";
import { test } from "node:test";

import { encodePgm } from "../../../static/js/lib/pgm.js";

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

test("a shrunk picture holds the mean of each block, rounded", () => {
  const grey = [0, 1, 10, 30, 2, 4, 20, 40];
  const rgba = Uint8ClampedArray.from(grey.flatMap((value) => [value, 9, 9, 255]));
  const file = encodePgm(rgba, 4, 2, 2);
  const header = "P5\n2 1\n255\n";
  assert.equal(new TextDecoder().decode(file.subarray(0, header.length)), header);
  assert.deepEqual([...file.subarray(header.length)], [2, 25]);
});
