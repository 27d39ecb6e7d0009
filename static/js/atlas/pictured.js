/**
 * Test images as pictures: those selected, the one chosen, and buttons that show one.
 * @import { Pixels } from "../types.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { Known } from "./known.js"
 */
import { fixed, grouped, listed } from "../lib/format.js";
import { entries, groupName, isMisread, labelsOf, readingsOf } from "../lib/tested.js";
import { paintPixels } from "../paint/heatmap.js";
import { find, findCanvas, findElement, make, setText } from "../ui/dom.js";
import { createPictures } from "../ui/test-images.js";
import { mountTable } from "./table.js";

const WALL = 60; // pictures at a time

/**
 * @param {HTMLElement} root
 * @param {Known} known
 * @param {object} does
 * @param {(dataset: string, indexes: readonly number[]) => Promise<Pixels[]>} does.fetchPictures
 * @param {(point: number) => void} does.choose
 * @param {(point: number) => void} does.open elsewhere
 * @param {() => void} does.arrived some pictures have come
 */
export function mountPictured(root, known, { fetchPictures, choose, open, arrived }) {
  const wall = findElement(root, "[data-wall]");
  const more = find(root, "[data-more-pictures]", HTMLButtonElement);
  const openers = findElement(root, "[data-openers]");
  const chosen = findCanvas(root, "[data-point-picture]");
  /** Why there are no pictures; "" where there are. */
  let missing = "";
  let shown = WALL;
  /** @type {number | null} */
  let point = null;

  const table = mountTable(root, choose);
  const pictures = createPictures(fetchPictures, () => {
    for (const each of root.querySelectorAll("canvas[data-image]"))
      if (each instanceof HTMLCanvasElement) paintNumbered(each);
    showPointPicture();
    arrived();
  });

  /** @param {HTMLCanvasElement} picture */
  function paintNumbered(picture) {
    const [found] = pictures.of([Number(picture.dataset.image)]);
    if (found !== null) paintPixels(picture, found.pixels);
  }

  /** @param {number} index @param {string} caption */
  function button(index, caption) {
    const atlas = known.atlas();
    const made = make("button", { "data-index": String(index) });
    const picture = make("canvas", { "data-image": String(index) });
    picture.width = picture.height = 28; // until it comes
    if (missing === "") {
      made.append(picture);
      paintNumbered(picture);
    }
    made.append(caption !== "" || missing === "" ? caption : String(index));
    made.classList.toggle("is-misread", atlas !== null && isMisread(atlas, index));
    if (atlas !== null) made.title = pointWords(atlas, index);
    made.addEventListener("click", () => choose(index));
    made.addEventListener("dblclick", () => open(index));
    return made;
  }

  function showWall() {
    const atlas = known.atlas();
    if (atlas === null) return;
    const images = known.images();
    const some = images.slice(0, shown);
    wall.replaceChildren(
      ...some.map((index) => button(index, captionOf(atlas, index))),
    );
    table.show(atlas, some, known.map().places);
    more.hidden = some.length === images.length;
    const words =
      some.length === images.length
        ? ""
        : `The first ${grouped(some.length)} of ${grouped(images.length)}. `;
    setText(findElement(root, "[data-wall-words]"), words + missing);
    markPoint();
  }

  function markPoint() {
    for (const each of wall.children)
      if (each instanceof HTMLElement)
        each.setAttribute("aria-pressed", String(each.dataset.index === String(point)));
  }

  function showPointPicture() {
    const [found] = point === null || missing !== "" ? [null] : pictures.of([point]);
    chosen.hidden = found === null;
    if (found !== null) paintPixels(chosen, found.pixels);
  }

  more.addEventListener("click", () => {
    shown += WALL;
    showWall();
  });

  return {
    ...{ button, showWall, fetched: pictures.fetched },
    /** @param {number[]} images */
    canvases: (images) => pictures.of(images).map((each) => each?.canvas ?? null),
    isThere: () => missing === "",
    /** Begin with the first of those selected again. */
    fromTheFirst() {
      shown = WALL;
    },
    /** @param {string} id of the data set @param {string | undefined} why as in `whyBare` */
    useSet(id, why) {
      missing = why ?? "";
      pictures.useSet(id, why === "");
    },
    /** @param {number | null} image the one chosen */
    showPoint(image) {
      const atlas = known.atlas();
      point = atlas !== null && image !== null && image < atlas.count ? image : null;
      setText(
        findElement(root, "[data-point]"),
        atlas === null || point === null
          ? "Choose a point of the map or a picture, or find a number."
          : pointWords(atlas, point),
      );
      for (const part of ["[data-on-turntable]", "[data-turntable-words]"])
        findElement(root, part).hidden = !atlas?.views || point === null;
      openers.hidden = point === null || missing !== "";
      showPointPicture();
      markPoint();
    },
  };
}

/**
 * One test image in a sentence.
 * @param {Atlas} atlas @param {number} index
 */
export function pointWords(atlas, index) {
  const { names, each, sure, errors, score } = atlas;
  const labels = labelsOf(atlas, index).map((label) => names[label]);
  const readings = readingsOf(atlas, index).map((read) => names[read]);
  const reads = isMisread(atlas, index)
    ? `misread as ${listed(readings)}`
    : "read correctly";
  const scores = entries(sure, each, index).map((one) => fixed(one));
  const how =
    each === 1
      ? `with a ${score} of ${scores[0]}`
      : `with a ${score} of ${scores.map((one, k) => `${one} for ${readings[k]}`).join(" and of ")}`;
  const error =
    errors === null
      ? ""
      : `; mean squared error of its reconstruction ${fixed(errors[index], 4)}`;
  const noun = each === 1 ? "label" : "labels";
  return `Test image ${grouped(index)}: ${noun} ${listed(labels)}, ${reads} ${how}${error}.`;
}

/** @param {Atlas} atlas @param {number} index */
function captionOf(atlas, index) {
  const label = groupName(atlas, labelsOf(atlas, index));
  if (!isMisread(atlas, index)) return label;
  const reading = groupName(atlas, readingsOf(atlas, index));
  if (atlas.each === 1) return `${label} → ${reading}`;
  return `${label} →\u00a0${reading.replaceAll(" ", "\u00a0")}`; // a line for each pair
}
