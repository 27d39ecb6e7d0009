/**
 * Draws what is on the screen in the next frame, and the rest once nothing has changed
 * for a moment: readers also read aloud, search, copy or print what is off the screen.
 * What is folded away is drawn once it is unfolded. Tells of printing, too.
 */
import { inFrame, jobsAtRest, whenIdle } from "../lib/timing.js";
import { kept } from "./guard.js";

/** @type {Set<(isNow: boolean) => void>} */
const listeners = new Set();

let isListening = false;
let isPrinting = false;

/**
 * Be told when printing begins and ends.
 * @param {(isNow: boolean) => void} listener told in the order of these calls; what it has
 *   not done when it returns is not printed
 */
export function onPrinting(listener) {
  listen();
  listeners.add(listener);
}

function listen() {
  if (isListening) return;
  isListening = true;
  addEventListener("beforeprint", () => tell(true));
  addEventListener("afterprint", () => tell(false));
  // Some browsers send no events, and none does where print is only simulated.
  matchMedia("print").addEventListener("change", ({ matches }) => tell(matches));
}

/** @param {boolean} isNow */
function tell(isNow) {
  if (isNow === isPrinting) return;
  isPrinting = isNow;
  document.documentElement.classList.toggle("is-printed", isNow);
  for (const listener of listeners) listener(isNow);
  if (!isNow) return;
  // Paper shows what is out of sight, but not what is folded; and it has no frames.
  unseen.doAll();
}

/**
 * Read the page as it is on paper: light, whatever the reader's theme.
 * @template Found
 * @param {() => Found} read returns at once, so that nobody sees it
 */
export function onPaper(read) {
  const { classList } = document.documentElement;
  classList.add("is-printed");
  try {
    return read();
  } finally {
    classList.toggle("is-printed", isPrinting);
  }
}

/**
 * Pictures just off the screen are drawn at once too, so that scrolling finds them
 * ready.
 */
const NEAR = "120px";

const REST_MS = 250;

/** @typedef {{ isSeen: boolean, listeners: ((isSeen: boolean) => void)[] }} Watched */

/** @type {WeakMap<Element, Watched>} */
const watched = new WeakMap();

/** One observer for all elements, made for the first. @type {IntersectionObserver | null} */
let observer = null;

const unseen = jobsAtRest({ quiet_ms: REST_MS, whenIdle });

/**
 * What waits to be unfolded: where, and how it is drawn in any case.
 * @type {Map<() => void, { element: Element, drawNewest: () => void }>}
 */
const folded = new Map();

/** @param {Element} element what stands in a summary is seen, open or not */
function isFolded(element) {
  const folder = element.closest("details:not([open])");
  return folder !== null && element.closest("summary")?.parentElement !== folder;
}

function drawUnfolded() {
  for (const job of folded.keys()) unseen.add(job);
  folded.clear();
}

/**
 * Draw what is folded away in a part of the page, for who looks for something there.
 * @param {Element} part
 */
export function drawFolded(part) {
  for (const [job, { element, drawNewest }] of [...folded]) {
    if (!part.contains(element)) continue;
    folded.delete(job);
    drawNewest();
  }
}

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
  observer ??= beginToWatch();
  observer.observe(element);
}

function beginToWatch() {
  listen();
  document.addEventListener("toggle", drawUnfolded, true); // it does not bubble
  return new IntersectionObserver(tellSeen, { rootMargin: NEAR });
}

/** @param {IntersectionObserverEntry[]} entries oldest first */
function tellSeen(entries) {
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
 * @returns {(...what: What) => void} ask for it to be drawn: in the next frame where it is
 *   seen, else at rest, but not while it is folded away; what was asked last is drawn. Where
 *   that fails, its panel says so
 */
export function showSeenFirst(element, draw, onChange) {
  const drawn = kept(element, draw);
  let isSeen = false;
  /** @type {What | null} */
  let newest = null;

  function drawNewest() {
    if (newest === null) return;
    const what = newest;
    newest = null;
    drawn(...what);
  }
  function drawAtRest() {
    if (isFolded(element)) folded.set(drawAtRest, { element, drawNewest });
    else drawNewest();
  }
  whenSeen(element, (now) => {
    isSeen = now;
    onChange?.(isSeen);
    if (isSeen && newest !== null) inFrame(drawNewest);
  });
  return (...what) => {
    newest = what;
    if (isPrinting) drawNewest();
    else if (isSeen) inFrame(drawNewest);
    else unseen.add(drawAtRest);
  };
}
