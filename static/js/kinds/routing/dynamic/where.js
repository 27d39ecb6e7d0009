/**
 * Where in the picture a class's length comes from: what every place gives to it, as discs
 * over the input, as the places themselves, and small for all classes.
 * @import { Field, Layer, Model, Pixels } from "../../types.js"
 * @import { Part } from "../../../ui/h.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { DynamicScene as Scene, PanelAct } from "./types.js"
 */

import { grid } from "../../../draw/grid.js";
import { painted } from "../../../draw/painted.js";
import { legend, tiles } from "../../../draw/tiles.js";
import { reachWords } from "../../../geometry/windows.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging, ink } from "../../../lib/color.js";
import { fixed, percent, signed } from "../../../lib/format.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { greyOf, inkOf } from "../../../lib/pixels.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { paintDiscs } from "../../../paint/tints.js";
import { make, svg } from "../../../ui/dom.js";
import { showField } from "../../../ui/grid-picker.js";
import { h } from "../../../ui/h.js";
import { choices } from "../../../ui/inputs.js";
import { fold } from "../../../ui/values.js";
import { choosing, numberOf } from "../../capsules/places.js";
import { NONE } from "./ends.js";
import {
  amountsOn,
  describeNone,
  describePlaces,
  evidenceFor,
  findPlace,
  HOW,
  modesOf,
  points,
  rivalName,
  UNITS,
  whereIn,
} from "./given.js";

const SIDE = 140; // canvas pixels of a small picture; CSS makes them about half as wide

/** How light the ink under discs is: they must stand out from it. */
const LIGHT = 0.6;

const SCALES = /** @type {const} */ (["all", "own"]);

/** @typedef {ReturnType<typeof placesIn>} Places */

/** @type {Panel<Scene, Places, PanelAct>} */
export const where = {
  id: "where",
  isFolded: true,
  title: "Where in the picture",
  numbers: placesIn,
  line: ({ scene }) => findPlace(scene),
  picture(n, act) {
    const { scene, mode } = n;
    return [
      h("div", { class: "where-choices" }, choicesIn(n, act)),
      h(
        "div",
        { class: "where-layout" },
        discsOver(n, act),
        h("figure", { "data-where-places": "" }, placesOf(n, act)),
        h(
          "div",
          { class: "where-words" },
          placesInWords(scene),
          fold("How it is worked out", () =>
            h("p", { class: "fine" }, HOW[mode](scene)),
          ),
        ),
      ),
      h(
        "div",
        {
          ...{ class: "where-digits", role: "group", "data-where-digits": "" },
          "aria-label": `What speaks for each ${scene.nouns.one}; choose one to put it in focus`,
        },
        scene.model.class_names.map((_, i) => classButton(n, i, act)),
      ),
    ];
  },
};

/** @param {Scene} scene */
function placesIn(scene) {
  const { figures, look } = scene;
  const mode = whereIn(scene);
  const amounts = amountsOn(scene, mode);
  const common = mode === "none" ? figures.mostNone() : figures.mostEvidence();
  return { scene, mode, amounts, most: look.scale === "own" ? reach(amounts) : common };
}

/** @param {Scene} scene */
const placesInWords = (scene) => {
  const text = whereIn(scene) === "none" ? describeNone(scene) : describePlaces(scene);
  return h("p", { "data-where-text": "" }, text);
};

/** @param {Places} n @param {PanelAct} act */
function choicesIn({ scene, mode }, { changeLook }) {
  const { name, look, nouns } = scene;
  const modes = modesOf(scene);
  const words = {
    for: `speaks for ${name}`,
    rather: `for ${name} rather than ${rivalName(scene)}`,
    none: `for “${NONE}”`,
  };
  return [
    choices(
      "Colour",
      modes.map((each) => words[each]),
      modes.indexOf(mode),
      (i) => changeLook({ where: modes[i] }),
      { "aria-label": "What the colours show", "data-where-modes": "" },
    ),
    choices(
      "Scale",
      [`one for all ${nouns.many}`, "each its own"],
      SCALES.indexOf(look.scale),
      (i) => changeLook({ scale: SCALES[i] }),
      { "aria-label": "Whose values the scale fits", "data-where-scales": "" },
    ),
  ];
}

/**
 * The input with what its places give, as discs on the middles of their fields.
 * @param {Places} n @param {PanelAct} act
 */
function discsOver(n, act) {
  const { pixels, place, grid, layer, model } = n.scene;
  const side = Math.max(pixels.rows, pixels.columns);
  const fields = fieldsOf(layer, model, grid.rows, grid.columns);
  const field = fields[place.row * grid.columns + place.column];
  const box = {
    x: field.column,
    y: field.row,
    width: field.columns ?? field.size,
    height: field.size,
  };
  const seen = layer.reach(model);
  const { amounts, most } = n;
  return h(
    "figure",
    {},
    h(
      "div",
      { class: "overlaid" },
      painted({
        label: "Where in the picture the length comes from",
        look: { "data-where-picture": "" },
        paint: ({ context, width }) =>
          paintDiscs(context, { ...groundIn(n.scene), amounts, most }, width),
      }),
      h(
        "svg",
        { class: "frames", "aria-hidden": "true", viewBox: `0 0 ${side} ${side}` },
        h("rect", { class: "chosen", ...box }),
        h(pointedField, { act }),
      ),
    ),
    h(
      "p",
      { class: "fine" },
      keyOf(n),
      seen && "Every field covers ",
      seen && h("span", { class: "nowrap", "data-where-field": "" }, reachWords(seen)),
      seen && " pixels (frame), so the picture shows regions, not single strokes.",
    ),
  );
}

/** What the discs say. @param {Places} n */
function keyOf({ scene, mode, most }) {
  const { many } = scene.nouns;
  const [what, all, largest] =
    mode === "none"
      ? [
          "how much more (red) or less (blue) of the length there goes to “none of the above” than an even share",
          "iterations",
          points(most),
        ]
      : [
          "what the place gives (red) or takes (blue)",
          `${many} and iterations`,
          most.toFixed(2),
        ];
  return `A disc marks the middle of each place’s receptive field; its area shows ${what}. The largest disc, over all ${all}, stands for ${largest}. `;
}

/** The field that is pointed at anywhere. @type {Part<{ act: PanelAct }>} */
function pointedField() {
  const element = svg("rect", { class: "pointed" });
  let isWatching = false;
  return {
    element,
    show({ act }) {
      if (isWatching) return;
      isWatching = true;
      act.store.watch(["field"], ({ field }) => showField(element, field));
    },
  };
}

/**
 * The places themselves, to choose from.
 * @param {Places} n @param {PanelAct} act
 */
function placesOf({ scene, mode, amounts, most }, act) {
  const { place, grid: below, ends } = scene;
  const { rows, columns } = below;
  const scale = diverging(most);
  const even = 1 / ends.length;
  const told = (/** @type {number} */ value) =>
    mode === "none"
      ? `${percent(value + even, 1)} of its length; an even share is ${percent(even, 1)}`
      : signed(value, 3);
  return [
    grid({
      label: "What each place gives",
      rows: { of: "row", names: numbered(rows) },
      columns: { of: "column", names: numbered(columns) },
      isBare: true,
      mark: {
        ...tiles({ name: "", data: amounts, scale }),
        over: (_, { row: y, column: x }) =>
          h("rect", { class: "chosen", x, y, width: 1, height: 1 }),
      },
      chosen: { row: place.row, column: place.column },
      choose: ({ row, column }) =>
        act.set(choosing(numberOf(below, { type: place.type, row, column }))),
      hover: act.lookAtPlace,
      words: ({ row, column }) =>
        `row ${row}, column ${column}: ${told(amounts[row * columns + column])}`,
    }),
    legend(scale, UNITS[mode](scene), most < 0.1 ? 3 : 2),
  ];
}

/** @param {number} count */
const numbered = (count) => Array.from({ length: count }, (_, i) => String(i));

/**
 * What speaks for a class, small: a button that puts it in focus.
 * @param {Places} n @param {number} classIndex @param {PanelAct} act
 */
function classButton({ scene }, classIndex, { chooseClass }) {
  const { figures, look, model, step } = scene;
  const amounts = evidenceFor(scene, classIndex);
  const most = look.scale === "own" ? reach(amounts) : figures.mostEvidence();
  const text = `${model.class_names[classIndex]}: ${fixed(figures.before(step, classIndex), 2)}`;
  const button = {
    "aria-label": `${text} before squash`,
    "aria-pressed": String(classIndex === scene.classIndex),
    onclick: () => chooseClass(classIndex),
  };
  const discsOf = () => ({ ...groundIn(scene), amounts, most });
  return h("button", button, h(smallPicture, { discsOf }), h("span", {}, text));
}

/** @type {Part<{ discsOf: () => Parameters<typeof paintDiscs>[1] }>} */
function smallPicture() {
  const element = make("canvas", { width: String(SIDE), height: String(SIDE) });
  return {
    element,
    show({ discsOf }) {
      const context = element.getContext("2d");
      if (context !== null) paintDiscs(context, discsOf(), SIDE);
    },
  };
}

/** The image as a small canvas, one pixel each. */
const groundOf = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const canvas = document.createElement("canvas");
    const { rows, columns } = pixels;
    const scale = { ...ink(), high: 1 / LIGHT };
    paintHeatmap(canvas, greyOf(inkOf(pixels), pixels), { rows, columns, scale });
    return canvas;
  },
);

/** The fields of all places, row by row. */
const fieldsOf = memoize(
  (
    /** @type {Layer} */ layer,
    /** @type {Model} */ model,
    /** @type {number} */ rows,
    /** @type {number} */ columns,
  ) =>
    Array.from({ length: rows * columns }, (_, i) => {
      const field = layer.field(model, Math.floor(i / columns), i % columns);
      return /** @type {Field} */ (field);
    }),
);

/**
 * The image that discs stand on, and the fields whose middles they mark.
 * @param {Scene} scene
 */
const groundIn = ({ pixels, model, grid, layer }) => ({
  ground: groundOf(pixels),
  fields: fieldsOf(layer, model, grid.rows, grid.columns),
});
