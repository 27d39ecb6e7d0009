/** Keys that lead from one tab to another, and coming to what was opened. */

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

/** Scroll to what was opened where it begins far down, as it does on phones. */
export function showBelow() {
  const stage = document.getElementById("stage");
  if (stage && stage.getBoundingClientRect().top > innerHeight / 2)
    stage.scrollIntoView();
}
