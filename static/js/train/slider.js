/**
 * A slider over moments with buttons beside it: one before, one after, and playing them.
 * @import { Content } from "../ui/h.js"
 */
import { clamp } from "../lib/arithmetic.js";
import { fill, h } from "../ui/h.js";
import { button, HIDDEN } from "../ui/inputs.js";
import { createPlayer } from "../ui/motion.js";

const PACE_MS = 700; // each moment stays so long when played

/**
 * @param {HTMLElement} root filled
 * @param {(place: number) => void} goTo told of a place that there is
 * @param {boolean} [isLate] whether what is on show comes later: a hand on the slider is
 *   left alone, and nothing plays
 */
export function mountSlider(root, goTo, isLate = false) {
  let [index, count] = [-1, 0];
  let rest = () => {};

  /** @param {number} next */
  function turnTo(next) {
    rest();
    if (count > 0) goTo(clamp(next, 0, count - 1));
  }

  /**
   * @param {number} at the place on show; -1: there is none
   * @param {number} of how many there are @param {string} words on that place
   * @param {Content} [more] beside it
   */
  function show(at, of, words, more) {
    [index, count] = [at, of];
    const [last, input] = [Math.max(0, count - 1), root.querySelector("input")];
    const isHeld = isLate && input !== null && input === document.activeElement;
    const look = { type: "range", min: "0", max: String(last), step: "1" };
    fill(
      root,
      !isLate &&
        h(
          "button",
          { "data-play": "" },
          h("span", { "aria-hidden": "true", "data-play-sign": "" }),
          " ",
          h("span", { "data-play-word": "" }),
        ),
      button("‹", () => turnTo(index - 1), {
        "aria-label": "The snapshot before",
        disabled: index <= 0,
      }),
      h("input", {
        ...look,
        value: isHeld ? input.value : String(Math.max(0, index)),
        "aria-label": "Snapshot",
        "aria-valuetext": words,
        disabled: count < 2,
        oninput: (/** @type {any} */ { target }) => turnTo(target.valueAsNumber),
      }),
      button("›", () => turnTo(index + 1), {
        "aria-label": "The next snapshot",
        disabled: index < 0 || index >= last,
      }),
      h("output", HIDDEN, words),
      more,
    );
  }
  show(-1, 0, "");
  if (!isLate) rest = isPlaying();

  function isPlaying() {
    const advance = () => {
      if (index < 0 || count < 2) return false;
      const isAtEnd = index >= count - 1;
      const isOver = isAtEnd && player.isPlaying();
      if (isOver) player.play(false);
      else goTo(isAtEnd ? 0 : index + 1);
      return !isOver;
    };
    const player = createPlayer(
      root,
      { advance, pace_ms: PACE_MS },
      { play: "Play", step: ["▸", "Step"] },
    );
    return () => {
      if (player.isPlaying()) player.play(false);
    };
  }

  return { show, /** No more moves. */ rest };
}
