/**
 * A slider over moments with buttons beside it: one before, one after, and playing them.
 */
import { clamp } from "../lib/arithmetic.js";
import { find, findElement, setAria, setText } from "../ui/dom.js";
import { createPlayer } from "../ui/motion.js";

const PACE_MS = 700; // each moment stays so long when played

/**
 * @param {HTMLElement} root
 * @param {(place: number) => void} goTo told of a place that there is
 */
export function mountSlider(root, goTo) {
  const slider = find(root, "[data-time]", HTMLInputElement);
  const [before, after] = ["before", "after"].map((name) =>
    find(root, `[data-${name}]`, HTMLButtonElement),
  );
  let [place, count] = [-1, 0];

  /** @param {number} next */
  function turnTo(next) {
    if (count > 0) goTo(clamp(next, 0, count - 1));
  }
  const player = createPlayer(
    root,
    {
      advance() {
        const last = count - 1;
        if (place < 0 || last < 1) return false;
        const isAtEnd = place >= last;
        if (isAtEnd && player.isPlaying()) {
          player.play(false);
          return false;
        }
        turnTo(isAtEnd ? 0 : place + 1);
        return true;
      },
      pace_ms: () => PACE_MS,
    },
    { play: "Play", step: ["▸", "Step"] },
  );
  const rest = () => {
    if (player.isPlaying()) player.play(false);
  };
  slider.addEventListener("input", () => {
    rest();
    turnTo(slider.valueAsNumber);
  });
  for (const [button, by] of /** @type {const} */ ([
    [before, -1],
    [after, 1],
  ]))
    button.addEventListener("click", () => {
      rest();
      turnTo(place + by);
    });

  return {
    /** No more moves. */
    rest,

    /**
     * @param {number} at the place on show; -1: there is none
     * @param {number} of how many there are @param {string} words on that place
     */
    show(at, of, words) {
      [place, count] = [at, of];
      slider.max = String(Math.max(0, count - 1));
      slider.value = String(Math.max(0, place));
      slider.disabled = count < 2;
      before.disabled = place <= 0;
      after.disabled = place < 0 || place >= count - 1;
      setText(findElement(root, "[data-at]"), words);
      setAria(slider, { "aria-valuetext": words });
    },
  };
}
