/**
 * What the pictures of a Conv2 pixel show, as tables.
 * @import { Beneath } from "../../../convolution/beneath/window.js"
 * @import { Listed } from "../../../convolution/tables.js"
 * @import { Seen } from "../../../convolution/types.js"
 */
import { mapOf } from "../../../convolution/maps.js";
import { square } from "../../../convolution/tables.js";

/**
 * @param {Seen} seen
 * @param {Beneath} beneath the chosen pixel
 * @param {number} map
 * @param {number} below the chosen map of those below
 * @returns {Listed[]}
 */
export function listedOf(seen, { maps, window, parts }, map, below) {
  const [count, side] = maps.shape;
  const slices = { shape: [count, window.size, window.size], data: parts.weights };
  return [
    square(`${seen.mapName} before ReLU`, seen.before, seen.across),
    square(`${seen.mapName} after ReLU`, seen.after, seen.across),
    {
      name: `What each map of Pool1 adds to the chosen pixel of map ${map}`,
      values: parts.shares,
      options: { rows: 1, columns: count, corner: "map", rowNames: ["adds"] },
    },
    square(`Map ${below} of Pool1`, mapOf(maps, below), side),
    square(
      `Slice of kernel ${map} for map ${below}`,
      mapOf(slices, below),
      window.size,
    ),
  ];
}
