/**
 * Motion: playing the iterations, and moving a picture from one set of values to the
 * next. Readers who asked for less motion get steps.
 */
import { clamp } from "../lib/arithmetic.js";
import { hasModifier } from "./controls.js";
import { find, findElement } from "./dom.js";

const FRAME_MS = 1100; // each iteration stays so long when played
const SLOW_FRAME_MS = 3500;

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
 * Go through the iterations: play them again and again, and step by key.
 * @param {HTMLElement} root
 * @param {PlayedStore} store
 * @param {{ showStep: (step: number) => void }} actions
 * @param {() => boolean} [isSlow] asked when playing begins
 * @returns {{ keepPace: () => void }} to be called when the pace has changed
 */
export function mountPlay(root, store, actions, isSlow = () => false) {
  const button = find(root, "[data-play]", HTMLButtonElement);
  const sign = findElement(button, "[data-play-sign]");
  const word = findElement(button, "[data-play-word]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;

  /** @param {boolean} isPlaying */
  function play(isPlaying) {
    clearInterval(timer);
    timer = 0;
    if (isPlaying) {
      advance();
      if (!calm.matches) begin();
    }
    name();
  }
  function begin() {
    timer = setInterval(advance, isSlow() ? SLOW_FRAME_MS : FRAME_MS);
  }
  function name() {
    const isPlaying = timer !== 0;
    button.setAttribute("aria-pressed", String(isPlaying));
    sign.textContent = isPlaying ? "⏸" : calm.matches ? "▸" : "▶";
    word.textContent = isPlaying ? "Pause" : calm.matches ? "Step" : "Play";
  }
  function advance() {
    const state = store.shown();
    if (state === null) return;
    const { step, iterations } = state;
    actions.showStep(step >= iterations ? 1 : step + 1);
  }

  button.addEventListener("click", () => play(timer === 0));
  calm.addEventListener("change", () => play(false));
  document.addEventListener("keydown", (event) => {
    const state = store.get();
    if (state === null || event.defaultPrevented) return;
    if (hasModifier(event)) return;
    if (event.target instanceof Element && event.target.closest(CONTROLS)) return;
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      play(false);
      actions.showStep(clamp(state.step + by, 1, state.iterations));
    } else if (event.key === " ") {
      event.preventDefault();
      play(timer === 0);
    }
  });
  store.whenClosed(() => {
    if (timer !== 0) play(false);
  });
  name();
  return {
    keepPace() {
      if (timer === 0) return;
      clearInterval(timer);
      begin();
    },
  };
}

const DURATION_MS = 350;
const SLOW_MS = 1400;

/**
 * Move a picture from one set of values to the next, unless the reader prefers not.
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
      const share = clamp((now - start) / duration, 0, 1);
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
