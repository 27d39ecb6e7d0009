/** Drawing what is on the screen only, and once a frame however often it is asked for. */
import { atRest } from "../lib/at-rest.js";
import { inFrame } from "../lib/frame.js";

/** Pictures just outside are drawn too, so that scrolling finds them there. */
const NEAR = "120px";

const REST_MS = 250;

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
 * Show at once what is on the screen, and the rest when nothing has changed for a moment:
 * some read, search or copy what they do not look at.
 * @template {unknown[]} What
 * @param {Element} element where it is shown
 * @param {(...what: What) => void} show
 * @returns {(...what: What) => void} what came last is shown
 */
export function showSeenFirst(element, show) {
  /** @type {What | null} */
  let newest = null;
  function showNewest() {
    if (newest === null) return;
    const what = newest;
    newest = null;
    show(...what);
  }
  const ask = whileSeen(element, showNewest);
  const askAtRest = atRest(showNewest, REST_MS);
  return (...what) => {
    newest = what;
    ask();
    askAtRest();
  };
}
