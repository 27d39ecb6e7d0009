import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeFloat16 } from "../../static/js/lib/float16.js";

for (const [bits, value] of [
  [0x0000, 0],
  [0x8000, -0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 1365 / 4096], // the half nearest to 1/3
  [0x7bff, 65504], // the largest
  [0x0400, 2 ** -14], // the smallest that is normal
  [0x03ff, (1023 / 1024) * 2 ** -14], // the largest below
  [0x0001, 2 ** -24], // the smallest
  [0x8001, -(2 ** -24)],
  [0x7c00, Number.POSITIVE_INFINITY],
  [0xfc00, Number.NEGATIVE_INFINITY],
  [0x7c01, Number.NaN],
  [0xfe00, Number.NaN],
]) {
  test(`0x${bits.toString(16).padStart(4, "0")} is ${Object.is(value, -0) ? "-0" : value}`, () => {
    const [decoded] = decodeFloat16(Uint16Array.of(bits));
    assert.ok(Object.is(decoded, value), `got ${decoded}`);
  });
}

test("values stand in the order of their bits", () => {
  assert.deepEqual(
    decodeFloat16(Uint16Array.of(0x4000, 0x3c00, 0x3800)),
    Float32Array.of(2, 1, 0.5),
  );
});

test("positive halves grow with their bits", () => {
  const values = decodeFloat16(Uint16Array.from({ length: 0x7c01 }, (_, i) => i));
  assert.ok(values.every((value, i) => i === 0 || value > values[i - 1]));
});
