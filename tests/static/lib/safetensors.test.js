import assert from "node:assert/strict";
import { test } from "node:test";

import { parseSafetensors } from "../../../static/js/lib/safetensors.js";
import { float32Bytes, safetensorsFile } from "../fixtures.js";

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

test("single precision is read as it stands", () => {
  const { tensors } = parseSafetensors(safetensorsFile([LENGTHS]));
  assert.deepEqual(tensors, {
    lengths: { shape: [2], data: Float32Array.of(0.5, -1.25) },
  });
});

test("half precision is widened", () => {
  const { tensors } = parseSafetensors(safetensorsFile([MAPS]));
  assert.deepEqual(tensors, {
    maps: { shape: [3, 1], data: Float32Array.of(1, -2, 65504) },
  });
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

test("metadata is told apart from tensors", () => {
  const file = safetensorsFile([LENGTHS], { metadata: { prediction: "4" } });
  const { tensors, metadata } = parseSafetensors(file);
  assert.deepEqual(metadata, { prediction: "4" });
  assert.deepEqual(Object.keys(tensors), ["lengths"]);
});

test("a file without metadata has none", () => {
  assert.deepEqual(parseSafetensors(safetensorsFile([LENGTHS])).metadata, {});
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
