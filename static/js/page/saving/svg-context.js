/**
 * A drawing context that writes SVG: what draws on a canvas then draws lines that stay
 * sharp at any size. It knows what this project's pictures use, and no more.
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const DECIMALS = 2;

/** @type {Record<string, string>} */
const ANCHORS = { center: "middle", right: "end", end: "end" };
/** Of the letters' height, from the baseline. @type {Record<string, number>} */
const DROPS = { top: 0.78, middle: 0.35, bottom: -0.22 };

/** What `save` keeps and `restore` gives back, besides the dashes. */
class Look {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign = "start";
  textBaseline = "alphabetic";
  lineCap = "butt";
  lineJoin = "miter";
  imageSmoothingEnabled = true;
}

export class SvgContext extends Look {
  #root;
  /** Where the next element comes. @type {SVGElement} */
  #parent;
  #path = "";
  /** @type {number[]} */
  #dash = [];
  /** @type {{ look: Look, dash: number[], parent: SVGElement }[]} */
  #kept = [];
  #clips = 0;
  // Of its own where several pictures stand in one document.
  #prefix = `clip-${Math.random().toString(36).slice(2)}`;
  #measure;

  /**
   * @param {number} width in CSS pixels
   * @param {number} height
   * @param {(font: string, text: string) => number} measure the width of a text
   */
  constructor(width, height, measure) {
    super();
    const viewBox = `0 0 ${width} ${height}`;
    this.#root = element("svg", { xmlns: NAMESPACE, viewBox, width, height });
    this.#parent = this.#root;
    this.#measure = measure;
  }

  get root() {
    return this.#root;
  }

  save() {
    this.#kept.push({ look: { ...this }, dash: this.#dash, parent: this.#parent });
  }
  restore() {
    const last = this.#kept.pop();
    if (!last) return;
    Object.assign(this, last.look);
    this.#dash = last.dash;
    this.#parent = last.parent;
  }
  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.#enter({ transform: `translate(${short(x)} ${short(y)})` });
  }
  /** @param {number} x @param {number} y */
  scale(x, y) {
    if (x === 1 && y === 1) return;
    this.#enter({ transform: `scale(${short(x)} ${short(y)})` });
  }
  /** To what the path encloses, until the next `restore`. */
  clip() {
    const id = `${this.#prefix}-${++this.#clips}`;
    this.#draw("clipPath", { id }).append(element("path", { d: this.#path }));
    this.#enter({ "clip-path": `url(#${id})` });
  }
  /** @param {number[]} segments */
  setLineDash(segments) {
    this.#dash = segments;
  }

  beginPath() {
    this.#path = "";
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#path += `M${short(x)} ${short(y)}`;
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    const sign = this.#path === "" ? "M" : "L"; // as a canvas does
    this.#path += `${sign}${short(x)} ${short(y)}`;
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h) {
    this.#path += `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}Z`;
  }
  /** @param {...number} places */
  bezierCurveTo(...places) {
    this.#path += `C${places.map(short).join(" ")}`;
  }
  closePath() {
    this.#path += "Z";
  }
  /**
   * @param {number} x @param {number} y @param {number} radius
   * @param {number} from @param {number} to angles, clockwise
   */
  arc(x, y, radius, from, to) {
    this.#path += arcPath(x, y, radius, from, to);
  }

  fill() {
    this.#draw("path", { d: this.#path, ...filled(this) });
  }
  stroke() {
    this.#draw("path", { d: this.#path, fill: "none", ...stroked(this, this.#dash) });
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.#draw("rect", { ...placed(x, y, w, h), ...filled(this) });
  }
  clearRect() {}

  /** @param {string} text @param {number} x @param {number} y @param {number} [room] */
  fillText(text, x, y, room) {
    const { size, ...font } = fontOf(this.font);
    const wide = room === undefined ? 0 : this.#measure(this.font, text);
    const drop = (DROPS[this.textBaseline] ?? 0) * size;
    const made = this.#draw("text", {
      x: short(x),
      y: short(y + drop),
      ...font,
      "font-size": short(size),
      "text-anchor": ANCHORS[this.textAlign] ?? "start",
      ...(room !== undefined && wide > room && { textLength: short(room) }),
      ...filled(this),
    });
    made.textContent = text;
  }
  /** @param {string} text */
  measureText(text) {
    return { width: this.#measure(this.font, text) };
  }

  /**
   * @param {HTMLCanvasElement} image
   * @param {number} x @param {number} y @param {number} w @param {number} h
   */
  drawImage(image, x, y, w, h) {
    this.#draw("image", {
      ...placed(x, y, w, h),
      href: image.toDataURL(),
      preserveAspectRatio: "none",
      opacity: short(this.globalAlpha),
      ...(!this.imageSmoothingEnabled && { "image-rendering": "pixelated" }),
    });
  }
  /** @param {SVGElement} made */
  append(made) {
    this.#parent.append(made);
  }

  /** @param {string} name @param {Record<string, string | number>} attributes */
  #draw(name, attributes) {
    const made = element(name, attributes);
    this.#parent.append(made);
    return made;
  }

  /** Draw in a group from here on. @param {Record<string, string>} attributes */
  #enter(attributes) {
    this.#parent = this.#draw("g", attributes);
  }
}

/** @param {Look} look */
function filled({ fillStyle, globalAlpha }) {
  return {
    fill: fillStyle,
    ...(globalAlpha < 1 && { "fill-opacity": short(globalAlpha) }),
  };
}

/** @param {Look} look @param {readonly number[]} dash */
function stroked({ strokeStyle, lineWidth, globalAlpha, lineCap, lineJoin }, dash) {
  return {
    stroke: strokeStyle,
    "stroke-width": short(lineWidth),
    ...(globalAlpha < 1 && { "stroke-opacity": short(globalAlpha) }),
    ...(dash.length > 0 && { "stroke-dasharray": dash.join(" ") }),
    ...(lineCap !== "butt" && { "stroke-linecap": lineCap }),
    ...(lineJoin !== "miter" && { "stroke-linejoin": lineJoin }),
  };
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function placed(x, y, width, height) {
  return { x: short(x), y: short(y), width: short(width), height: short(height) };
}

/** @param {string} font such as `bold 12px serif` */
export function fontOf(font) {
  const [, weight = "400", size = "10", family = "sans-serif"] =
    /^(?:(bold|\d+)\s+)?([\d.]+)px\s+(.*)$/.exec(font) ?? [];
  return { "font-weight": weight, size: Number(size), "font-family": family };
}

/**
 * @param {number} x @param {number} y @param {number} radius @param {number} from
 * @param {number} to
 */
export function arcPath(x, y, radius, from, to) {
  const at = (/** @type {number} */ angle) =>
    `${short(x + radius * Math.cos(angle))} ${short(y + radius * Math.sin(angle))}`;
  const r = short(radius);
  const turn = Math.min(to - from, 2 * Math.PI);
  // One arc cannot go all the way round.
  const half = from + turn / 2;
  return `M${at(from)}A${r} ${r} 0 0 1 ${at(half)}A${r} ${r} 0 0 1 ${at(from + turn)}`;
}

/** @param {number} value */
function short(value) {
  return String(Number(value.toFixed(DECIMALS)));
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function element(name, attributes) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, String(value));
  return /** @type {SVGElement} */ (made);
}
