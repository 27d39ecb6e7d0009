/**
 * Reads a safetensors file: eight bytes of header length, a JSON header, raw values.
 * @import { Tensor } from "../types.js"
 */
import { decodeFloat16 } from "./float16.js";

/** @type {Record<string, number>} bytes in one number */
const NUMBER_SIZES = { F32: 4, F16: 2 };

/**
 * @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} Entry
 */

/**
 * @param {ArrayBuffer} buffer
 * @returns {{ tensors: Record<string, Tensor>, metadata: Record<string, string> }}
 * @throws {RangeError} not a whole safetensors file, or a type of number we do not read
 */
export function parseSafetensors(buffer) {
  if (buffer.byteLength < 8) throw new RangeError("the answer is no safetensors file");
  const headerLength = Number(new DataView(buffer).getBigUint64(0, true));
  if (headerLength > buffer.byteLength - 8) {
    throw new RangeError("the answer's header is longer than the answer");
  }
  const text = new TextDecoder().decode(new Uint8Array(buffer, 8, headerLength));
  const { __metadata__: metadata = {}, ...entries } = parseHeader(text);
  /** @type {Record<string, Tensor>} */
  const tensors = {};
  for (const [name, entry] of Object.entries(entries)) {
    tensors[name] = readTensor(buffer, 8 + headerLength, entry);
  }
  return { tensors, metadata };
}

/** @param {string} text */
function parseHeader(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RangeError("the answer's header cannot be read", { cause });
  }
}

/**
 * @param {ArrayBuffer} buffer
 * @param {number} start where values begin
 * @param {Entry} entry
 * @returns {Tensor}
 */
function readTensor(buffer, start, { dtype, shape, data_offsets: [from, to] }) {
  const size = NUMBER_SIZES[dtype];
  if (size === undefined)
    throw new RangeError(`numbers of type ${dtype} are not read here`);
  // Copied, because a typed array may start only at a multiple of its number's size.
  const bytes = buffer.slice(start + from, start + to);
  const needed = shape.reduce((product, length) => product * length, size);
  if (bytes.byteLength !== needed)
    throw new RangeError(`a tensor needs ${needed} bytes, got ${bytes.byteLength}`);
  const data =
    dtype === "F32" ? new Float32Array(bytes) : decodeFloat16(new Uint16Array(bytes));
  return { shape, data };
}
