/**
 * Going through the iterations: playing them again and again, and stepping by key.
 * Readers who asked for less motion get steps in place of playing.
 */
import { find, findElement } from "./find.js";

const FRAME_MS = 1100; // each iteration stays so long when played
const SLOW_FRAME_MS = 3500;

/** What takes keys for itself. */
const CONTROLS = "button, input, select, textarea, summary, a, dialog, [role=tab]";

/** Keys that go on or back by one iteration. */
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
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest(CONTROLS)) return;
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      play(false);
      actions.showStep(Math.min(Math.max(state.step + by, 1), state.iterations));
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
