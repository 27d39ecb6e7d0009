/**
 * A comparison's sections in sentences that follow from their numbers.
 * @import { Grid } from "../types.js"
 * @import { Reading } from "./figures.js"
 */
import { mostDifferent, sum } from "../../../lib/arithmetic.js";
import { fixed, percent } from "../../../lib/format.js";
import { placeIn } from "../places.js";
import { ACTIVE, countActive } from "./figures.js";

/**
 * @param {ArrayLike<number>} kept activations
 * @param {ArrayLike<number>} shown
 * @param {Grid} grid
 */
export function activationWords(kept, shown, grid) {
  const counts = countActive(kept, shown);
  return `Above ${ACTIVE}, of ${kept.length} capsules: ${counts.both} for both images, ${counts.kept} for the kept image only, ${counts.shown} for the shown one only, ${counts.none} for neither. ${placeWords(kept, shown, "The activation", grid)}`;
}

/**
 * @param {ArrayLike<number>} kept assignments of every capsule to the class
 * @param {ArrayLike<number>} shown
 * @param {string} name of the class
 * @param {Grid} grid
 */
export function assignmentWords(kept, shown, name, grid) {
  const [was, is] = [kept, shown].map((shares) =>
    percent(sum(shares) / shares.length, 0),
  );
  const share =
    was === is
      ? `${name} gets ${is} of the votes for both images.`
      : `${name} gets ${was} of the votes for the kept image and ${is} for the shown one.`;
  return `${share} ${placeWords(kept, shown, "The assignment", grid)}`;
}

/**
 * @param {ArrayLike<number>} kept a value for each capsule of a layer
 * @param {ArrayLike<number>} shown
 * @param {string} what the values are
 * @param {Grid} grid
 */
function placeWords(kept, shown, what, grid) {
  const most = mostDifferent(kept, shown);
  if (most === null) return `${what} is the same in both images for every capsule.`;
  const { type, row, column } = placeIn(grid, most);
  return `${what} differs most for type ${type}, row ${row}, column ${column}: it is ${fixed(kept[most])} for the kept image and ${fixed(shown[most])} for the shown one.`;
}
