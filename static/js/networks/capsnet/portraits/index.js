/**
 * What a type of primary capsules looks for: the mean of the patches that make it long,
 * how these differ, the few that did so most, and the digits that it speaks for.
 * @import { Services } from "../../../types.js"
 * @import { CapsModel, Portraits } from "../types.js"
 * @import { Patches } from "./patches.js"
 */

import { ink } from "../../../lib/color.js";
import { signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { debounce } from "../../../lib/timing.js";
import { paintHeatmap, paintTiles } from "../../../paint/heatmap.js";
import { signedBar } from "../../../ui/bars.js";
import { findCanvas, findElement } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { decodedPatches, patchReader } from "./patches.js";
import { lengthsInWords, supportInWords, supportOf } from "./words.js";

const REST_MS = 300;
const GAP = 1; // px between patches

/**
 * @param {HTMLElement} root made by the template's macro `portrait`
 * @param {Services["server"]} server
 */
export function mountPortrait(root, server) {
  const title = findElement(root, "[data-portrait-title]");
  const mean = findCanvas(root, "[data-portrait-mean]");
  const ends = ["first", "last"].map((end) =>
    findCanvas(root, `[data-portrait-${end}]`),
  );
  const best = findCanvas(root, "[data-portrait-best]");
  const from = findElement(root, "[data-portrait-from]");
  const words = findElement(root, "[data-portrait-words]");
  const rows = findElement(root, "[data-portrait-rows]");
  const reader = patchReader(server);
  /** @type {{ model: CapsModel, portraits: Portraits, type: number } | null} */
  let wanted = null;

  /** @param {Patches} patches */
  function showPatches({ isReal, count, side, data }) {
    const layout = { count, across: count, rows: side, columns: side, gap: GAP };
    paintTiles(best, data, layout, () => ink());
    from.textContent = isReal
      ? `the ${count} patches of test images that made it longest, one of an image`
      : `stand-ins for the ${count} patches of test images that made it longest: as the network decodes these images, which are not on this machine`;
  }

  // At rest: somebody who walks from type to type looks at few of their patches.
  const readWanted = debounce(async () => {
    if (wanted === null) return;
    const { model, portraits, type } = wanted;
    const asked = wanted;
    try {
      const patches = await reader.read(model, portraits, type);
      if (patches !== null && wanted === asked) showPatches(patches);
    } catch {
      // The stand-ins stay, and say what they are.
    }
  }, REST_MS);

  const draw = memoize(
    (
      /** @type {CapsModel} */ model,
      /** @type {Portraits} */ portraits,
      /** @type {number} */ type,
    ) => {
      const { mean: means, ends: both } = portraits;
      const [, rowCount, columns] = means.shape;
      const size = rowCount * columns;
      const layout = { rows: rowCount, columns, scale: ink() };
      title.textContent = `What type ${type} looks for`;
      paintHeatmap(mean, means.data.subarray(type * size, (type + 1) * size), layout);
      ends.forEach((canvas, i) => {
        const at = (2 * type + i) * size;
        paintHeatmap(canvas, both.data.subarray(at, at + size), layout);
      });
      const support = supportOf(portraits, type);
      words.textContent = `${lengthsInWords(portraits, type)} ${supportInWords(support, model.class_names)}`;
      rows.replaceChildren(...supportRows(support, model.class_names));
      showPatches(decodedPatches(portraits, type));
      wanted = { model, portraits, type };
      readWanted();
    },
  );

  const drawSeen = showSeenFirst(root, draw);
  return {
    /**
     * @param {CapsModel} model
     * @param {Portraits | null} portraits null: nothing was measured, or not yet here
     * @param {number} type
     */
    show(model, portraits, type) {
      root.hidden = portraits === null;
      if (portraits !== null) drawSeen(model, portraits, type);
    },
  };
}

/**
 * @param {readonly number[]} support
 * @param {readonly string[]} names
 */
function supportRows(support, names) {
  const most = Math.max(...support.map(Math.abs), 1e-9);
  return support.map((value, digit) => {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = names[digit];
    const bar = document.createElement("td");
    bar.className = "signed-bars";
    bar.append(signedBar("is-after", value / most));
    const number = document.createElement("td");
    number.textContent = signed(value, 2);
    row.append(name, bar, number);
    return row;
  });
}
