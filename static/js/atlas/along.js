/**
 * Along one number of a class, or one property: real images at each value, beside those
 * that the decoder makes of the class's mean pose with that number moved.
 * @import { Model, Services, Tensor } from "../types.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { ClassNumbers } from "../lib/class-numbers.js"
 */
import { axisName, imagesAt, meanOf, valueAt } from "../lib/class-numbers.js";
import { latest } from "../lib/timing.js";
import { paintImage } from "../paint/heatmap.js";
import { find, findElement, make, setText } from "../ui/dom.js";
import { alongWords, canDecode, valueWords } from "./numbers-words.js";

const COLUMNS = 9; // values of the strip
const AT_EACH = 2; // real images at each of them
const NOW = 6; // real images at the value of the slider

/**
 * @typedef {object} Now
 * @property {Model} model
 * @property {Atlas} atlas
 * @property {ClassNumbers} numbers
 * @property {number} label the class
 * @property {number} across the axis
 * @property {{ along: number }} opened how far along it, in hundredths
 */

/**
 * @param {HTMLElement} folder
 * @param {object} does
 * @param {(patch: { along: number }) => void} does.set
 * @param {(index: number, caption: string) => HTMLButtonElement} does.button
 * @param {Services["server"]["computeTensors"]} does.computeTensors
 * @param {Services["guarded"]} does.guarded
 */
export function mountAlong(folder, does) {
  const slider = find(folder, "[data-along]", HTMLInputElement);
  /** @type {Now | null} */
  let shown = null;

  /** @type {{ key: string, images: Tensor["data"] } | null} of the strip */
  let drawn = null;
  /** @typedef {{ model: Model, label: number, poses: number[][], key: string }} Wish */
  const askStrip = latest(
    does.guarded(async (/** @type {Wish} */ wish) => {
      drawn = { key: wish.key, images: await decoded(wish) };
      paintDecoded();
    }),
  );
  const askNow = latest(
    does.guarded(async (/** @type {Wish} */ wish) => {
      const images = await decoded(wish);
      const picture = folder.querySelector("[data-along-now] canvas[data-decoded]");
      if (picture instanceof HTMLCanvasElement)
        paintOne(picture, wish.model, images, 0);
    }),
  );
  /** @param {Wish} wish */
  async function decoded({ model, label, poses }) {
    const body = { digit: label, poses };
    const { images } = await does.computeTensors(model, "reconstruct", body);
    return images.data;
  }

  /**
   * @param {HTMLCanvasElement} picture @param {Model} model
   * @param {ArrayLike<number>} images @param {number} which
   */
  function paintOne(
    picture,
    { input_shape: [channels, rows, columns] },
    images,
    which,
  ) {
    const size = channels * rows * columns;
    const one = Float32Array.from({ length: size }, (_, i) => images[which * size + i]);
    paintImage(picture, one, { channels, rows, columns });
  }

  function paintDecoded() {
    if (shown === null || drawn?.key !== stripKey(shown)) return;
    const { images } = drawn;
    const { model } = shown;
    folder
      .querySelectorAll("[data-along-strip] canvas[data-decoded]")
      .forEach((picture, k) => {
        if (picture instanceof HTMLCanvasElement) paintOne(picture, model, images, k);
      });
  }

  /** @param {Now} now */
  const stripKey = ({ model, label, across }) => `${model.id} ${label} ${across}`;

  /** @param {Now} now @param {number} value */
  function poseAt({ numbers, label, across }, value) {
    return meanOf(numbers, label).map((each, j) => (j === across ? value : each));
  }

  /** The key of the strip on show. */
  let strip = "";
  /** @param {Now} now */
  function showStrip(now) {
    const { model, numbers, label, across } = now;
    const key = stripKey(now);
    if (strip === key) return;
    strip = key;
    const isDecoded = canDecode(model) && across < numbers.numbers;
    const shares = Array.from({ length: COLUMNS }, (_, k) => k / (COLUMNS - 1));
    const values = shares.map((share) => valueAt(numbers, label, across, share));
    findElement(folder, "[data-along-strip]").replaceChildren(
      ...values.map((value, k) => {
        const column = make("div");
        const go = make("button", { type: "button" }, valueWords(now, value));
        go.addEventListener("click", () =>
          does.set({ along: Math.round(100 * shares[k]) }),
        );
        const real = imagesAt(numbers, label, across, value, AT_EACH);
        column.append(go);
        if (isDecoded)
          column.append(decodedCanvas(`decoded at ${valueWords(now, value)}`));
        column.append(...real.map((image) => does.button(image, "")));
        return column;
      }),
    );
    if (isDecoded) {
      const poses = values.map((value) => poseAt(now, value));
      askStrip({ model, label, poses, key });
    }
  }

  /** @param {string} words */
  const decodedCanvas = (words) =>
    make("canvas", { "data-decoded": "", role: "img", "aria-label": words });

  let position = "";
  /** @param {Now} now */
  function showNow(now) {
    const { atlas, model, numbers, label, across, opened } = now;
    const value = valueAt(numbers, label, across, opened.along / 100);
    if (slider.value !== String(opened.along)) slider.value = String(opened.along);
    const isDecoded = canDecode(model) && across < numbers.numbers;
    const name = axisName(numbers, across);
    slider.setAttribute("aria-valuetext", `${name}: ${valueWords(now, value)}`);
    const key = `${stripKey(now)} ${opened.along}`;
    if (position === key) return;
    position = key;
    const place = findElement(folder, "[data-along-now]");
    const images = imagesAt(numbers, label, across, value, NOW);
    const real = make("div", { class: "atlas-nearest" });
    real.append(
      ...images.map((image) =>
        does.button(image, valueWords(now, numbers.values[across][image])),
      ),
    );
    if (isDecoded && place.querySelector("canvas[data-decoded]") === null)
      place.replaceChildren(decodedCanvas(""), real);
    else if (isDecoded) place.lastElementChild?.replaceWith(real);
    else place.replaceChildren(real);
    place
      .querySelector("canvas[data-decoded]")
      ?.setAttribute("aria-label", `decoded with ${name} at ${valueWords(now, value)}`);
    setText(
      findElement(folder, "[data-along-words]"),
      alongWords(atlas, numbers, { label, axis: across }, images.length, isDecoded),
    );
    if (isDecoded) askNow({ model, label, poses: [poseAt(now, value)], key });
  }

  slider.addEventListener("input", () => does.set({ along: Number(slider.value) }));

  return {
    /** @param {Now} now */
    show(now) {
      if (now.model !== shown?.model) strip = position = "";
      shown = now;
      const name = axisName(now.numbers, now.across);
      setText(findElement(folder, "[data-along-title]"), `Along ${name}`);
      showStrip(now);
      showNow(now);
    },
  };
}
