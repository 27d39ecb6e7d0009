import assert from "node:assert/strict";
import { test } from "node:test";

import {
  decodeFloat16,
  encodeFloat16,
  roundToFloat16,
} from "../../../static/js/lib/float16.js";
import { seededRandom } from "../fixtures.js";

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

test("every half comes back from its own bits", () => {
  const all = Uint16Array.from({ length: 1 << 16 }, (_, bits) => bits);
  const finite = all.filter((bits) => (bits & 0x7c00) !== 0x7c00);
  for (const [i, value] of decodeFloat16(finite).entries()) {
    assert.equal(encodeFloat16(value), finite[i]);
  }
});

for (const [value, nearest] of [
  [1 / 3, 1365 / 4096],
  [1 + 2 ** -11, 1], // in the middle: the even one
  [1 + 3 * 2 ** -11, 1 + 2 ** -9],
  [2049, 2048],
  [2051, 2052],
  [1 - 2 ** -13, 1], // carried into the exponent
  [2 ** -25, 0],
  [3 * 2 ** -25, 2 ** -23],
  [2 ** -14 - 2 ** -26, 2 ** -14], // up from the subnormal
]) {
  test(`the half nearest to ${value} is ${nearest}`, () => {
    assert.equal(roundToFloat16(value), nearest);
    assert.equal(roundToFloat16(-value), -nearest);
  });
}

test("no half is nearer than the one that is found", () => {
  const random = seededRandom(16);
  for (let round = 0; round < 2000; round++) {
    const value = (random() - 0.5) * 2 ** Math.floor(40 * random() - 24);
    const bits = encodeFloat16(value);
    const [found, ...near] = decodeFloat16(Uint16Array.of(bits, bits + 1, bits - 1));
    for (const other of near.filter(Number.isFinite)) {
      assert.ok(Math.abs(found - value) <= Math.abs(other - value), `${value}`);
    }
  }
});
