/** Many small histograms, a row for each iteration, a column for each group. */

const GAP = 6;
const LEFT = 24; // room for the rows' numbers
const TOP = 20; // and for the columns' names
const BOTTOM = 16; // and for the ends of the axis

/** @typedef {Record<"text" | "muted" | "line" | "accent" | "focus", string>} HistogramColors */

/**
 * @typedef {object} Histograms
 * @property {Float64Array[][]} bars [row][column] sums, bin by bin
 * @property {number[][]} means [row][column] a mark on the axis; not a number for none
 * @property {number} high where the axis ends
 * @property {number} most the sum as high as its cell
 * @property {readonly string[]} names of the columns
 * @property {number} row that is on show
 * @property {number} column that is in focus
 */

/**
 * Where the histogram of a row and a column stands.
 * @param {{ width: number, height: number }} size of the picture
 * @param {{ rows: number, columns: number }} count
 */
export function histogramCells({ width, height }, { rows, columns }) {
  const across = (width - LEFT) / columns;
  const down = (height - TOP - BOTTOM) / rows;
  return {
    boxOf: (/** @type {number} */ row, /** @type {number} */ column) => ({
      x: LEFT + column * across + GAP / 2,
      y: TOP + row * down + GAP / 2,
      width: across - GAP,
      height: down - GAP,
    }),
    /** @param {number} x @param {number} y @returns {{ row: number, column: number }} */
    at: (x, y) => ({
      row: clamp(Math.floor((y - TOP) / down), rows),
      column: clamp(Math.floor((x - LEFT) / across), columns),
    }),
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Histograms} histograms
 * @param {{ width: number, height: number }} size
 * @param {HistogramColors} colors
 * @param {string} font
 */
export function paintHistograms(context, histograms, size, colors, font) {
  const { bars, names, row: shown, column: focused } = histograms;
  const cells = histogramCells(size, { rows: bars.length, columns: names.length });
  context.textBaseline = "middle";
  context.textAlign = "center";
  names.forEach((name, column) => {
    const box = cells.boxOf(0, column);
    context.fillStyle = column === focused ? colors.accent : colors.muted;
    context.font = `${column === focused ? "bold " : ""}12px ${font}`;
    context.fillText(name, box.x + box.width / 2, TOP / 2, box.width + GAP);
  });
  bars.forEach((columns, row) => {
    const { y, height } = cells.boxOf(row, 0);
    context.fillStyle = row === shown ? colors.text : colors.muted;
    context.font = `${row === shown ? "bold " : ""}12px ${font}`;
    context.fillText(String(row + 1), LEFT / 2, y + height / 2);
    columns.forEach((bins, column) => {
      const box = cells.boxOf(row, column);
      const isLit = row === shown && column === focused;
      paintOne(context, { bins, mean: histograms.means[row][column] }, box, {
        ...histograms,
        fill: column === focused ? colors.accent : colors.muted,
        line: colors.line,
        mark: colors.text,
      });
      if (isLit) outline(context, box, colors.focus);
    });
  });
  const last = cells.boxOf(bars.length - 1, 0);
  context.fillStyle = colors.muted;
  context.font = `10px ${font}`;
  const under = last.y + last.height + BOTTOM / 2 + 2;
  context.textAlign = "left";
  context.fillText("0", last.x, under);
  context.textAlign = "right";
  context.fillText(String(histograms.high), last.x + last.width, under);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ bins: Float64Array, mean: number }} one
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ most: number, high: number, fill: string, line: string, mark: string }} look
 */
function paintOne(context, { bins, mean }, box, { most, high, fill, line, mark }) {
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(box.x, box.y + box.height);
  context.lineTo(box.x + box.width, box.y + box.height);
  context.stroke();
  context.fillStyle = fill;
  const step = box.width / bins.length;
  bins.forEach((sum, i) => {
    const tall = (sum / most) * box.height;
    if (sum > 0)
      context.fillRect(box.x + i * step, box.y + box.height - tall, step - 0.5, tall);
  });
  if (Number.isNaN(mean)) return;
  const x = box.x + Math.min(1, mean / high) * box.width;
  context.strokeStyle = mark;
  context.beginPath();
  context.moveTo(x, box.y + box.height - 4);
  context.lineTo(x, box.y + box.height + 3);
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {string} color
 */
function outline(context, { x, y, width, height }, color) {
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.strokeRect(x - 2, y - 2, width + 4, height + 4);
}

/** @param {number} value @param {number} count */
function clamp(value, count) {
  return Math.min(Math.max(value, 0), count - 1);
}
