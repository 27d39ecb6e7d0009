/**
 * The test digits that changed sides at a count: pictures that lead to the bench.
 * @import { Services } from "../types.js"
 * @import { Count } from "./history.js"
 */
import { paintPixels } from "../paint/heatmap.js";
import { findElement, make, setText } from "../ui/dom.js";
import { createPictures } from "../ui/test-images.js";
import { changedWords, countWords } from "./words.js";

const MOST = 24; // pictures of each side

/**
 * @param {HTMLElement} root
 * @param {Services["server"]} server
 * @param {(dataset: string, index: number) => void} open
 */
export function mountSides(root, server, open) {
  const holder = findElement(root, "[data-sides]");
  const pictures = createPictures(server.fetchPictures, paint);
  /** @type {string | null} */
  let dataset = "";
  /** @type {Count | null} */
  let shown = null;

  function paint() {
    for (const canvas of holder.querySelectorAll("canvas")) {
      const [found] = pictures.of([Number(canvas.dataset.image)]);
      if (found !== null) paintPixels(canvas, found.pixels);
    }
  }

  /** @param {string} title @param {string} look @param {readonly number[]} indexes */
  function wall(title, look, indexes) {
    if (indexes.length === 0) return [];
    const some = indexes.slice(0, MOST);
    const beyond =
      some.length < indexes.length
        ? `, the first ${some.length} of ${indexes.length}`
        : "";
    const buttons = some.map((index) => {
      const canvas = make("canvas", { "data-image": String(index) });
      canvas.width = canvas.height = 28;
      const name = `Test digit ${index}: show it on the bench`;
      const button = make(
        "button",
        { class: look, title: name, "aria-label": name },
        canvas,
      );
      button.addEventListener("click", () => open(dataset ?? "", index));
      return button;
    });
    return [make("h4", "", title + beyond), make("div", "train-wall", ...buttons)];
  }

  return {
    /**
     * @param {readonly Count[]} counts up to the moment on show
     * @param {number} classes
     * @param {string} tested what one of the images is called
     * @param {string | null} id of the data set of the test digits; null: examples of
     *   one's own, which no data set has
     */
    show(counts, classes, tested, id) {
      setText(findElement(root, "[data-count]"), countWords(counts, classes, tested));
      setText(findElement(root, "[data-changed]"), changedWords(counts, tested));
      findElement(root, "[data-choose]").hidden = id === null;
      const count = counts.at(-1) ?? null;
      if (count === shown && id === dataset) return;
      [shown, dataset] = [count, id];
      if (id === null) return holder.replaceChildren();
      pictures.useSet(id, true);
      holder.replaceChildren(
        ...wall("Read correctly now", "is-gained", count?.gained ?? []),
        ...wall("No longer", "is-lost", count?.lost ?? []),
      );
      paint();
    },
  };
}
