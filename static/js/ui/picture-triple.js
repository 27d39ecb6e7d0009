/**
 * The same picture of two images and of their difference, side by side: the two on one
 * scale, the difference on its own, around zero.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 */
import { diverging } from "../lib/color.js";
import { differenceOf } from "../lib/difference.js";
import { reach } from "../lib/rank.js";
import { paintTiles } from "../paint/heatmap.js";
import { showLegend } from "./legend.js";

/**
 * @typedef {object} Triple
 * @property {ArrayLike<number>} kept
 * @property {ArrayLike<number>} shown as many
 * @property {Layout} layout of each picture
 * @property {Scale} scale of both
 * @property {string} unit of both
 * @property {number} [decimals] of the legends' ends
 * @property {number} [differenceReach] end of the difference's scale; the largest
 *   difference when absent
 */

/**
 * @param {HTMLElement} root filled
 * @param {string} what the pictures show, for those who do not see them
 * @param {readonly [string, string, string]} [captions] of the two and the difference
 */
export function pictureTriple(
  root,
  what,
  captions = ["kept", "shown", "shown − kept"],
) {
  root.classList.add("picture-triple");
  const made = captions.map((name) => {
    const figure = document.createElement("figure");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${what}: ${name}`);
    const caption = document.createElement("figcaption");
    caption.textContent = name;
    figure.append(canvas, caption);
    return { figure, canvas, caption };
  });
  const legends = [0, 1].map(() => document.createElement("div"));
  const foot = document.createElement("div");
  foot.className = "picture-triple-legends";
  foot.append(...legends);
  root.replaceChildren(...made.map(({ figure }) => figure), foot);

  return {
    /**
     * @param {Triple} triple
     * @param {{ kept: string, shown: string }} [names] what each is, after its caption
     */
    show({ kept, shown, layout, scale, unit, decimals = 2, differenceReach }, names) {
      const difference = differenceOf(shown, kept);
      const change = diverging(differenceReach ?? (reach(difference) || 1));
      [kept, shown, difference].forEach((values, i) => {
        paintTiles(made[i].canvas, values, layout, () => (i < 2 ? scale : change));
      });
      showLegend(legends[0], scale, { unit, decimals });
      showLegend(legends[1], change, { unit: captions[2], decimals });
      if (names === undefined) return;
      made[0].caption.textContent = `kept: ${names.kept}`;
      made[1].caption.textContent = `shown: ${names.shown}`;
    },
  };
}
