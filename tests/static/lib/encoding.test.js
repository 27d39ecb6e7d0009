import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeFloat16,
  encodePgm,
  fromBase64,
  parseSafetensors,
  roundingOf,
  toBase64,
} from "../../../static/js/lib/encoding.js";
import { float32Bytes, safetensorsFile } from "../fixtures.js";

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

const LENGTHS = ["lengths", "F32", [2], float32Bytes([0.5, -1.25])];
const MAPS = ["maps", "F16", [3, 1], Uint8Array.of(0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b)];

/** Bytes of a file with this header text and nothing behind it. */
function fileOf(headerText, length = headerText.length) {
  const text = new TextEncoder().encode(headerText);
  const file = new Uint8Array(8 + text.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(text, 8);
  return file.buffer;
}

test("whole numbers are read, with their signs", () => {
  for (const [dtype, numbers] of [
    ["U8", Uint8Array.of(0, 255)],
    ["I8", Int8Array.of(-128, 127)],
    ["I16", Int16Array.of(-32_768, 32_767)],
    ["I32", Int32Array.of(-(2 ** 24), 9999)],
  ]) {
    const bytes = new Uint8Array(numbers.buffer);
    const { tensors } = parseSafetensors(
      safetensorsFile([["found", dtype, [2], bytes]]),
    );
    assert.deepEqual(tensors.found.data, Float32Array.from(numbers));
  }
});

test("tensors are told apart by their offsets, whatever the header's order", () => {
  const swapped = fileOf(
    '{"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
  );
  const file = new Uint8Array([...new Uint8Array(swapped), ...float32Bytes([1, 2])]);
  const { tensors } = parseSafetensors(file.buffer);
  assert.deepEqual([tensors.a.data[0], tensors.b.data[0]], [1, 2]);
});

test("values may stand at any byte", () => {
  for (let padding = 0; padding < 4; padding++) {
    const file = safetensorsFile([MAPS, LENGTHS], { padding });
    const { tensors } = parseSafetensors(file);
    assert.deepEqual(tensors.lengths.data, Float32Array.of(0.5, -1.25));
    assert.deepEqual(tensors.maps.data, Float32Array.of(1, -2, 65504));
  }
});

test("an empty shape is a single number, a zero in it means none", () => {
  const file = safetensorsFile([
    ["scalar", "F32", [], float32Bytes([3])],
    ["none", "F32", [0, 4], new Uint8Array()],
  ]);
  const { tensors } = parseSafetensors(file);
  assert.deepEqual(tensors.scalar, { shape: [], data: Float32Array.of(3) });
  assert.deepEqual(tensors.none, { shape: [0, 4], data: new Float32Array() });
});

const WHOLE = safetensorsFile([LENGTHS]);

for (const [what, file, message] of [
  ["nothing", new ArrayBuffer(0), /no safetensors file/],
  ["seven bytes", new ArrayBuffer(7), /no safetensors file/],
  ["a page of HTML", new TextEncoder().encode("<!doctype html>").buffer, /longer/],
  ["a header that is cut off", WHOLE.slice(0, 20), /longer than the answer/],
  ["a header's length beyond all numbers", fileOf("{}", 2n ** 64n - 1n), /longer/],
  ["a header that is no JSON", fileOf('{"a":'), /cannot be read/],
  ["values that are cut off", WHOLE.slice(0, -1), /needs 8 bytes, got 7/],
  ["a number's worth too few", WHOLE.slice(0, -4), /needs 8 bytes, got 4/],
  [
    "more values than the shape has room for",
    safetensorsFile([["a", "F32", [1], float32Bytes([1, 2])]]),
    /needs 4 bytes, got 8/,
  ],
  [
    "whole numbers",
    safetensorsFile([["a", "I64", [1], new Uint8Array(8)]]),
    /type I64 are not read/,
  ],
]) {
  test(`${what}: refused`, () => {
    assert.throws(() => parseSafetensors(file), { name: "RangeError", message });
  });
}
