/**
 * What is said of a layer of capsules and of one of them.
 * @import { Tensor } from "../../types.js"
 * @import { Field, Layer, Model } from "../types.js"
 */
import { checkWords, HALF } from "../../lib/precision.js";
import { isAlone, isCut, isDepthwise, isVector } from "./forms.js";
import { belowOf } from "./source.js";

/** What the view says first. @param {Layer} layer */
export function introWords(layer) {
  const below = belowOf(layer)?.title ?? "the image";
  if (!isVector(layer)) return layer.words.text;
  if (isDepthwise(layer))
    return `Each map of ${below} has one kernel, as large as the map itself: their product is a single number. Eight such numbers make a capsule. Squash shortens it to less than 1 and keeps its direction. All capsules see the same part of the picture.`;
  if (!isCut(layer))
    return `${below} makes these capsules of the votes of those below: each is a weighted sum of votes, shortened by squash. So none of them stands in a place, and each can depend on the whole picture. Its length tells how well the votes agree.`;
  return isAlone(layer)
    ? `A convolution reads all maps of ${below}. Its own maps are cut, one number after another, into small vectors, the capsules. So the numbers of a capsule tell of different places. Squash shortens each to less than 1 and keeps its direction.`
    : `Small vectors, which a convolution reads from all maps of ${below}. The length tells how present its type’s feature is, the direction how it looks.`;
}

/** How large the layer is. @param {Layer} layer @param {{ poses: Tensor }} tensors */
export function shapeWords(layer, { poses: { shape } }) {
  if (isAlone(layer)) return `${shape[0]} capsules of ${shape[1]} numbers`;
  const [types, rows, columns, ...pose] = shape;
  return isVector(layer)
    ? `${types} types × ${rows}×${columns} places = ${types * rows * columns} capsules of ${pose[0]} numbers`
    : `${types} types on ${rows}×${columns} places, each a ${pose.join("×")} pose and an activation`;
}

/** @param {Field} seen by every capsule @param {Model["input_shape"]} shape */
export function seenWords({ row, column, size, columns = size }, [, down, across]) {
  /** @param {number} count @param {string} thing */
  const last = (count, thing) => {
    if (count === 0) return [];
    return [count === 1 ? `the last ${thing}` : `the last ${count} ${thing}s`];
  };
  const missed = [
    ...last(down - row - size, "row"),
    ...last(across - column - columns, "column"),
  ];
  const rest =
    missed.length === 0 ? "" : ` None sees ${missed.join(" and ")} of the input.`;
  return `Every capsule sees the same ${size}×${columns} pixels.${rest}`;
}

/**
 * How long a capsule is by its numbers, and what the trace says.
 * @param {{ dim: number, length: number, isBefore: boolean }} worked isBefore: whether its
 *   length follows from the numbers before squash
 * @param {number} traced
 */
export function lengthWords({ dim, length, isBefore }, traced) {
  const from = isBefore ? `the ${dim} numbers before squash` : `its ${dim} numbers`;
  // Rounding moves each number, and so the length, by up to this share; squash less.
  const most = 2 * HALF * (length + traced) + HALF / 16;
  const check = checkWords(length, traced, most, "its numbers come in half precision");
  return `Its length follows from ${from}. ${check}`;
}
