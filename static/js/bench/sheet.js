/**
 * What lies on the drawing area: an image or nothing, and the strokes on it.
 * @import { Hand } from "../ui/pens.js"
 * @import { Point, Stroke } from "../paint/pad.js"
 * @import { AppState, Source } from "../types.js"
 */
import { History } from "../lib/history.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { pack, unpack } from "../lib/pixels.js";
import { extentOf } from "../paint/pad.js";

const LEAST_EXTENT = 24; // canvas pixels; less is a dot, and no digit yet

/** An image as it was shown. @typedef {Pick<AppState, "pixels" | "source" | "intake" | "overrides">} Shown */

/**
 * @typedef {object} Sheet
 * @property {Shown | null} base the image that is drawn on
 * @property {readonly Stroke[]} strokes
 * @property {AppState["overrides"]} overrides what was decided about the drawing
 */

/** @type {Source} one for all, so that a stroke changes nothing but pixels */
export const DRAWING = { kind: "drawing" };

/** @type {Sheet} */
export const EMPTY = { base: null, strokes: [], overrides: AUTOMATIC };

/** @type {WeakMap<Source, Source>} */
const drawingsOn = new WeakMap();

/** @param {Shown} shown @returns {Sheet} */
export function sheetOf(shown) {
  const { pixels, source, intake, overrides } = shown;
  if (pixels === null) return EMPTY;
  return { ...EMPTY, base: { pixels, source, intake, overrides } };
}

/**
 * The source of the image that a sheet is read as: the same object for every stroke.
 * @param {Sheet} sheet
 * @returns {Source}
 */
export function sourceOf({ base, strokes }) {
  if (base === null) return DRAWING;
  if (strokes.length === 0) return base.source;
  const { source } = base;
  const drawing = drawingsOn.get(source) ?? { kind: "drawing", on: source };
  drawingsOn.set(source, drawing);
  return drawing;
}

/**
 * Whether an image is that of a source as before, or as one hand goes on with it.
 * @param {Source | undefined} before @param {Source} now
 */
function isSameHand(before, now) {
  const turnOf = (/** @type {Source | undefined} */ source) =>
    source?.kind === "pair" || source?.kind === "toy" ? source.turn : source;
  return turnOf(before) === turnOf(now);
}

/** @param {Sheet} sheet */
export function isEmpty({ base, strokes }) {
  return base === null && strokes.length === 0;
}

/**
 * Whether there is something, but not enough of it to be a digit.
 * @param {Sheet} sheet
 */
export function isDot({ base, strokes }) {
  return base === null && strokes.length > 0 && extentOf(strokes) < LEAST_EXTENT;
}

/**
 * With another stroke, what was decided about the drawing is decided anew.
 * @param {Sheet} sheet @param {Stroke} stroke
 * @returns {Sheet}
 */
export function withStroke({ base, strokes }, stroke) {
  return { base, strokes: [...strokes, stroke], overrides: AUTOMATIC };
}

/** What showing another image is called, by its source. @type {Record<string, string>} */
const NAMES = { upload: "upload", sample: "example", dataset: "test image" };

/** What is shown by itself, and nobody means to draw on. */
const EXAMPLES = ["sample", "dataset"];

/** Whether it is an example that nothing was drawn on: the first stroke begins a new drawing. @param {Sheet} sheet */
export const isExample = ({ base, strokes }) =>
  EXAMPLES.includes(base?.source.kind ?? "") && strokes.length === 0;

/**
 * The sheets that were on the drawing area, one of which is on show, and the stroke under
 * the pen.
 * @implements {Hand}
 */
export class Sheets {
  history = new History([EMPTY]);
  /** Counts up when anything but a stroke changes what is on show. */
  turn = 0;
  /** The one under the pen. @type {Stroke | null} */
  #stroke = null;
  #show;
  #added;

  /**
   * @param {() => void} show called when the one on show is another, or has changed
   * @param {(name: string) => void} [added] and when it is a new one; by what was done
   */
  constructor(show, added = () => {}) {
    this.#show = show;
    this.#added = added;
  }

  /** @param {Sheet} sheet @param {string} name of what was done */
  #add(sheet, name) {
    this.history.add(sheet);
    this.#added(name);
  }

  get now() {
    return this.history.now;
  }

  /** @param {Point} point */
  begin(point) {
    this.#stroke = [point];
    this.#add(
      withStroke(isExample(this.now) ? EMPTY : this.now, this.#stroke),
      "stroke",
    );
    this.#show();
  }
  /** @param {Point[]} points */
  extend(points) {
    if (this.#stroke === null) return; // taken back under the pen
    this.#stroke.push(...points);
    this.#show();
  }
  lift() {
    if (this.#stroke !== null) this.#show();
    this.#stroke = null;
  }

  undo() {
    if (!this.history.hasEarlier) return;
    this.history.back();
    this.#showOther();
  }
  redo() {
    if (!this.history.hasLater) return;
    this.history.forward();
    this.#showOther();
  }
  clear() {
    if (!isEmpty(this.now)) this.add(EMPTY);
  }
  /** @param {Sheet} sheet */
  add(sheet) {
    this.#add(sheet, isEmpty(sheet) ? "Clear" : "drawing");
    this.#showOther();
  }

  /** An image that was not drawn here is a new sheet, to draw on. @param {Shown} shown */
  follow(shown) {
    const { source, overrides } = shown;
    const { base, strokes } = this.now;
    if (source.kind === "drawing") {
      if (source === sourceOf(this.now))
        this.history.replace({ base, strokes, overrides });
      return;
    }
    const next = sheetOf(shown);
    const isSame = strokes.length === 0 && isSameHand(base?.source, source);
    if (isSame) this.history.replace(next);
    else if (!isEmpty(next) || !isEmpty(this.now)) {
      this.#endStroke();
      this.#add(next, NAMES[source.kind] ?? "image");
    }
  }

  /**
   * @param {{ values: Sheet[], at: number } | null} kept from before a reload
   * @param {Sheet} first shown where nothing was drawn
   */
  restore(kept, first) {
    const { values } = this.history.excerpt(Infinity);
    const isUntouched = values.every(({ strokes }) => strokes.length === 0);
    if (kept !== null) {
      this.history = new History(kept.values, kept.at);
      if (this.now.strokes.length > 0) this.#showOther();
      else this.history.replace(first);
    } else if (isUntouched) this.history = new History([first]);
  }

  #endStroke() {
    this.turn++;
    this.#stroke = null;
  }
  #showOther() {
    this.#endStroke();
    this.#show();
  }
}

const NAME = "sheets";
const MOST = 20; // sheets; each holds all of its strokes

/**
 * Keep the drawing over a reload: in the tab's own memory, and only for the address
 * that was left.
 * @param {History<Sheet>} history
 */
export function keepSheets(history) {
  const { values, at } = history.excerpt(MOST);
  const kept = { hash: location.hash, at, sheets: values.map(toPlain) };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // No memory, or none left: as if nothing had been drawn.
  }
}

/** @returns {{ values: Sheet[], at: number } | null} null where nothing fits the address */
export function keptSheets() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    if (kept?.hash !== location.hash) return null;
    const values = kept.sheets.map(fromPlain);
    return values[kept.at] === undefined ? null : { values, at: kept.at };
  } catch {
    return null;
  }
}

/** @param {Sheet} sheet */
function toPlain({ base, strokes }) {
  if (!base?.pixels) return { strokes };
  // A file does not outlive the page; pairs and toys stand in the address. Images stay.
  const isLost = ["upload", "pair", "toy"].includes(base.source.kind);
  const source = isLost ? { kind: "link" } : base.source;
  return {
    strokes,
    base: { source, shape: { ...base.pixels, bytes: null }, image: pack(base.pixels) },
  };
}

/**
 * @param {ReturnType<typeof toPlain>} plain
 * @returns {Sheet}
 * @throws {TypeError} when it is no sheet
 */
function fromPlain({ base, strokes }) {
  if (!strokes.every((stroke) => stroke.length > 0)) throw new TypeError("no strokes");
  if (base === undefined) return { ...EMPTY, strokes };
  const pixels = unpack(base.image, base.shape);
  if (pixels === null) throw new TypeError("no image");
  const { source } = /** @type {Shown} */ (/** @type {unknown} */ (base));
  const shown = { pixels, source, intake: null, overrides: AUTOMATIC };
  return { ...EMPTY, base: shown, strokes };
}
