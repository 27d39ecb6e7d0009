/**
 * Flow from sources on the left to targets on the right, as ribbons whose widths are
 * amounts. Pure arithmetic: no DOM, no state.
 */

/** @typedef {{ y: number, height: number }} Node */

/**
 * @typedef {object} Ribbons
 * @property {Node[]} sources top to bottom
 * @property {Node[]} targets
 * @property {string[]} paths SVG path data, source by source, target by target
 */

/**
 * @param {ArrayLike<number>} flow (sources, targets), none negative
 * @param {{ sources: number, targets: number }} count
 * @param {{ left: number, right: number, height: number, gap: number }} place x of both
 *   ends, and what the nodes and the gaps between them fill
 * @returns {Ribbons}
 */
export function layOutRibbons(
  flow,
  { sources, targets },
  { left, right, height, gap },
) {
  const out = new Float64Array(sources);
  const into = new Float64Array(targets);
  for (let i = 0; i < sources; i++) {
    for (let j = 0; j < targets; j++) {
      out[i] += flow[i * targets + j];
      into[j] += flow[i * targets + j];
    }
  }
  const total = out.reduce((sum, amount) => sum + amount, 0) || 1;
  // One scale for both sides, so that a ribbon is as wide where it ends as it began.
  const gaps = gap * (Math.max(sources, targets) - 1);
  const scale = Math.max(0, height - gaps) / total;
  const sourceNodes = stack(out, scale, height);
  const targetNodes = stack(into, scale, height);

  /** @type {string[]} */
  const paths = [];
  const used = new Float64Array(targets);
  for (let i = 0; i < sources; i++) {
    let from = sourceNodes[i].y;
    for (let j = 0; j < targets; j++) {
      const width = flow[i * targets + j] * scale;
      const to = targetNodes[j].y + used[j];
      paths.push(ribbon(left, from, right, to, width));
      from += width;
      used[j] += width;
    }
  }
  return { sources: sourceNodes, targets: targetNodes, paths };
}

/**
 * @param {Float64Array} amounts
 * @param {number} scale
 * @param {number} height to fill, the gaps sharing what the nodes leave
 * @returns {Node[]}
 */
function stack(amounts, scale, height) {
  const filled = amounts.reduce((sum, amount) => sum + amount * scale, 0);
  const gap = amounts.length > 1 ? (height - filled) / (amounts.length - 1) : 0;
  let y = 0;
  return Array.from(amounts, (amount) => {
    const node = { y, height: amount * scale };
    y += node.height + gap;
    return node;
  });
}

/**
 * @param {number} left
 * @param {number} from top at the left
 * @param {number} right
 * @param {number} to top at the right
 * @param {number} width
 */
function ribbon(left, from, right, to, width) {
  const middle = (left + right) / 2;
  const [a, b, c, d] = [from, to, to + width, from + width].map((y) => y.toFixed(2));
  return `M${left} ${a}C${middle} ${a} ${middle} ${b} ${right} ${b}L${right} ${c}C${middle} ${c} ${middle} ${d} ${left} ${d}Z`;
}
