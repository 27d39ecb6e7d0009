/** Tensors of several shapes, with a tile and a cell chosen. */
import { tensor } from "../../fixtures.js";

export function* scenes() {
  for (const shape of [[6, 4, 3], [2, 3, 4, 5], [6, 4], [10]])
    for (const from of [0, -7]) {
      const size = shape.reduce((a, b) => a * b);
      const values = tensor(
        shape,
        Array.from({ length: size }, (_, i) => from + i),
      );
      yield { title: "Own", values, tile: 0, cell: 1 };
    }
}
