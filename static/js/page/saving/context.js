/**
 * A canvas's context that writes what is drawn on it as SVG: strokes, areas and text as such,
 * pictures as images.
 */
import { make } from "../../ui/dom.js";
import { element, escapeText } from "./markup.js";

const ANCHORS = /** @type {Record<string, string>} */ ({
  center: "middle",
  right: "end",
  end: "end",
});
const FONT = /^(.*?)\s*([\d.]+)px\s+(.*)$/;
const MOST = 4096; // pixels of a side

/**
 * The methods and properties that this project's pictures use.
 * @returns {{ context: CanvasRenderingContext2D, content: () => string }}
 */
export function svgContext() {
  const real = /** @type {CanvasRenderingContext2D} */ (
    make("canvas").getContext("2d")
  );
  /** @type {string[]} */
  const out = [];
  let path = "";
  let ends = "";
  /** @type {readonly number[]} */
  let dash = [];

  const context = {
    fillStyle: "#000000",
    strokeStyle: "#000000",
    lineWidth: 1,
    lineCap: "butt",
    lineJoin: "miter",
    globalAlpha: 1,
    font: real.font,
    textAlign: "start",
    textBaseline: "alphabetic",
    imageSmoothingEnabled: true,

    /** @param {number} across @param {number} down */
    scale(across, down) {
      out.push(`<g transform="scale(${across} ${down})">`);
      ends += "</g>";
    },
    /** @param {number[]} pattern */
    setLineDash(pattern) {
      dash = pattern;
    },
    beginPath() {
      path = "";
    },
    closePath: () => add("Z"),
    /** @param {number} x @param {number} y */
    moveTo: (x, y) => add("M", x, y),
    /** @param {number} x @param {number} y */
    lineTo: (x, y) => add("L", x, y),
    /** @param {number[]} points */
    bezierCurveTo: (...points) => add("C", ...points),
    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    rect(x, y, width, height) {
      add("M", x, y);
      add("h", width);
      add("v", height);
      add("h", -width);
      add("Z");
    },
    arc,
    fill: () => void out.push(element("path", { d: path, ...fillLook() })),
    stroke: () =>
      void out.push(element("path", { d: path, fill: "none", ...strokeLook() })),
    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    fillRect(x, y, width, height) {
      out.push(element("rect", { x, y, width, height, ...fillLook() }));
    },
    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    strokeRect(x, y, width, height) {
      const look = { fill: "none", ...strokeLook() };
      out.push(element("rect", { x, y, width, height, ...look }));
    },
    /** @param {string} text @param {number} x @param {number} y */
    fillText: (text, x, y) => write(text, x, y, fillLook()),
    /** @param {string} text @param {number} x @param {number} y */
    strokeText: (text, x, y) => write(text, x, y, { fill: "none", ...strokeLook() }),
    measureText,
    drawImage,
  };

  /** @param {string} command @param {...number} numbers */
  function add(command, ...numbers) {
    path += command + numbers.map((number) => Number(number.toFixed(2))).join(" ");
  }

  const fillLook = () => ({
    fill: plainColor(context.fillStyle),
    "fill-opacity": context.globalAlpha < 1 && context.globalAlpha,
  });

  const strokeLook = () => ({
    stroke: plainColor(context.strokeStyle),
    "stroke-width": context.lineWidth,
    "stroke-opacity": context.globalAlpha < 1 && context.globalAlpha,
    "stroke-linecap": context.lineCap !== "butt" && context.lineCap,
    "stroke-linejoin": context.lineJoin !== "miter" && context.lineJoin,
    "stroke-dasharray": dash.length > 0 && dash.join(" "),
  });

  /**
   * @param {number} x @param {number} y @param {number} radius
   * @param {number} from @param {number} to radians, clockwise
   */
  function arc(x, y, radius, from, to) {
    const at = (/** @type {number} */ angle) => [
      x + radius * Math.cos(angle),
      y + radius * Math.sin(angle),
    ];
    const by = Math.min(to - from, 2 * Math.PI);
    add(path === "" || path.endsWith("Z") ? "M" : "L", ...at(from));
    // In halves: no arc ends where it begins.
    for (const share of [0.5, 1])
      add("A", radius, radius, 0, 0, 1, ...at(from + share * by));
  }

  /** @param {string} text */
  function measureText(text) {
    real.font = context.font;
    return real.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y @param {Record<string, any>} look */
  function write(text, x, y, look) {
    const below = ascentAt("alphabetic") - ascentAt(context.textBaseline);
    const [, style = "", size = "10", family = "sans-serif"] =
      FONT.exec(real.font) ?? [];
    const attributes = {
      x,
      y: y + below,
      "text-anchor": ANCHORS[context.textAlign],
      "font-family": family,
      "font-size": size,
      "font-weight": /\b(bold|\d{3})\b/.exec(style)?.[0],
    };
    out.push(element("text", { ...attributes, ...look }, escapeText(text)));
  }

  /** How far letters reach above a baseline. @param {string} baseline */
  function ascentAt(baseline) {
    real.textBaseline = /** @type {CanvasTextBaseline} */ (baseline);
    return measureText("x").fontBoundingBoxAscent;
  }

  /** @param {HTMLCanvasElement} image @param {...number} at as canvases take it */
  function drawImage(image, ...at) {
    const cut = at.length === 8 ? at.splice(0, 4) : [0, 0, image.width, image.height];
    const [x, y, width = cut[2], height = cut[3]] = at;
    out.push(imageAt(image, cut, { x, y, width, height }, context.globalAlpha));
  }

  return {
    context: /** @type {any} */ (context),
    content: () => out.join("") + ends,
  };
}

/** What colours are in sRGB. @type {Map<string, string>} */
const plain = new Map();

/**
 * A colour as every program knows it: browsers compute mixed ones as `color(srgb …)`.
 * @param {string} color as CSS computes it
 */
export function plainColor(color) {
  if (!/^(color|okl|lab|lch|hwb)/.test(color)) return color;
  const known = plain.get(color);
  if (known !== undefined) return known;
  const context = /** @type {CanvasRenderingContext2D} */ (
    make("canvas").getContext("2d")
  );
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  const plainColor = `rgba(${red}, ${green}, ${blue}, ${Number((alpha / 255).toFixed(3))})`;
  plain.set(color, plainColor);
  return plainColor;
}

/**
 * Part of a canvas as an image. Its cells are enlarged to whole pixels: not every program that
 * opens a file leaves them sharp.
 * @param {HTMLCanvasElement} source
 * @param {readonly number[]} cut x, y, width and height in it
 * @param {import("./markup.js").Box} box where it stands
 * @param {number} [opacity]
 */
export function imageAt(source, [left, top, across, down], box, opacity = 1) {
  const { x, y, width, height } = box;
  const wanted = Math.ceil((2 * width) / across);
  const times = Math.max(
    1,
    Math.min(wanted, Math.floor(MOST / Math.max(across, down))),
  );
  const canvas = make("canvas");
  canvas.width = times * across;
  canvas.height = times * down;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingEnabled = false;
  const [wide, high] = [canvas.width, canvas.height];
  context.drawImage(source, left, top, across, down, 0, 0, wide, high);
  return element("image", {
    ...{ x, y, width, height },
    preserveAspectRatio: "none",
    opacity: opacity < 1 && opacity,
    style: "image-rendering:pixelated",
    href: canvas.toDataURL("image/png"),
  });
}
