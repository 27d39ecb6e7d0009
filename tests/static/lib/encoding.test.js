import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeFloat16,
  encodePgm,
  fromBase64,
  roundingOf,
  toBase64,
} from "../../../static/js/lib/encoding.js";

test("bytes come back from text that is safe in a link, whatever their number", () => {
  for (let length = 0; length < 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => 255 - ((i * 7) % 256));
    const text = toBase64(bytes);
    assert.match(text, /^[\w-]*$/);
    assert.deepEqual(fromBase64(text), bytes);
  }
});

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

test("what is rounded to a half was at most half a step away from it", () => {
  const halves = decodeFloat16(Uint16Array.from({ length: 0x7c00 }, (_, bits) => bits));
  halves.slice(1).forEach((next, i) => {
    assert.equal(roundingOf(halves[i]), (next - halves[i]) / 2);
    assert.equal(roundingOf(-halves[i]), roundingOf(halves[i]));
  });
});
