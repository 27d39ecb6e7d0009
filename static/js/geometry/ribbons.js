/**
 * Flow from sources on the left to targets on the right, as ribbons whose widths are
 * amounts. A ribbon keeps its width: both its edges are the same curve, one below the
 * other. Pure arithmetic: no DOM, no state.
 */

/**
 * @typedef {object} Ribbons
 * @property {number} sources
 * @property {number} targets
 * @property {number} left x where ribbons begin
 * @property {number} right x where they end
 * @property {Float64Array} sourceY (sources) tops, top to bottom
 * @property {Float64Array} sourceHeight
 * @property {Float64Array} targetY (targets)
 * @property {Float64Array} targetHeight
 * @property {Float64Array} from (sources, targets) top of each ribbon on the left
 * @property {Float64Array} to on the right
 * @property {Float64Array} width
 */

/** @param {number} sources @param {number} targets @returns {Ribbons} to be laid out */
export function emptyRibbons(sources, targets) {
  return {
    sources,
    targets,
    left: 0,
    right: 0,
    sourceY: new Float64Array(sources),
    sourceHeight: new Float64Array(sources),
    targetY: new Float64Array(targets),
    targetHeight: new Float64Array(targets),
    from: new Float64Array(sources * targets),
    to: new Float64Array(sources * targets),
    width: new Float64Array(sources * targets),
  };
}

/**
 * @param {Ribbons} ribbons laid out anew: nothing is allocated while a picture moves
 * @param {ArrayLike<number>} amounts (sources, targets); the sign is not looked at
 * @param {object} place
 * @param {number} place.left
 * @param {number} place.right
 * @param {number} place.top
 * @param {number} place.height that nodes and the gaps between them fill
 * @param {number} place.gap the least between nodes where all of `full` flows
 * @param {number} place.full the amount for which there is room; 0 counts as 1
 */
export function layOutRibbons(
  ribbons,
  amounts,
  { left, right, top, height, gap, full },
) {
  const { sources, targets, sourceHeight, targetHeight, from, to, width } = ribbons;
  // One scale for both sides, so that a ribbon is as wide where it ends as it began.
  const gaps = gap * (Math.max(sources, targets) - 1);
  const scale = Math.max(0, height - gaps) / (full || 1);
  sourceHeight.fill(0);
  targetHeight.fill(0);
  for (let i = 0, k = 0; i < sources; i++) {
    for (let j = 0; j < targets; j++, k++) {
      width[k] = Math.abs(amounts[k]) * scale;
      sourceHeight[i] += width[k];
      targetHeight[j] += width[k];
    }
  }
  stack(ribbons.sourceY, sourceHeight, top, height);
  stack(ribbons.targetY, targetHeight, top, height);
  for (let i = 0, k = 0; i < sources; i++) {
    let y = ribbons.sourceY[i];
    for (let j = 0; j < targets; j++, k++) {
      from[k] = y;
      y += width[k];
    }
  }
  for (let j = 0; j < targets; j++) {
    let y = ribbons.targetY[j];
    for (let k = j; k < width.length; k += targets) {
      to[k] = y;
      y += width[k];
    }
  }
  ribbons.left = left;
  ribbons.right = right;
}

/**
 * @param {Float64Array} tops written
 * @param {Float64Array} heights @param {number} top
 * @param {number} height to fill, the gaps sharing what the nodes leave
 */
function stack(tops, heights, top, height) {
  let filled = 0;
  for (let i = 0; i < heights.length; i++) filled += heights[i];
  const gap = heights.length > 1 ? (height - filled) / (heights.length - 1) : 0;
  let y = top;
  for (let i = 0; i < heights.length; i++) {
    tops[i] = y;
    y += heights[i] + gap;
  }
}

/**
 * How far a ribbon has come, from its height on the left to that on the right. Its edges
 * are cubic Bézier curves whose inner points stand in the middle between both sides:
 * x = 3/2·t - 3/2·t² + t³ and y = 3t² - 2t³.
 * @param {number} x as a share of the way, in 0..1
 * @returns {number} in 0..1
 */
export function riseAt(x) {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < 24; halving++) {
    const t = (low + high) / 2;
    if (t * (1.5 - t * (1.5 - t)) < x) low = t;
    else high = t;
  }
  const t = (low + high) / 2;
  return t * t * (3 - 2 * t);
}

/**
 * The ribbon under a point.
 * @param {Ribbons} ribbons @param {number} x @param {number} y @param {object} options
 * @param {(index: number) => number} options.rank of several, the one ranked highest
 * @param {number} options.slack how far beside a ribbon counts as on it: thin ones
 *   could not be pointed at otherwise
 * @returns {number} source * targets + target; -1 where there is none
 */
export function ribbonAt(ribbons, x, y, { rank, slack }) {
  const { left, right, from, to, width } = ribbons;
  if (x < left || x > right) return -1;
  const rise = riseAt((x - left) / (right - left));
  let best = -1;
  for (let k = 0; k < width.length; k++) {
    if (width[k] === 0) continue;
    const top = from[k] + rise * (to[k] - from[k]);
    if (y < top - slack || y > top + width[k] + slack) continue;
    if (best === -1 || rank(k) >= rank(best)) best = k;
  }
  return best;
}

/**
 * The node beside a point.
 * @param {Float64Array} tops @param {Float64Array} heights @param {number} y
 * @returns {number} the nearest
 */
export function nodeAt(tops, heights, y) {
  let best = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tops.length; i++) {
    const distance = Math.max(tops[i] - y, y - tops[i] - heights[i], 0);
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return best;
}

/**
 * Move labels down or up by as little as keeps them apart, in their order.
 * @param {ArrayLike<number>} places ascending
 * @param {number} apart the least between two, where there is room for that
 * @param {number} low @param {number} high what the first and the last keep within
 * @returns {number[]}
 */
export function spread(places, apart, low, high) {
  const step = Math.min(apart, (high - low) / Math.max(1, places.length - 1));
  /** @type {number[]} */
  const found = [];
  for (let i = 0; i < places.length; i++)
    found.push(Math.max(places[i], i === 0 ? low : found[i - 1] + step));
  for (let i = places.length - 1; i >= 0; i--)
    found[i] = Math.min(found[i], i === places.length - 1 ? high : found[i + 1] - step);
  return found;
}
