/**
 * What is compared of two images: as pictures of both and of their difference, and as pairs
 * of bars.
 * @import { ImageShape } from "../types.js"
 */
import { oneTile } from "../geometry/tiles.js";
import { differenceOf } from "../lib/arithmetic.js";
import { diverging, ink } from "../lib/color.js";
import { restOf } from "../lib/decimals.js";
import { fixed, signed } from "../lib/format.js";
import { greyOf, isColour } from "../lib/pixels.js";
import { paintHeatmap, paintImage } from "../paint/heatmap.js";
import { h } from "../ui/h.js";
import { beyondWords, MEAN } from "../ui/pictures.js";
import { valuesTable } from "../ui/values.js";
import { painted } from "./picture.js";
import { legend } from "./tiles.js";

/** What the two and their difference are called. */
const NAMES = /** @type {const} */ (["kept", "shown", "shown − kept"]);

const INK = ink();
const CHANGE = diverging(1);

/**
 * Two images, and their difference around zero.
 * @param {object} of
 * @param {string} of.label what the pictures show, for those who do not see them
 * @param {readonly [kept: ArrayLike<number>, shown: ArrayLike<number>]} of.values as many
 * @param {ImageShape} of.image the shape of each
 * @param {readonly [string, string, string]} [of.names] of the two and the difference
 * @param {readonly string[]} [of.more] what follows the names of the two
 */
export function trio({ label, values: [kept, shown], image, names = NAMES, more }) {
  const difference = differenceOf(shown, kept);
  const figures = [kept, shown, difference].map((values, i) => {
    const paint = (/** @type {HTMLCanvasElement} */ canvas) =>
      i < 2
        ? paintImage(canvas, Float32Array.from(values), image)
        : paintHeatmap(canvas, greyOf(difference, image), {
            ...oneTile(image),
            scale: CHANGE,
          });
    const look = { role: "img", "aria-label": `${label}: ${names[i]}` };
    const caption = more?.[i] ? `${names[i]}: ${more[i]}` : names[i];
    return h("figure", {}, painted(values, paint, look), h("figcaption", {}, caption));
  });
  const ofMean = image.channels > 1 ? MEAN : "";
  const beyond = beyondWords(CHANGE, [difference], "differences");
  const legends = [
    !isColour(image) &&
      legend(INK, `ink${beyondWords(INK, [kept, shown], "values")}`, 0),
    legend(CHANGE, `${names[2]}${ofMean}${beyond}`, 0),
  ];
  const foot = h("div", { class: "picture-triple-legends" }, legends);
  return h("div", { class: "picture-triple" }, figures, foot);
}

/**
 * A row for each pair of shares of 1 and its difference, with bars on one scale.
 * @param {object} of
 * @param {string} of.caption what the table holds
 * @param {string} of.of what the rows are
 * @param {readonly string[]} of.names of the rows
 * @param {readonly [kept: ArrayLike<number>, shown: ArrayLike<number>]} of.values
 * @param {number} of.focused row
 */
export function pairs({ caption, values: [kept, shown], of, names, focused }) {
  const write = (/** @type {number} */ value) => fixed(value, 3);
  const differences = names.map((_, i) => restOf(shown[i], [kept[i]], 3));
  const bars = names.map((_, i) =>
    h(
      "div",
      { class: "pair-bars" },
      [kept[i], shown[i]].map((value, which) =>
        h("i", {
          class: which === 0 ? "is-before" : "is-after",
          "--width": `${100 * Math.min(1, Math.abs(value))}%`,
        }),
      ),
    ),
  );
  const named = (/** @type {string} */ look, /** @type {string} */ name) =>
    h("span", {}, h("i", { class: `swatch ${look}` }), name);
  return valuesTable({
    caption: h("span", { class: "unseen" }, caption),
    look: "values pair-table",
    of,
    names,
    focused,
    columns: [
      ["0 to 1.00", bars],
      [named("is-before", NAMES[0]), kept, write],
      [named("is-after", NAMES[1]), shown, write],
      ["difference", differences, (by) => signed(by, 3)],
    ],
  });
}
