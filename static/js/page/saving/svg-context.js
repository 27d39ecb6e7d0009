/**
 * A drawing context that writes SVG: what draws on a canvas then draws lines that stay
 * sharp at any size. It knows what this project's pictures use, and no more.
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const DECIMALS = 2;

/** What a group keeps and gives back. */
const LOOK = {
  fillStyle: "#000",
  strokeStyle: "#000",
  lineWidth: 1,
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  lineCap: "butt",
  lineJoin: "miter",
  imageSmoothingEnabled: true,
};

/** @type {Record<string, string>} */
const ANCHORS = { center: "middle", right: "end", end: "end" };
/** Of the letters' height, from the baseline. @type {Record<string, number>} */
const DROPS = { top: 0.78, middle: 0.35, bottom: -0.22 };

/**
 * @param {number} width in CSS pixels
 * @param {number} height
 * @param {(font: string, text: string) => number} measure the width of a text
 */
export function createSvgContext(width, height, measure) {
  const root = element("svg", { xmlns: NAMESPACE, viewBox: `0 0 ${width} ${height}` });
  root.setAttribute("width", String(width));
  root.setAttribute("height", String(height));
  let parent = root;
  let path = "";
  let clips = 0;
  // Of its own where several pictures stand in one document.
  const prefix = `clip-${Math.random().toString(36).slice(2)}`;
  /** @type {number[]} */
  let dash = [];
  /** @type {{ look: typeof LOOK, dash: number[], parent: SVGElement }[]} */
  const kept = [];
  const context = {
    ...LOOK,
    root,

    save() {
      kept.push({ look: /** @type {typeof LOOK} */ (lookOf(context)), dash, parent });
    },
    restore() {
      const last = kept.pop();
      if (!last) return;
      Object.assign(context, last.look);
      ({ dash, parent } = last);
    },
    /** @param {number} x @param {number} y */
    translate(x, y) {
      const group = element("g", { transform: `translate(${short(x)} ${short(y)})` });
      parent.append(group);
      parent = group;
    },
    /** @param {number} x @param {number} y */
    scale(x, y) {
      if (x === 1 && y === 1) return;
      const group = element("g", { transform: `scale(${short(x)} ${short(y)})` });
      parent.append(group);
      parent = group;
    },
    /** To what the path encloses, until the next `restore`. */
    clip() {
      const id = `${prefix}-${++clips}`;
      const clipPath = element("clipPath", { id });
      clipPath.append(element("path", { d: path }));
      const group = element("g", { "clip-path": `url(#${id})` });
      parent.append(clipPath, group);
      parent = group;
    },
    /** @param {number[]} segments */
    setLineDash(segments) {
      dash = segments;
    },

    beginPath() {
      path = "";
    },
    /** @param {number} x @param {number} y */
    moveTo(x, y) {
      path += `M${short(x)} ${short(y)}`;
    },
    /** @param {number} x @param {number} y */
    lineTo(x, y) {
      path += `${path === "" ? "M" : "L"}${short(x)} ${short(y)}`; // as a canvas does
    },
    /** @param {number} x @param {number} y @param {number} w @param {number} h */
    rect(x, y, w, h) {
      path += `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}Z`;
    },
    /** @param {...number} places */
    bezierCurveTo(...places) {
      path += `C${places.map(short).join(" ")}`;
    },
    closePath() {
      path += "Z";
    },
    /**
     * @param {number} x @param {number} y @param {number} radius
     * @param {number} from @param {number} to angles, clockwise
     */
    arc(x, y, radius, from, to) {
      path += arcPath(x, y, radius, from, to);
    },

    fill() {
      draw("path", { d: path, ...filled(context) });
    },
    stroke() {
      draw("path", { d: path, fill: "none", ...stroked(context, dash) });
    },
    /** @param {number} x @param {number} y @param {number} w @param {number} h */
    fillRect(x, y, w, h) {
      draw("rect", { ...placed(x, y, w, h), ...filled(context) });
    },
    clearRect() {},

    /** @param {string} text @param {number} x @param {number} y @param {number} [room] */
    fillText(text, x, y, room) {
      const { size, ...font } = fontOf(context.font);
      const wide = room === undefined ? 0 : measure(context.font, text);
      const drop = (DROPS[context.textBaseline] ?? 0) * size;
      const made = draw("text", {
        x: short(x),
        y: short(y + drop),
        ...font,
        "font-size": short(size),
        "text-anchor": ANCHORS[context.textAlign] ?? "start",
        ...(room !== undefined && wide > room && { textLength: short(room) }),
        ...filled(context),
      });
      made.textContent = text;
    },
    /** @param {string} text */
    measureText: (text) => ({ width: measure(context.font, text) }),

    /**
     * @param {HTMLCanvasElement} image
     * @param {number} x @param {number} y @param {number} w @param {number} h
     */
    drawImage(image, x, y, w, h) {
      draw("image", {
        ...placed(x, y, w, h),
        href: image.toDataURL(),
        preserveAspectRatio: "none",
        opacity: short(context.globalAlpha),
        ...(!context.imageSmoothingEnabled && { "image-rendering": "pixelated" }),
      });
    },
    /** @param {SVGElement} made */
    append(made) {
      parent.append(made);
    },
  };

  /** @param {string} name @param {Record<string, string | number>} attributes */
  function draw(name, attributes) {
    const made = element(name, attributes);
    parent.append(made);
    return made;
  }
  return context;
}

/** @typedef {ReturnType<typeof createSvgContext>} SvgContext */

/** @param {typeof LOOK} context */
function lookOf(context) {
  const names = /** @type {(keyof typeof LOOK)[]} */ (Object.keys(LOOK));
  return Object.fromEntries(names.map((name) => [name, context[name]]));
}

/** @param {typeof LOOK} look */
function filled({ fillStyle, globalAlpha }) {
  return {
    fill: fillStyle,
    ...(globalAlpha < 1 && { "fill-opacity": short(globalAlpha) }),
  };
}

/** @param {typeof LOOK} look @param {readonly number[]} dash */
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
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} from
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
