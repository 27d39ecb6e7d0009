/** A comparison's sections in sentences that follow from their numbers. */
import { mostDifferent } from "../../../lib/arithmetic.js";
import { fixed, signed } from "../../../lib/format.js";
import { capsulePlace } from "../places.js";
import { angleBetween } from "./figures.js";

/**
 * @param {ArrayLike<number>} kept numbers of a capsule
 * @param {ArrayLike<number>} shown
 * @param {string} name of its class
 */
export function capsuleWords(kept, shown, name) {
  const lengths = [kept, shown].map((numbers) =>
    fixed(Math.hypot(...Array.from(numbers)), 2),
  );
  const most = mostDifferent(kept, shown);
  const angle = angleBetween(kept, shown);
  const turned =
    angle === null ? "" : ` The angle between the two vectors is ${fixed(angle, 0)}°.`;
  const differs =
    most === null
      ? " No number differs."
      : ` Number ${most} differs most: it goes from ${fixed(kept[most])} to ${fixed(shown[most])}, by ${signed(shown[most] - kept[most])}.`;
  const long =
    lengths[0] === lengths[1]
      ? `${lengths[0]} long for both images`
      : `${lengths[0]} long for the kept image and ${lengths[1]} for the shown one`;
  return `The capsule of ${name} is ${long}.${turned}${differs}`;
}

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
