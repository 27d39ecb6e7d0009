/** The files that the page's questions are answered with. @import { Tensor } from "../../types.js" */

/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Numbers */

/**
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
