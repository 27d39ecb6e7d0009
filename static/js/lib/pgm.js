/** PGM, the plainest picture format: encoding one costs no compression. */

/**
 * @param {Uint8ClampedArray} rgba a grey picture; its red channel is taken
 * @param {number} width
 * @param {number} height
 * @returns {Blob}
 */
export function encodePgm(rgba, width, height) {
  const grey = new Uint8Array(width * height);
  for (let i = 0; i < grey.length; i++) grey[i] = rgba[4 * i];
  const type = "image/x-portable-graymap";
  return new Blob([`P5\n${width} ${height}\n255\n`, grey], { type });
}
