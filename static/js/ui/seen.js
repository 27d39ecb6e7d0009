/** Drawing what is on the screen only, and once a frame however often it is asked for. */
import { atRest } from "../lib/at-rest.js";
import { inFrame } from "../lib/frame.js";

/** Pictures just outside are drawn too, so that scrolling finds them there. */
const NEAR = "120px";

const REST_MS = 250;

/** @typedef {{ isSeen: boolean, listeners: ((isSeen: boolean) => void)[] }} Watched */

/** @type {WeakMap<Element, Watched>} */
const watched = new WeakMap();

/** One for all elements; made when the first is watched. @type {IntersectionObserver | null} */
let observer = null;

/**
 * @param {Element} element hidden elements are never seen
 * @param {(isSeen: boolean) => void} listener told whenever it comes or goes
 */
function whenSeen(element, listener) {
  const known = watched.get(element);
  if (known) {
    known.listeners.push(listener);
    if (known.isSeen) listener(true);
    return;
  }
  watched.set(element, { isSeen: false, listeners: [listener] });
  observer ??= new IntersectionObserver(tell, { rootMargin: NEAR });
  observer.observe(element);
}

/** @param {IntersectionObserverEntry[]} entries oldest first */
function tell(entries) {
  const newest = new Map(entries.map((entry) => [entry.target, entry.isIntersecting]));
  for (const [element, isSeen] of newest) {
    const of = watched.get(element);
    if (!of || of.isSeen === isSeen) continue;
    of.isSeen = isSeen;
    for (const listener of of.listeners) listener(isSeen);
  }
}

/**
 * @template {unknown[]} What
 * @param {Element} element where it is drawn
 * @param {(...what: What) => void} draw
 * @param {(isSeen: boolean) => void} [onChange] told whenever it comes or goes
 * @returns {(...what: What) => void} ask for it to be drawn, in the next frame or when it
 *   is seen; what was asked last is drawn
 */
export function whileSeen(element, draw, onChange) {
  let isSeen = false;
  /** @type {What | null} */
  let newest = null;

  function drawNewest() {
    if (newest === null) return;
    const what = newest;
    newest = null;
    draw(...what);
  }
  whenSeen(element, (now) => {
    isSeen = now;
    onChange?.(isSeen);
    if (isSeen && newest !== null) inFrame(drawNewest);
  });
  // Paper shows what the screen does not.
  addEventListener("beforeprint", drawNewest);
  return (...what) => {
    newest = what;
    if (isSeen) inFrame(drawNewest);
  };
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
