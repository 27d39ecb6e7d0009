/**
 * Values of two images: as pictures of both and of their difference, and as pairs of bars.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 * @import { ImageShape } from "../types.js"
 */
import { oneTile } from "../geometry/tiles.js";
import { differenceOf, reach } from "../lib/arithmetic.js";
import { diverging, ink } from "../lib/color.js";
import { restOf } from "../lib/decimals.js";
import { fixed, signed } from "../lib/format.js";
import { greyOf, isColour } from "../lib/pixels.js";
import { paintHeatmap, paintImage, paintTiles } from "../paint/heatmap.js";
import { h } from "../ui/h.js";
import { beyondWords, MEAN } from "../ui/pictures.js";
import { valuesTable } from "../ui/values.js";
import { painted } from "./picture.js";
import { legend } from "./tiles.js";

/** What the two and their difference are called. */
const NAMES = /** @type {const} */ (["kept", "shown", "shown − kept"]);

/**
 * @typedef {object} Trio
 * @property {string} label what the pictures show, for those who do not see them
 * @property {readonly [kept: ArrayLike<number>, shown: ArrayLike<number>]} values as many
 * @property {Layout} layout of each picture
 * @property {ImageShape} [image] where they are images, which may have colours
 * @property {Scale} scale of both; the legend says where values go beyond it
 * @property {string} unit of both
 * @property {number} [decimals] of the legends' ends
 * @property {number} [most] end of the difference's scale; the largest difference when absent
 * @property {readonly [string, string, string]} [names] of the two and the difference
 * @property {readonly string[]} [more] what follows the names of the two
 */

/**
 * The two on one scale, the difference on its own, around zero.
 * @param {Trio} trio
 */
export function trio({ values: [kept, shown], most, names = NAMES, more, ...of }) {
  const { label, layout, image, scale, unit, decimals } = of;
  const difference = differenceOf(shown, kept);
  const change = diverging(most ?? (reach(difference) || 1));
  const figures = [kept, shown, difference].map((values, i) => {
    const own = i < 2 ? scale : change;
    const paint = (/** @type {HTMLCanvasElement} */ canvas) => {
      if (image === undefined) paintTiles(canvas, values, layout, () => own);
      else if (i < 2) paintImage(canvas, Float32Array.from(values), image);
      else
        paintHeatmap(canvas, greyOf(difference, image), { ...layout, scale: change });
    };
    const look = { role: "img", "aria-label": `${label}: ${names[i]}` };
    const caption = more?.[i] ? `${names[i]}: ${more[i]}` : names[i];
    return h("figure", {}, painted(of, paint, look), h("figcaption", {}, caption));
  });
  const ofMean = image !== undefined && image.channels > 1 ? MEAN : "";
  const beyond = beyondWords(change, [difference], "differences");
  const ofBoth = unit + beyondWords(scale, [kept, shown], "values");
  const legends = [
    !(image && isColour(image)) && legend(scale, ofBoth, decimals),
    legend(change, `${names[2]}${ofMean}${beyond}`, decimals),
  ];
  const foot = h("div", { class: "picture-triple-legends" }, legends);
  return h("div", { class: "picture-triple" }, figures, foot);
}

/** How images are shown. @param {ImageShape} image */
export const imageLook = (image) => ({
  ...{ image, layout: oneTile(image), scale: ink(), unit: "ink", decimals: 0, most: 1 },
});

/**
 * A row for each pair and its difference, with bars on one scale.
 * @param {object} of
 * @param {string} of.caption what the table holds
 * @param {string} of.of what the rows are
 * @param {readonly string[]} of.names of the rows
 * @param {readonly [kept: ArrayLike<number>, shown: ArrayLike<number>]} of.values
 * @param {number} of.most end of the bars' scale
 * @param {boolean} [of.isSigned] whether it begins at −most rather than at 0
 * @param {number} [of.decimals]
 * @param {number} [of.focused] row
 */
export function pairs({ caption, values: [kept, shown], most, ...of }) {
  const { names, isSigned = false, decimals = 3, focused } = of;
  const end = fixed(most, most < 10 ? 2 : 0);
  const write = (/** @type {number} */ value) => fixed(value, decimals);
  const differences = names.map((_, i) => restOf(shown[i], [kept[i]], decimals));
  const bars = names.map((_, i) =>
    h(
      "div",
      { class: `pair-bars ${isSigned ? "is-signed" : ""}`.trim() },
      [kept[i], shown[i]].map((value, which) => {
        const { left, width } = extentOf(value, most, isSigned);
        const look = which === 0 ? "is-before" : "is-after";
        return h("i", { class: look, "--left": `${left}%`, "--width": `${width}%` });
      }),
    ),
  );
  const named = (/** @type {string} */ look, /** @type {string} */ name) =>
    h("span", {}, h("i", { class: `swatch ${look}` }), name);
  return valuesTable({
    ...{ caption: h("span", { class: "unseen" }, caption), look: "values pair-table" },
    ...{ of: of.of, names, focused },
    columns: [
      [isSigned ? `−${end} to ${end}` : `0 to ${end}`, bars],
      [named("is-before", NAMES[0]), kept, write],
      [named("is-after", NAMES[1]), shown, write],
      ["difference", differences, (by) => signed(by, decimals)],
    ],
  });
}

/**
 * Where a bar begins and how wide it is.
 * @param {number} value
 * @param {number} reach more than 0
 * @param {boolean} isSigned
 * @returns {{ left: number, width: number }} in percent of the track
 */
export function extentOf(value, reach, isSigned) {
  const share = Math.min(1, Math.abs(value) / reach);
  if (!isSigned) return { left: 0, width: 100 * share };
  return { left: value < 0 ? 50 - 50 * share : 50, width: 50 * share };
}
