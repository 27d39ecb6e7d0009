import assert from "node:assert/strict";
import { test } from "node:test";
import {
  layoutOf,
  parseSafetensors,
  toSafetensors,
} from "../../../static/js/lib/safetensors.js";
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

test("what is written is read again, from a file whose every byte is told", () => {
  const maps = { shape: [2, 1], data: Float32Array.of(0.5, -3) };
  const file = toSafetensors({ maps }, { model: "ä" });
  assert.deepEqual(parseSafetensors(file), {
    tensors: { maps },
    metadata: { model: "ä" },
  });
  const { maps: layout } = layoutOf(file).tensors;
  assert.deepEqual([layout.dtype, layout.end - layout.start], ["F32", 8]);
  assert.equal(layout.end, file.byteLength);
});

const WHOLE = safetensorsFile([LENGTHS]);
const entry = (/** @type {object} */ changed) =>
  JSON.stringify({ a: { dtype: "U8", shape: [0], data_offsets: [0, 0], ...changed } });

for (const [what, file, message] of [
  ["nothing", new ArrayBuffer(0), /no safetensors file/],
  ["seven bytes", new ArrayBuffer(7), /no safetensors file/],
  ["a page of HTML", new TextEncoder().encode("<!doctype html>").buffer, /no safetens/],
  ["a header that is cut off", WHOLE.slice(0, 20), /header must end within the file/],
  ["a header's length beyond all numbers", fileOf("{}", 2n ** 64n - 1n), /end within/],
  ["a header that is no JSON", fileOf('{"a":'), /it is no JSON/],
  ["a header that is a list", fileOf("[]"), /must be a JSON object/],
  ["values that are cut off", WHOLE.slice(0, -1), /needs 76 bytes, got 75: it was cut/],
  ["values behind the last", fileOf("{} ", 2), /needs 10 bytes, got 11$/],
  [
    "more values than the shape has room for",
    safetensorsFile([["a", "F32", [1], float32Bytes([1, 2])]]),
    /a needs 4 bytes, got 8/,
  ],
  [
    "counts beyond all numbers",
    fileOf(entry({ shape: [1e15, 1e15] })),
    /a needs 1e\+30/,
  ],
  [
    "a count that is no number",
    fileOf(entry({ shape: [null] })),
    /of whole numbers, got/,
  ],
  ["a count below 0", fileOf(entry({ shape: [-1, -1] })), /of whole numbers, got/],
  [
    "offsets that go back",
    fileOf(entry({ data_offsets: [4, 0] })),
    /needs 0 bytes, got -4/,
  ],
  [
    "offsets out of range",
    fileOf(entry({ data_offsets: [9, 9] })),
    /at byte \d+, .*got/,
  ],
  ["one offset", fileOf(entry({ data_offsets: [0] })), /two offsets of whole numbers/],
  ["no entry", fileOf('{"a":null}'), /a must have a shape and two offsets/],
  ["an unknown type", fileOf(entry({ dtype: "toString" })), /known type, got toString/],
  ["metadata that are no texts", fileOf('{"__metadata__":{"a":1}}'), /texts by name/],
  [
    "values that lie over others",
    fileOf(
      '{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}',
    ),
    /values of b must begin at byte/,
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
