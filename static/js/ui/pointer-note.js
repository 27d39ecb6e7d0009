/**
 * A few words beside what is under the pointer, on a picture of tiles. The same words
 * stand in the picture's readout, for those who use no pointer.
 * @import { Layout } from "../geometry/tiles.js"
 */
import { pictureSize, tilePlace } from "../geometry/tiles.js";

/** In this part of the picture's height a note would stick out above: it stands below. */
const TOP = 0.25;

/**
 * @param {HTMLElement} root an `.overlaid`; the note is added to it
 * @returns {(layout: Layout, cell: { place: number, row: number, column: number } | null, text?: string) => void}
 *   show a text at a cell; null hides it
 */
export function pointerNote(root) {
  const note = document.createElement("span");
  note.className = "pointer-note";
  note.setAttribute("aria-hidden", "true");
  note.hidden = true;
  root.append(note);
  return (layout, cell, text = "") => {
    note.hidden = cell === null || text === "";
    if (cell === null) return;
    const { width, height } = pictureSize(layout);
    const { x, y } = tilePlace(layout, cell.place);
    const across = (x + cell.column + 0.5) / width;
    const above = (y + cell.row) / height;
    const isBelow = above < TOP;
    const down = isBelow ? (y + cell.row + 1) / height : above;
    note.textContent = text;
    note.style.left = `${100 * across}%`;
    note.style.top = `${100 * down}%`;
    // As far to the left as it stands to the right: it never leaves the picture's sides.
    note.style.translate = `${-100 * across}% ${isBelow ? "6px" : "calc(-100% - 6px)"}`;
  };
}
