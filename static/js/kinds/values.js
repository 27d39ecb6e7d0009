/**
 * The values of one part of a layer, such as a map, cell by cell: a panel that layers above
 * the first of their kind have in common.
 * @import { Place } from "./convolution/types.js"
 * @import { Scale } from "../lib/color.js"
 * @import { Content } from "../ui/h.js"
 * @import { Panel } from "../ui/panel.js"
 * @import { Field, Pixels } from "./types.js"
 */
import { seen } from "../draw/maps.js";
import { sheet } from "../draw/sheet.js";
import { legend } from "../draw/tiles.js";
import { oneTile } from "../geometry/tiles.js";
import { sizeWords } from "../geometry/windows.js";
import { largestOf } from "../lib/arithmetic.js";
import { capitalized, counted, fixed, grouped } from "../lib/format.js";
import { h } from "../ui/h.js";
import { mapValues } from "../ui/values.js";

/**
 * @typedef {object} PartValues
 * @property {string} name such as "map 3 of Conv2"
 * @property {ArrayLike<number>} data row by row
 * @property {number} columns
 * @property {Scale} scale
 * @property {string} unit
 * @property {Place} chosen
 * @property {(place: Place) => object} choosing what of the layer's state chooses a cell
 * @property {(place: Place) => string} read a cell
 */

/** @typedef {{ set: (change: any) => void, look: (place: Place | null) => void }} Act */

/**
 * A picture of values, to read and to choose from.
 * @param {PartValues} part @param {Act} act
 * @returns {Content}
 */
export function partPicture(part, { set, look }) {
  const { name, data, columns, scale, unit, chosen } = part;
  return [
    sheet({
      label: `The values of ${name}`,
      data,
      layout: oneTile({ rows: data.length / columns, columns }),
      scale,
      step: "cell",
      chosen: { ...chosen, tile: 0 },
      choose: (at) => set(part.choosing(at)),
      look,
      words: part.read,
    }),
    legend(scale, unit, 3),
  ];
}

/**
 * The panel of a layer's values, with what the chosen one sees of the input.
 * @template {object} Scene
 * @template {PartValues & { pixels: Pixels, field: (place: Place) => Field | null }} Part
 * @param {(scene: Scene) => Part} partOf the chosen part; `field`: what a cell sees of the input
 * @param {(part: Part) => Content} [more] below the picture
 * @returns {Panel<Scene, Part, { set: Act["set"], lookAt: (field: Field | null) => void }>}
 */
export const valuesPanel = (partOf, more = () => null) => ({
  id: "values",
  look: "layer-values",
  title: (scene) => `The values of ${partOf(scene).name}`,
  numbers: partOf,
  line: valuesLine,
  picture(part, { set, lookAt }) {
    const field = part.field(part.chosen);
    const label = "The input; a frame shows what the chosen value sees";
    return [
      h(
        "div",
        { class: "layer-values-pictures" },
        h(
          "div",
          {},
          partPicture(part, { set, look: (at) => lookAt(at && part.field(at)) }),
        ),
        field &&
          h(
            "figure",
            {},
            seen({ label, pixels: part.pixels, field, pointed: null }),
            h(
              "figcaption",
              { class: "fine" },
              `the framed value sees ${sizeWords(field)} pixels`,
            ),
          ),
      ),
      more(part),
    ];
  },
  table: {
    title: "The values as a table",
    of: ({ name, data, columns }) => [mapValues(capitalized(name), data, columns)],
  },
});

/** What is found in them. @param {Pick<PartValues, "data" | "columns">} part */
function valuesLine({ data, columns }) {
  const active = Array.from(data).filter((value) => value > 0).length;
  if (active === 0)
    return `None of its ${grouped(data.length)} values is above 0 for this image.`;
  const at = largestOf(data);
  const position = `row ${Math.floor(at / columns)}, column ${at % columns}`;
  const are = `${counted(active, "value")} of ${grouped(data.length)} ${active === 1 ? "is" : "are"}`;
  return `${are} above 0; the largest, ${fixed(data[at])}, stands at ${position}.`;
}
