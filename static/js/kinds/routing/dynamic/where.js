/**
 * Where in the picture a class's length comes from: what every place gives to it, as discs
 * over the input, as the places themselves, and small for all classes.
 * @import { Field, Layer, Model, Pixels } from "../../types.js"
 * @import { Cell } from "../matrix.js"
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene } from "./types.js"
 */

import { reachWords } from "../../../geometry/windows.js";
import { largestOf, reach, sum } from "../../../lib/arithmetic.js";
import { diverging, ink } from "../../../lib/color.js";
import { capitalized, fixed, percent, signed } from "../../../lib/format.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { greyOf, inkOf } from "../../../lib/pixels.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { paintDiscs } from "../../../paint/tints.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import {
  find,
  findCanvas,
  findElement,
  make,
  setAll,
  setText,
} from "../../../ui/dom.js";
import { showField } from "../../../ui/grid-picker.js";
import { sayFinding } from "../../../ui/panel.js";
import { showLegend } from "../../../ui/pictures.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { createStage } from "../../../ui/stage.js";
import { inSentence, NONE } from "./ends.js";
import { changeLook, chooseClass, lookAtPlace, pickPlace, rivalOf } from "./scene.js";

const SIDE = 140; // canvas pixels of a small picture; CSS makes them about half as wide

/** A share that is nearer to an even one counts as even. */
const LEAST_SHARE = 0.001;

/** How light the ink under discs is: they must stand out from it. */
const LIGHT = 0.6;

/** @type {DynamicPanel} */
export function mountWhere(root, room) {
  const { store, scenes, layer } = room;
  const panel = findElement(root, "[data-where]");
  const caption = findElement(panel, "[data-where-caption]");
  const key = findElement(panel, "[data-where-key]");
  const forNone = [...panel.querySelectorAll("[data-where-none]")];
  const forClasses = [...panel.querySelectorAll("[data-where-classes]")];
  const field = findElement(panel, "[data-where-field]");
  const words = findElement(panel, "[data-where-text]");
  const modes = findElement(panel, "[data-where-modes]");
  const scales = findElement(panel, "[data-where-scales]");
  const digits = mountClasses(findElement(panel, "[data-where-digits]"), room);
  const picture = mountPicture(panel, layer);
  const showPlaces = mountPlaces(panel, room);

  /** @param {Scene} scene */
  function draw(scene) {
    const { figures } = scene;
    const isOwnScale = scene.look.scale === "own";
    const isNone = whereIn(scene) === "none";
    const amounts = amountsOn(scene);
    const common = isNone ? figures.mostNone() : figures.mostEvidence();
    const most = isOwnScale ? reach(amounts) : common;
    picture.show(scene, amounts, most);
    digits(scene, isOwnScale ? null : figures.mostEvidence());
    showPlaces(scene, amounts, most);
    setText(key, isNone ? points(most) : most.toFixed(2));
    for (const each of forNone) each.toggleAttribute("hidden", !isNone);
    for (const each of forClasses) each.toggleAttribute("hidden", isNone);
    setText(words, isNone ? describeNone(scene) : describePlaces(scene));
  }
  const ask = showSeenFirst(findElement(panel, ".where"), draw);
  sayFinding(panel, scenes, findPlace);
  scenes.watch((scene) => {
    pressChoice(modes, whereIn(scene));
    pressChoice(scales, scene.look.scale);
    // Headings and choices are read before they are seen.
    for (const each of panel.querySelectorAll("[data-focus]"))
      setText(each, scene.name);
    for (const each of panel.querySelectorAll("[data-rival]"))
      setText(each, rivalName(scene));
    const seen = layer.reach(scene.model);
    if (seen) setText(field, reachWords(seen));
    setText(caption, `iteration ${scene.step + 1} of ${scene.iterations}`);
    ask(scene);
  });
  store.watch(["field"], ({ field: pointed }) => picture.point(pointed));
  listenToChoices(modes, (value) =>
    changeLook(room, { where: /** @type {Scene["look"]["where"]} */ (value) }),
  );
  listenToChoices(scales, (value) =>
    changeLook(room, { scale: value === "own" ? "own" : "all" }),
  );
}

/**
 * The places themselves, to choose from.
 * @param {HTMLElement} panel @param {DynamicRoom} room
 * @returns {(scene: Scene, amounts: Float32Array, most: number) => void}
 */
function mountPlaces(panel, room) {
  const canvas = findCanvas(panel, "[data-where-places]");
  const marks = find(panel, "[data-where-places] + svg", SVGSVGElement);
  const cell = find(marks, ".chosen", SVGRectElement);
  const readout = findElement(panel, "[data-where-readout]");
  const legend = findElement(panel, "[data-where-legend]");
  const nameScale = memoize((/** @type {number} */ most, /** @type {string} */ unit) =>
    showLegend(legend, diverging(most), { unit, decimals: most < 0.1 ? 3 : 2 }),
  );
  /** @type {Cell | null} */
  let pointed = null;

  /** Tell of the place that is pointed at, else of the chosen one. @param {Scene} scene */
  function read(scene) {
    const { row, column } = pointed ?? scene.place;
    const value = amountsOn(scene)[row * scene.grid.columns + column];
    const even = 1 / scene.ends.length;
    const told =
      whereIn(scene) === "none"
        ? `${percent(value + even, 1)} of its length; an even share is ${percent(even, 1)}`
        : signed(value, 3);
    setText(readout, `row ${row}, column ${column}: ${told}`);
  }
  pickPlace(canvas, room, (at) => {
    const scene = room.scenes.shown();
    if (scene === null) return;
    pointed = at;
    read(scene);
    lookAtPlace(room, at);
  });
  return (scene, amounts, most) => {
    const { rows, columns } = scene.grid;
    const { row: y, column: x } = scene.place;
    paintHeatmap(canvas, amounts, { rows, columns, scale: diverging(most) });
    setAll(marks, { viewBox: `0 0 ${columns} ${rows}` });
    setAll(cell, { x, y, width: 1, height: 1 });
    nameScale(most, UNITS[whereIn(scene)](scene));
    read(scene);
  };
}

/**
 * The input with what its places give, as discs on the middles of their fields.
 * @param {HTMLElement} panel @param {Layer} layer
 */
function mountPicture(panel, layer) {
  const canvas = findCanvas(panel, "[data-where-picture]");
  const frames = find(panel, "[data-where-picture] + svg", SVGSVGElement);
  const chosen = find(frames, ".chosen", SVGRectElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  /** @type {{ scene: Scene, amounts: Float32Array, most: number } | null} */
  let shown = null;

  const ask = createStage(canvas, [], ({ context, width }) => {
    if (shown === null) return;
    const { scene, amounts, most } = shown;
    const ground = groundIn(scene, layer);
    paintDiscs(context, { ...ground, amounts, most }, width);
    const side = Math.max(scene.pixels.rows, scene.pixels.columns);
    setAll(frames, { viewBox: `0 0 ${side} ${side}` });
    const { row, column } = scene.place;
    showField(chosen, ground.fields[row * scene.grid.columns + column]);
  });
  return {
    /** @param {Field | null} field that is pointed at anywhere */
    point: (field) => showField(pointed, field),

    /**
     * @param {Scene} scene
     * @param {Float32Array} amounts what each place gives
     * @param {number} most that of the largest disc
     */
    show(scene, amounts, most) {
      shown = { scene, amounts, most };
      ask();
    },
  };
}

/**
 * What speaks for each class, small and side by side: each is a button that puts its class
 * in focus.
 * @param {HTMLElement} root @param {DynamicRoom} room
 * @returns {(scene: Scene, common: number | null) => void} common: the amount of the largest
 *   disc; null for each class's own
 */
function mountClasses(root, room) {
  /** @type {ReturnType<typeof classButton>[]} */
  let buttons = [];
  return (scene, common) => {
    const { class_names: names } = scene.model;
    if (buttons.length !== names.length) {
      buttons = names.map((_, classIndex) =>
        classButton(() => chooseClass(room, classIndex)),
      );
      root.replaceChildren(...buttons.map(({ element }) => element));
    }
    const ground = groundIn(scene, room.layer);
    buttons.forEach(({ element, context, text }, classIndex) => {
      const amounts = evidenceFor(scene, classIndex);
      paintDiscs(context, { ...ground, amounts, most: common ?? reach(amounts) }, SIDE);
      const length = fixed(scene.figures.before(scene.step, classIndex), 2);
      setText(text, `${names[classIndex]}: ${length}`);
      element.setAttribute(
        "aria-label",
        `${names[classIndex]}: ${length} before squash`,
      );
      element.setAttribute("aria-pressed", String(classIndex === scene.classIndex));
    });
  };
}

/** @param {() => void} choose */
function classButton(choose) {
  const canvas = make("canvas", { width: String(SIDE), height: String(SIDE) });
  const text = make("span");
  const element = make("button", "", canvas, text);
  element.addEventListener("click", choose);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  return { element, context, text };
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
 * @param {Scene} scene @param {Layer} layer
 */
export const groundIn = ({ pixels, model, grid }, layer) => ({
  ground: groundOf(pixels),
  fields: fieldsOf(layer, model, grid.rows, grid.columns),
});

/**
 * What every place gives to one class.
 * @param {Pick<Scene, "figures" | "step" | "grid">} scene @param {number} classIndex
 * @returns {Float32Array} (rows, columns), a view and no copy
 */
function evidenceFor({ figures, step, grid }, classIndex) {
  const cells = grid.rows * grid.columns;
  return figures.evidence(step).subarray(classIndex * cells, (classIndex + 1) * cells);
}

/**
 * What the picture shows: in a network without none of the above, a link may ask for it.
 * @param {Pick<Scene, "look" | "ends" | "model">} scene
 */
export const whereIn = ({ look: { where }, ends, model }) =>
  where === "none" && ends.length === model.classes ? "for" : where;

/** What the values of the places are. @type {Record<Scene["look"]["where"], (scene: Scene) => string>} */
const UNITS = {
  for: ({ name }) => `given to ‖s‖ of ${name}`,
  rather: (scene) => `${UNITS.for(scene)}, less that to ${rivalName(scene)}’s`,
  none: ({ ends }) =>
    `share of a place’s length for ${inSentence(NONE)}, beyond an even 1/${ends.length}`,
};

/**
 * What every place gives to the class in focus, or how much more than to the longest of
 * the others; or which share of its length none of the above takes, beyond an even one.
 * @param {Scene} scene
 * @returns {Float32Array} (rows, columns)
 */
function amountsOn(scene) {
  const where = whereIn(scene);
  if (where === "none") return scene.figures.noneByPlace(scene.step);
  const mine = evidenceFor(scene, scene.classIndex);
  if (where === "for") return mine;
  const rivals = evidenceFor(scene, rivalOf(scene, scene.step));
  return mine.map((value, i) => value - rivals[i]);
}

/** @param {Scene} scene */
const rivalName = (scene) => scene.model.class_names[rivalOf(scene, scene.step)];

/**
 * @param {Pick<Scene, "figures" | "step" | "classIndex" | "grid" | "name">} scene
 * @returns {string} which place gives the class in focus the most
 */
export function findPlace({ figures, step, classIndex, grid, name }) {
  const evidence = evidenceFor({ figures, step, grid }, classIndex);
  const best = largestOf(evidence);
  const most = fixed(evidence[best], 2);
  if (evidence[best] < 0 || most === fixed(0, 2))
    return `No place gives ${name} as much as 0.005.`;
  const at = `row ${Math.floor(best / grid.columns)}, column ${best % grid.columns}`;
  return `Of ${evidence.length} places, ${at} gives ${name} the most: ${most} of ${fixed(sum(evidence), 2)} before squash.`;
}

/** @param {Scene} scene */
function describePlaces(scene) {
  const { name, classIndex, look, grid, step } = scene;
  const lengthOf = (/** @type {number} */ each) =>
    fixed(scene.figures.before(step, each), 2);
  const isRather = look.where === "rather";
  const sums = sumsInWords(amountsOn(scene), grid.columns, isRather);
  const whole = `Before squash the capsule of ${name} is ${lengthOf(classIndex)} long`;
  if (!isRather) return `${whole}. ${sums}`;
  const other = rivalName(scene);
  return `${whole}, that of ${other} ${lengthOf(rivalOf(scene, step))}. Red places give more to ${name}, blue places more to ${other}. ${sums}`;
}

/** @param {number} share of a difference of shares */
const points = (share) => `${fixed(100 * share, 1)} percentage points`;

/**
 * Where none of the above takes most, and least.
 * @param {Pick<Scene, "figures" | "step" | "grid" | "ends">} scene
 */
export function describeNone({ figures, step, grid, ends }) {
  const share = figures.none(step);
  if (Number.isNaN(share)) return "No capsule sends anything to any class.";
  const even = 1 / ends.length;
  const beyond = figures.noneByPlace(step);
  const [most, least] = [largestOf(beyond), largestOf(beyond.map((value) => -value))];
  const told = (/** @type {number} */ place) =>
    `${percent(beyond[place] + even, 1)}, at row ${Math.floor(place / grid.columns)}, column ${place % grid.columns}`;
  return [
    `“${capitalized(NONE)}” takes ${percent(share, 1)} of all capsule length; an even share is ${percent(even, 1)}.`,
    ...(beyond[most] >= LEAST_SHARE
      ? [`Its largest share of a place is ${told(most)}.`]
      : []),
    ...(beyond[least] <= -LEAST_SHARE
      ? [`Its smallest share of a place is ${told(least)}.`]
      : []),
  ].join(" ");
}

/**
 * What the places give and take.
 * @param {ArrayLike<number>} evidence of each place, row by row
 * @param {number} columns of the grid
 * @param {boolean} isRather the values are differences of two classes
 */
export function sumsInWords(evidence, columns, isRather) {
  const all = Array.from(evidence);
  const best = largestOf(all);
  const pro = sum(all.filter((value) => value > 0));
  const against = sum(all.filter((value) => value < 0));
  const what = isRather ? "the difference" : "it";
  const at = `row ${Math.floor(best / columns)}, column ${best % columns}`;
  const gives = `The places that add to ${what} give ${fixed(pro, 2)} in all; ${at} gives most, ${fixed(all[best], 2)}.`;
  const takes = `The places that take from ${what} take ${fixed(-against, 2)} in all.`;
  const told = [...(pro > 0 ? [gives] : []), ...(against < 0 ? [takes] : [])];
  return told.join(" ") || "No place gives or takes anything.";
}
