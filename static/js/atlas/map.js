/**
 * The map: every test image as a point on a canvas, as pictures when one comes near. Moved
 * and enlarged by mouse, touch and keys; the arrow keys walk from point to point.
 * @import { Content, Part } from "../ui/h.js"
 * @import { Sight } from "./places.js"
 */
import { clamp } from "../lib/arithmetic.js";
import { digitOf } from "../lib/keys.js";
import { inFrame } from "../lib/timing.js";
import { arrowOf, hasModifier } from "../ui/controls.js";
import { make, setAria, uniqueId } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { onTheme } from "../ui/stage.js";
import {
  between,
  move,
  nearestTo,
  neighbour,
  scaleOf,
  toCanvas,
  toMap,
  WHOLE,
  zoom,
  zoomedTo,
} from "./places.js";
import { KEYS } from "./words.js";

const REACH = 14; // CSS pixels around a pointer within which a point is found
const PINNED = 22; // of a picture that always shows
const POINTED = 84; // of the one under the pointer
const PICTURE = 34; // CSS pixels of a picture's side
const MOST_PICTURES = 150; // on show at once
const FEW = 2000; // points, up to which they are drawn larger
const FEW_NAMES = 20; // up to which they are written larger
const STEP = 1.5; // by which keys and buttons enlarge
const MOVE_MS = 900; // in which points move from one map to another
const MOVED = 4; // CSS pixels from which on a press is a move

/** Of ten classes; in the middle of lightness, to be told apart in light and dark. */
const COLORS = [
  ...["#3b82d0", "#e07b1a", "#2c9c57", "#d1495b", "#8b68c9"],
  ...["#9a6b4f", "#d168b3", "#7d8491", "#a3a11c", "#1fa7b5"],
];

/**
 * Corners of marks, in units of half a side, of about one area. Classes of one colour, or of
 * colours that are alike to many eyes, differ in shape.
 * @type {readonly (readonly (readonly [x: number, y: number])[])[]}
 */
const SHAPES = [
  corners(4, 1.41, 45),
  corners(16, 1.13, 0),
  corners(3, 1.55, 90),
  corners(4, 1.41, 0),
  corners(3, 1.55, -90),
  star(4, 1.6, 0.55, 0),
  star(4, 1.6, 0.55, 45),
];

/** @param {number} label @returns {string} for CSS; every tenth is alike */
export function colorOf(label) {
  return COLORS[label % COLORS.length];
}

/** Of each colour, the shape that it has first: of one shape are none that a reader without red or green confuses. */
const FIRST = [0, 1, 2, 3, 4, 5, 6, 1, 0, 3];

/** @param {number} label */
export const shapeOf = (label) => {
  const first = FIRST[label % COLORS.length];
  return SHAPES[(first + Math.floor(label / COLORS.length)) % SHAPES.length];
};

/** @param {number} label @returns {string} its mark for CSS's `clip-path` */
export function outlineOf(label) {
  const at = shapeOf(label).map((corner) =>
    corner.map((coordinate) => `${(50 + 31 * coordinate).toFixed(1)}%`).join(" "),
  );
  return `polygon(${at.join(", ")})`;
}

/**
 * A regular polygon around (0, 0), y downwards.
 * @param {number} count @param {number} radius @param {number} first its angle in degrees
 * @returns {(readonly [number, number])[]}
 */
function corners(count, radius, first) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (Math.PI / 180) * (first + (360 * i) / count);
    return [radius * Math.cos(angle), -radius * Math.sin(angle)];
  });
}

/** @param {number} count of points @param {number} out @param {number} inner @param {number} first */
function star(count, out, inner, first) {
  const between = corners(count, inner, first + 180 / count);
  return corners(count, out, first).flatMap((corner, i) => [corner, between[i]]);
}

/** @typedef {{ name: string, spot: readonly [x: number, y: number] }} Anchor */

/**
 * @typedef {object} MapContent
 * @property {string} frame maps of one frame can be laid over each other
 * @property {ArrayLike<number>} places x and y in turn, within -1..1
 * @property {ArrayLike<number>} labels one of each point, or two
 * @property {readonly string[]} names of the classes
 * @property {readonly Anchor[]} anchors where classes, or pairs of them, are named
 * @property {readonly number[]} wrong the images misread
 * @property {readonly number[]} chosen the images selected
 * @property {boolean} isAll whether nothing is left out
 * @property {number | null} point the image chosen
 * @property {readonly number[]} nearest to the image of the bench, nearest first
 * @property {readonly number[]} pinned points whose pictures always show
 */

/**
 * @typedef {object} Does
 * @property {(point: number) => void} choose
 * @property {() => void} open the point chosen
 * @property {(point: number) => string} caption such as its label
 * @property {(points: number[]) => (HTMLCanvasElement | null)[]} pictures those that are
 *   there; the others are fetched, and the map is shown again then
 */

/**
 * @typedef {object} Scatter
 * @property {MapContent} content
 * @property {Does} does
 * @property {string} label accessible name
 * @property {Content} before controls in front of the map's own
 */

/** A map with its controls above it. @param {Scatter} options */
export const scatter = (options) => h(scatterPart, options);

/** @type {Part<Scatter>} */
function scatterPart() {
  const keys = make("p", { id: uniqueId("keys"), hidden: "" }, KEYS);
  const canvas = make("canvas", {
    tabindex: "0",
    role: "application",
    "aria-describedby": keys.id,
  });
  const tools = make("div", "tools");
  const stage = make("div", "atlas-stage", canvas);
  /** @type {Scatter} */
  let now;
  /** Chosen on the map itself, which brings nothing in sight. @type {number | null} */
  let aimed = null;
  const map = createMap(canvas, {
    choose(point) {
      aimed = point;
      now.does.choose(point);
    },
    open: () => now.does.open(),
    caption: (point) => now.does.caption(point),
    pictures: (points) => now.does.pictures(points),
  });
  const zoom = [
    h("button", { "aria-label": "Enlarge the map", onclick: map.closer }, "+"),
    h("button", { "aria-label": "Show more of the map", onclick: map.farther }, "−"),
    h("button", { onclick: map.whole }, "Whole map"),
  ];
  onTheme(map.draw);

  return {
    element: make("div", "", tools, stage, keys),
    /** @param {Scatter} next */
    show(next) {
      const { content, label, before } = next;
      const isElsewhere =
        content.point !== now?.content.point && content.point !== aimed;
      now = next;
      setAria(canvas, { "aria-label": label });
      fill(tools, before, zoom);
      map.show(content);
      if (isElsewhere && content.point !== null) map.goTo(content.point);
    },
  };
}

/** @param {HTMLCanvasElement} canvas @param {Does} does */
function createMap(canvas, does) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @type {MapContent | null} */
  let content = null;
  /** @type {Sight} */
  let sight = WHOLE;
  /** Under the pointer. @type {number | null} */
  let pointed = null;
  /** @type {{ from: ArrayLike<number>, since: number } | null} from another map */
  let moving = null;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const draw = () => inFrame(paint);

  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  /** @param {PointerEvent | WheelEvent} event @returns {[number, number]} */
  const placeOf = ({ offsetX, offsetY }) => [offsetX, offsetY];
  /** The point under a pointer. @param {PointerEvent} event */
  function pointAt(event) {
    if (content === null) return null;
    const at = toMap(sight, size(), ...placeOf(event));
    const { places, pinned } = content;
    const scale = scaleOf(sight, size());
    const pins = pinned.flatMap((i) => [places[2 * i], places[2 * i + 1]]);
    const first = nearestTo(pins, ...at, PINNED / 2 / scale);
    return first === null ? nearestTo(places, ...at, REACH / scale) : pinned[first];
  }
  /** @param {number | null} at */
  function point(at) {
    if (at === pointed) return;
    pointed = at;
    draw();
  }
  /** @param {Sight} to */
  function look(to) {
    sight = to;
    draw();
  }
  /** @param {number} factor */
  function zoomBy(factor) {
    if (content === null) return;
    const { point, places } = content;
    /** @type {[number, number] | null} */
    const chosen = point === null ? null : [places[2 * point], places[2 * point + 1]];
    look(zoomedTo(sight, size(), chosen, factor));
  }

  function paint() {
    const { width, height } = size();
    if (content === null || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const places = moving === null ? content.places : placesNow(content.places, moving);
    const now = { ...content, places };
    paintAll(context, now, sight, { width, height }, does, pointed);
    if (moving !== null) requestAnimationFrame(draw);
  }

  /**
   * Where points are on their way from one map to another.
   * @param {ArrayLike<number>} to
   * @param {{ from: ArrayLike<number>, since: number }} way
   */
  function placesNow(to, { from, since }) {
    const share = (performance.now() - since) / MOVE_MS;
    if (share < 1) return between(from, to, share);
    moving = null;
    return to;
  }

  /** @type {Map<number, [number, number]>} where each finger is */
  const pressed = new Map();
  let travelled = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pressed.set(event.pointerId, placeOf(event));
    travelled = pressed.size > 1 ? Number.POSITIVE_INFINITY : 0;
    point(null);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pressed.get(event.pointerId);
    if (before === undefined) return point(pointAt(event));
    const now = placeOf(event);
    const [right, down] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.hypot(right, down);
    if (pressed.size === 2) pinch(event.pointerId, before, now);
    else if (travelled > MOVED) look(move(sight, size(), right, down));
    pressed.set(event.pointerId, now);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!pressed.has(event.pointerId)) return;
    const at = travelled <= MOVED ? pointAt(event) : null;
    if (at !== null) does.choose(at);
    draw();
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("lostpointercapture", ({ pointerId }) => {
    pressed.delete(pointerId);
  });

  /** @param {number} id @param {[number, number]} before @param {[number, number]} now */
  function pinch(id, before, now) {
    const other = [...pressed].find(([pointer]) => pointer !== id)?.[1];
    if (other === undefined) return;
    const apart = (/** @type {[number, number]} */ a) =>
      Math.hypot(a[0] - other[0], a[1] - other[1]);
    const factor = apart(now) / Math.max(1, apart(before));
    const [x, y] = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    const near = zoom(sight, size(), x, y, factor);
    look(move(near, size(), (now[0] - before[0]) / 2, (now[1] - before[1]) / 2));
  }

  canvas.addEventListener(
    "wheel",
    (event) => {
      if (sight.zoom === 1 && event.deltaY > 0) return; // the page scrolls on
      event.preventDefault();
      look(zoom(sight, size(), ...placeOf(event), Math.exp(-event.deltaY / 400)));
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    if (content === null || hasModifier(event)) return;
    const arrow = arrowOf(event);
    if (arrow !== null) step(content, arrow);
    else if (event.key === "Enter") does.open();
    else if (event.key === "+" || event.key === "=") zoomBy(STEP);
    else if (event.key === "-") zoomBy(1 / STEP);
    else if (digitOf(event) === 0) look(WHOLE);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("dblclick", () => does.open());

  /** @param {MapContent} on @param {readonly [down: number, right: number]} arrow */
  function step({ places, point }, [down, right]) {
    const next =
      point === null
        ? nearestTo(places, sight.x, sight.y, Number.POSITIVE_INFINITY)
        : neighbour(places, point, right, -down);
    if (next === null) return;
    does.choose(next);
    bringInSight(places, next);
  }

  /** @param {ArrayLike<number>} places @param {number} point */
  function bringInSight(places, point) {
    const { width, height } = size();
    const spot = /** @type {const} */ ([places[2 * point], places[2 * point + 1]]);
    const [left, top] = toCanvas(sight, size(), ...spot);
    const inwards = (/** @type {number} */ at, /** @type {number} */ end) =>
      at < 20 ? 60 - at : at > end - 20 ? end - 60 - at : 0;
    const [right, down] = [inwards(left, width), inwards(top, height)];
    if (right !== 0 || down !== 0) look(move(sight, size(), right, down));
  }

  new ResizeObserver(draw).observe(canvas);

  return {
    /** @param {MapContent} next */
    show(next) {
      const before = content?.places ?? next.places;
      if (content?.frame !== next.frame) sight = WHOLE;
      content = next;
      if (before !== next.places) {
        const isMoving = before.length === next.places.length && !calm.matches;
        moving = isMoving ? { from: before, since: performance.now() } : null;
      }
      draw();
    },
    draw,
    closer: () => zoomBy(STEP),
    farther: () => zoomBy(1 / STEP),
    whole: () => look(WHOLE),
    /** @param {number} point */
    goTo(point) {
      if (content !== null) bringInSight(content.places, point);
    },
  };
}

/**
 * @param {CanvasRenderingContext2D} context @param {MapContent} content
 * @param {Sight} sight @param {{ width: number, height: number }} size
 * @param {Pick<Does, "pictures" | "caption">} does
 * @param {number | null} pointed under the pointer
 */
function paintAll(context, content, sight, size, { pictures, caption }, pointed) {
  const { places, labels, chosen, isAll, point, nearest } = content;
  const count = places.length / 2;
  const each = labels.length / count;
  // The style sheet gives the canvas the page's colors, as properties that it resolves.
  const style = getComputedStyle(context.canvas);
  const { color: text, backgroundColor: ground, fontFamily } = style;
  const small = (count > FEW ? 1.8 : 3) + sight.zoom ** 0.5;
  const dot =
    content.names.length > COLORS.length
      ? Math.min(9, 1.5 * small)
      : Math.min(6, small);
  const scale = scaleOf(sight, size);
  const [left, top] = toCanvas(sight, size, 0, 0);
  const at = (/** @type {number} */ i) => [
    left + places[2 * i] * scale,
    top - places[2 * i + 1] * scale,
  ];
  const isSeen = (/** @type {number} */ i) => {
    const [x, y] = at(i);
    return x > -dot && y > -dot && x < size.width + dot && y < size.height + dot;
  };
  const visible = chosen.filter(isSeen);
  const isNear = sight.zoom > 3 && visible.length <= MOST_PICTURES;

  if (!isAll) paintUnchosen();
  for (let part = 0; part < each; part++) paintPart(part);
  if (isNear) paintPictures(visible, PICTURE);
  else paintPictures(content.pinned.filter(isSeen), PINNED);
  const isChosen = new Set(isAll ? [] : chosen);
  const wrong = content.wrong.filter((i) => (isAll || isChosen.has(i)) && isSeen(i));
  for (const i of wrong) {
    circle(at(i), isNear ? PICTURE * 0.68 : dot + 1);
    stroke(1.5, text);
  }
  if (!isNear) paintNames();
  if (nearest.length > 0) paintNearest();
  if (point !== null && point < count) square(at(point), isNear ? PICTURE * 0.75 : 9);
  if (pointed !== null && pointed < count) paintPointed(pointed);

  /** The marks of all that is seen, or the same part of each. @param {number} part */
  function paintPart(part) {
    /** @type {number[][]} */
    const byClass = content.names.map(() => []);
    for (const i of visible) byClass[labels[each * i + part]].push(i);
    byClass.forEach((images, label) => {
      paintMarks(images, label, isAll ? dot : dot + 1, part, each);
    });
  }
  function paintUnchosen() {
    context.globalAlpha = 0.22;
    context.fillStyle = style.textDecorationColor;
    for (let i = 0; i < count; i++) {
      const [x, y] = at(i);
      context.fillRect(x - dot / 2, y - dot / 2, dot, dot);
    }
    context.globalAlpha = 1;
  }
  /** A ring at the image nearest to that of the bench, and lines to the next nearest. */
  function paintNearest() {
    const [first, ...others] = nearest.map(at);
    for (const other of others) {
      trace([first, other]);
      stroke(1, text);
    }
    circle(first, 9);
    stroke(6, ground);
    stroke(3, text);
  }
  /** @param {number} width @param {string} color */
  function stroke(width, color) {
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
  }
  /** @param {readonly (readonly number[])[]} corners */
  function trace(corners) {
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(x, y);
  }
  /** @param {readonly number[]} middle @param {number} radius */
  function circle([x, y], radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  /** Around the point chosen. @param {readonly number[]} middle @param {number} reach */
  function square([x, y], reach) {
    context.lineWidth = 3;
    context.strokeStyle = style.caretColor;
    context.strokeRect(x - reach, y - reach, 2 * reach, 2 * reach);
  }
  /**
   * A class's marks, or the same part of each.
   * @param {readonly number[]} images @param {number} label @param {number} side
   * @param {number} part from the left @param {number} parts
   */
  function paintMarks(images, label, side, part, parts) {
    const [half, width] = [side / 2, side / parts];
    context.fillStyle = colorOf(label);
    context.beginPath();
    for (const i of images) {
      const [x, y] = at(i);
      const middle = x - half + (part + 0.5) * width;
      shapeOf(label).forEach(([right, down], k) => {
        const corner = /** @type {const} */ ([
          middle + (right * width) / 2,
          y + down * half,
        ]);
        if (k === 0) context.moveTo(...corner);
        else context.lineTo(...corner);
      });
    }
    context.fill();
  }
  /**
   * As large as fits a square, in its own shape.
   * @param {HTMLCanvasElement} image @param {readonly number[]} middle @param {number} side
   */
  function paintPicture(image, [x, y], side) {
    const scaled = side / Math.max(image.width, image.height);
    const [width, height] = [scaled * image.width, scaled * image.height];
    context.drawImage(image, x - width / 2, y - height / 2, width, height);
  }
  /** Each with a frame of the colours of its labels. */
  function paintPictures(/** @type {number[]} */ images, /** @type {number} */ side) {
    const pictured = pictures(images);
    const half = side / 2;
    images.forEach((i, k) => {
      const picture = pictured[k];
      if (picture === null) return;
      const [x, y] = at(i);
      paintPicture(picture, [x, y], side);
      context.lineWidth = 2;
      context.strokeStyle = colorOf(labels[each * i]);
      context.strokeRect(x - half, y - half, side, side);
      if (each === 1) return;
      const [right, above, below] = [x + half, y - half, y + half];
      trace([[x, above], ...[above, below].map((end) => [right, end]), [x, below]]);
      stroke(2, colorOf(labels[each * i + 1]));
    });
  }
  /** A point's image beside it, large, with what it is. @param {number} i */
  function paintPointed(i) {
    const [x, y] = at(i);
    circle([x, y], dot + 2);
    stroke(2, text);
    const [image] = pictures([i]);
    const side = image === null ? 0 : POINTED;
    const words = caption(i);
    context.font = `600 13px ${fontFamily}`;
    const width = Math.max(side, context.measureText(words).width) + 12;
    const height = side + 24;
    // On the side that has room.
    const left = x + 12 + width > size.width ? x - 12 - width : x + 12;
    const top = clamp(y - height / 2, 0, Math.max(0, size.height - height));
    context.fillStyle = ground;
    context.fillRect(left, top, width, height);
    context.lineWidth = 2;
    context.strokeStyle = colorOf(labels[each * i]);
    context.strokeRect(left, top, width, height);
    if (image !== null) {
      context.imageSmoothingEnabled = false;
      paintPicture(image, [left + width / 2, top + 4 + side / 2], side);
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = text;
    context.fillText(words, left + width / 2, top + height - 10);
  }
  /** The classes' names, each where it has most points, unless another stands there. */
  function paintNames() {
    const high = content.anchors.length > FEW_NAMES ? 12 : 16;
    /** @type {{ x: number, y: number, half: number }[]} */
    const written = [];
    context.font = `600 ${high}px ${fontFamily}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 5;
    context.strokeStyle = ground;
    context.fillStyle = text;
    for (const { name, spot } of content.anchors) {
      const [across, y] = toCanvas(sight, size, ...spot);
      if (across < 0 || across > size.width) continue;
      const half = context.measureText(name).width / 2;
      const x = clamp(across, half, Math.max(half, size.width - half));
      const lies = (/** @type {typeof written[0]} */ other) =>
        Math.abs(other.y - y) < high && Math.abs(other.x - x) < other.half + half;
      if (written.some(lies)) continue;
      written.push({ x, y, half });
      context.strokeText(name, x, y);
      context.fillText(name, x, y);
    }
  }
}
