/**
 * A picture on a white sheet, with its title above and its scale and legend below. It is
 * laid out once and drawn on a canvas or as SVG.
 * @import { Figure, Key, Legend } from "./figure.js"
 */

import { blended } from "./gradient.js";

const MARGIN = 20; // CSS pixels
const LINE = 18;
const TITLE = 26;
const LEAST_WIDTH = 460;
const RAMP = { width: 200, height: 12, steps: 100 };
const SWATCH = 12;
const FONT = "system-ui, 'DejaVu Sans', sans-serif";
const MUTED = "#555";

/**
 * @typedef {object} Sheet
 * @property {number} width in CSS pixels
 * @property {number} height
 * @property {number} left where the picture begins
 * @property {number} top
 */

/**
 * @typedef {object} Words
 * @property {string} heading
 * @property {string} note below it: network, image and digit in focus
 */

/**
 * @param {Figure} figure
 * @returns {Sheet}
 */
export function layOutSheet({ box, legends, keys }) {
  const inner = Math.max(box.width, LEAST_WIDTH);
  const below = legends.length * (RAMP.height + 2 * LINE + 8) + keys.length * LINE;
  return {
    width: Math.ceil(inner + 2 * MARGIN),
    height: Math.ceil(MARGIN + TITLE + LINE + 8 + box.height + 14 + below + MARGIN),
    left: MARGIN + (inner - box.width) / 2,
    top: MARGIN + TITLE + LINE + 8,
  };
}

/**
 * @param {CanvasRenderingContext2D} context in CSS pixels
 * @param {Figure} figure
 * @param {Sheet} sheet
 * @param {Words} words
 * @param {(svg: SVGSVGElement, x: number, y: number, width: number, height: number) => void} drawSvg
 */
export function paintSheet(context, figure, sheet, { heading, note }, drawSvg) {
  const room = sheet.width - 2 * MARGIN;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, sheet.width, sheet.height);
  write(context, heading, MARGIN, MARGIN, `600 16px ${FONT}`, "#000", room);
  write(context, note, MARGIN, MARGIN + TITLE, `12px ${FONT}`, MUTED, room);

  const [dx, dy] = [sheet.left - figure.box.x, sheet.top - figure.box.y];
  for (const { box, pixels, paint, svg } of figure.layers) {
    const [x, y] = [box.x + dx, box.y + dy];
    context.save();
    context.imageSmoothingEnabled = false;
    if (pixels) context.drawImage(pixels, x, y, box.width, box.height);
    if (svg) drawSvg(svg, x, y, box.width, box.height);
    if (paint) {
      context.translate(x, y);
      context.beginPath();
      context.rect(0, 0, box.width, box.height);
      context.clip();
      paint(context);
    }
    context.restore();
  }
  for (const { text, box, font, color } of figure.labels)
    writeLabel(context, text, box.x + dx, box.y + dy + box.height / 2, font, color);

  let y = sheet.top + figure.box.height + 14;
  for (const legend of figure.legends) y = paintLegend(context, legend, y, room);
  for (const key of figure.keys) {
    const { mark } = key;
    const wide = mark?.box.width ?? SWATCH;
    if (mark) drawSvg(mark.svg, MARGIN, y, wide, mark.box.height);
    y = paintKey(context, key, y, wide, room);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Legend} legend
 * @param {number} top
 * @param {number} room
 * @returns {number} where the next one begins
 */
function paintLegend(context, { unit, colors, ends }, top, room) {
  write(context, unit, MARGIN, top, `12px ${FONT}`, MUTED, room);
  const y = top + LINE;
  const step = RAMP.width / RAMP.steps;
  for (let i = 0; i < RAMP.steps; i++) {
    context.fillStyle = blended(colors, (i + 0.5) / RAMP.steps);
    context.fillRect(MARGIN + i * step, y, step + 0.5, RAMP.height);
  }
  ends.forEach((text, i) => {
    const share = ends.length > 1 ? i / (ends.length - 1) : 0;
    context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
    const at = MARGIN + share * RAMP.width;
    context.font = `12px ${FONT}`;
    context.fillStyle = "#000";
    context.textBaseline = "top";
    context.fillText(text, at, y + RAMP.height + 3);
  });
  return y + RAMP.height + LINE + 8;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Key} key
 * @param {number} top
 * @param {number} wide what its colour or mark takes
 * @param {number} room
 */
function paintKey(context, { color, mark, text }, top, wide, room) {
  context.fillStyle = color;
  if (!mark) context.fillRect(MARGIN, top + 1, SWATCH, SWATCH);
  const x = MARGIN + wide + 8;
  write(context, text, x, top, `12px ${FONT}`, "#000", room - wide - 8);
  return top + LINE;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x
 * @param {number} y its top
 * @param {string} font
 * @param {string} color
 * @param {number} room
 */
function write(context, text, x, y, font, color, room) {
  context.globalAlpha = 1;
  context.font = font;
  context.fillStyle = color;
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillText(text, x, y, room);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x
 * @param {number} y its middle
 * @param {string} font
 * @param {string} color
 */
function writeLabel(context, text, x, y, font, color) {
  context.globalAlpha = 1;
  context.font = font;
  context.fillStyle = color;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, x, y);
}
