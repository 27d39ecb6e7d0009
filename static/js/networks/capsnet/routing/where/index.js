/**
 * Where in the picture a digit's length comes from: what every place gives to it, as
 * discs over the input, as the 6 x 6 places themselves, and small for all ten digits.
 * @import { Scene, Scenes } from "../scene.js"
 * @import { Actions, RoutingStore } from "../../types.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { signed } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { listenToChoices, pressChoice } from "../../../../ui/controls.js";
import { find, findCanvas, findElement, setAll, setText } from "../../../../ui/dom.js";
import { pickFromGrid } from "../../../../ui/grid-picker.js";
import { showLegend } from "../../../../ui/pictures.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { fieldOfCapsule } from "../../places.js";
import { sizesOf } from "../../state.js";
import { mountWhereDigits } from "./digits.js";
import { mountWherePicture } from "./picture.js";
import { describePlaces, evidenceOn, gridOf, rivalOf } from "./sums.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountWhere(root, store, scenes, actions) {
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
  const picture = mountWherePicture(panel);
  const nameScale = memoize((/** @type {number} */ most, /** @type {string} */ unit) =>
    showLegend(legend, diverging(most), { unit }),
  );
  /** @type {{ row: number, column: number } | null} */
  let pointed = null;
  const modes = findElement(panel, "[data-where-modes]");
  const scales = findElement(panel, "[data-where-scales]");

  /** @param {Scene} scene */
  function draw(scene) {
    const isRather = scene.routed.where === "rather";
    const isOwnScale = scene.routed.scale === "own";
    const evidence = evidenceOn(scene, isRather);
    const most = isOwnScale ? reach(evidence) : scene.figures.mostEvidence();
    picture.show(scene, evidence, most);
    digits.show(scene, isOwnScale ? null : most);
    paintHeatmap(places, evidence, { ...gridOf(scene), scale: diverging(most) });
    const { rows, columns } = gridOf(scene);
    setAll(marks, { viewBox: `0 0 ${columns} ${rows}` });
    setAll(cell, { x: scene.place.column, y: scene.place.row, width: 1, height: 1 });
    nameScale(most, unitOf(scene, isRather));
    setText(key, most.toFixed(2));
    setText(words, describePlaces(scene, isRather));
    read(scene);
  }
  const ask = showSeenFirst(panel, draw);
  scenes.watch((scene) => {
    pressChoice(modes, scene.routed.where);
    pressChoice(scales, scene.routed.scale);
    nameDigits(panel, scene); // headings and choices are read before they are seen
    const { size } = fieldOfCapsule(sizesOf(scene.model), 0, 0);
    setText(field, `${size} × ${size}`);
    setText(caption, `iteration ${scene.step + 1} of ${scene.iterations}`);
    ask(scene);
  });
  store.watch(["field"], ({ field: pointed }) => picture.point(pointed));
  listenToChoices(modes, (value) =>
    actions.lookAtRouting({ where: value === "rather" ? value : "for" }),
  );
  listenToChoices(scales, (value) =>
    actions.lookAtRouting({ scale: value === "own" ? value : "all" }),
  );

  /** Tell of the place that is pointed at, else of the chosen one. @param {Scene} scene */
  function read(scene) {
    const { row, column } = pointed ?? scene.place;
    const isRather = scene.routed.where === "rather";
    const value = evidenceOn(scene, isRather)[row * gridOf(scene).columns + column];
    setText(readout, `row ${row}, column ${column}: ${signed(value, 3)}`);
  }
  pickFromGrid(places, {
    layout() {
      const scene = scenes.shown();
      return scene && { count: 1, across: 1, ...gridOf(scene), gap: 0 };
    },
    step: "cell",
    chosen() {
      const scene = scenes.shown();
      return { place: 0, row: scene?.place.row ?? 0, column: scene?.place.column ?? 0 };
    },
    choose({ row, column }) {
      const scene = scenes.shown();
      if (scene === null) return;
      const { rows, columns } = gridOf(scene);
      actions.chooseCapsule((scene.place.type * rows + row) * columns + column);
    },
    hover(at) {
      const scene = scenes.shown();
      if (scene === null) return;
      pointed = at;
      read(scene);
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
  for (const each of panel.querySelectorAll("[data-focus]")) setText(each, scene.name);
  for (const each of panel.querySelectorAll("[data-rival]")) setText(each, rival);
}
