/** A comparison's sections in sentences that follow from their numbers. */
import { mostDifferent } from "../../../lib/difference.js";
import { fixed, signed } from "../../../lib/number.js";
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
    angle === null ? "" : ` The two vectors stand at an angle of ${fixed(angle, 0)}°.`;
  const differs =
    most === null
      ? " No number differs."
      : ` Number ${most} differs the most: ${fixed(kept[most])} and ${fixed(shown[most])}, by ${signed(shown[most] - kept[most])}.`;
  return `The capsule of ${name} is ${lengths[0]} long for the kept image and ${lengths[1]} for the one on show.${turned}${differs}`;
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
  if (most === null) return `${what} is equal for every capsule.`;
  const { type, row, column } = capsulePlace(/** @type {any} */ (sizes), most);
  return `${what} differs the most for type ${type}, row ${row}, column ${column}: ${fixed(kept[most])} for the kept image, ${fixed(shown[most])} for the one on show.`;
}
