/**
 * The kernel slides over the image and writes its map, pixel by pixel: to play, to scrub,
 * and to step through.
 * @import { Place, Reading } from "./types.js"
 */
import { listenToChoices } from "../../ui/controls.js";
import { find, findElement } from "../../ui/dom.js";

/** Between two positions, in milliseconds. */
const PACES = { slow: 250, fast: 33 };

/**
 * @param {HTMLElement} root
 * @param {object} hooks
 * @param {(place: Place) => void} hooks.choose where the kernel stands
 * @param {(last: Place | null) => void} hooks.cover what is written last; null: all is
 */
export function mountSlide(root, { choose, cover }) {
  const button = find(root, "[data-play]", HTMLButtonElement);
  const sign = findElement(button, "[data-play-sign]");
  const word = findElement(button, "[data-play-word]");
  const scrubber = find(root, "[data-position]", HTMLInputElement);
  const output = findElement(root, "[data-position-value]");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let across = 1;
  let last = 0;
  let at = 0;
  let pace = PACES.fast;
  let timer = 0;
  let isSliding = false;

  const placeAt = (/** @type {number} */ index) => ({
    row: Math.floor(index / across),
    column: index % across,
  });

  /** @param {number} index */
  function slideTo(index) {
    isSliding = true;
    at = index;
    choose(placeAt(index));
    if (index === last) rest();
    else cover(placeAt(index));
  }

  /** The whole map is shown again. */
  function rest() {
    isSliding = false;
    pause();
    cover(null);
  }

  function step() {
    slideTo(isSliding ? at + 1 : 0);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    label();
  }

  function label() {
    const [mark, text] = still.matches
      ? ["⏭", "Step"]
      : timer === 0
        ? ["▶", "Slide the kernel"]
        : ["⏸", "Pause"];
    sign.textContent = mark;
    word.textContent = text;
  }

  button.addEventListener("click", () => {
    if (timer !== 0) return pause();
    step();
    if (!still.matches && isSliding) timer = setInterval(step, pace);
    label();
  });
  scrubber.addEventListener("input", () => {
    pause();
    slideTo(Number(scrubber.value));
  });
  listenToChoices(findElement(root, "[data-paces]"), (value) => {
    pace = value === "slow" ? PACES.slow : PACES.fast;
    if (timer === 0) return;
    clearInterval(timer);
    timer = setInterval(step, pace);
  });
  still.addEventListener("change", pause);
  label();

  return {
    /**
     * @param {Pick<Reading, "before" | "across">} map
     * @param {Place} place
     */
    show(map, { row, column }) {
      const index = row * map.across + column;
      // Chosen elsewhere, or on another map: the walk is over.
      const isElsewhere = index !== at || map.across !== across;
      across = map.across;
      last = map.before.length - 1;
      at = index;
      if (isElsewhere && isSliding) rest();
      scrubber.max = String(last);
      scrubber.value = String(index);
      const words = `position ${index + 1} of ${last + 1}`;
      scrubber.setAttribute(
        "aria-valuetext",
        `${words}: row ${row}, column ${column}, ${map.before[index].toFixed(3)} before ReLU`,
      );
      output.textContent = words;
    },

    pause,
  };
}
