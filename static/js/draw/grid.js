/**
 * A picture of rows and columns: the pointer reads and chooses a cell, arrow keys move the
 * choice. What its cells look like and hold, a mark says.
 * @import { Scale } from "../lib/color.js"
 * @import { Content, Part } from "../ui/h.js"
 * @import { Stage } from "../ui/stage.js"
 */
import { oneTile } from "../geometry/tiles.js";
import { gridTable, keepNumbers } from "../lib/numbers.js";
import { make, makeReadout, setAria, setText, svg } from "../ui/dom.js";
import { pickFromGrid } from "../ui/grid-picker.js";
import { fill, h } from "../ui/h.js";
import { createStage } from "../ui/stage.js";

/** @typedef {{ row: number, column: number }} Cell */
/** What its places are, such as "capsule", and their names. @typedef {{ of: string, names: readonly string[] }} Axis */
/** @typedef {{ rows: number, columns: number }} Size */

/**
 * @typedef {object} Mark
 * @property {Scale} [scale] of its colours: a legend says what they mean
 * @property {readonly string[]} [colors] of the theme; what has any is painted on a stage
 * @property {(on: any, size: Size, chosen: Cell) => void} paint on a `Stage`, or on the
 *   canvas itself
 * @property {(size: Size, chosen: Cell, pointed: Cell | null) => Content} [over] SVG that counts cells
 * @property {Content} [front] before the picture, such as numbers in its cells
 * @property {string} [look] class of the picture
 * @property {{ name: string, values: ArrayLike<number> }} [numbers] row by row
 * @property {(at: number) => string} [read] what a cell holds, cells counted row by row
 */

/**
 * @typedef {object} Grid
 * @property {string} [title] above it
 * @property {string} [label] what it shows, where it has no title
 * @property {Axis} rows
 * @property {Axis} columns
 * @property {boolean} [isBare] without names around it
 * @property {(picture: Content) => Content} [around] instead of the names around it
 * @property {Content} [above] instead of the columns' names below it
 * @property {Content} [below]
 * @property {Mark} mark
 * @property {Cell} chosen
 * @property {(cell: Cell) => void} choose
 * @property {(cell: Cell | null) => void} [hover]
 * @property {(cell: Cell) => string} [words] the readout; what the mark reads when absent
 * @property {string} [told] id of the readout that it shares with others, in place of its own
 */

/** @param {Grid} options */
export const grid = (options) => h(gridPart, options);

/** @type {Part<Grid>} */
function gridPart() {
  const canvas = make("canvas", { role: "application" });
  const over = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  const readout = makeReadout();
  const element = make("div");
  /** @type {Grid} */
  let now;
  /** @type {Cell | null} */
  let pointed = null;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {Cell | null} */
  let aimed = null;
  /** @type {(() => void) | null} */
  let stage = null;

  const size = () => ({
    rows: now.rows.names.length,
    columns: now.columns.names.length,
  });
  const paint = (/** @type {any} */ on) => now.mark.paint(on, size(), now.chosen);
  const tell = () => setText(readout, (now.words ?? read)(pointed ?? now.chosen));
  const read = (/** @type {Cell} */ { row, column }) => {
    const { rows, columns, mark } = now;
    const held = mark.read?.(row * columns.names.length + column);
    return `${rows.of} ${rows.names[row]} → ${columns.names[column]}: ${held}`;
  };
  const showOver = () => fill(over, now.mark.over?.(size(), now.chosen, pointed));
  pickFromGrid(canvas, {
    layout: () => oneTile(size()),
    step: "cell",
    chosen: () => ({ place: 0, ...(aimed ?? now.chosen) }),
    choose(cell) {
      aimed = cell;
      now.choose(cell);
    },
    hover(cell) {
      pointed = cell;
      tell();
      showOver();
      now.hover?.(cell);
    },
  });
  canvas.addEventListener("blur", () => now.hover?.(null));

  return {
    element,
    /** @param {Grid} next */
    show(next) {
      now = next;
      aimed = null;
      const { title, label = title, rows, columns, mark } = now;
      const { above, below = labels("", columns.names) } = now;
      setAria(canvas, {
        "aria-label": `${label}. A row for each ${rows.of}, a column for each ${columns.of}. Arrow keys move the selection.`,
        "aria-describedby": now.told ?? readout.id,
      });
      const frame = { class: "em-matrix", "--rows": size().rows };
      const names = { class: "em-matrix-rows", "aria-hidden": "true" };
      const side = h("div", names, spans(rows.names));
      const look = { class: `overlaid ${mark.look ?? ""}` };
      const picture = h("div", look, canvas, over, mark.front);
      const heading = title && h("h4", {}, title);
      const named = () => h("div", frame, above, side, picture, below);
      const around = now.around ?? (now.isBare ? () => picture : named);
      fill(element, heading, around(picture), !now.told && readout);
      over.setAttribute("viewBox", `0 0 ${size().columns} ${size().rows}`);
      showOver();
      if (mark.colors) stage ??= stageOf(canvas, mark.colors, paint);
      (stage ?? (() => paint(canvas)))();
      const { numbers } = mark;
      if (numbers) {
        const head = [rows.of, columns.of, numbers.name];
        const of = () => gridTable(head, numbers.values, columns.names, rows.names);
        keepNumbers(canvas, () => [of()]);
      }
      tell();
    },
  };
}

/**
 * @param {HTMLCanvasElement} canvas @param {readonly string[]} colors
 * @param {(on: Stage<string>) => void} paint
 */
function stageOf(canvas, colors, paint) {
  canvas.className = "drawn";
  return createStage(canvas, colors, paint);
}

/**
 * A line of texts, one for each column, behind its name.
 * @param {string} name @param {readonly string[]} texts @param {number} [focused] column
 * @returns {Content}
 */
export function labels(name, texts, focused) {
  return [
    h("span", { class: "fine", "aria-hidden": "true" }, name),
    h("div", { class: "matrix-labels", "aria-hidden": "true" }, spans(texts, focused)),
  ];
}

/** @param {readonly string[]} texts @param {number} [focused] */
const spans = (texts, focused) =>
  texts.map((text, i) => h("span", { class: i === focused && "is-focused" }, text));
