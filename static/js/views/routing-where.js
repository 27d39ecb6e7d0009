/**
 * Where in the picture a digit's length comes from: what every place gives to it, as
 * discs over the input, as the 6 x 6 places themselves, and small for all ten digits.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 * @import { Scene } from "./routing-trace.js"
 */
import { fieldOfCapsule } from "../geometry/receptive-field.js";
import { diverging } from "../lib/color.js";
import { signed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { reach } from "../lib/rank.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { listenToChoices, pressChoice } from "../parts/choices.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { say } from "../parts/say.js";
import { whileSeen } from "../parts/seen.js";
import { setAll } from "../parts/svg.js";
import { sizesOf } from "../state.js";
import { SCENE, sceneOf } from "./routing-trace.js";
import { mountWhereDigits } from "./routing-where-digits.js";
import { mountWherePicture } from "./routing-where-picture.js";
import { describePlaces, evidenceOn, gridOf, rivalOf } from "./routing-where-sums.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountWhere(root, store, actions) {
  const panel = findElement(root, "[data-where]");
  const places = findCanvas(panel, "[data-where-places]");
  const marks = find(panel, "[data-where-places] + svg", SVGSVGElement);
  const cell = find(marks, ".chosen", SVGRectElement);
  const caption = findElement(panel, "[data-where-caption]");
  const readout = findElement(panel, "[data-where-readout]");
  const legend = findElement(panel, "[data-where-legend]");
  const key = findElement(panel, "[data-where-key]");
  const field = findElement(panel, "[data-where-field]");
  const words = findElement(panel, "[data-where-text]");
  const digits = mountWhereDigits(findElement(panel, "[data-where-digits]"), actions);
  const picture = mountWherePicture(panel, store);
  const nameScale = onChange((/** @type {number} */ most, /** @type {string} */ unit) =>
    showLegend(legend, diverging(most), { unit }),
  );
  const modes = findElement(panel, "[data-where-modes]");
  const scales = findElement(panel, "[data-where-scales]");
  let isRather = false;
  let isOwnScale = false;

  function draw() {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const evidence = evidenceOn(scene, isRather);
    const most = isOwnScale ? reach(evidence) : scene.figures.mostEvidence();
    picture.show(evidence, most);
    digits.show(scene, isOwnScale ? null : most);
    paintHeatmap(places, evidence, { ...gridOf(scene), scale: diverging(most) });
    const { rows, columns } = gridOf(scene);
    setAll(marks, { viewBox: `0 0 ${columns} ${rows}` });
    setAll(cell, { x: scene.place.column, y: scene.place.row, width: 1, height: 1 });
    nameScale(most, unitOf(scene, isRather));
    say(key, most.toFixed(2));
    const { size } = fieldOfCapsule(sizesOf(scene.model), 0, 0);
    say(field, `${size} × ${size}`);
    say(caption, `iteration ${scene.step + 1} of ${scene.trace.iterations}`);
    say(words, describePlaces(scene, isRather));
    read(scene.place);
  }
  const ask = whileSeen(panel, draw);
  store.watch([...SCENE, "routed"], (state) => {
    const { where, scale } = state.routed;
    isRather = where === "rather";
    isOwnScale = scale === "own";
    pressChoice(modes, where);
    pressChoice(scales, scale);
    const scene = sceneOf(state);
    if (scene !== null) nameDigits(panel, scene); // choices are read before they are seen
    ask();
  });
  listenToChoices(modes, (value) =>
    actions.lookAtRouting({ where: value === "rather" ? value : "for" }),
  );
  listenToChoices(scales, (value) =>
    actions.lookAtRouting({ scale: value === "own" ? value : "all" }),
  );

  /** @param {{ row: number, column: number }} at */
  function read({ row, column }) {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const value = evidenceOn(scene, isRather)[row * gridOf(scene).columns + column];
    say(readout, `row ${row}, column ${column}: ${signed(value, 3)}`);
  }
  pickFromGrid(places, {
    layout() {
      const scene = sceneOf(store.get());
      return scene && { count: 1, across: 1, ...gridOf(scene), gap: 0 };
    },
    step: "cell",
    chosen() {
      const scene = sceneOf(store.get());
      return { place: 0, row: scene?.place.row ?? 0, column: scene?.place.column ?? 0 };
    },
    choose({ row, column }) {
      const scene = sceneOf(store.get());
      if (scene === null) return;
      const { rows, columns } = gridOf(scene);
      actions.chooseCapsule((scene.place.type * rows + row) * columns + column);
    },
    hover(at) {
      const scene = sceneOf(store.get());
      if (scene === null) return;
      read(at ?? scene.place);
      actions.lookAt(at && fieldOfCapsule(sizesOf(scene.model), at.row, at.column));
    },
  });
}

/**
 * @param {Scene} scene
 * @param {boolean} isRather
 */
function unitOf(scene, isRather) {
  const rival = scene.model.class_names[rivalOf(scene)];
  return isRather
    ? `given to ‖s‖ of ${scene.name}, less that to ${rival}’s`
    : `given to ‖s‖ of ${scene.name}`;
}

/**
 * @param {HTMLElement} panel
 * @param {Scene} scene
 */
function nameDigits(panel, scene) {
  const rival = scene.model.class_names[rivalOf(scene)];
  for (const each of panel.querySelectorAll("[data-focus]")) say(each, scene.name);
  for (const each of panel.querySelectorAll("[data-rival]")) say(each, rival);
}
