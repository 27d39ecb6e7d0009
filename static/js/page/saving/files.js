/**
 * Makes the file of a picture.
 * @import { Figure } from "./figure.js"
 * @import { Words } from "./sheet.js"
 */

import { layOutSheet, paintSheet } from "./sheet.js";
import { createSvgContext } from "./svg-context.js";

const SCALE = 2; // PNG pixels to a CSS pixel

/**
 * @param {Figure} figure
 * @param {Words} words
 * @returns {Promise<Blob>}
 */
export async function toPng(figure, words) {
  const sheet = layOutSheet(figure);
  const marks = figure.keys.flatMap(({ mark }) => mark ?? []);
  const images = new Map();
  for (const { svg } of [...figure.layers, ...marks])
    if (svg) images.set(svg, await imageOf(svg));
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * sheet.width;
  canvas.height = SCALE * sheet.height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(SCALE, SCALE);
  paintSheet(context, figure, sheet, words, (svg, ...box) =>
    context.drawImage(images.get(svg), ...box),
  );
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null)
    throw new Error("The browser could not make a PNG of this picture.");
  return blob;
}

/**
 * @param {Figure} figure
 * @param {Words} words
 * @returns {Blob}
 */
export function toSvg(figure, words) {
  const sheet = layOutSheet(figure);
  const ruler = /** @type {CanvasRenderingContext2D} */ (
    document.createElement("canvas").getContext("2d")
  );
  const context = createSvgContext(sheet.width, sheet.height, (font, text) => {
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

/**
 * @param {SVGSVGElement} svg
 * @returns {Promise<HTMLImageElement>}
 */
async function imageOf(svg) {
  const text = new XMLSerializer().serializeToString(svg);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}
