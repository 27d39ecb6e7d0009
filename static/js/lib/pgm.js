/** PGM, the plainest picture format: encoding one costs no compression. */

export const PGM = "image/x-portable-graymap";

/**
 * @param {Uint8ClampedArray} rgba a grey picture; its red channel is taken
 * @param {number} width
 * @param {number} height
 * @param {number} [shrink] by how much each side shrinks; both must divide by it
 * @returns {Uint8Array<ArrayBuffer>} a whole file, each pixel the mean of a block
 */
export function encodePgm(rgba, width, height, shrink = 1) {
  const [columns, rows] = [width / shrink, height / shrink];
  const header = new TextEncoder().encode(`P5\n${columns} ${rows}\n255\n`);
  const file = new Uint8Array(header.length + columns * rows);
  file.set(header);
  let to = header.length;
  for (let top = 0; top < height; top += shrink)
    for (let left = 0; left < width; left += shrink)
      file[to++] = mean(rgba, width, left, top, shrink);
  return file;
}

/**
 * @param {Uint8ClampedArray} rgba
 * @param {number} width
 * @param {number} left @param {number} top of a block
 * @param {number} side
 */
function mean(rgba, width, left, top, side) {
  let sum = 0;
  for (let y = top; y < top + side; y++)
    for (let x = left; x < left + side; x++) sum += rgba[4 * (y * width + x)];
  return Math.round(sum / side ** 2);
}
