/**
 * Pictures of values, with their legends.
 * @import { Scale } from "../lib/color.js"
 * @import { Field, ImageShape, Pixels } from "../types.js"
 */

import { oneTile } from "../geometry/tiles.js";
import { reach } from "../lib/arithmetic.js";
import { color, ink } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import { channelName, isColour, planesOf } from "../lib/pixels.js";
import { paintPixels } from "../paint/heatmap.js";
import { find, findCanvas, make, setText } from "./dom.js";
import { fitToPicture, showField } from "./grid-picker.js";

/** What a difference of images of several channels is. */
export const MEAN = ", mean of the channels";

/**
 * Show a colour scale with its ends and unit, as every picture of values has beside it.
 * @param {HTMLElement} root filled; only what differs from before is written
 * @param {Scale} scale
 * @param {{ unit: string, decimals?: number }} options unit: what the values are
 */
export function showLegend(root, scale, { unit, decimals = 2 }) {
  if (root.dataset.scale !== scale.name) build(root, scale);
  const [name, , ends] = root.children;
  setText(name, unit);
  setText(ends.children[0], fixed(scale.low, decimals));
  setText(ends.children[ends.children.length - 1], fixed(scale.high, decimals));
}

/**
 * Show how grey tells ink beside an image; colours tell themselves.
 * @param {HTMLElement} root filled, and hidden beside colour images
 * @param {Pick<ImageShape, "channels">} image
 */
export function showInkLegend(root, image) {
  root.hidden = isColour(image);
  showLegend(root, ink(), { unit: "ink", decimals: 0 });
}

/**
 * How far values go beyond the end of their scale.
 * @param {Scale} scale @param {readonly ArrayLike<number>[]} all
 * @param {string} what the values are
 * @returns {string} to follow a unit; nothing where the scale has room for all
 */
export function beyondWords({ high }, all, what) {
  const most = Math.max(...all.map(reach));
  return most > high && fixed(most) !== fixed(high)
    ? `, ${what} up to ±${fixed(most)}`
    : "";
}

/**
 * The value of a pixel, or of each of its channels, in words.
 * @param {Float32Array | Float64Array} values channel by channel, row by row
 * @param {ImageShape} image @param {{ row: number, column: number }} pixel
 * @param {(value: number) => string} [write]
 */
export function pixelWords(values, image, { row, column }, write = fixed) {
  const index = row * image.columns + column;
  return planesOf(values, image)
    .map((plane, channel) =>
      image.channels > 1
        ? `${channelName(channel, image.channels)} ${write(plane[index])}`
        : write(plane[index]),
    )
    .join(", ");
}

/**
 * Everything but the words; the ramp is the same whatever the scale's ends.
 * @param {HTMLElement} root @param {Scale} scale
 */
function build(root, scale) {
  root.dataset.scale = scale.name;
  root.classList.add("legend");
  const ramp = span("legend-ramp");
  ramp.style.backgroundImage = `linear-gradient(to right, ${stops(scale).join(", ")})`;
  const ends = span("legend-ends", span());
  if (scale.name === "diverging") ends.append(span("", "0"));
  ends.append(span());
  root.replaceChildren(span("legend-unit"), ramp, ends);
}

/** @param {Scale} scale */
function stops(scale) {
  return Array.from({ length: 11 }, (_, i) => {
    const value = scale.low + (i / 10) * (scale.high - scale.low);
    return `rgb(${color(scale, value).join(" ")})`;
  });
}

/** @param {string} [name] of its class @param {...(Node | string)} content */
function span(name = "", ...content) {
  const element = make("span");
  if (name !== "") element.className = name;
  element.append(...content);
  return element;
}

/**
 * A picture with a frame around what the chosen unit saw; the rest is dimmed.
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG that holds a path
 *   `.outside` and the frames `.field` and `.pointed`
 */
export function framedPicture(root) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const outside = find(overlay, ".outside", SVGPathElement);
  const frame = find(overlay, ".field", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  let [rows, columns] = [1, 1];
  const layout = () => oneTile({ rows, columns });

  return {
    canvas,
    layout,

    /** @param {Pixels} pixels the input */
    showInput(pixels) {
      [rows, columns] = [pixels.rows, pixels.columns];
      paintPixels(canvas, pixels);
      fitToPicture(overlay, layout());
    },

    /** @param {Field} field of the chosen unit */
    frame(field) {
      showField(frame, field);
      const { row, column, size, columns: width = size } = field;
      const hole = `M${column} ${row}h${width}v${size}h${-width}z`;
      outside.setAttribute("d", `M0 0h${columns}v${rows}h${-columns}z${hole}`);
    },

    /** @param {Field | null} field of the unit under the pointer */
    point(field) {
      showField(pointed, field);
    },
  };
}
