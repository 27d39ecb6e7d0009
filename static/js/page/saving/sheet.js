/**
 * A picture on a white sheet, with its title above and its scale and legend below: laid
 * out once, drawn on a canvas or as SVG, and made a file.
 * @import { Figure, Key, Legend } from "./figure.js"
 */
import { make, toPngFile } from "../../ui/dom.js";
import { SvgContext } from "./svg-context.js";

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

/** @param {Figure} figure @returns {Sheet} */
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
 * @param {Figure} figure @param {Sheet} sheet @param {Words} words
 * @param {(svg: SVGSVGElement, x: number, y: number, width: number, height: number) => void} drawSvg
 */
function paintSheet(context, figure, sheet, { heading, note }, drawSvg) {
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
 * @param {CanvasRenderingContext2D} context @param {Legend} legend @param {number} top
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
 * @param {CanvasRenderingContext2D} context @param {Key} key @param {number} top
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
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} x
 * @param {number} y its top
 * @param {string} font @param {string} color @param {number} room
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
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} x
 * @param {number} y its middle
 * @param {string} font @param {string} color
 */
function writeLabel(context, text, x, y, font, color) {
  context.globalAlpha = 1;
  context.font = font;
  context.fillStyle = color;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, x, y);
}

/**
 * The colours of a ramp.
 * @param {string} gradient a computed `linear-gradient(...)`
 * @returns {string[]} its colours, from left to right
 */
export function colorsIn(gradient) {
  return (
    gradient.match(/(?:rgba?|color|oklab|oklch|lab)\([^()]*\)|#[\da-f]{3,8}\b/gi) ?? []
  );
}

/**
 * A colour of a ramp.
 * @param {readonly string[]} colors evenly spaced
 * @param {number} share of the way from the first to the last
 * @returns {string}
 */
export function blended(colors, share) {
  if (colors.length < 2) return colors[0] ?? "#fff";
  const at = share * (colors.length - 1);
  const from = Math.min(Math.floor(at), colors.length - 2);
  const [a, b] = [channels(colors[from]), channels(colors[from + 1])];
  if (a === null || b === null) return colors[Math.round(at)];
  const mixed = a.map((value, i) => Math.round(value + (at - from) * (b[i] - value)));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * @param {string} color
 * @returns {number[] | null} red, green and blue, where they are written as such
 */
function channels(color) {
  const numbers = /^rgba?\(([^)]*)\)$/.exec(color)?.[1].match(/[\d.]+/g);
  return numbers ? numbers.slice(0, 3).map(Number) : null;
}

const SCALE = 2; // PNG pixels to a CSS pixel

/** @param {Figure} figure @param {Words} words @returns {Promise<Blob>} */
export async function toPng(figure, words) {
  const sheet = layOutSheet(figure);
  const marks = figure.keys.flatMap(({ mark }) => mark ?? []);
  const images = new Map();
  for (const { svg } of [...figure.layers, ...marks])
    if (svg) images.set(svg, await imageOf(svg));
  const canvas = make("canvas");
  canvas.width = SCALE * sheet.width;
  canvas.height = SCALE * sheet.height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(SCALE, SCALE);
  paintSheet(context, figure, sheet, words, (svg, ...box) =>
    context.drawImage(images.get(svg), ...box),
  );
  return toPngFile(canvas);
}

/** @param {Figure} figure @param {Words} words @returns {Blob} */
export function toSvg(figure, words) {
  const sheet = layOutSheet(figure);
  const ruler = /** @type {CanvasRenderingContext2D} */ (
    make("canvas").getContext("2d")
  );
  const context = new SvgContext(sheet.width, sheet.height, (font, text) => {
    ruler.font = font;
    return ruler.measureText(text).width;
  });
  const drawing = /** @type {CanvasRenderingContext2D} */ (
    /** @type {unknown} */ (context)
  );
  paintSheet(drawing, figure, sheet, words, (svg, x, y) => {
    svg.setAttribute("x", String(x));
    svg.setAttribute("y", String(y));
    context.append(svg);
  });
  const text = new XMLSerializer().serializeToString(context.root);
  return new Blob([text], { type: "image/svg+xml" });
}

/** @param {SVGSVGElement} svg @returns {Promise<HTMLImageElement>} */
async function imageOf(svg) {
  const text = new XMLSerializer().serializeToString(svg);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}
