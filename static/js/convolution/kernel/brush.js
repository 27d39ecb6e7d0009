/**
 * Painting weights with the pointer: what it does on the cells is chosen beside them.
 */
import { listenToChoices } from "../../ui/controls.js";

/**
 * @param {HTMLElement} choices buttons whose value is a weight, or "type"
 * @param {HTMLElement} grid of equal cells, as many across as down
 * @param {(row: number, column: number, weight: number, kind: string) => void} paint
 */
export function mountBrush(choices, grid, paint) {
  /** @type {number | null} null: the pointer types */
  let weight = null;
  let strokes = 0;
  let isDown = false;

  listenToChoices(choices, (value) => {
    weight = value === "type" ? null : Number(value);
    grid.classList.toggle("is-painted", weight !== null);
  });

  /** @param {PointerEvent} event */
  function paintUnder({ clientX, clientY }) {
    const { left, top, width, height } = grid.getBoundingClientRect();
    const size = Number(grid.getAttribute("aria-rowcount"));
    const column = Math.floor(((clientX - left) / width) * size);
    const row = Math.floor(((clientY - top) / height) * size);
    const isInside = [row, column].every((at) => at >= 0 && at < size);
    if (weight !== null && isInside) paint(row, column, weight, `stroke ${strokes}`);
  }

  grid.addEventListener("pointerdown", (event) => {
    if (weight === null || event.button !== 0) return;
    strokes++;
    isDown = true;
    grid.setPointerCapture(event.pointerId);
    paintUnder(event);
  });
  grid.addEventListener("pointermove", (event) => {
    if (isDown) paintUnder(event);
  });
  for (const end of ["pointerup", "pointercancel"])
    grid.addEventListener(end, () => {
      isDown = false;
    });
  // A cell that is painted is not typed into.
  grid.addEventListener("mousedown", (event) => {
    if (weight !== null) event.preventDefault();
  });
}
