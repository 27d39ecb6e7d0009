/**
 * Keeps what was drawn while the page is loaded again: the tab's own memory holds it, and
 * only for the address that was left.
 * @import { Sheet } from "./sheet.js"
 * @import { History } from "../lib/history.js"
 */

import { AUTOMATIC } from "../lib/overrides.js";
import { pack, sideOf, unpack } from "../lib/pixels.js";
import { EMPTY } from "./sheet.js";

const NAME = "sheets";
const MOST = 20; // sheets; each holds all of its strokes

/** @param {History<Sheet>} history */
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
  // A file does not outlive the page; its image does.
  const source = base.source.kind === "upload" ? { kind: "link" } : base.source;
  return {
    strokes,
    base: { source, side: sideOf(base.pixels), image: pack(base.pixels) },
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
  const pixels = unpack(base.image, base.side);
  if (pixels === null) throw new TypeError("no image");
  const { source } = /** @type {import("./sheet.js").Shown} */ (
    /** @type {unknown} */ (base)
  );
  const shown = { pixels, source, intake: null, overrides: AUTOMATIC };
  return { ...EMPTY, base: shown, strokes };
}
