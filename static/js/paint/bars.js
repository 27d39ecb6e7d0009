/** Values in 0..1 as upright bars: for thumbnails, where no axis fits. */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values in 0..1
 * @param {{ width: number, height: number, emphasized: number }} options sizes in canvas
 *   pixels; emphasized: the bar to set off
 */
export function paintBars(canvas, values, { width, height, emphasized }) {
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { color } = getComputedStyle(canvas);
  const step = width / values.length;
  context.fillStyle = color;
  for (let i = 0; i < values.length; i++) {
    const tall = Math.max(1, values[i] * height);
    context.globalAlpha = i === emphasized ? 1 : 0.45;
    context.fillRect(i * step + 1, height - tall, step - 2, tall);
  }
  context.globalAlpha = 1;
}
