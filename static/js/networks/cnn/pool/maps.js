/**
 * All maps of a pooling layer in one picture: what goes on of each, or what does not.
 * @import { Loss, Pooled } from "./windows.js"
 * @import { At } from "../../../ui/maps.js"
 * @import { PoolingLook } from "../types.js"
 * @import { PoolHooks } from "./view.js"
 */

import { ranked, reach } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { findElement, setText } from "../../../ui/dom.js";
import { tileSheet } from "../../../ui/maps.js";
import { showLegend } from "../../../ui/pictures.js";
import { pooledMap, thrownAway } from "./windows.js";
import { lossWords, summed } from "./words.js";

const ACROSS = 8;
const ACROSS_WHEN_NARROW = 6;

/**
 * @typedef {object} Lost
 * @property {readonly Loss[]} each map's
 * @property {Loss} all of the layer
 */

/**
 * @param {HTMLElement} root
 * @param {PoolHooks} hooks
 */
export function mountMaps(
  root,
  { names, actions, chooseMap, lookAtWindow, lookAtPixel },
) {
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  const total = findElement(root, "[data-layer-loss]");
  /** @type {{ layer: Pooled, lost: Lost, map: number, look: PoolingLook } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, ".overlaid"), {
    across: ACROSS,
    acrossWhenNarrow: ACROSS_WHEN_NARROW,
    gap: 1,
    choose: chooseMap,
    hover(at) {
      tell(at);
      if (shown?.look.shown === "lost") lookAtPixel(at);
      else lookAtWindow(at);
    },
    note: ({ tile, row, column }) =>
      `map ${tile}: ${fixed(valueAt({ tile, row, column }))}`,
  });
  listenToChoices(modes, (value) =>
    actions.lookAtPooling({ shown: value === "lost" ? value : "pooled" }),
  );
  listenToChoices(orders, (value) =>
    actions.lookAtPooling({ order: value === "lost" ? value : "number" }),
  );

  const tilesOf = memoize(tilesFrom);
  const sort = memoize((/** @type {Lost} */ lost, /** @type {string} */ by) =>
    by === "lost"
      ? ranked(lost.each.map(({ share }) => share))
      : lost.each.map((_, map) => map),
  );
  const tellAll = memoize((/** @type {Lost} */ { all }) => {
    total.textContent = lossWords(all, "The whole layer");
  });

  /** @param {At} at */
  function valueAt({ tile, row, column }) {
    if (shown === null) return 0;
    const { values, rows, columns } = tilesOf(shown.layer, shown.look.shown);
    return values[(tile * rows + row) * columns + column];
  }

  /** @param {At | null} at */
  function tell(at) {
    if (shown === null) return;
    const map = at?.tile ?? shown.map;
    const { total: activation, share } = shown.lost.each[map];
    const words = [
      `map ${map}: ${percent(share, 1)} of its activation of ${summed(activation)} is thrown away`,
    ];
    if (at !== null)
      words.push(`row ${at.row}, column ${at.column}: ${fixed(valueAt(at))}`);
    setText(readout, words.join("; "));
  }

  return {
    /**
     * @param {Pooled} layer
     * @param {Lost} lost
     * @param {number} map
     * @param {PoolingLook} look
     */
    show(layer, lost, map, look) {
      shown = { layer, lost, map, look };
      const tiles = tilesOf(layer, look.shown);
      pressChoice(modes, look.shown);
      pressChoice(orders, look.order);
      const what = look.shown === "lost" ? "what is thrown away" : "after pooling";
      setText(title, `All ${tiles.count} maps, ${what}`);
      showLegend(legend, tiles.scale, {
        unit: `activation of ${look.shown === "lost" ? names.below : names.own}`,
        decimals: 3,
      });
      sheet.show(tiles, sort(lost, look.order), map);
      tellAll(lost);
      tell(null);
    },
  };
}

/**
 * @param {Pooled} layer
 * @param {PoolingLook["shown"]} kind
 */
function tilesFrom(layer, kind) {
  const tensor = kind === "lost" ? restOf(layer) : layer.pooled;
  const [count, rows, columns] = tensor.shape;
  // One scale for both pictures, so that they can be compared.
  const scale = sequential(0, reach(layer.pooled.data) || 1);
  return { values: tensor.data, count, rows, columns, scale };
}

/** @param {Pooled} layer */
function restOf(layer) {
  const { shape } = layer.below;
  const data = new Float32Array(layer.below.data.length);
  for (let map = 0; map < shape[0]; map++)
    data.set(thrownAway(pooledMap(layer, map)), map * shape[1] * shape[2]);
  return { shape, data };
}
