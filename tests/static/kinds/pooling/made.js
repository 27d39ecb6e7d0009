/** A pooling layer of two maps, the second of them dead, for tests of its panels. */
import { sceneFrom } from "../../../../static/js/kinds/pooling/panels.js";
import { tensor } from "../../fixtures.js";

/** A map of 5 x 5: four windows, and a last row and column that are in none. */
// biome-ignore format: rows
export const BELOW = [
  1, 4, 0, 0, 8,
  2, 3, 0, 0, 0,
  5, 5, 0, 1, 0,
  0, 0, 0, 2, 0,
  0, 7, 0, 0, 0,
];
const DEAD = new Array(25).fill(0);
const tensors = {
  below: tensor([2, 5, 5], [...BELOW, ...DEAD]),
  values: tensor([2, 2, 2], [4, 0, 5, 2, 0, 0, 0, 0]),
  winners: tensor([2, 2, 2], [1, 0, 0, 3, 0, 0, 0, 0]),
};

/** @param {string} id @param {string} title @param {number} size of what a unit sees */
const layerOf = (id, title, size) => ({
  id,
  title,
  below: "lower",
  kind: { name: "pooling" },
  field: (_model, row, column) => ({ row, column, size }),
});
const network = [layerOf("lower", "Conv", 3)];
const layer = { ...layerOf("pool", "Pool", 4), network };
const pixels = { channels: 1, rows: 7, columns: 7, bytes: new Uint8Array(49) };
const trace = { tensors, pixels };
const sceneOf = sceneFrom(layer, "pool-1");

/** What is on show: both maps, every order, and the pointer on any pixel or on nothing. */
export function* scenes() {
  for (const map of [0, 1])
    for (const mode of ["pooled", "lost"])
      for (const order of ["number", "lost"])
        for (const pixel of [0, 3, 12, 24])
          for (const pointed of [
            null,
            { window: { row: 1, column: 1 }, pixel: null },
            { window: { row: 2, column: 2 }, pixel: { row: 4, column: 4 } },
          ]) {
            const look = { mode, order };
            const state = { trace, model: {}, map, pixel, look, field: null };
            yield { ...sceneOf(state), pointed };
          }
}
