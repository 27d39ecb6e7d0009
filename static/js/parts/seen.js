/** Drawing what is on the screen only, and once a frame however often it is asked for. */
import { inFrame } from "../lib/frame.js";

/** Pictures just outside are drawn too, so that scrolling finds them there. */
const NEAR = "120px";

/**
 * @param {Element} element what is drawn; hidden elements are never seen
 * @param {() => void} draw
 * @param {(isSeen: boolean) => void} [onChange] told whenever it comes or goes
 * @returns {() => void} ask for it to be drawn: in the next frame, or when it is seen
 */
export function whileSeen(element, draw, onChange) {
  let isSeen = false;
  let isStale = false;

  function drawIfStale() {
    if (!isStale) return;
    isStale = false;
    draw();
  }
  function ask() {
    isStale = true;
    if (isSeen) inFrame(drawIfStale);
  }
  new IntersectionObserver(
    (entries) => {
      const now = entries[entries.length - 1].isIntersecting;
      if (now === isSeen) return;
      isSeen = now;
      onChange?.(isSeen);
      if (isSeen && isStale) ask();
    },
    { rootMargin: NEAR },
  ).observe(element);
  // Paper shows what the screen does not.
  addEventListener("beforeprint", drawIfStale);
  return ask;
}

/**
 * @template {unknown[]} What
 * @param {Element} element where it is shown; hidden elements are never seen
 * @param {(...what: What) => void} show
 * @returns {(...what: What) => void} show the newest only, as `whileSeen` draws
 */
export function showWhileSeen(element, show) {
  /** @type {What | null} */
  let newest = null;
  const ask = whileSeen(element, () => {
    if (newest !== null) show(...newest);
  });
  return (...what) => {
    newest = what;
    ask();
  };
}
