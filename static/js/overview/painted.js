/**
 * Paints on a canvas what is described as SVG, in the looks that CSS gives it. Hundreds of
 * elements cost more to write anew for each of many readings than to paint.
 * @import { Described } from "../ui/h.js"
 */
import { svg } from "../ui/dom.js";
import { onTheme } from "../ui/stage.js";

/**
 * @typedef {object} Look
 * @property {SVGElement} probe stands for all elements that look alike
 * @property {string} fill empty: none @property {string} stroke
 * @property {number} wide px of the stroke @property {number[]} dash
 * @property {number} alpha of all @property {number} fillAlpha
 * @property {string} font
 * @property {boolean} isStrokeFirst
 * @property {Map<string, Look>} below looks of what stands in it, by what CSS sees of them
 */

const NONE = ["none", "rgba(0, 0, 0, 0)"];
const VARIABLE = /var\([^)]+\)/g;

/**
 * @param {HTMLElement} figure around the picture, where its looks hold
 * @returns {(context: CanvasRenderingContext2D, described: readonly Described[]) => void}
 */
export function createPainted(figure) {
  const root = svg("svg", { display: "none" });
  /** Of the picture, once it is painted. @type {Look | null} */
  let whole = null;
  /** @type {Map<string, string>} */
  const colors = new Map();
  function forget() {
    root.replaceChildren();
    colors.clear();
    whole = null;
  }
  onTheme(forget);
  addEventListener("resize", forget); // letters are smaller on phones

  /** It is in the page only while it is looked at. @param {SVGElement} probe @returns {Look} */
  function looked(probe) {
    figure.append(root);
    const look = lookOf(probe);
    root.remove();
    return look;
  }

  /** A colour of CSS as a canvas takes it. @param {string} css */
  function colorOf(css) {
    const known = colors.get(css);
    if (known !== undefined) return known;
    const isAlone = css.replace(VARIABLE, "") === "";
    const found = isAlone ? computed(css) : css.replace(VARIABLE, colorOf);
    colors.set(css, found);
    return found;
  }

  /** Of a variable alone: each mixture would cost a style of its own. @param {string} variable */
  function computed(variable) {
    figure.append(root);
    root.style.color = variable;
    const { color } = getComputedStyle(root);
    root.style.color = "";
    root.remove();
    return color;
  }

  /** What CSS sees of it, besides where it stands. @param {Described} described @param {Look} above */
  function seenAs({ tag, attributes }, above) {
    const name = `${tag}|${attributes.class}|${attributes["--own"]}|${attributes["--size"]}`;
    const known = above.below.get(name);
    if (known) return known;
    const of = /** @type {"g"} */ (String(tag));
    const probe = svg(of, { class: attributes.class ?? "" });
    for (const each of ["--own", "--size"])
      if (attributes[each]) probe.style.setProperty(each, attributes[each]);
    above.probe.append(probe);
    const look = looked(probe);
    above.below.set(name, look);
    return look;
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Described} described
   * @param {Look} above
   */
  function paint(context, described, above) {
    const { tag, attributes, content } = described;
    if (attributes.visibility === "hidden") return;
    const own = seenAs(described, above);
    const alpha = above.alpha * own.alpha * (attributes.opacity ?? 1);
    if (tag === "g") return paintAll(context, content, { ...own, alpha });
    const look = {
      ...own,
      alpha,
      fill: attributes.fill ? colorOf(attributes.fill) : own.fill,
      fillAlpha: own.fillAlpha * (attributes["fill-opacity"] ?? 1),
    };
    if (tag === "text") return paintText(context, described, look);
    paintShape(context, described, look);
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {Described["content"]} content
   * @param {Look} above
   */
  function paintAll(context, content, above) {
    for (const each of content)
      if (typeof each === "object" && "tag" in each) paint(context, each, above);
  }

  /**
   * What has pieces of other colours begins at its x.
   * @param {CanvasRenderingContext2D} context @param {Described} text @param {Look} look
   */
  function paintText(context, { attributes, content }, look) {
    context.font = look.font;
    if (!content.some((each) => typeof each === "object")) {
      const words = content.join("");
      const anchor = String(attributes["text-anchor"] ?? "start");
      const isMiddle = anchor === "middle";
      context.textAlign = isMiddle ? "center" : /** @type {"start" | "end"} */ (anchor);
      return paintWords(context, words, attributes, look);
    }
    context.textAlign = "start";
    let { x } = attributes;
    for (const each of content) {
      const isPlain = typeof each !== "object" || !("tag" in each);
      const words = isPlain ? String(each) : each.content.join("");
      const fill = isPlain ? look.fill : seenAs(each, look).fill;
      paintWords(context, words, { x, y: attributes.y }, { ...look, fill });
      x += context.measureText(words).width;
    }
  }

  return (context, described) => {
    context.lineJoin = "round";
    whole ??= looked(root);
    paintAll(context, described, whole);
    context.globalAlpha = 1;
    context.setLineDash([]);
  };
}

/** @param {SVGElement} probe @returns {Look} */
function lookOf(probe) {
  const style = getComputedStyle(probe);
  return {
    probe,
    fill: NONE.includes(style.fill) ? "" : style.fill,
    stroke: NONE.includes(style.stroke) ? "" : style.stroke,
    wide: Number.parseFloat(style.strokeWidth),
    dash: (style.strokeDasharray.match(/[\d.]+/g) ?? []).map(Number),
    alpha: Number(style.opacity),
    fillAlpha: Number(style.fillOpacity),
    font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`,
    isStrokeFirst: style.paintOrder.startsWith("stroke"),
    below: new Map(),
  };
}

/**
 * @param {CanvasRenderingContext2D} context @param {Look} look
 * @param {"fill" | "stroke"} what
 */
function take(context, look, what) {
  context.globalAlpha = look.alpha * (what === "fill" ? look.fillAlpha : 1);
  if (what === "fill") context.fillStyle = look.fill;
  else {
    context.strokeStyle = look.stroke;
    context.lineWidth = look.wide;
    context.setLineDash(look.dash);
  }
  return true;
}

/**
 * @param {CanvasRenderingContext2D} context @param {string} words
 * @param {{ x?: number, y?: number }} place @param {Look} look
 */
function paintWords(context, words, { x = 0, y = 0 }, look) {
  if (look.isStrokeFirst && look.stroke && take(context, look, "stroke"))
    context.strokeText(words, x, y);
  if (look.fill && take(context, look, "fill")) context.fillText(words, x, y);
}

/** @param {CanvasRenderingContext2D} context @param {Described} described @param {Look} look */
function paintShape(context, described, look) {
  const shape = look.fill || look.stroke ? shapeOf(described) : null;
  if (shape === null) return;
  if (look.fill && take(context, look, "fill")) context.fill(shape);
  if (look.stroke && take(context, look, "stroke")) context.stroke(shape);
}

/** @param {Described} described @returns {Path2D | null} null: nothing is to be seen */
function shapeOf({ tag, attributes: { d, x, y, width, height, rx, cx, cy, r } }) {
  if (tag === "path") return d === "" ? null : new Path2D(d);
  const path = new Path2D();
  if (tag === "circle") path.arc(cx, cy, r, 0, 2 * Math.PI);
  else if (!(width > 0 && height > 0)) return null;
  else if (rx > 0) path.roundRect(x, y, width, height, rx);
  else path.rect(x, y, width, height);
  return path;
}
