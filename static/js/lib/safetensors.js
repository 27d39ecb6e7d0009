/**
 * Safetensors files: eight bytes with the header's length, a JSON header, raw values.
 *
 * `layoutOf` checks a file from anywhere and tells where each tensor's bytes stand, without
 * copying one. `parseSafetensors` reads the numbers, and `toSafetensors` writes a file.
 * @import { Tensor } from "../types.js"
 */
import { decodeFloat16 } from "./encoding.js";

/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Numbers */

/**
 * Where a tensor stands in its file.
 * @typedef {{ dtype: string, shape: number[], start: number, end: number }} Place
 */

/** The bytes of a number of each type. @type {Readonly<Record<string, number>>} */
const WIDTHS = {
  ...{ BOOL: 1, U8: 1, I8: 1, F8_E4M3: 1, F8_E5M2: 1 },
  ...{ U16: 2, I16: 2, F16: 2, BF16: 2, U32: 4, I32: 4, F32: 4 },
  ...{ U64: 8, I64: 8, F64: 8 },
};

/** What holds numbers of each type that is read, those of half precision as their bits. */
const ARRAYS = {
  F32: Float32Array,
  F16: Uint16Array,
  U8: Uint8Array,
  I8: Int8Array,
  I16: Int16Array,
  I32: Int32Array,
};

/**
 * Check a whole file: its tensors fill what follows the header, each byte once.
 * @param {ArrayBuffer} file
 * @returns {{ tensors: Record<string, Place>, metadata: Record<string, string> }} places
 *   are bytes from the file's start
 * @throws {RangeError} what is wrong, in words for people
 */
export function layoutOf(file) {
  const size = file.byteLength;
  if (size < 8)
    throw new RangeError(`no safetensors file: it needs 8 bytes and more, got ${size}`);
  const length = new DataView(file).getBigUint64(0, true);
  if (length > size - 8)
    throw new RangeError(
      `its header must end within the file, got one of ${length} bytes in a file of ${size}: no safetensors file, or one that was cut short`,
    );
  const top = 8 + Number(length);
  const { __metadata__: metadata = {}, ...entries } = headerIn(
    new Uint8Array(file, 8, Number(length)),
  );
  if (
    !isObject(metadata) ||
    Object.values(metadata).some((text) => typeof text !== "string")
  )
    throw new RangeError("its __metadata__ must hold texts by name");
  const places = Object.entries(entries).map(
    ([name, entry]) => /** @type {const} */ ([name, placeOf(name, entry, top)]),
  );
  let filled = top;
  for (const [name, { start, end }] of [...places].sort(
    ([, a], [, b]) => a.start - b.start || a.end - b.end,
  )) {
    if (start !== filled)
      throw new RangeError(
        `the values of ${name} must begin at byte ${filled}, where those before end, got ${start}`,
      );
    filled = end;
  }
  if (filled !== size)
    throw new RangeError(
      `it needs ${filled} bytes, got ${size}${filled > size ? ": it was cut short" : ""}`,
    );
  return { tensors: Object.fromEntries(places), metadata };
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {Uint8Array} bytes @returns {Record<string, any>} */
function headerIn(bytes) {
  let header;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new RangeError("its header cannot be read: it is no JSON", { cause });
  }
  if (!isObject(header)) throw new RangeError("its header must be a JSON object");
  return header;
}

/** @param {unknown} value */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * @param {string} name @param {any} entry of the header @param {number} top where values begin
 * @returns {Place}
 */
function placeOf(name, entry, top) {
  const { dtype, shape, data_offsets: offsets } = entry ?? {};
  const isWhole = (/** @type {unknown} */ value) =>
    Array.isArray(value) && value.every(isCount);
  if (!isWhole(shape) || !isWhole(offsets) || offsets.length !== 2)
    throw new RangeError(
      `${name} must have a shape and two offsets of whole numbers, got ${JSON.stringify({ shape, data_offsets: offsets })}`,
    );
  if (typeof dtype !== "string" || !Object.hasOwn(WIDTHS, dtype))
    throw new RangeError(`${name} must hold numbers of a known type, got ${dtype}`);
  // Of counts beyond all whole numbers, the product is larger than any file.
  const needed = shape.reduce(
    (/** @type {number} */ product, /** @type {number} */ count) => product * count,
    WIDTHS[dtype],
  );
  const [from, to] = offsets;
  if (to - from !== needed)
    throw new RangeError(`${name} needs ${needed} bytes, got ${to - from}`);
  return { dtype, shape, start: top + from, end: top + to };
}

/**
 * @param {ArrayBuffer} file
 * @returns {{ tensors: Record<string, Tensor>, metadata: Record<string, string> }}
 * @throws {RangeError} not a whole safetensors file, or a type of number we do not read
 */
export function parseSafetensors(file) {
  const { tensors, metadata } = layoutOf(file);
  const read = Object.entries(tensors).map(([name, layout]) => [
    name,
    { shape: layout.shape, data: numbersAt(file, layout) },
  ]);
  return { tensors: Object.fromEntries(read), metadata };
}

/**
 * Numbers of one tensor.
 * @param {ArrayBuffer} file @param {Place} place of the tensor
 * @param {number} [first] of its numbers @param {number} [count] of them; the rest as usual
 * @returns {Float32Array}
 * @throws {RangeError} a type of number we do not read
 */
export function numbersAt(file, { dtype, start, end }, first = 0, count) {
  if (!Object.hasOwn(ARRAYS, dtype))
    throw new RangeError(`numbers of type ${dtype} are not read here`);
  const width = WIDTHS[dtype];
  const Values = ARRAYS[/** @type {keyof typeof ARRAYS} */ (dtype)];
  const from = start + first * width;
  const to = count === undefined ? end : from + count * width;
  // Copied, because a typed array may start only at a multiple of its number's size.
  const values = new Values(file.slice(from, to));
  if (values instanceof Float32Array) return values;
  return values instanceof Uint16Array
    ? decodeFloat16(values)
    : Float32Array.from(values);
}

/**
 * A whole file, its numbers in single precision.
 * @param {Record<string, Numbers>} tensors @param {Record<string, string>} metadata
 * @returns {ArrayBuffer}
 */
export function toSafetensors(tensors, metadata) {
  let end = 0;
  /** @type {Record<string, object>} */
  const entries = {};
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const start = end;
    end += 4 * data.length;
    entries[name] = { dtype: "F32", shape, data_offsets: [start, end] };
  }
  const text = JSON.stringify({ __metadata__: metadata, ...entries });
  const header = new TextEncoder().encode(text);
  const length = Math.ceil(header.length / 8) * 8;
  const file = new ArrayBuffer(8 + length + end);
  new DataView(file).setBigUint64(0, BigInt(length), true);
  new Uint8Array(file, 8, length).fill(0x20).set(header);
  const numbers = new Float32Array(file, 8 + length);
  let at = 0;
  for (const { data } of Object.values(tensors)) {
    numbers.set(data, at);
    at += data.length;
  }
  return file;
}
