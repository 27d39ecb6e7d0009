/**
 * Toys of equal size, as in `toys/sizing.py`: their mean silhouettes cover the same share of
 * a picture.
 */

import { meshOf } from "./categories.js";
import { LIGHTS, silhouette } from "./rendering.js";

const SHARE = 0.13; // of the picture, as a mean over the views below
const AZIMUTHS = [0, 60, 120, 180, 240, 300];
const ELEVATIONS = [30, 50, 70];
const SAMPLES = 64; // along a picture's side, to measure a silhouette
const SMALL = 0.35; // of the picture's width: the unit of a toy that is measured

/**
 * @param {string} category
 * @param {import("./categories.js").Values} values
 * @returns {import("./rendering.js").Toy}
 */
export function toyOf(category, values) {
  const mesh = meshOf(category, values);
  const sides = ELEVATIONS.flatMap((elevation) =>
    AZIMUTHS.map((azimuth) => ({ azimuth, elevation, light: LIGHTS[1], zoom: 1 })),
  );
  const covered = sides.reduce(
    (sum, side) => sum + silhouette(mesh, side, SAMPLES, SMALL),
    0,
  );
  const share = covered / sides.length / SAMPLES ** 2;
  return { mesh, scale: SMALL * Math.sqrt(SHARE / share), paint: values.paint };
}
