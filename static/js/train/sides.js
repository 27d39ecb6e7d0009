/**
 * The test digits that changed sides at a count: pictures that lead to the bench.
 * @import { Services } from "../types.js"
 * @import { Count } from "./history.js"
 */
import { picture } from "../draw/picture.js";
import { findElement, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";
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
  const pictures = createPictures(server.fetchPictures, draw);
  let dataset = /** @type {string | null} */ (null);
  let shown = /** @type {Count | null} */ (null);

  function draw() {
    if (dataset === null) return fill(holder);
    fill(
      holder,
      wall("Read correctly now", "is-gained", shown?.gained ?? []),
      wall("No longer", "is-lost", shown?.lost ?? []),
    );
  }

  /** @param {string} title @param {string} look @param {readonly number[]} indexes */
  function wall(title, look, indexes) {
    if (indexes.length === 0) return null;
    const some = indexes.slice(0, MOST);
    const isAll = some.length === indexes.length;
    const beyond = isAll ? "" : `, the first ${some.length} of ${indexes.length}`;
    const found = pictures.of(some);
    const buttons = some.map((index, i) => {
      const name = `Test digit ${index}: show it on the bench`;
      const act = () => open(dataset ?? "", index);
      const content = picture(found[i]?.pixels ?? null);
      return button(content, act, { class: look, title: name, "aria-label": name });
    });
    return [h("h4", {}, title + beyond), h("div", { class: "train-wall" }, buttons)];
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
      [shown, dataset] = [counts.at(-1) ?? null, id];
      if (id !== null) pictures.useSet(id, true);
      draw();
    },
  };
}
