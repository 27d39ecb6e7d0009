/**
 * Equal tiles in one picture, in any order: the pointer reads and chooses one of them, or a
 * cell of the only one; arrow keys move the choice.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 * @import { Part } from "../ui/h.js"
 * @import { Cell } from "../ui/grid-picker.js"
 */
import { tilePlace } from "../geometry/tiles.js";
import { placesIn } from "../lib/arithmetic.js";
import { memoize } from "../lib/memoize.js";
import { paintColours, paintTiles } from "../paint/heatmap.js";
import { make, makeReadout, setAria, setText, svg } from "../ui/dom.js";
import { fitToPicture, frameCell, frameTile, pickFromGrid } from "../ui/grid-picker.js";
import { fill, h } from "../ui/h.js";

/** A cell of a tile. @typedef {{ tile: number, row: number, column: number }} At */

/**
 * @typedef {object} Sheet
 * @property {string} label what it shows
 * @property {ArrayLike<number>} data tile by tile, each row by row
 * @property {Layout} layout
 * @property {number} [narrow] tiles in a row of a narrow screen, where fingers choose
 * @property {Scale | ((tile: number) => Scale)} scale of all tiles, or of each
 * @property {Float32Array} [colours] in place of values, in 0..1: red, green and blue of each
 *   tile
 * @property {readonly number[]} [order] which tile stands at each place
 * @property {"place" | "cell"} step what is chosen: a tile, or a cell of the only one
 * @property {{ above: number, size: number }} [numbered] where a cell is
 *   chosen with its tile: the tiles' numbers stand this far above them, in cells, and the frame
 *   lies on the tile's edge
 * @property {At} chosen
 * @property {(at: At) => void} choose
 * @property {(at: At | null) => void} [look] at what the pointer is over
 * @property {(at: At) => string} words the readout
 * @property {(at: At) => string} [note] beside the pointer; the readout's words when absent
 */

/** @param {Sheet} options */
export const sheet = (options) => h(sheetPart, options);

const NARROW = "(max-width: 560px)";

/** @type {Part<Sheet>} */
function sheetPart() {
  const canvas = make("canvas", { role: "application" });
  const [pointed, chosen, cellOfChosen] = ["pointed", "chosen", "chosen"].map((name) =>
    svg("rect", { class: name }),
  );
  const frames = svg("svg", { class: "frames", "aria-hidden": "true" });
  frames.append(pointed, chosen);
  const written = svg("svg", { class: "written", "aria-hidden": "true" });
  const readout = makeReadout();
  const narrow = matchMedia(NARROW);
  const placesOf = memoize(placesIn);
  /** @type {Sheet | null} */
  let now = null;
  /** @type {At | null} */
  let under = null;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {At | null} */
  let aimed = null;

  /** @param {Sheet} shown @returns {Layout} */
  const layoutOf = ({ layout, narrow: few = layout.across }) =>
    narrow.matches ? { ...layout, across: few } : layout;
  /** @param {Sheet} shown @param {Cell} cell @returns {At} */
  const atOf = ({ order }, { place, row, column }) => ({
    tile: order?.[place] ?? place,
    row,
    column,
  });
  /** @param {Sheet} shown @param {At} at @returns {Cell} */
  const cellOf = ({ order }, { tile, row, column }) => ({
    place: order ? placesOf(order)[tile] : tile,
    row,
    column,
  });
  /** @param {SVGRectElement} rect @param {Sheet} shown @param {At | null} at */
  function frame(rect, shown, at) {
    const layout = layoutOf(shown);
    const cell = at && cellOf(shown, at);
    const { step, numbered } = shown;
    if (step === "cell" || (numbered && rect !== chosen)) frameCell(rect, layout, cell);
    else frameTile(rect, layout, cell?.place ?? null, numbered && 0);
  }
  const paint = memoize(
    (
      /** @type {Sheet["data"]} */ data,
      /** @type {Sheet["order"]} */ order,
      /** @type {Sheet["scale"]} */ scale,
      /** @type {Sheet["colours"]} */ colours,
      /** @type {boolean} */ _isNarrow,
    ) => {
      const layout = layoutOf(/** @type {Sheet} */ (now));
      const tileIn = order && ((/** @type {number} */ place) => order[place]);
      const scaleOf = typeof scale === "function" ? scale : () => scale;
      if (colours) paintColours(canvas, colours, layout, tileIn);
      else paintTiles(canvas, data, layout, scaleOf, tileIn);
      fitToPicture(frames, layout);
    },
  );
  function draw() {
    if (now === null) return;
    paint(now.data, now.order, now.scale, now.colours, narrow.matches);
    frame(chosen, now, now.chosen);
    if (now.numbered) number(now, now.numbered);
    point();
  }
  /** @param {Sheet} shown @param {NonNullable<Sheet["numbered"]>} numbered */
  function number(shown, { above, size }) {
    const layout = layoutOf(shown);
    frames.append(cellOfChosen);
    frame(cellOfChosen, shown, shown.chosen);
    fitToPicture(written, layout);
    written.style.setProperty("--size", `${size}px`);
    const texts = Array.from({ length: layout.count }, (_, tile) => {
      const { x, y } = tilePlace(layout, tile);
      const look = tile === shown.chosen.tile && "is-chosen";
      return h("text", { x, y: y - above, class: look }, String(tile));
    });
    fill(written, texts);
  }
  function point() {
    if (now === null) return;
    frame(pointed, now, under);
    setText(readout, now.words(under ?? now.chosen));
  }
  narrow.addEventListener("change", draw);

  /** @param {Sheet} first */
  function listen(first) {
    pickFromGrid(canvas, {
      layout: () => now && layoutOf(now),
      step: first.step,
      chosen: () => cellOf(now ?? first, aimed ?? (now ?? first).chosen),
      choose(cell) {
        aimed = atOf(now ?? first, cell);
        now?.choose(aimed);
      },
      hover(cell) {
        under = cell && atOf(now ?? first, cell);
        now?.look?.(under);
        point();
      },
      words: first.note && ((cell) => now?.note?.(atOf(now, cell)) ?? ""),
    });
  }

  return {
    element: make("div", "", make("div", "overlaid", canvas, written, frames), readout),
    show(next) {
      if (now === null) listen(next);
      now = next;
      aimed = null;
      const moved = next.step === "cell" ? "a cell" : "one";
      setAria(canvas, {
        "aria-label": `${next.label}. Arrow keys choose ${moved}.`,
        "aria-describedby": readout.id,
      });
      draw();
    },
  };
}
