/** Keys that lead from one tab to another. */

/**
 * @param {string} key
 * @param {number} from
 * @param {number} last
 * @returns {number | null} null: the key leads nowhere
 */
export function nextTab(key, from, last) {
  if (key === "ArrowRight") return from === last ? 0 : from + 1;
  if (key === "ArrowLeft") return from === 0 ? last : from - 1;
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}
