/**
 * The window of the chosen capsule on every map of Conv1, the kernels that read it or the
 * products of both: one tile for each map.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { BeneathLook } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Beneath } from "./primary-window.js"
 */
import { diverging, sequential } from "../lib/color.js";
import { placesIn } from "../lib/maps.js";
import { fixed, signed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { ranked, reach } from "../lib/rank.js";
import { paintTiles } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { fitToPicture, frameTile } from "../parts/marks.js";
import { fieldOfCell } from "./primary-window.js";

const NARROW = "(max-width: 560px)";
const ACROSS_WHEN_NARROW = 12; // tiles stay large enough for a finger

/** What the tiles are made of, and what their values are. */
const KINDS = /** @type {const} */ ({
  window: { key: "windows", unit: "activation after ReLU" },
  weights: { key: "weights", unit: "kernel weight" },
  products: { key: "products", unit: "product" },
});

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountSheet(root, actions) {
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

  const sort = onChange(
    (/** @type {Beneath} */ { parts }, /** @type {BeneathLook["order"]} */ by) => {
      const size = parts.shares.map(Math.abs);
      order = by === "share" ? ranked(size) : Array.from(size, (_, map) => map);
      places = placesIn(order);
    },
  );
  const paint = onChange(
    (
      /** @type {Beneath} */ { parts, window: { size } },
      /** @type {BeneathLook["shown"]} */ kind,
      /** @type {number[]} */ inOrder,
      /** @type {boolean} */ isNarrow,
    ) => {
      const { key, unit } = KINDS[kind];
      const count = parts.shares.length;
      const across = isNarrow ? ACROSS_WHEN_NARROW : Math.ceil(Math.sqrt(count));
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
      showLegend(legend, scale, { unit, decimals: 3 });
    },
  );

  function draw() {
    if (shown === null) return;
    const { beneath, map, look } = shown;
    sort(beneath, look.order);
    paint(beneath, look.shown, order, narrow.matches);
    frameTile(chosen, layout, places[map]);
    tell(null);
  }

  /** @param {import("../parts/grid-picker.js").Cell | null} cell */
  function tell(cell) {
    if (shown === null) return;
    const { beneath, look } = shown;
    const map = cell === null ? shown.map : order[cell.place];
    const words = [`map ${map} adds ${signed(beneath.parts.shares[map])}`];
    if (cell !== null) {
      const { row, column } = cell;
      const at = (map * layout.rows + row) * layout.columns + column;
      const value = beneath.parts[KINDS[look.shown].key][at];
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
      frameTile(pointed, layout, cell?.place ?? null);
      tell(cell);
      actions.lookAt(cell && shown && fieldOfCell(shown.beneath, cell));
    },
  });
  narrow.addEventListener("change", draw);

  const update = onChange(
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
