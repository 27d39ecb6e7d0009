/**
 * What belongs to a picture on the page: its title, what lies in it, the labels around
 * it, its legends and its keys. All of it is read in light colours, for paper and
 * slides.
 */

import { painterOf } from "../../ui/stage.js";
import { colorsIn } from "./sheet.js";

/** @typedef {{ text: string, box: Box, font: string, color: string }} Label */
/** @typedef {{ unit: string, colors: string[], ends: string[] }} Legend */
/** @typedef {{ color: string, mark?: Layer & { svg: SVGSVGElement }, text: string }} Key */

/**
 * @typedef {object} Layer
 * @property {Box} box
 * @property {HTMLCanvasElement} [pixels] one value is one pixel
 * @property {(context: CanvasRenderingContext2D) => void} [paint] draws it anew
 * @property {SVGSVGElement} [svg] a copy that needs no style sheet
 */

/**
 * @typedef {object} Figure
 * @property {string} name its title
 * @property {string} more what the title does not say, such as the iteration
 * @property {Box} box around layers and labels, in CSS pixels
 * @property {Layer[]} layers lowest first
 * @property {Label[]} labels
 * @property {Legend[]} legends
 * @property {Key[]} keys
 */

/** @typedef {HTMLCanvasElement | SVGSVGElement} Picture */

const OWN = "figure, [data-course], .panel";

/** @param {Picture} picture @returns {Figure} */
export function figureOf(picture) {
  const figure = /** @type {HTMLElement} */ (
    picture.closest(OWN) ?? picture.parentElement
  );
  const panel = /** @type {HTMLElement} */ (picture.closest(".panel") ?? figure);
  const before = panel.style.colorScheme;
  panel.style.colorScheme = "light";
  try {
    const layers = layersOf(picture);
    const labels = labelsOf(figure, picture);
    return {
      ...titleOf(picture),
      box: around([...layers.map(({ box }) => box), ...labels.map(({ box }) => box)]),
      layers,
      labels,
      legends: legendsOf(figure, panel),
      keys: keysOf(figure),
    };
  } finally {
    panel.style.colorScheme = before;
  }
}

/**
 * Whether a picture is drawn with lines, so that it can be had as SVG.
 * @param {Picture} picture
 */
export function hasLines(picture) {
  return picture instanceof SVGSVGElement || painterOf(picture) !== null;
}

/**
 * @param {Picture} picture
 * @returns {{ name: string, more: string }} the nearest heading, with what the picture is
 *   where the heading stands above several; and what stands small beside the heading
 */
export function titleOf(picture) {
  const own = picture.closest("figure, [data-course]")?.querySelector("h3, h4");
  const panel = picture.closest(".panel, section");
  const heading = own ?? panel?.querySelector("h3, h4, h2");
  const [label] = (picture.getAttribute("aria-label") ?? "").split(/[.;,]/);
  if (!heading) return { name: label, more: "" };
  const small = heading.querySelector("small")?.textContent?.trim() ?? "";
  /** @type {HTMLElement | null} */
  const holder = picture.closest("[data-saved]");
  const more = [small, holder?.dataset.saved].filter(Boolean).join(" · ");
  const name = (heading.textContent ?? "")
    .replace(small, "")
    .replace(/\s+/g, " ")
    .trim();
  const isAlone = own || panel?.querySelectorAll("canvas[role]").length === 1;
  if (isAlone || label === "") return { name, more };
  return { name: label.startsWith(name) ? label : `${name} – ${label}`, more };
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

/**
 * @param {HTMLElement} figure @param {HTMLElement} panel
 * @returns {Legend[]} those of the figure; where it has none, those of its panel
 */
function legendsOf(figure, panel) {
  const within = (/** @type {HTMLElement} */ root) =>
    [...root.querySelectorAll(".legend")].filter((each) => each.checkVisibility());
  const own = within(figure);
  return (own.length > 0 ? own : within(panel)).map((legend) => {
    const text = (/** @type {string} */ name) =>
      (legend.querySelector(name)?.textContent ?? "").trim();
    const ramp = legend.querySelector(".legend-ramp");
    const ends = [...(legend.querySelector(".legend-ends")?.children ?? [])];
    return {
      unit: text(".legend-unit"),
      colors: ramp ? colorsIn(getComputedStyle(ramp).backgroundImage) : [],
      ends: ends.map((end) => end.textContent ?? ""),
    };
  });
}

/**
 * @param {HTMLElement} figure
 * @returns {Key[]} what its single colours and marks stand for
 */
function keysOf(figure) {
  const marks = [...figure.querySelectorAll("li > svg")].filter((each) =>
    each.checkVisibility(),
  );
  const marked = marks.map((each) => {
    const box = boxOf(each);
    const svg = styledCopy(/** @type {SVGSVGElement} */ (each), box);
    const text = (each.parentElement?.textContent ?? "").trim();
    return { color: "", mark: { box, svg }, text };
  });
  const swatches = [...figure.querySelectorAll(".swatch")]
    .filter((swatch) => swatch.checkVisibility())
    .map((swatch) => ({
      color: getComputedStyle(swatch).backgroundColor,
      text: (swatch.nextSibling?.textContent ?? "").trim(),
    }))
    .filter(({ text }) => text !== "");
  return [...marked, ...swatches];
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
