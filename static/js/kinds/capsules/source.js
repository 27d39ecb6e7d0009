/**
 * Where the numbers of a vector come from: how maps are cut into capsules, and what a capsule
 * sees.
 * @import { Field, Layer, Model } from "../types.js"
 */
import { bothOf, fieldAt, ITSELF, within } from "../../geometry/windows.js";
import { gridOf, placeIn } from "./places.js";

/**
 * How maps are cut. "permute": a capsule's numbers stand at one place of neighbouring maps, as
 * in the paper. "stack": at one place of maps that a convolution for each number made.
 * "view": they are neighbours in memory, mostly along a row of one map.
 * @typedef {"permute" | "stack" | "view"} Order
 */

/** @param {Pick<Layer, "order">} layer @returns {Order} */
export const orderOf = ({ order }) => order ?? "permute";

/**
 * Whether a layer's capsules stand in places of a grid, each of which sees a part of the input.
 * Of capsules that are shown as a tensor, nobody knows what they see.
 * @param {Pick<Layer, "form" | "order"> & Partial<Pick<Layer, "kind">>} layer
 */
export const hasPlaces = ({ form, order, kind }) =>
  kind?.name !== "tensor" && order !== "view" && form !== "alone" && form !== "routed";

/** The layer that a layer reads. @param {Layer} layer */
export const belowOf = ({ network, below }) => network.find(({ id }) => id === below);

/**
 * The maps that are cut.
 * @param {Layer} layer @param {Model} model
 * @returns {{ maps: number, rows: number, columns: number, numbers: number }} numbers: of a
 *   capsule
 */
export function cutOf(layer, model) {
  const shape = layer.shapeOf(model, "before");
  const [numbers] = shape.slice(-1);
  const all = shape.reduce((product, size) => product * size, 1);
  if (orderOf(layer) !== "view") {
    const { rows, columns } = gridOf(shape.slice(0, -1));
    return { maps: all / (rows * columns), rows, columns, numbers };
  }
  const [rows, columns] = windowsIn(layer, model);
  return { maps: all / (rows * columns), rows, columns, numbers };
}

/**
 * How many windows there are in a column, and in a row, of the maps below.
 * @param {Layer} layer @param {Model} model
 */
function windowsIn(layer, model) {
  const { size, step, first = 0 } = layer.window?.(model) ?? ITSELF;
  const [sizes, steps, firsts] = [size, step, first].map(bothOf);
  return layer
    .shapeOf(model, "below")
    .slice(1)
    .map((length, i) => Math.floor((length - 2 * firsts[i] - sizes[i]) / steps[i]) + 1);
}

/**
 * @param {Order} order
 * @param {ReturnType<typeof cutOf>} cut
 * @param {number} capsule
 * @param {number} number of its numbers, 0 first
 * @returns {{ map: number, row: number, column: number }} of the maps that are cut
 */
export function sourceOf(order, { maps, rows, columns, numbers }, capsule, number) {
  const { type, ...position } = placeIn({ rows, columns }, capsule);
  if (order === "permute") return { map: type * numbers + number, ...position };
  if (order === "stack") return { map: number * (maps / numbers) + type, ...position };
  const { type: map, ...at } = placeIn({ rows, columns }, capsule * numbers + number);
  return { map, ...at };
}

/**
 * What a capsule sees of the input.
 * @param {Layer} layer @param {Model} model @param {number} capsule
 * @returns {Field | null} null where there is no saying
 */
export function fieldOf(layer, model, capsule) {
  const [rows, columns] = model.input_shape.slice(-2);
  const reach = layer.reach(model);
  if (reach === null || (!hasPlaces(layer) && layer.order !== "view"))
    return seenByAll(layer, model);
  if (layer.order !== "view") {
    const { row, column } = placeIn(
      gridOf(layer.shapeOf(model, "activation")),
      capsule,
    );
    return layer.field(model, row, column);
  }
  const cut = cutOf(layer, model);
  const fields = Array.from({ length: cut.numbers }, (_, number) =>
    fieldAt(reach, sourceOf("view", cut, capsule, number)),
  );
  return within(around(fields), { rows, columns });
}

/**
 * What all maps together see, and so every capsule alone.
 * @param {Layer} layer @param {Model} model
 * @returns {Field | null}
 */
function seenByAll(layer, model) {
  const [rows, columns] = model.input_shape.slice(-2);
  const below = belowOf(layer)?.reach(model);
  const [, down = 1, across = 1] = layer.shapeOf(model, "below");
  if (!below) return { row: 0, column: 0, size: rows, columns };
  const ends = [
    { row: 0, column: 0 },
    { row: down - 1, column: across - 1 },
  ];
  return within(around(ends.map((end) => fieldAt(below, end))), { rows, columns });
}

/** The least field that has all of them. @param {readonly Field[]} fields @returns {Field} */
function around(fields) {
  const row = Math.min(...fields.map((field) => field.row));
  const column = Math.min(...fields.map((field) => field.column));
  const bottom = Math.max(...fields.map((field) => field.row + field.size));
  const right = Math.max(
    ...fields.map((field) => field.column + (field.columns ?? field.size)),
  );
  return { row, column, size: bottom - row, columns: right - column };
}

/**
 * Where a capsule's numbers stand, in words.
 * @param {Order} order @param {ReturnType<typeof cutOf>} cut @param {number} capsule
 */
export function sourceWords(order, cut, capsule) {
  const from = Array.from({ length: cut.numbers }, (_, number) =>
    sourceOf(order, cut, capsule, number),
  );
  const [first] = from;
  const last = from[from.length - 1];
  if (order !== "view") {
    const maps =
      order === "permute"
        ? `maps ${first.map}–${last.map}`
        : `${from.length} maps, each of a convolution of its own`;
    return `Its numbers stand at row ${first.row}, column ${first.column} of ${maps}.`;
  }
  const at = (/** @type {typeof first} */ { row, column }) =>
    `row ${row}, column ${column}`;
  const isOne = first.map === last.map;
  return isOne
    ? `Its numbers are ${from.length} neighbours on map ${first.map}, row by row from ${at(first)} to ${at(last)}: they tell of ${from.length} places.`
    : `Its numbers are neighbours in memory, from map ${first.map}, ${at(first)}, to map ${last.map}, ${at(last)}: they tell of different places of different maps.`;
}
