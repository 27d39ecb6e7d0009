/**
 * A figure of the page as SVG: its pictures, the labels around them and its legends, where they
 * stand, in the light theme's colours.
 */
import { painterOf } from "../../ui/stage.js";
import { onPaper } from "../../ui/visibility.js";
import { imageAt, plainColor, svgContext } from "./context.js";
import { around, element, escapeText } from "./markup.js";

/** @import { Box } from "./markup.js" */

/** Pictures with a meaning of their own; those within buttons are left out. */
export const PICTURES =
  "canvas[role], svg.squash-curve, [data-course] svg, svg[data-over], [data-picture]";

/** What is saved in one piece, the first of these around a picture. */
const FIGURES = ["[data-together]", "[data-course]", ".panel > figure", "figure"];

/** What stands in a figure and is no part of it. */
const LEFT_OUT = `button, label, input, select, .readout, table, p, summary, .unseen, .choices,
  details.more, .panel > :is(h3, header), .panel > figure > figcaption`;

/** @param {Element} picture @returns {HTMLElement} */
export function figureOf(picture) {
  const around = FIGURES.map((selector) => picture.closest(selector)).find(Boolean);
  return /** @type {HTMLElement} */ (
    around ?? picture.closest(".panel") ?? picture.parentElement
  );
}

/** All pictures of a figure. @param {HTMLElement} figure */
export const picturesIn = (figure) =>
  [...figure.querySelectorAll(PICTURES)].filter(
    (picture) => !picture.closest("button"),
  );

/**
 * What a picture is called: the nearest heading, with what the picture is where the heading
 * stands above several.
 * @param {Element} picture
 */
export function titleOf(picture) {
  const figure = figureOf(picture);
  const panel = picture.closest(".panel, section");
  const headings = figure.querySelectorAll("h3, h4");
  const heading =
    headings.length === 1 ? headings[0] : panel?.querySelector("h3, h4, h2");
  const [label] = (picture.getAttribute("aria-label") ?? "").split(/[.;,]/);
  if (!heading) return label;
  const small = heading.querySelector("small")?.textContent?.trim() ?? "";
  const name = (heading.textContent ?? "")
    .replace(small, "")
    .replace(/\s+/g, " ")
    .trim();
  const isAlone = picturesIn(figure).length > 1 || figure.contains(heading);
  if (isAlone || label === "") return name;
  return label.startsWith(name) ? label : `${name} – ${label}`;
}

/**
 * @param {HTMLElement} figure
 * @returns {{ box: Box, content: string, font: string }}
 */
export function drawnFigure(figure) {
  return onPaper(() => {
    const pieces = piecesOf(figure);
    const { fontFamily: font } = getComputedStyle(figure);
    return {
      box: around(pieces.map(({ box }) => box)),
      content: pieces.map(({ content }) => content).join(""),
      font,
    };
  });
}

/** @typedef {{ box: Box, content: string }} Piece */

/** @param {Element} element @returns {Piece[]} from the back to the front */
function piecesOf(element) {
  /** @type {Piece[]} */
  const pieces = [];
  for (const node of element.childNodes) {
    if (node instanceof Text) pieces.push(...textPieces(node));
    else if (node instanceof Element && isPart(node)) pieces.push(...ownPieces(node));
  }
  return pieces;
}

/** @param {Element} element */
function isPart(element) {
  if (element.matches(LEFT_OUT) && !isLabel(element)) return false;
  // Sums beside a picture are none of it.
  if (element.querySelector("math") && !element.querySelector(PICTURES)) return false;
  const isSeen = { visibilityProperty: true, opacityProperty: true };
  return (
    element.checkVisibility(isSeen) || getComputedStyle(element).display === "contents"
  );
}

/** Whether a button names a row of a picture. @param {Element} element */
const isLabel = (element) =>
  element.matches("button[aria-pressed]") && element.closest("[data-picture]") !== null;

/** @param {Element} element @returns {Piece[]} */
function ownPieces(element) {
  const box = boxOf(element);
  if (element instanceof HTMLCanvasElement)
    return box.width === 0 ? [] : [{ box, content: canvasContent(element, box) }];
  if (element instanceof SVGSVGElement)
    return box.width === 0 ? [] : [svgPiece(element, box)];
  return [...groundOf(element, box), ...piecesOf(element)];
}

/** @param {HTMLCanvasElement} canvas @param {Box} box */
function canvasContent(canvas, box) {
  const { x, y, width, height } = box;
  const paint = painterOf(canvas);
  if (paint === null) return imageAt(canvas, [0, 0, canvas.width, canvas.height], box);
  const { context, content } = svgContext();
  paint(context);
  // Cut off at its edge, as on the page.
  return element("svg", { x, y, width, height, overflow: "hidden" }, content());
}

/**
 * What an element stands on, if it is seen: a colour, a scale, an edge.
 * @param {Element} source @param {Box} box @returns {Piece[]}
 */
function groundOf(source, box) {
  const { x, y, width, height } = box;
  if (width === 0 || height === 0) return [];
  const style = getComputedStyle(source);
  const { backgroundColor, backgroundImage, borderTopStyle } = style;
  const rx = Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, height / 2);
  const parts = scaleOf(backgroundImage, box);
  const isFilled = !isClear(backgroundColor);
  const edge = Number.parseFloat(style.borderTopWidth);
  const hasEdge =
    edge > 0 &&
    borderTopStyle !== "none" &&
    Number.parseFloat(style.borderLeftWidth) > 0 &&
    !isClear(style.borderTopColor);
  if (isFilled || hasEdge)
    parts.unshift(
      element("rect", {
        ...{ x, y, width, height, rx },
        fill: isFilled ? plainColor(backgroundColor) : "none",
        stroke: hasEdge && plainColor(style.borderTopColor),
        "stroke-width": hasEdge && edge,
        opacity: style.opacity !== "1" && style.opacity,
      }),
    );
  return parts.map((content) => ({ box, content }));
}

/** @param {string} color */
const isClear = (color) => /^(transparent|rgba\(.*, 0\))$/.test(color);

/**
 * A legend's scale, from left to right.
 * @param {string} background @param {Box} box @returns {string[]}
 */
function scaleOf(background, { x, y, width, height }) {
  const [, stops = ""] =
    /^linear-gradient\(to right, (rgb.*)\)$/.exec(background) ?? [];
  const colors = stops.match(/rgba?\([^)]*\)/g) ?? [];
  if (colors.length === 0) return [];
  const id = `scale-${Math.round(x)}-${Math.round(y)}`;
  const marks = colors.map((color, at) =>
    element("stop", {
      offset: `${(100 * at) / (colors.length - 1)}%`,
      "stop-color": color,
    }),
  );
  return [
    element("linearGradient", { id }, ...marks),
    element("rect", { x, y, width, height, fill: `url(#${id})` }),
  ];
}

/**
 * Text, line by line.
 * @param {Text} node @returns {Piece[]} none where nothing of it is seen
 */
function textPieces(node) {
  const parent = node.parentElement;
  if (parent === null || node.data.trim() === "") return [];
  const { fontWeight, fontSize, fontFamily, color, textAlign } =
    getComputedStyle(parent);
  return linesOf(node).map(({ text, box }) => {
    const anchor = ANCHORS[textAlign] ?? "start";
    const across = { start: 0, middle: 0.5, end: 1 }[anchor];
    const look = {
      x: box.x + across * box.width,
      y: box.y + BASELINE * box.height,
      "text-anchor": anchor !== "start" && anchor,
      "font-family": fontFamily,
      "font-size": Number.parseFloat(fontSize),
      "font-weight": fontWeight !== "400" && fontWeight,
      fill: plainColor(color),
    };
    return { box, content: element("text", look, escapeText(text)) };
  });
}

const BASELINE = 0.79; // of the height of a line's letters
const ANCHORS = /** @type {Record<string, "start" | "middle" | "end">} */ ({
  center: "middle",
  right: "end",
  end: "end",
});

/** @param {Text} node @returns {{ text: string, box: Box }[]} */
function linesOf(node) {
  const range = document.createRange();
  /** @type {{ text: string, box: Box }[]} */
  const lines = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = boxOf(range);
    if (box.width === 0) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.box.y - box.y) < box.height / 2)
      Object.assign(last, {
        text: `${last.text} ${word}`,
        box: around([last.box, box]),
      });
    else lines.push({ text: word, box });
  }
  return lines;
}

/** @param {Element | Range} of @returns {Box} */
function boxOf(of) {
  const { x, y, width, height } = of.getBoundingClientRect();
  return { x, y, width, height };
}

/** Where things of an SVG are, and how it lies in its box. */
const PLACES =
  `x y x1 y1 x2 y2 dx dy cx cy r rx ry width height points d transform viewBox
  preserveAspectRatio`.split(/\s+/);

/** What is inherited is written where it differs from what is around it. */
const INHERITED = `fill fill-opacity fill-rule stroke stroke-opacity stroke-dasharray
  stroke-linecap stroke-linejoin font-family font-size font-weight text-anchor paint-order`.split(
  /\s+/,
);

/** @param {SVGSVGElement} source @param {Box} box @returns {Piece} */
function svgPiece(source, box) {
  const { x, y, width, height } = box;
  const isCut = getComputedStyle(source).overflow !== "visible";
  const overflow = isCut ? "hidden" : "visible";
  const content = copyOf(source, null, { x, y, width, height, overflow });
  return { box: isCut ? box : around([box, reachOf(source)]), content };
}

/** Where the parts of an SVG lie that is not cut off at its edge. @param {SVGSVGElement} source @returns {Box} */
function reachOf(source) {
  const parts = [...source.children].filter((part) => part.checkVisibility());
  return around([boxOf(source), ...parts.map(boxOf).filter(({ width }) => width > 0)]);
}

/**
 * A copy that carries its looks with it, for a file without style sheets.
 * @param {Element} source @param {CSSStyleDeclaration | null} around style of its parent
 * @param {Readonly<Record<string, string | number>>} [more] attributes
 * @returns {string}
 */
function copyOf(source, around, more = {}) {
  const style = getComputedStyle(source);
  if (style.display === "none" || source.tagName === "title") return "";
  const content = [...source.childNodes].map((node) => {
    if (node instanceof Text) return escapeText(node.data);
    return node instanceof SVGElement ? copyOf(node, style) : "";
  });
  const isText = source instanceof SVGTextContentElement;
  if (content.join("") === "" && (isText || source.tagName === "g")) return "";
  const isHidden = style.visibility !== "visible" && content.join("") === "";
  if (isHidden || (isText && style.visibility !== "visible")) return "";
  const places = PLACES.map((name) => [name, source.getAttribute(name)]);
  const looks = INHERITED.filter(
    (name) => around?.getPropertyValue(name) !== style.getPropertyValue(name),
  ).map((name) => [name, plainColor(style.getPropertyValue(name))]);
  return element(
    source.tagName,
    {
      ...Object.fromEntries([...places, ...looks]),
      opacity: style.opacity !== "1" && style.opacity,
      "stroke-width": strokeOf(source, style),
      dy: isText && /central|middle/.test(style.dominantBaseline) ? "0.35em" : null,
      ...more,
    },
    ...content,
  );
}

/**
 * How wide a line is, in its own units, also where it is not to grow with its picture: not
 * every program knows of that.
 * @param {Element} source @param {CSSStyleDeclaration} style
 */
function strokeOf(source, style) {
  const { stroke, strokeWidth, vectorEffect } = style;
  if (stroke === "none" || !(source instanceof SVGGraphicsElement)) return null;
  const width = Number.parseFloat(strokeWidth);
  if (vectorEffect !== "non-scaling-stroke") return width;
  const { a, b, c, d } = source.getScreenCTM() ?? new DOMMatrix();
  return (width / Math.sqrt(Math.abs(a * d - b * c) || 1)).toFixed(4);
}
