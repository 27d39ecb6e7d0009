/**
 * The test digits that changed sides at a count: pictures that lead to the bench.
 * @import { Services } from "../types.js"
 * @import { Count } from "./history.js"
 */
import { picture } from "../draw/picture.js";
import { capitalized, grouped } from "../lib/format.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";
import { createPictures } from "../ui/test-images.js";
import { changedWords, countWords } from "./words.js";

const MOST = 24; // pictures of each side
const CHOOSE =
  "Choose one to see it on the bench, and what this network makes of it at each moment.";

/**
 * @typedef {object} Sides
 * @property {readonly Count[]} counts up to the moment on show
 * @property {number} classes
 * @property {string} tested what one of the images is called
 * @property {string} whose after the title, of two runs
 * @property {string | null} dataset the id of that of the test digits; null: examples of
 *   one's own, which no data set has
 */

/**
 * @param {HTMLElement} root filled
 * @param {Services["server"]} server
 * @param {(dataset: string, index: number) => void} open
 */
export function mountSides(root, server, open) {
  const pictures = createPictures(server.fetchPictures, draw);
  /** @type {Sides | null} */
  let shown = null;

  function draw() {
    if (shown === null) return;
    const { counts, classes, tested, whose, dataset } = shown;
    const { gained = [], lost = [] } = counts.at(-1) ?? {};
    fill(
      root,
      h("h3", { id: "train-digits-title" }, `${capitalized(tested)}s${whose}`),
      h("p", { "data-count": "" }, countWords(counts, classes, tested)),
      h("p", {}, changedWords(counts, tested)),
      dataset !== null && [
        wall("Read correctly now", "is-gained", gained),
        wall("No longer", "is-lost", lost),
        h("p", { class: "fine" }, CHOOSE),
      ],
    );
  }

  /** @param {string} title @param {string} look @param {readonly number[]} indexes */
  function wall(title, look, indexes) {
    if (indexes.length === 0) return null;
    const some = indexes.slice(0, MOST);
    const isAll = some.length === indexes.length;
    const beyond = isAll
      ? ""
      : `, the first ${some.length} of ${grouped(indexes.length)}`;
    const found = pictures.of(some);
    const buttons = some.map((index, i) => {
      const name = `${capitalized(shown?.tested ?? "")} ${grouped(index)}: show it on the bench`;
      const act = () => open(shown?.dataset ?? "", index);
      const content = picture(found[i]?.pixels ?? null);
      return button(content, act, { class: look, title: name, "aria-label": name });
    });
    return [h("h4", {}, title + beyond), h("div", { class: "train-wall" }, buttons)];
  }

  return {
    /** @param {Sides} next */
    show(next) {
      shown = next;
      if (next.dataset !== null) pictures.useSet(next.dataset, true);
      draw();
    },
  };
}
