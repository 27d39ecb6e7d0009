/**
 * Motion: playing the iterations, and moving a picture from one set of values to the
 * next. Readers who asked for less motion get steps.
 */
import { clamp } from "../lib/arithmetic.js";
import { latinOf } from "../lib/keys.js";
import { hasModifier } from "./controls.js";
import { find, findElement } from "./dom.js";

const FRAME_MS = 1100; // each iteration stays so long when played

/** Elements that use keys themselves. */
const CONTROLS = "button, input, select, textarea, summary, a, dialog, [role=tab]";

/** Keys for the next and the previous iteration. */
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ",": -1, ".": 1 };

/** @typedef {{ step: number, iterations: number }} At step 1..iterations */

/**
 * @typedef {object} PlayedStore
 * @property {() => At | null} get null while the view is closed
 * @property {() => At | null} shown what was on show last
 * @property {(job: () => void) => void} whenClosed
 */

/**
 * A button that plays: it advances again and again; for readers who asked for less motion,
 * by one step.
 * @param {HTMLElement} root @param {object} does
 * @param {() => boolean} does.advance false where that was the last step
 * @param {number} does.pace_ms between two steps
 * @param {{ play: string, step: [sign: string, word: string] }} names
 */
export function createPlayer(root, { advance, pace_ms }, names) {
  const button = find(root, "[data-play]", HTMLButtonElement);
  const sign = findElement(button, "[data-play-sign]");
  const word = findElement(button, "[data-play-word]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;

  const isPlaying = () => timer !== 0;
  /** @param {boolean} isWanted */
  function play(isWanted) {
    clearInterval(timer);
    timer = 0;
    if (isWanted && advance() && !calm.matches) timer = setInterval(advance, pace_ms);
    const still = calm.matches ? names.step : ["▶", names.play];
    const [mark, text] = isPlaying() ? ["❚❚", "Pause"] : still;
    sign.textContent = mark;
    word.textContent = text;
    if (button.ariaPressed !== null) button.ariaPressed = String(isPlaying());
  }

  button.addEventListener("click", () => play(!isPlaying()));
  calm.addEventListener("change", () => play(false));
  play(false);
  return { isPlaying, play };
}

/**
 * Go through the iterations: play them again and again, and step by key; the space bar comes
 * back from the last to the first.
 * @param {HTMLElement} root @param {PlayedStore} store
 * @param {{ showStep: (step: number) => void }} actions
 */
export function mountPlay(root, store, actions) {
  const player = createPlayer(
    root,
    { advance, pace_ms: FRAME_MS },
    { play: "Play", step: ["▸", "Step"] },
  );
  function advance() {
    const state = store.shown();
    if (state === null) return true;
    const { step, iterations } = state;
    actions.showStep(step >= iterations ? 1 : step + 1);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const state = store.get();
    if (state === null || event.defaultPrevented) return;
    if (hasModifier(event)) return;
    if (event.target instanceof Element && event.target.closest(CONTROLS)) return;
    const by = STEPS[latinOf(event)];
    if (by !== undefined) {
      event.preventDefault();
      player.play(false);
      actions.showStep(clamp(state.step + by, 1, state.iterations));
    } else if (event.key === " ") {
      event.preventDefault();
      player.play(false);
      advance();
    }
  });
  store.whenClosed(() => {
    if (player.isPlaying()) player.play(false);
  });
  return player;
}

const DURATION_MS = 350;

/**
 * Move a picture from one set of values to the next, unless the reader prefers not.
 * @template Values
 * @param {(values: Values) => void} draw
 * @param {(from: Values, to: Values, share: number) => Values} blend
 * @returns {(from: Values, to: Values) => void} a later move replaces an earlier one
 */
export function tween(draw, blend) {
  let frame = 0;
  return (from, to) => {
    cancelAnimationFrame(frame);
    if (from === to || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      draw(to);
      return;
    }
    const start = performance.now();
    /** @param {number} now */
    function advance(now) {
      const share = clamp((now - start) / DURATION_MS, 0, 1);
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

const GROW_MS = 320;

/**
 * Show in one movement that what opens is what stood there: a frame grows from the place
 * that was chosen to what has opened; for readers who asked for less motion, nothing moves.
 * @param {DOMRect} from @param {Element} opened
 */
export function grow(from, opened) {
  const to = opened.getBoundingClientRect();
  const frame = document.createElement("div");
  frame.className = "growing";
  frame.setAttribute("aria-hidden", "true");
  document.body.append(frame);
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const bottom = Math.min(to.bottom, innerHeight);
  const at = (
    /** @type {number[]} */ [x, top, width, height],
    /** @type {number} */ opacity,
  ) => ({
    left: `${x}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    opacity,
  });
  const moved = frame.animate(
    [
      at([from.left, from.top, from.width, from.height], 1),
      {
        ...at([to.left, to.top, to.width, Math.max(40, bottom - to.top)], 0.9),
        offset: 0.8,
      },
      at([to.left, to.top, to.width, Math.max(40, bottom - to.top)], 0),
    ],
    { duration: isCalm ? 0 : GROW_MS, easing: "ease-out" },
  );
  moved.finished.then(() => frame.remove());
}
