/** Values in 0..1 as upright bars: for thumbnails, where no axis fits. */

/** Stands out from light and dark alike, so that nobody has to ask which it is. */
const COLOR = "#7d7d86";
const FAINT = 0.5; // opacity of the bars that are not set off

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values in 0..1
 * @param {{ width: number, height: number, emphasized: number }} options sizes in canvas
 *   pixels; emphasized: the bar to set off
 */
export function paintBars(canvas, values, { width, height, emphasized }) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.clearRect(0, 0, width, height);
  context.fillStyle = COLOR;
  const step = width / values.length;
  for (let i = 0; i < values.length; i++) {
    const tall = Math.max(1, values[i] * height);
    context.globalAlpha = i === emphasized ? 1 : FAINT;
    context.fillRect(i * step + 1, height - tall, step - 2, tall);
  }
  context.globalAlpha = 1;
}
