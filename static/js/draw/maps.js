/**
 * A map to point at, cell by cell or block by block, and the input, with a frame around what
 * a unit sees of it.
 * @import { Scale } from "../lib/color.js"
 * @import { Part } from "../ui/h.js"
 * @import { Field, Pixels } from "../types.js"
 * @import { Cell } from "./grid.js"
 */
import { fixed } from "../lib/format.js";
import { make, setAria, svg } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { mapPicture } from "../ui/maps.js";
import { framedPicture } from "../ui/pictures.js";

/** A canvas beneath SVG of the given parts. @param {Record<string, string>} look @param {...Element} parts */
function overlaid(look, ...parts) {
  const canvas = make("canvas", look);
  const frames = svg("svg", { class: "frames", "aria-hidden": "true" });
  frames.append(...parts);
  return { canvas, frames, element: make("div", "overlaid", canvas, frames) };
}

/** @param {string} look */
const rect = (look) => svg("rect", { class: look });

/**
 * @typedef {object} OneMap
 * @property {string} label accessible name
 * @property {string} told id of its readout
 * @property {ArrayLike<number>} values row by row
 * @property {number} columns
 * @property {Scale} scale
 * @property {number} [block] cells in a row of what is framed
 * @property {Readonly<Partial<Record<"lines" | "dots" | "rings", string>>>} [marks] paths over
 *   it, in cells
 * @property {Cell} chosen from which arrow keys go on
 * @property {Cell} [framed] the chosen cell when absent
 * @property {Cell | null} pointed framed, too
 * @property {(cell: Cell) => void} choose
 * @property {(cell: Cell | null) => void} hover
 */

/** The value of a cell stands beside the pointer. @param {OneMap} options */
export const map = (options) => h(mapPart, options);

/** @type {Part<OneMap>} */
function mapPart() {
  const paths = /** @type {const} */ (["lines", "dots", "rings"]);
  const marks = paths.map((name) => svg("path", { class: name }));
  const frames = [rect("pointed"), rect("chosen")];
  const { canvas, element } = overlaid({ role: "application" }, ...marks, ...frames);
  /** @type {OneMap | undefined} */
  let now;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {Cell | null} */
  let aimed = null;
  /** @type {ReturnType<typeof mapPicture> | undefined} */
  let picture;
  /** @param {OneMap} first */
  const begin = ({ block }) =>
    mapPicture(element, {
      block,
      chosen: () => aimed ?? now?.chosen ?? { row: 0, column: 0 },
      choose(cell) {
        aimed = cell;
        now?.choose(cell);
      },
      hover: (cell) => now?.hover(cell),
      note: ({ row, column }) =>
        now ? fixed(now.values[row * now.columns + column]) : "",
    });
  return {
    element,
    /** @param {OneMap} next */
    show(next) {
      const { label, told, values, columns, scale, marks = {}, chosen } = next;
      picture ??= begin(next);
      if (now?.values !== values || now.scale !== scale)
        picture.show(values, columns, scale);
      now = next;
      aimed = null;
      setAria(canvas, { "aria-label": label, "aria-describedby": told });
      for (const name of paths) picture.mark(name, marks[name] ?? "");
      picture.choose(next.framed ?? chosen);
      picture.point(next.pointed);
    },
  };
}

/**
 * @typedef {object} Seen
 * @property {string} label
 * @property {Pixels} pixels of the input
 * @property {Field} field
 * @property {Field | null} pointed
 */

/** The input; what is outside the field is dimmed. @param {Seen} options */
export const seen = (options) => h(seenPart, options);

/** @type {Part<Seen>} */
function seenPart() {
  const outside = svg("path", { class: "outside", "fill-rule": "evenodd" });
  const frames = [outside, rect("field"), rect("pointed")];
  const { canvas, element } = overlaid({ role: "img" }, ...frames);
  const picture = framedPicture(element);
  /** @type {Seen | undefined} */
  let now;
  return {
    element,
    /** @param {Seen} next */
    show(next) {
      setAria(canvas, { "aria-label": next.label });
      if (next.pixels !== now?.pixels) picture.showInput(next.pixels);
      now = next;
      picture.frame(next.field);
      picture.point(next.pointed);
    },
  };
}
