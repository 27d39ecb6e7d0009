/** Drawing what is on the screen only, and once a frame however often it is asked for. */

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
  let frame = 0;

  function drawIfStale() {
    frame = 0;
    if (!isStale) return;
    isStale = false;
    draw();
  }
  function ask() {
    isStale = true;
    if (isSeen && frame === 0) frame = requestAnimationFrame(drawIfStale);
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
