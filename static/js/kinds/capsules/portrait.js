/**
 * What a type of capsules, or a capsule alone, looks for: the mean of the patches that make
 * it long, how these differ, the few that did so most, and the classes that it speaks for.
 * @import { ImageShape } from "../../types.js"
 * @import { Layer, Model, Tensor } from "../types.js"
 * @import { Portraits } from "./types.js"
 */
import { exactShare } from "../../lib/decimals.js";
import { listed, percent, sentences, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { paintImage, paintImages } from "../../paint/heatmap.js";
import { signedBar } from "../../ui/bars.js";
import { findCanvas, findElement, make, setText } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/visibility.js";
import { isOfAnything } from "../legibility.js";
import { isAlone } from "./forms.js";

const GAP = 1; // px between patches

/**
 * @param {HTMLElement} root made by the template's macro `portrait`
 * @param {Layer} layer of the capsules
 */
export function mountPortrait(root, layer) {
  const title = findElement(root, "[data-portrait-title]");
  const finding = findElement(root, "[data-finding]");
  const mean = findCanvas(root, "[data-portrait-mean]");
  const ends = ["first", "last"].map((end) =>
    findCanvas(root, `[data-portrait-${end}]`),
  );
  const best = findCanvas(root, "[data-portrait-best]");
  const words = findElement(root, "[data-portrait-words]");
  const rows = findElement(root, "[data-portrait-rows]");
  const alone = isAlone(layer);

  const draw = memoize(
    (
      /** @type {Model} */ model,
      /** @type {Portraits} */ portraits,
      /** @type {number} */ type,
    ) => {
      const { mean: means, ends: both } = portraits;
      const shape = patchShape(means.shape, 1);
      const size = shape.channels * shape.rows * shape.columns;
      paintImage(mean, means.data.subarray(type * size, (type + 1) * size), shape);
      ends.forEach((canvas, i) => {
        const at = (2 * type + i) * size;
        paintImage(canvas, both.data.subarray(at, at + size), shape);
      });
      const support = supportOf(portraits, type);
      words.textContent = sentences([
        anythingInWords(portraits, model, type, alone),
        lengthsInWords(portraits, type, alone),
      ]);
      rows.replaceChildren(...supportRows(support, model.class_names));
      const { count, data } = patchesOf(portraits, type);
      const { rows: down, columns } = shape;
      const layout = { count, across: count, rows: down, columns, gap: GAP };
      paintImages(best, data, shape, layout);
    },
  );

  const drawSeen = showSeenFirst(best, draw);
  return {
    /**
     * @param {Model} model
     * @param {Readonly<Record<string, Tensor>> | null} measured `Portraits`; null: nothing was
     *   measured, or not yet here
     * @param {number} type
     */
    show(model, measured, type) {
      root.hidden = measured === null;
      if (measured === null) return;
      const portraits = /** @type {any} */ (measured);
      setText(title, `What ${alone ? "capsule" : "type"} ${type} looks for`);
      const support = supportOf(portraits, type);
      const seeks = isOfAnything(model, type) && "It answers to anything.";
      setText(finding, sentences([seeks, supportInWords(support, model.class_names)]));
      drawSeen(model, portraits, type);
    },
  };
}

/**
 * The shape of each picture in a tensor of them.
 * @param {readonly number[]} shape (types, …, rows, columns); of several channels, with an
 *   axis for these before the rows
 * @param {number} before axes before those of a picture
 * @returns {ImageShape}
 */
function patchShape(shape, before) {
  const [columns, rows, channels = 1] = shape.slice(before).toReversed();
  return { channels, rows, columns };
}

/**
 * The patches that made the type longest, as the network decodes them.
 * @param {Pick<Portraits, "decoded">} portraits @param {number} type
 * @returns {{ count: number, data: Float32Array }} data: (count, channels, rows, columns)
 */
export function patchesOf({ decoded: { shape, data } }, type) {
  const [types, count] = shape;
  const size = data.length / types;
  return { count, data: data.subarray(type * size, (type + 1) * size) };
}

/** @param {readonly number[]} support @param {readonly string[]} names */
function supportRows(support, names) {
  const most = Math.max(...support.map(Math.abs), 1e-9);
  return support.map((value, classIndex) => {
    const bar = make("td", "signed-bars", signedBar("is-after", value / most));
    const name = make("th", { scope: "row" }, names[classIndex]);
    return make("tr", "", name, bar, make("td", "", signed(value, 2)));
  });
}

/** Contributions below this are not worth a name; a digit's capsule is longer than 1. */
const LEAST = 0.01;
const NAMED = 3;

/**
 * What a type contributes to each digit on images of that digit.
 * @param {Pick<Portraits, "support">} portraits @param {number} type
 * @returns {number[]}
 */
function supportOf({ support: { shape, data } }, type) {
  return Array.from(data.subarray(type * shape[1], (type + 1) * shape[1]));
}

/**
 * Such as "It speaks most for 4 (+0.31) and 9 (+0.22), and against 7 (−0.05)."
 * @param {readonly number[]} support
 * @param {readonly string[]} names of the classes
 */
function supportInWords(support, names) {
  const order = support.map((value, classIndex) => ({ value, classIndex }));
  const rising = order.toSorted((a, b) => a.value - b.value);
  const against = rising.filter(({ value }) => value <= -LEAST).slice(0, NAMED);
  const speaksFor = rising
    .toReversed()
    .filter(({ value }) => value >= LEAST)
    .slice(0, NAMED);
  const list = (/** @type {typeof order} */ some) =>
    listed(
      some.map(({ value, classIndex }) => `${names[classIndex]} (${signed(value, 2)})`),
    );
  if (speaksFor.length === 0 && against.length === 0)
    return "It hardly speaks for or against any class.";
  if (speaksFor.length === 0)
    return `It speaks against ${list(against)}, and for none.`;
  return `It speaks most for ${list(speaksFor)}, and against ${against.length === 0 ? "none" : list(against)}.`;
}

/**
 * Of a type that is long nearly everywhere: its pictures are of what happened to lie there.
 * @param {Pick<Portraits, "lengths">} portraits @param {Pick<Model, "card">} model
 * @param {number} type @param {boolean} alone whether it is one capsule
 */
export function anythingInWords({ lengths: { data } }, model, type, alone) {
  if (!isOfAnything(model, type)) return "";
  const share = percent(data[2 * type] / data[2 * type + 1], 0);
  const long = alone
    ? `its mean length is ${share} of that where it is longest`
    : `the mean length of its capsules is ${share} of that of the longest`;
  return `It answers to anything: ${long}. So these pictures show what lay before it, not what it looks for.`;
}

/**
 * @param {Pick<Portraits, "lengths">} portraits @param {number} type
 * @param {boolean} [alone] whether it is one capsule
 */
export function lengthsInWords({ lengths: { data } }, type, alone = false) {
  const [all, longest] = [data[2 * type], data[2 * type + 1]];
  return alone
    ? `Its mean length is ${exactShare(all, 2)} over the test images read, and ${exactShare(longest, 2)} over the 1000 images for which it is longest.`
    : `Its capsules have a mean length of ${exactShare(all, 2)} over the test images read; the 1000 longest, of ${exactShare(longest, 2)}.`;
}
