/**
 * A kernel of one's own as text for a link: bias and weights, two bytes each.
 * @import { OwnKernel } from "../types.js"
 */
import {
  decodeFloat16,
  encodeFloat16,
  fromBase64,
  toBase64,
} from "../../lib/encoding.js";
import { KERNEL_SIZES, kept, WEIGHT_LIMIT } from "./changes.js";

/**
 * @param {OwnKernel} kernel
 * @returns {string} at most 219 characters
 */
export function packKernel({ bias, weights }) {
  const bits = [bias, ...weights].map(encodeFloat16);
  return toBase64(bits.flatMap((each) => [each & 255, each >> 8]));
}

/**
 * @param {string} text made by `packKernel`
 * @returns {OwnKernel | null} null when the text is not a packed kernel
 */
export function unpackKernel(text) {
  const bytes = fromBase64(text);
  const size = KERNEL_SIZES.find((each) => bytes?.length === 2 * (each ** 2 + 1));
  if (bytes === null || size === undefined) return null;
  const bits = Uint16Array.from(
    { length: size ** 2 + 1 },
    (_, i) => bytes[2 * i] | (bytes[2 * i + 1] << 8),
  );
  const [bias, ...weights] = decodeFloat16(bits);
  const isWithin = [bias, ...weights].every((value) => Math.abs(value) <= WEIGHT_LIMIT);
  return isWithin ? kept({ size, weights, bias }) : null;
}
