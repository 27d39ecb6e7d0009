/**
 * Rings the picture that a step speaks of, and keeps it in sight: pictures come with the
 * network's answer, and make the page longer when they come. Once the reader moves the
 * page, it is left alone.
 */

import { unfold } from "../ui/dom.js";
import { drawFolded } from "../ui/visibility.js";
import { clearOf, linesBetween } from "./lines.js";

const MARK = "is-ringed";

/** Events by which a reader looks elsewhere. */
const OWN = /** @type {const} */ (["wheel", "touchmove", "pointerdown", "keydown"]);

/** What has a heading of its own. */
const HEADED = "figure:has(h3, h4), [data-course], .panel";

/** How far a picture is moved, so that no line above it is cut; in pixels. */
const REACH = 80;

/** How far it may reach into the padding at each side for that. */
const SLACK = 4;

/** Frames in which nothing may move before the picture counts as found. */
const STILL = 10;

export function createRing() {
  /** @type {string | null} */
  let wanted = null;
  /** @type {Element | null} */
  let ringed = null;
  let isMoved = false;
  let still = 0;
  let before = "";
  let frame = 0;

  function clear() {
    ringed?.classList.remove(MARK);
    ringed = null;
  }

  function look() {
    frame = 0;
    if (wanted === null) return;
    const all = [...document.querySelectorAll(wanted)];
    if (!isMoved) for (const part of all) unfold(part);
    if (all.length === 0) drawAround(wanted);
    const target = all.find(isShown) ?? null;
    if (target !== ringed) ring(target);
    const size = `${innerWidth}×${innerHeight}`;
    if (target === null) [still, before] = [0, ""];
    else follow(target, `${size} ${placeOf(target)}`);
    if (still < STILL && !isMoved) frame = requestAnimationFrame(look);
    const { dataset } = document.documentElement;
    if (still >= STILL) dataset.guideStill = size;
    else delete dataset.guideStill;
  }

  /** @param {Element | null} next */
  function ring(next) {
    clear();
    ringed = next;
    next?.classList.add(MARK);
  }

  /** Count the frames in which it stands still. @param {Element} target @param {string} now where it is */
  function follow(target, now) {
    still = now === before && !isBusy(target) ? still + 1 : 0;
    before = now;
    if (!isMoved && still === 1) bringIntoSight(target);
  }

  function again() {
    if (wanted === null || frame !== 0) return;
    still = 0;
    frame = requestAnimationFrame(look);
  }

  // A picture may be made anew, or come into a page that has stood still.
  new ResizeObserver(again).observe(document.body);
  new MutationObserver(again).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["hidden", "aria-busy"],
  });
  for (const name of OWN)
    addEventListener(
      name,
      () => {
        isMoved = true;
      },
      { capture: true, passive: true },
    );

  return {
    /** @param {string | null} selector null for no ring */
    show(selector) {
      clear();
      wanted = selector;
      isMoved = false;
      before = "";
      delete document.documentElement.dataset.guideStill;
      again();
    },
  };
}

/** It may be in a panel that is drawn once it is opened. @param {string} wanted */
function drawAround(wanted) {
  const [part = "body"] = wanted.match(/^#[\w-]+/) ?? [];
  const folded = document.querySelector(part);
  if (folded !== null) drawFolded(folded);
}

/** @param {Element} element */
function isShown(element) {
  const { width, height } = element.getBoundingClientRect();
  return (
    width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  );
}

/** @param {Element} element */
function isBusy(element) {
  return element.closest('[aria-busy="true"]') !== null;
}

/** @param {Element} element */
function placeOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}

/**
 * All of it where there is room for that, with its heading if there is room for both; else
 * its beginning. A line of text at the upper edge is shown or hidden, not cut. Bars that stick to the window's edges are told by the page's scroll
 * padding.
 * @param {Element} element
 */
function bringIntoSight(element) {
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { edge, paddingTop, paddingBottom } = coveredHeight();
  const room = innerHeight - paddingTop - paddingBottom;
  const { top, bottom } = element.getBoundingClientRect();
  const heading = element.closest(HEADED)?.querySelector("h3, h4");
  const above = heading?.getBoundingClientRect().top ?? top;
  const from = bottom - above <= room ? Math.min(above, top) : top;
  const spare = Math.max(0, room - (bottom - from));
  scrollBy(0, from - paddingTop - spare / 2);
  const far = Math.min(REACH, spare / 2 + SLACK);
  const stage = element.closest(".stage") ?? document.body;
  const lines = linesBetween(stage, edge - REACH, edge + REACH);
  scrollBy(0, clearOf(lines, edge, { least: -far, most: far }));
}

/** How much of the window bars cover, at the top alone, and with a margin at both ends. */
function coveredHeight() {
  const style = getComputedStyle(document.documentElement);
  return {
    edge: Number.parseFloat(style.getPropertyValue("--bars-top")) || 0,
    paddingTop: Number.parseFloat(style.scrollPaddingTop) || 0,
    paddingBottom: Number.parseFloat(style.scrollPaddingBottom) || 0,
  };
}
