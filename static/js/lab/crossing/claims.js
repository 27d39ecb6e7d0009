/**
 * What both capsules of a network draw where the second digit lies now, for its verdict.
 * @import { Claims } from "./ink.js"
 * @import { Model, Pixels } from "../../types.js"
 */
import { painted } from "../../draw/picture.js";
import { percent } from "../../lib/format.js";
import { inkOf } from "../../lib/pixels.js";
import { paintOwners } from "../../paint/pictures.js";
import { claimWords } from "./words.js";

/**
 * @param {Model} model @param {Claims | null} claims null while they are on their way
 * @param {Pixels | null} image
 */
export function claimParts({ class_names: names }, claims, image) {
  const words =
    claims &&
    claimWords(
      claims.classes.map((classIndex) => names[classIndex]),
      claims.share,
    );
  return {
    drawn: painted(
      claims,
      (canvas, { drawn }) => image && paintOwners(canvas, drawn, image, inkOf(image)),
      { role: "img", "aria-label": words ?? "What both capsules draw" },
    ),
    remark:
      claims?.share != null && `${percent(claims.share, 0)} of the ink given right`,
  };
}
