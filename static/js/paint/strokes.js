/** Strokes of a round pen, white on black. */

/** @typedef {{ x: number, y: number }[]} Stroke points in canvas pixels */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {readonly Stroke[]} strokes
 * @param {number} width of the pen, in canvas pixels
 */
export function paintStrokes(context, strokes, width) {
  const { canvas } = context;
  context.fillStyle = "#000";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.strokeStyle = "#fff";
  context.lineWidth = width;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const [first, ...rest] of strokes) {
    context.beginPath();
    context.moveTo(first.x, first.y);
    // A stroke of one point is a dot: a line to itself has round ends.
    for (const point of rest.length > 0 ? rest : [first])
      context.lineTo(point.x, point.y);
    context.stroke();
  }
}
