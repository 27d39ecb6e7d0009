/** A comparison's sections in sentences that follow from their numbers. */
import { mostDifferent } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { capsulePlace } from "../places.js";

/**
 * @param {ArrayLike<number>} kept a value for each capsule below
 * @param {ArrayLike<number>} shown
 * @param {object} about
 * @param {string} about.what the values are
 * @param {{ primary_types: number, image_size: number }} about.sizes
 */
export function placeWords(kept, shown, { what, sizes }) {
  const most = mostDifferent(kept, shown);
  if (most === null) return `${what} is the same in both images for every capsule.`;
  const { type, row, column } = capsulePlace(/** @type {any} */ (sizes), most);
  return `${what} differs most for type ${type}, row ${row}, column ${column}: it is ${fixed(kept[most])} for the kept image and ${fixed(shown[most])} for the shown one.`;
}
