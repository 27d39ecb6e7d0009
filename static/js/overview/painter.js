/**
 * Paints the picture of a whole network into a figure: what flows, the tiles above it, and
 * above these what is written and can be pointed at.
 * @import { Drawing } from "./drawn.js"
 * @import { Flows } from "./flows.js"
 * @import { Layout } from "./layout.js"
 * @import { Look } from "./picture.js"
 * @import { Scene } from "./types.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { keepNumbers } from "../lib/numbers.js";
import { find, findCanvas } from "../ui/dom.js";
import { fill } from "../ui/h.js";
import { between, flowsOf } from "./flows.js";
import { layOut } from "./layout.js";
import { tablesOf } from "./numbers.js";
import { createPainted } from "./painted.js";
import { picture } from "./picture.js";
import { picturedParts } from "./pictured.js";
import { paint } from "./tiles.js";

/** @typedef {NonNullable<Scene["before"]>} Body */

/** What flows in a run, computed once for an image, whichever iteration is on show. */
const flowsAlone = memoizeByObject(
  (/** @type {Body} */ { rivers }) => rivers,
  (body) => flowsOf(body),
);

/** The same of a changed run, beside the intact one. @type {WeakMap<object, { of: object, flows: Flows | null }>} */
const flowsBeside = new WeakMap();

/** @param {Scene} scene @returns {Flows | null} the same for the same */
function flowsIn(scene) {
  const { rivers, before } = scene;
  if (before === null) return flowsAlone(scene);
  const known = flowsBeside.get(rivers);
  if (known?.of === before.rivers) return known.flows;
  const flows = flowsOf(scene, flowsAlone(before));
  flowsBeside.set(rivers, { of: before.rivers, flows });
  return flows;
}

/**
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {Flows | null} flows
 * @property {Layout} layout
 * @property {number | null} held the class chosen
 */

/**
 * Whether all that a picture stands by is the same.
 * @param {Shown} shown @param {Scene} scene @param {{ width: number, height: number }} size
 */
const isLaidOut = ({ scene, layout }, { rivers, before, isEmpty }, size) =>
  layout.width === size.width &&
  layout.height === size.height &&
  scene.rivers === rivers &&
  scene.isEmpty === isEmpty &&
  scene.before?.rivers === before?.rivers;

const SOON_MS = 600; // readings that follow each other sooner may be those of one stroke
const MANY = 3; // of such, there is haste
const REST_MS = 300;

/**
 * Readings that follow each other fast: nobody points at one of them.
 * @param {(() => void) | undefined} rest called once no more have come for a while; without,
 *   no reading is in haste
 */
export function createHaste(rest) {
  let last = Number.NEGATIVE_INFINITY;
  let inARow = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    isHasty: () => timer !== undefined,

    /** Another reading has come. */
    tell() {
      const now = performance.now();
      const gap = now - last;
      last = now;
      inARow = gap > SOON_MS ? 1 : inARow + 1;
      if (inARow < MANY || rest === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = undefined;
          rest();
        },
        Math.max(REST_MS, 1.5 * gap),
      );
    },
  };
}

/**
 * @param {HTMLElement} figure
 * @param {() => void} [redraw] paint what is on show anew; without, every picture is
 *   written, however fast they come
 */
export function createPainter(figure, redraw) {
  const canvas = findCanvas(figure, "canvas");
  const under = find(figure, "[data-under]", SVGSVGElement);
  const over = find(figure, "[data-over]", SVGSVGElement);
  let size = { width: 0, height: 0, scale: 1 };
  /** @type {Shown | null} */
  let shown = null;
  const haste = createHaste(redraw);
  const paintDescribed = redraw ? createPainted(figure) : null;
  /**
   * Whether a picture is one of many that nobody points at, or has come to by keys.
   * @param {Pick<Look, "scene" | "focus" | "part">} look
   */
  function hurries({ scene, focus, part }) {
    if (shown && shown.scene.rivers !== scene.rivers) haste.tell();
    const isPlain = !scene.isEmpty && focus === null && part === null;
    return haste.isHasty() && isPlain && !figure.matches(":hover, :focus-within");
  }
  keepNumbers(over, () => (shown ? tablesOf(shown.scene, shown.flows) : []));

  return {
    /** What is on show; null before anything is. */
    shown: () => shown,

    /** Whether readings follow each other so fast that nobody points at one of them. */
    isHasty: haste.isHasty,

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
     * @param {Omit<Look, "flows" | "moment" | "layout" | "was" | "pictured" | "isHasty">} look
     * @param {(types: readonly number[]) => Drawing} drawnBy the decoder's picture, and what
     *   types say of the answers
     * @returns {Shown | null} null where there is no room
     */
    paint(look, drawnBy) {
      if (size.width === 0) return null;
      const { scene, step, held, answers, owners } = look;
      const flows = flowsIn(scene);
      const flowsBefore = scene.before && flowsAlone(scene.before);
      const layout =
        shown && isLaidOut(shown, scene, size)
          ? shown.layout
          : layOut(scene, flows, size, flowsBefore);
      const painted = hurries(look) ? paintDescribed : null;
      const isHasty = painted !== null;
      shown = { scene, flows, layout, held };
      const moment = flows && between(flows, step);
      const was =
        flowsBefore && between(flowsBefore, Math.min(step, flowsBefore.steps - 1));
      const { pictures } = layout;
      const pictured =
        flows && pictures ? picturedParts(flows, answers, pictures.most) : [];
      const { tiles, ...described } = picture({
        ...look,
        ...{ flows, layout, moment, was, pictured, isHasty },
      });
      figure.classList.toggle("is-painted", isHasty);
      if (!isHasty) {
        fill(under, described.under);
        fill(over, described.over);
      }
      const types = pictured.map((part) => flows?.levels.at(-1)?.groups[part][0] ?? 0);
      const isSaid = pictures?.shown.some(({ of }) => of === "says");
      const drawing = drawnBy(isSaid ? types : []);
      const marks = painted && { ...described, paint: painted };
      paint(canvas, tiles, { scene, ...drawing, owners, size, marks });
      return shown;
    },
  };
}
