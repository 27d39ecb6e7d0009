/**
 * Where on the input a unit looked that is pointed at on a thumbnail of the strip. For the
 * pointer only: the views hold the same units, to be walked through with keys.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { AppState, CapsNetSizes, Field, Tensor, Trace, ViewName } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { fieldOfCapsule, fieldOfPixel } from "../geometry/receptive-field.js";
import { cellUnder } from "../parts/grid-picker.js";
import { sizesOf } from "../state.js";

const MAPS_SHOWN = 16; // of all maps, those of most energy

/**
 * @param {Tensor} maps (kernels, rows, columns)
 * @returns {Layout} of the thumbnail of Conv1
 */
export function mapTiles({ shape: [count, rows, columns] }) {
  return { count: Math.min(count, MAPS_SHOWN), across: 4, rows, columns, gap: 2 };
}

/**
 * @param {Tensor} lengths (types, rows, columns)
 * @returns {Layout} of the thumbnail of PrimaryCaps
 */
export function typeTiles({ shape: [count, rows, columns] }) {
  return { count, across: Math.ceil(count / 4), rows, columns, gap: 1 };
}

/**
 * Thumbnails whose units look at a part of the input: how they are laid out, and at what a
 * cell of theirs looks.
 * @type {Partial<Record<ViewName, { layoutOf: (trace: Trace) => Layout, fieldOf: (sizes: CapsNetSizes, row: number, column: number) => Field }>>}
 */
const LOOKING = {
  conv1: {
    layoutOf: ({ tensors }) => mapTiles(tensors["conv1.glimpse"]),
    fieldOf: fieldOfPixel,
  },
  primary: {
    layoutOf: ({ tensors }) => typeTiles(tensors["primary.lengths"]),
    fieldOf: fieldOfCapsule,
  },
};

/**
 * @param {(view: ViewName) => HTMLCanvasElement} thumb
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function hoverThumbs(thumb, store, actions) {
  for (const [view, { layoutOf, fieldOf }] of Object.entries(LOOKING)) {
    const canvas = thumb(/** @type {ViewName} */ (view));
    canvas.addEventListener("pointermove", (event) => {
      const { trace, model } = store.get();
      if (trace === null || model === null || trace.model !== model.id) return;
      const cell = cellUnder(canvas, layoutOf(trace), event);
      actions.lookAt(cell && fieldOf(sizesOf(model), cell.row, cell.column));
    });
    canvas.addEventListener("pointerleave", () => actions.lookAt(null));
  }
}
