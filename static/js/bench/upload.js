/**
 * Three ways in for a picture: a button, a drop anywhere on the page, a paste.
 */
import { find } from "../ui/find.js";

/**
 * @param {{ drawing: HTMLElement, drop: HTMLElement }} parts drop: shown while a file is
 *   dragged over the page
 * @param {(file: File) => void} readUpload
 */
export function mountUpload({ drawing, drop }, readUpload) {
  const chooser = find(drawing, "[data-upload]", HTMLInputElement);
  chooser.addEventListener("change", () => {
    const [file] = chooser.files ?? [];
    if (file) readUpload(file);
    chooser.value = ""; // so that the same file can be chosen again
  });

  document.addEventListener("paste", ({ clipboardData }) => {
    const [file] = clipboardData?.files ?? [];
    if (file) readUpload(file);
  });

  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.hidden = false;
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) drop.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    drop.hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    readUpload(file);
  });
}
