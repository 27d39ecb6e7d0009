/**
 * Three ways in for a picture: a button, a drop anywhere on the page, a paste.
 */
import { find } from "../ui/dom.js";

const MEGA = 2 ** 20; // bytes

/**
 * @param {{ drawing: HTMLElement, drop: HTMLElement }} parts drop: shown while a file is
 *   dragged over the page
 * @param {(file: File) => void} read
 * @param {(problem: string) => void} report
 */
export function mountUpload({ drawing, drop }, read, report) {
  const chooser = find(drawing, "[data-upload]", HTMLInputElement);
  const most = Number(chooser.dataset.mostBytes);
  // Here too, because a server may close the connection before it has read so much.
  const readUpload = (/** @type {File} */ file) => {
    const problem = problemOf(file, most);
    problem === null ? read(file) : report(problem);
  };
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

/**
 * @param {Pick<File, "name" | "size">} file
 * @param {number} most bytes
 * @returns {string | null} why a file cannot be sent, for people
 */
export function problemOf({ name, size }, most) {
  if (size === 0) return `“${name}” is empty. Choose a picture of a digit.`;
  if (size <= most) return null;
  const has = Math.ceil((10 * size) / MEGA) / 10; // up, so that it is above the limit
  return `“${name}” has ${has} MB; a picture may have at most ${most / MEGA} MB. Choose a smaller one.`;
}
