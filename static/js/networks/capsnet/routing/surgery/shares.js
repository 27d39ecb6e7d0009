/** Who gives how much of a digit capsule's length before squash. */
import { sum } from "../../../../lib/arithmetic.js";

/**
 * @param {ArrayLike<number>} evidence what each capsule gives, type by type
 * @param {number} types
 * @returns {Float64Array} (types) shares of the whole: they sum to 1, negative where a
 *   type takes away; all 0 where there is nothing to share
 */
export function sharesByType(evidence, types) {
  const cells = evidence.length / types;
  const sums = new Float64Array(types);
  for (let i = 0; i < evidence.length; i++) sums[Math.floor(i / cells)] += evidence[i];
  const total = sum(sums);
  return sums.map((sum) => (total === 0 ? 0 : sum / total));
}
