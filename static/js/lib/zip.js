/** Zip files without compression, of files that stay where they are until they are sent. */

const LOCAL = 0x04034b50;
const LISTED = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF_8 = 0x800;
const JANUARY_1980 = 0x21; // the first day that there is
const MOST = 65_535; // files, in the format as everything reads it

/** What a zip file cannot hold. */
export class TooManyFiles extends Error {}

/** @type {Uint32Array | null} */
let table = null;

function crcTable() {
  if (table === null) {
    table = new Uint32Array(256);
    for (let i = 0; i < 256; i++) {
      let value = i;
      for (let bit = 0; bit < 8; bit++)
        value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
      table[i] = value;
    }
  }
  return table;
}

/** The check sum that zip files have. @param {Uint8Array} bytes */
export function crc32(bytes) {
  const known = crcTable();
  let crc = 0xffffffff;
  for (const byte of bytes) crc = known[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** @typedef {{ name: string, file: Blob }} Packed */

/**
 * @param {readonly Packed[]} files names have slashes between folders
 * @param {(done: number) => void} [tell] how many are packed
 * @returns {Promise<Blob>}
 * @throws {TooManyFiles}
 */
export async function zipped(files, tell = () => {}) {
  if (files.length > MOST) throw new TooManyFiles();
  /** @type {BlobPart[]} */
  const parts = [];
  /** @type {BlobPart[]} */
  const list = [];
  let [offset, listed] = [0, 0];
  for (const [done, { name, file }] of files.entries()) {
    const encoded = new TextEncoder().encode(name);
    const crc = crc32(new Uint8Array(await file.arrayBuffer()));
    const about = [VERSION, UTF_8, 0, 0, JANUARY_1980];
    const sizes = [crc, file.size, file.size];
    const local = header(LOCAL, about, sizes, [encoded.length, 0]);
    parts.push(local, encoded, file);
    const entry = header(
      LISTED,
      [VERSION, ...about],
      sizes,
      [encoded.length, 0, 0, 0, 0],
      [0, offset],
    );
    list.push(entry, encoded);
    offset += local.length + encoded.length + file.size;
    listed += entry.length + encoded.length;
    tell(done + 1);
  }
  const count = files.length;
  const end = header(END, [0, 0, count, count], [listed, offset], [0]);
  return new Blob([...parts, ...list, end], { type: "application/zip" });
}

/**
 * A signature, and then short and long numbers in turn.
 * @param {number} signature @param {...number[]} groups the first is of short ones
 */
function header(signature, ...groups) {
  const size = groups.reduce(
    (sum, group, i) => sum + group.length * (i % 2 ? 4 : 2),
    4,
  );
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let offset = 4;
  for (const [i, group] of groups.entries())
    for (const value of group) {
      if (i % 2) view.setUint32(offset, value, true);
      else view.setUint16(offset, value, true);
      offset += i % 2 ? 4 : 2;
    }
  return bytes;
}
