/**
 * The kernel slides over the image and writes its map, pixel by pixel: to play, to scrub,
 * and to step through.
 * @import { Place, Reading } from "./types.js"
 */
import { find, findElement } from "../../ui/dom.js";
import { createPlayer } from "../../ui/motion.js";

const PACE_MS = 33; // between two positions

/**
 * @param {HTMLElement} root @param {object} hooks
 * @param {(place: Place) => void} hooks.choose where the kernel stands
 * @param {(last: Place | null) => void} hooks.cover what is written last; null: all is
 */
export function mountSlide(root, { choose, cover }) {
  const scrubber = find(root, "[data-position]", HTMLInputElement);
  const output = findElement(root, "[data-position-value]");
  let across = 1;
  let last = 0;
  let at = 0;
  let isSliding = false;

  const player = createPlayer(
    root,
    { advance: () => slideTo(isSliding ? at + 1 : 0), pace_ms: PACE_MS },
    { play: "Slide the kernel", step: ["▸", "Step"] },
  );
  const pause = () => player.play(false);

  /** @param {number} index @returns {boolean} whether the walk goes on */
  function slideTo(index) {
    const position = { row: Math.floor(index / across), column: index % across };
    isSliding = true;
    at = index;
    choose(position);
    if (index === last) rest();
    else cover(position);
    return isSliding;
  }

  /** The whole map is shown again. */
  function rest() {
    isSliding = false;
    pause();
    cover(null);
  }

  scrubber.addEventListener("input", () => {
    pause();
    slideTo(Number(scrubber.value));
  });

  return {
    /** @param {Pick<Reading, "before" | "across">} map @param {Place} place */
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
