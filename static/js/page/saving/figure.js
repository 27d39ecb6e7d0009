/**
 * A picture of the page as it is on the screen, made a file: all that lies in it, and the
 * labels around it, in the colours of the theme.
 */
import { make, toPngFile } from "../../ui/dom.js";
import { painterOf } from "../../ui/stage.js";

/** @typedef {{ text: string, box: Box, font: string, color: string }} Label */

/**
 * @typedef {object} Layer
 * @property {Box} box
 * @property {HTMLCanvasElement} [pixels] one value is one pixel
 * @property {(context: CanvasRenderingContext2D) => void} [paint] draws it anew
 * @property {SVGSVGElement} [svg] a copy that needs no style sheet
 */

/**
 * @typedef {object} Figure
 * @property {string} ground the colour that it stands on
 * @property {Box} box around layers and labels, in CSS pixels
 * @property {Layer[]} layers lowest first
 * @property {Label[]} labels
 */

/** @typedef {HTMLCanvasElement | SVGSVGElement} Picture */

/** @param {Picture} picture @returns {Figure} */
function figureOf(picture) {
  const figure = /** @type {HTMLElement} */ (
    picture.closest("figure, [data-course], .panel") ?? picture.parentElement
  );
  const layers = layersOf(picture);
  const labels = labelsOf(figure, picture);
  return {
    ground: groundOf(picture),
    box: around([...layers.map(({ box }) => box), ...labels.map(({ box }) => box)]),
    layers,
    labels,
  };
}

/** @param {Element | null} element @returns {string} the colour that is seen behind it */
function groundOf(element) {
  if (element === null) return "#fff";
  const { backgroundColor } = getComputedStyle(element);
  const isClear = /^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
  return isClear || element instanceof HTMLCanvasElement
    ? groundOf(element.parentElement)
    : backgroundColor;
}

/**
 * What a picture is called: the nearest heading, with what the picture is where the heading
 * stands above several.
 * @param {Picture} picture
 */
export function titleOf(picture) {
  const own = picture.closest("figure, [data-course]")?.querySelector("h3, h4");
  const panel = picture.closest(".panel, section");
  const heading = own ?? panel?.querySelector("h3, h4, h2");
  const [label] = (picture.getAttribute("aria-label") ?? "").split(/[.;,]/);
  if (!heading) return label;
  const small = heading.querySelector("small")?.textContent?.trim() ?? "";
  const name = (heading.textContent ?? "")
    .replace(small, "")
    .replace(/\s+/g, " ")
    .trim();
  const isAlone = own || panel?.querySelectorAll("canvas[role]").length === 1;
  if (isAlone || label === "") return name;
  return label.startsWith(name) ? label : `${name} – ${label}`;
}

/** @param {Picture} picture @returns {Layer[]} */
function layersOf(picture) {
  const stack = picture.closest(".overlaid");
  const all = stack ? [...stack.querySelectorAll("canvas, svg")] : [picture];
  return all
    .filter((element) => element.checkVisibility() && boxOf(element).width > 0)
    .map((element) => {
      const box = boxOf(element);
      if (element instanceof SVGSVGElement)
        return { box, svg: styledCopy(element, box) };
      const pixels = /** @type {HTMLCanvasElement} */ (element);
      const paint = painterOf(pixels);
      return paint ? { box, paint } : { box, pixels };
    });
}

/**
 * The text around and on a picture that is hidden from screen readers.
 * @param {HTMLElement} figure @param {Picture} picture
 * @returns {Label[]}
 */
function labelsOf(figure, picture) {
  const frame = picture.closest(".values-frame, .sweep-frame") ?? figure;
  const holders = frame.querySelectorAll('[aria-hidden="true"]:not(svg, svg *)');
  /** @type {Label[]} */
  const labels = [];
  for (const holder of holders) {
    if (holder.closest("button, .legend, h3, h4")) continue;
    if (!holder.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      continue;
    const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      labels.push(...labelOf(/** @type {Text} */ (walker.currentNode)));
  }
  return labels;
}

/** @param {Text} node @returns {Label[]} none where nothing of it is seen */
function labelOf(node) {
  const text = node.data.trim();
  const parent = node.parentElement;
  if (text === "" || parent === null || parent.closest(".unseen, .choices")) return [];
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = boxOf(range);
  if (box.width === 0) return [];
  const { fontWeight, fontSize, fontFamily, color } = getComputedStyle(parent);
  return [{ text, box, font: `${fontWeight} ${fontSize} ${fontFamily}`, color }];
}

/** @param {Element | Range} of @returns {Box} */
function boxOf(of) {
  const { x, y, width, height } = of.getBoundingClientRect();
  return { x, y, width, height };
}

const LOOKS = [
  "fill",
  "fill-opacity",
  "fill-rule",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "vector-effect",
  "opacity",
  "visibility",
  "display",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
];

/**
 * A copy of an SVG that carries its looks with it, for a file without style sheets.
 * @param {SVGSVGElement} source on the page
 * @param {{ width: number, height: number }} size in CSS pixels
 * @returns {SVGSVGElement}
 */
function styledCopy(source, { width, height }) {
  const copy = /** @type {SVGSVGElement} */ (source.cloneNode(true));
  const originals = [source, ...source.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const look of LOOKS)
      copies[i].setAttribute(look, style.getPropertyValue(look));
    for (const name of ["class", "style", "tabindex", "aria-hidden", "role"])
      copies[i].removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("overflow", "visible");
  return copy;
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** The box around boxes. @param {Box[]} boxes @returns {Box} */
export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const SCALE = 2; // PNG pixels to a CSS pixel
const MARGIN = 12; // CSS pixels

/** @param {Picture} picture @returns {Promise<Blob>} */
export async function toPng(picture) {
  const { ground, box, layers, labels } = figureOf(picture);
  const images = new Map();
  for (const { svg } of layers) if (svg) images.set(svg, await imageOf(svg));
  const canvas = make("canvas");
  canvas.width = SCALE * Math.ceil(box.width + 2 * MARGIN);
  canvas.height = SCALE * Math.ceil(box.height + 2 * MARGIN);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(SCALE, SCALE);
  context.translate(MARGIN - box.x, MARGIN - box.y);
  for (const { box: own, pixels, paint, svg } of layers) {
    const { x, y, width, height } = own;
    context.save();
    context.imageSmoothingEnabled = false;
    if (pixels) context.drawImage(pixels, x, y, width, height);
    if (svg) context.drawImage(images.get(svg), x, y, width, height);
    if (paint) {
      context.translate(x, y);
      context.beginPath();
      context.rect(0, 0, width, height);
      context.clip();
      paint(context);
    }
    context.restore();
  }
  context.textBaseline = "middle";
  for (const { text, box: own, font, color } of labels) {
    context.font = font;
    context.fillStyle = color;
    context.fillText(text, own.x, own.y + own.height / 2);
  }
  return toPngFile(canvas);
}

/** @param {SVGSVGElement} svg @returns {Promise<HTMLImageElement>} */
async function imageOf(svg) {
  const text = new XMLSerializer().serializeToString(svg);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}
