/**
 * One image over another: the upper in grey, the lower faint and in colour, where it is not
 * covered.
 */

/** The lower image's colour at full ink. */
const LOWER = [255, 157, 46];

/** How much of it is left. */
const FAINT = 0.45;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8Array} upper a square of bytes, 255 is ink
 * @param {Uint8Array} lower of the same size
 */
export function paintOver(canvas, upper, lower) {
  const side = Math.sqrt(upper.length);
  if (lower.length !== upper.length)
    throw new RangeError(`need two images of ${upper.length}, got ${lower.length}`);
  if (canvas.width !== side) canvas.width = side;
  if (canvas.height !== side) canvas.height = side;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(side, side);
  image.data.set(overlaid(upper, lower));
  context.putImageData(image, 0, 0);
}

/**
 * @param {Uint8Array} upper
 * @param {Uint8Array} lower
 * @returns {Uint8ClampedArray} red, green, blue and alpha of each pixel
 */
export function overlaid(upper, lower) {
  const found = new Uint8ClampedArray(4 * upper.length);
  for (let i = 0; i < upper.length; i++) {
    const below = (FAINT * Math.max(0, lower[i] - upper[i])) / 255;
    for (let channel = 0; channel < 3; channel++)
      found[4 * i + channel] = upper[i] + below * LOWER[channel];
    found[4 * i + 3] = 255;
  }
  return found;
}
