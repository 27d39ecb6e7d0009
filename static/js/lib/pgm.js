/** PGM, the plainest picture format: encoding one costs no compression. */

export const PGM = "image/x-portable-graymap";

/**
 * @param {Uint8ClampedArray} rgba a grey picture; its red channel is taken
 * @param {number} width
 * @param {number} height
 * @returns {Uint8Array<ArrayBuffer>} a whole file
 */
export function encodePgm(rgba, width, height) {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + width * height);
  file.set(header);
  for (let to = header.length, from = 0; to < file.length; to++, from += 4)
    file[to] = rgba[from];
  return file;
}
