/**
 * Bytes that stand in an HTML file as text: `app/site/packing.py` writes them. Two letters
 * of 91 are 13 bits, and the bytes are compressed.
 */

const BASE = 91;
const BITS = 13; // of two letters
const PIECE = 16 * 2 ** 15; // letters, of whole bytes; some milliseconds’ work

/** What each letter stands for, by its code: all that are seen but quotes, & and <. */
const VALUES = new Uint8Array(127);
{
  let value = 0;
  for (let code = 33; code < VALUES.length; code++)
    if (!'"&<'.includes(String.fromCharCode(code))) VALUES[code] = value++;
}

/**
 * @typedef {object} Packed
 * @property {string} text
 * @property {number} packed bytes that the text stands for
 * @property {number} bytes of what is packed
 * @property {number} width of its numbers, in bytes: all first bytes come first
 */

/** @typedef {{ loaded: number, total: number }} Part */

/**
 * Unpack in pieces: between any two, whatever else waits has its turn.
 * @param {Packed} packed @param {(part: Part) => void} [onPart]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 * @throws {Error} it is damaged
 */
export async function unpack({ text, packed, bytes, width }, onPart = () => {}) {
  let at = 0;
  let remaining = packed;
  const pieces = new ReadableStream({
    async pull(controller) {
      if (remaining <= 0) return controller.close();
      if (at > 0) await new Promise((resolve) => setTimeout(resolve));
      const piece = bytesOf(text.slice(at, at + PIECE)).subarray(0, remaining);
      controller.enqueue(piece);
      at += PIECE;
      remaining -= piece.length || remaining; // where the text ends too soon
    },
  });
  const whole = new Uint8Array(bytes);
  let loaded = 0;
  const stream = pieces.pipeThrough(new DecompressionStream("gzip"));
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    whole.set(value, loaded); // throws where there are more than there should be
    loaded += value.length;
    onPart({ loaded, total: bytes });
  }
  if (loaded !== bytes)
    throw new RangeError(`${bytes} bytes are needed, got ${loaded}`);
  return width === 1 ? whole : mix(whole, width);
}

/** @param {string} text letters, a multiple of 16 @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(text) {
  const bytes = new Uint8Array(Math.floor((text.length / 16) * BITS));
  let [bits, count, to] = [0, 0, 0];
  for (let at = 0; at + 1 < text.length; at += 2) {
    const value = VALUES[text.charCodeAt(at)] * BASE + VALUES[text.charCodeAt(at + 1)];
    bits = ((bits & ((1 << count) - 1)) << BITS) | value;
    count += BITS;
    for (; count >= 8; count -= 8) bytes[to++] = bits >> (count - 8);
  }
  return bytes;
}

/** Numbers whole again. @param {Uint8Array} planes @param {number} width */
function mix(planes, width) {
  const bytes = new Uint8Array(planes.length);
  const count = Math.floor(planes.length / width);
  for (let plane = 0; plane < width; plane++)
    for (let at = 0; at < count; at++)
      bytes[at * width + plane] = planes[plane * count + at];
  bytes.set(planes.subarray(count * width), count * width);
  return bytes;
}
