/**
 * In the Lab on a narrow window, the way to the digit: a button that shows it, and unfolds
 * the bench, so that an experiment begins on the first screen.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { ink } from "../lib/color.js";
import { inkOf, sideOf } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { findCanvas, findElement, setText } from "../ui/dom.js";

/**
 * @param {HTMLElement} door a button
 * @param {HTMLElement} bench
 * @param {Store<AppState>} store
 */
export function mountDoor(door, bench, store) {
  const canvas = findCanvas(door, "canvas");
  const words = findElement(door, "[data-words]");
  let isOpen = false;

  function show() {
    const { pixels } = store.get();
    const isFolded = !isOpen && pixels !== null;
    bench.classList.toggle("is-folded", isFolded);
    door.setAttribute("aria-expanded", String(!isFolded));
    setText(
      words,
      isFolded ? "Draw or choose another digit" : "Back to the experiment",
    );
    door.hidden = pixels === null;
  }
  door.addEventListener("click", () => {
    isOpen = !isOpen;
    show();
  });
  store.watch(["pixels"], ({ pixels }) => {
    show();
    if (pixels === null) return;
    const side = sideOf(pixels);
    paintHeatmap(canvas, inkOf(pixels), { rows: side, columns: side, scale: ink() });
  });
}
