/**
 * What a curve over tiles shows, and what the test set says of them.
 * @import { Measurement } from "../../types.js"
 */

import { exactShare } from "../../lib/decimals.js";
import { fixed, grouped, percent } from "../../lib/format.js";

/**
 * @param {string} one what a score is called
 * @param {number} shuffles of this digit, for each number of tiles
 * @param {Pick<Measurement, "images"> | null} test
 * @param {string} command
 */
export function curveWords(one, shuffles, test, command) {
  const line = `Line: the highest ${one} of this digit, mean of ${shuffles} shuffles.`;
  return test === null
    ? `${line} The test set is not measured yet: ${command}`
    : `${line} Dashed: that of ${grouped(test.images)} test images, each shuffled once.`;
}

/**
 * What so many tiles do to the test set.
 * @param {Measurement} test
 * @param {number} across tiles in a row
 * @returns {string} empty where this was not measured
 */
export function measuredTiles(test, across) {
  const place = test.values.indexOf(across);
  if (place < 0) return "";
  const { images, accuracy, passing, passing_score, roc_area } = test;
  const how = across === 1 ? "left whole" : `in ${across}×${across} shuffled tiles`;
  const right = `Of ${grouped(images)} test images ${how}, ${percent(accuracy[place], 1)} are read right`;
  if (passing === undefined || passing_score === undefined || roc_area === undefined)
    return `${right}.`;
  const reach = `${right}. The highest score is at least ${exactShare(passing_score, 3)} in ${percent(passing[place], 1)} of them`;
  return across === 1
    ? `${reach}.`
    : `${reach}, as in 95\u202f% of whole images. As a test for shuffling, the highest score has an area under the ROC curve of ${fixed(roc_area[place], 3)} (0.5: it tells nothing; 1: it tells all).`;
}
