/** Strokes of a round pen, in white. */

/** @typedef {{ x: number, y: number }} Point in canvas pixels */
/** @typedef {Point[]} Stroke at least one point */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {readonly Stroke[]} strokes
 * @param {number} width of the pen, in canvas pixels
 */
export function paintStrokes(context, strokes, width) {
  context.fillStyle = context.strokeStyle = "#fff";
  context.lineWidth = width;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const [first, ...rest] of strokes) {
    context.beginPath();
    if (rest.every(({ x, y }) => x === first.x && y === first.y)) {
      // A canvas draws nothing for a line without length.
      context.arc(first.x, first.y, width / 2, 0, 2 * Math.PI);
      context.fill();
      continue;
    }
    context.moveTo(first.x, first.y);
    for (const point of rest) context.lineTo(point.x, point.y);
    context.stroke();
  }
}
