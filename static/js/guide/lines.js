/** Lines of text at the edge of a bar that sticks: all in sight, or all behind it. */

/**
 * How far to scroll on, by as little as leaves no line half behind the edge.
 * @param {readonly { top: number, bottom: number }[]} lines
 * @param {number} edge below it, lines are in sight
 * @param {{ least: number, most: number }} reach how far it may be, in pixels; less than 0
 *   scrolls back
 * @returns {number} 0 where no distance within reach will do
 */
export function clearOf(lines, edge, { least, most }) {
  const near = lines.flatMap(({ top, bottom }) => [top - edge, bottom - edge]);
  const ways = [0, ...near]
    .map((way) => (way < 0 ? Math.floor(way) : Math.ceil(way)))
    .filter((way) => least <= way && way <= most)
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  const isClear = (/** @type {number} */ way) =>
    lines.every(({ top, bottom }) => top >= edge + way || bottom <= edge + way);
  return ways.find(isClear) ?? 0;
}

/**
 * The lines of text that lie between two heights of the window, but for those of what sticks.
 * @param {Element} root @param {number} from @param {number} to
 */
export function linesBetween(root, from, to) {
  const isNear = (/** @type {DOMRect} */ { top, bottom }) => bottom > from && top < to;
  const texts = document.createTreeWalker(
    root,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
      const isStuck = getComputedStyle(node).position === "sticky";
      return isStuck || !isNear(node.getBoundingClientRect())
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP;
    },
  );
  /** @type {DOMRect[]} */
  const rectangles = [];
  const range = new Range();
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    rectangles.push(...[...range.getClientRects()].filter(isNear));
  }
  return rectangles;
}
