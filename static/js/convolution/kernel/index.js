/**
 * A kernel of one's own: its editor, what it can begin with, and the network's map beside
 * the one that it makes.
 * @import { ImageLayerActions, OwnKernel } from "../types.js"
 * @import { Layer, Reading } from "../reading.js"
 */

import { ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { Undo } from "../../lib/history.js";
import { memoize } from "../../lib/memoize.js";
import { find, findElement } from "../../ui/dom.js";
import { fieldAt, middleAt, pixelNear, placeOf } from "../field.js";
import { mountMap } from "../map.js";
import { energies } from "../maps.js";
import { trainedKernel } from "../reading.js";
import { mountBrush } from "./brush.js";
import { negated, turned } from "./changes.js";
import { mountEditor } from "./editor.js";
import { mountPicker } from "./picker.js";
import { preset } from "./presets.js";
import { mountTools } from "./tools.js";

/**
 * @typedef {object} Own
 * @property {Layer} layer
 * @property {number} map the network's, for comparison
 * @property {Reading} trained that map
 * @property {OwnKernel} kernel
 * @property {number} centre the input pixel under its middle
 */

/**
 * @param {HTMLElement} root
 * @param {ImageLayerActions} actions
 */
export function mountOwnKernel(root, actions) {
  const panel = findElement(root, "[data-own]");
  const comparison = findElement(root, "[data-comparison]");
  const undoButton = find(panel, "[data-undo]", HTMLButtonElement);
  /** @type {Undo<OwnKernel>} */
  const undo = new Undo();
  /** @type {Own | null} */
  let own = null;

  /** @param {OwnKernel} kernel @param {string} [kind] */
  function change(kernel, kind) {
    if (own !== null) undo.keep(own.kernel, kind);
    actions.useKernel(kernel);
  }

  const editor = mountEditor(panel, change);
  const tools = mountTools(panel, change);
  mountBrush(findElement(panel, "[data-brush]"), editor.grid, editor.paint);
  for (const button of panel.querySelectorAll("[data-nudge]")) {
    const steps = Number(button.getAttribute("data-nudge"));
    button.addEventListener("click", () => editor.nudge(steps));
  }
  undoButton.addEventListener("click", () => {
    const before = undo.back();
    if (before) actions.useKernel(before);
  });

  const picker = mountPicker(
    find(panel, "[data-picker]", HTMLDetailsElement),
    (map) => {
      if (own === null) return;
      change(trainedKernel(own.layer.kernels, map), "picker");
      actions.chooseMap(map);
    },
  );

  /** @type {Readonly<Record<string, (own: Own) => void>>} */
  const experiments = {
    edge: () => change(preset("vertical", 3)),
    other: ({ kernel }) => change(negated(kernel)),
    threshold: () => change({ ...preset("box", 5), bias: -0.6 }),
    turned({ layer }) {
      const [strongest] = ranked(energies(layer.relu));
      change(turned(trainedKernel(layer.kernels, strongest)));
      actions.chooseMap(strongest);
    },
  };
  for (const button of panel.querySelectorAll("[data-experiment]")) {
    const run = experiments[button.getAttribute("data-experiment") ?? ""];
    button.addEventListener("click", () => {
      if (own !== null) run(own);
    });
  }

  const maps = ["before", "after"].map((name) =>
    mountMap(findElement(comparison, `[data-trained-${name}]`), {
      choose({ row, column }) {
        if (own === null) return;
        const middle = middleAt(own.trained.reach, { row, column });
        actions.chooseCentre(middle.row * own.trained.side + middle.column);
      },
      hover(place) {
        for (const map of maps) map.point(place);
        actions.lookAt(place && own && fieldAt(own.trained.reach, place));
      },
    }),
  );
  const compare = memoize(
    (/** @type {Reading} */ { mapName, before, after, across }) => {
      findElement(comparison, "[data-comparison-title]").textContent =
        `For comparison: ${mapName.toLowerCase()} of the network`;
      maps[0].show(before, across, diverging(reach(before) || 1));
      maps[1].show(after, across, sequential(0, reach(after) || 1));
    },
  );

  return {
    /** @param {Own | null} ownNow null while trained kernels are looked at */
    show(ownNow) {
      own = ownNow;
      panel.hidden = own === null;
      comparison.hidden = own === null;
      if (own === null) return;
      undoButton.disabled = undo.isEmpty;
      editor.show(own.kernel);
      tools.show(own.kernel);
      picker.show(own.layer.kernels, own.map);
      const { trained, centre } = own;
      compare(trained);
      const { reach: seen, across, side } = trained;
      const place = pixelNear(seen, across, placeOf(centre, side), {
        row: 0,
        column: 0,
      });
      for (const map of maps) map.choose(place);
    },
  };
}
