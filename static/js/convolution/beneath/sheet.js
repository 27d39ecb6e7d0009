/**
 * The window on every map below, the slices of the kernel that read it, or the products of
 * both: one tile for each map.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { BeneathLook } from "../types.js"
 * @import { BeneathActions, BeneathWords } from "./index.js"
 * @import { Beneath } from "./window.js"
 */
import { acrossSquare } from "../../geometry/tiles.js";
import { placesIn, ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { paintTiles } from "../../paint/heatmap.js";
import { find, findCanvas, findElement } from "../../ui/dom.js";
import { fitToPicture, frameTile, pickFromGrid } from "../../ui/grid-picker.js";
import { showLegend } from "../../ui/pictures.js";
import { fieldOfCell } from "./window.js";

const NARROW = "(max-width: 560px)";
const ACROSS_WHEN_NARROW = 12; // tiles stay large enough for a finger

/** What the tiles are made of. */
const KEYS = /** @type {const} */ ({
  window: "windows",
  weights: "weights",
  products: "products",
});

/**
 * @param {HTMLElement} root
 * @param {BeneathActions} actions
 * @param {BeneathWords} words
 */
export function mountSheet(root, actions, { unit: activation }) {
  const units = { window: activation, weights: "kernel weight", products: "product" };
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const chosen = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const narrow = matchMedia(NARROW);
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 1 };
  /** @type {number[]} */
  let order = [];
  /** @type {number[]} */
  let places = [];
  /** @type {{ beneath: Beneath, map: number, look: BeneathLook } | null} */
  let shown = null;
  /** What is pointed at. @type {import("../../ui/grid-picker.js").Cell | null} */
  let at = null;

  const sort = memoize(
    (/** @type {Beneath} */ { parts }, /** @type {BeneathLook["order"]} */ by) => {
      const size = parts.shares.map(Math.abs);
      order = by === "share" ? ranked(size) : Array.from(size, (_, map) => map);
      places = placesIn(order);
    },
  );
  const paint = memoize(
    (
      /** @type {Beneath} */ { parts, window: { size } },
      /** @type {BeneathLook["shown"]} */ kind,
      /** @type {number[]} */ inOrder,
      /** @type {boolean} */ isNarrow,
    ) => {
      const key = KEYS[kind];
      const count = parts.shares.length;
      const across = Math.min(
        acrossSquare(count),
        isNarrow ? ACROSS_WHEN_NARROW : count,
      );
      layout = { ...layout, count, across, rows: size, columns: size };
      const most = reach(parts[key]) || 1;
      const scale = kind === "window" ? sequential(0, most) : diverging(most);
      paintTiles(
        canvas,
        parts[key],
        layout,
        () => scale,
        (place) => inOrder[place],
      );
      fitToPicture(overlay, layout);
      showLegend(legend, scale, { unit: units[kind], decimals: 3 });
    },
  );

  function draw() {
    if (shown === null) return;
    const { beneath, map, look } = shown;
    sort(beneath, look.order);
    paint(beneath, look.shown, order, narrow.matches);
    frameTile(chosen, layout, places[map]);
    tell(at);
  }

  /** @param {import("../../ui/grid-picker.js").Cell | null} cell */
  function tell(cell) {
    if (shown === null) return;
    const { beneath, look } = shown;
    const map = cell === null ? shown.map : order[cell.place];
    const words = [`map ${map} adds ${signed(beneath.parts.shares[map])}`];
    if (cell !== null) {
      const { row, column } = cell;
      const at = (map * layout.rows + row) * layout.columns + column;
      const value = beneath.parts[KEYS[look.shown]][at];
      words.push(`row ${row}, column ${column} of its window: ${fixed(value)}`);
    }
    readout.textContent = words.join("; ");
  }

  pickFromGrid(canvas, {
    layout: () => shown && layout,
    step: "place",
    chosen: () => ({ place: places[shown?.map ?? 0], row: 0, column: 0 }),
    choose: ({ place }) => actions.chooseMap(order[place]),
    hover(cell) {
      at = cell;
      frameTile(pointed, layout, cell?.place ?? null);
      tell(cell);
      actions.lookAt(cell && shown && fieldOfCell(shown.beneath, cell));
    },
  });
  narrow.addEventListener("change", draw);

  const update = memoize(
    (
      /** @type {Beneath} */ beneath,
      /** @type {number} */ map,
      /** @type {BeneathLook} */ look,
    ) => {
      shown = { beneath, map, look };
      draw();
    },
  );
  return { show: update };
}
