/** Moving a picture from one set of values to the next, unless the reader prefers not. */

const DURATION_MS = 350;
const SLOW_MS = 1400;

/**
 * @template Values
 * @param {(values: Values) => void} draw
 * @param {(from: Values, to: Values, share: number) => Values} blend
 * @param {() => boolean} [isSlow] asked when a move begins
 * @returns {(from: Values, to: Values) => void} a later move replaces an earlier one
 */
export function tween(draw, blend, isSlow = () => false) {
  let frame = 0;
  return (from, to) => {
    cancelAnimationFrame(frame);
    if (from === to || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      draw(to);
      return;
    }
    const start = performance.now();
    const duration = isSlow() ? SLOW_MS : DURATION_MS;
    /** @param {number} now */
    function advance(now) {
      const share = Math.min(Math.max((now - start) / duration, 0), 1);
      draw(share === 1 ? to : blend(from, to, ease(share)));
      if (share < 1) frame = requestAnimationFrame(advance);
    }
    frame = requestAnimationFrame(advance);
  };
}

/** @param {number} share slow at both ends */
function ease(share) {
  return share * share * (3 - 2 * share);
}
