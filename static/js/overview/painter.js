/**
 * Paints the picture of a whole network into a figure: what flows, the tiles above it, and
 * above these what is written and can be pointed at.
 * @import { Flows } from "./flows.js"
 * @import { Layout } from "./layout.js"
 * @import { Look } from "./picture.js"
 * @import { Scene } from "./types.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { find, findCanvas } from "../ui/dom.js";
import { fill } from "../ui/h.js";
import { between, flowsOf } from "./flows.js";
import { layOut } from "./layout.js";
import { picture } from "./picture.js";
import { paint } from "./tiles.js";

/** What flows, computed once for an image, whichever iteration is on show. */
const flowsIn = memoizeByObject((/** @type {Scene} */ { rivers }) => rivers, flowsOf);

/**
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {Flows | null} flows
 * @property {Layout} layout
 * @property {number | null} held the class chosen
 */

/** @param {HTMLElement} figure */
export function createPainter(figure) {
  const canvas = findCanvas(figure, "canvas");
  const under = find(figure, "[data-under]", SVGSVGElement);
  const over = find(figure, "[data-over]", SVGSVGElement);
  let size = { width: 0, height: 0, scale: 1 };
  /** @type {Shown | null} */
  let shown = null;

  return {
    /** What is on show; null before anything is. */
    shown: () => shown,

    /**
     * @param {number} wide in CSS px, as is the height @param {number} high
     * @param {number} [scale] how much larger all of it is drawn
     */
    fit(wide, high, scale = 1) {
      const [width, height] = [wide, high].map((each) => Math.round(each / scale));
      if (size.width === width && size.height === height && size.scale === scale)
        return;
      size = { width, height, scale };
      figure.style.setProperty("--height", `${Math.round(high)}px`);
      for (const layer of [under, over])
        layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    },

    /**
     * @param {Pick<Look, "scene" | "step" | "focus" | "held" | "part">} look
     * @param {Float32Array | null} drawn what stands for the decoder's picture
     * @returns {Shown | null} null where there is no room
     */
    paint(look, drawn) {
      if (size.width === 0) return null;
      const { scene, step, held } = look;
      const flows = flowsIn(scene);
      const { width, height } = shown?.layout ?? {};
      const isLaidOut =
        shown?.scene.rivers === scene.rivers &&
        width === size.width &&
        height === size.height;
      const layout = isLaidOut && shown ? shown.layout : layOut(scene, flows, size);
      shown = { scene, flows, layout, held };
      const moment = flows && between(flows, step);
      const described = picture({ ...look, flows, layout, moment });
      fill(under, described.under);
      fill(over, described.over);
      paint(canvas, described.tiles, { scene, drawn, size });
      return shown;
    },
  };
}
