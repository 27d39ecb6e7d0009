/**
 * All maps of a pooling layer in one picture: what goes on of each, or what does not.
 * @import { Pooled } from "../../types.js"
 * @import { Loss } from "./windows.js"
 * @import { At } from "../../ui/maps.js"
 * @import { PoolingLook } from "./types.js"
 * @import { PoolHooks } from "./view.js"
 */
import { ranked, reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { fixed, percent } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { lossOf, lossOfAll, pooledMap, thrownAway } from "./windows.js";
import { lossWords, summed } from "./words.js";

const ACROSS = 8;
const ACROSS_WHEN_NARROW = 6;

/** What each map loses, and all of the layer. */
const lostOf = memoizeByObject(
  (/** @type {Pooled} */ { below }) => below,
  (layer) => {
    const each = Array.from({ length: layer.below.shape[0] }, (_, map) =>
      lossOf(pooledMap(layer, map)),
    );
    return { each, all: lossOfAll(each) };
  },
);

/** @param {HTMLElement} root @param {PoolHooks} hooks */
export function mountMaps(root, { names, chooseMap, look, lookAtWindow, lookAtPixel }) {
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  const total = findElement(root, "[data-layer-loss]");
  /** @type {{ layer: Pooled, map: number, look: PoolingLook } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, ".overlaid"), {
    across: ({ count }, isNarrow) =>
      Math.min(count, isNarrow ? ACROSS_WHEN_NARROW : ACROSS),
    choose: chooseMap,
    hover(at) {
      tell(at);
      if (shown?.look.shown === "lost") lookAtPixel(at);
      else lookAtWindow(at);
    },
    note: (at) => `map ${at.tile}: ${fixed(valueAt(at))}`,
  });
  listenToChoices(modes, (value) =>
    look({ shown: value === "lost" ? value : "pooled" }),
  );
  listenToChoices(orders, (value) =>
    look({ order: value === "lost" ? value : "number" }),
  );

  const tilesOf = memoize(tilesFrom);
  const sort = memoize(
    (/** @type {readonly Loss[]} */ each, /** @type {string} */ by) =>
      by === "lost"
        ? ranked(each.map(({ share }) => share))
        : each.map((_, map) => map),
  );

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
    const { total: activation, share } = lostOf(shown.layer).each[map];
    const words = [
      `map ${map}: ${percent(share, 1)} of its activation of ${summed(activation)} is thrown away`,
    ];
    if (at !== null)
      words.push(`row ${at.row}, column ${at.column}: ${fixed(valueAt(at))}`);
    setText(readout, words.join("; "));
  }

  return {
    /** @param {Pooled} layer @param {number} map @param {PoolingLook} lookNow */
    show(layer, map, lookNow) {
      shown = { layer, map, look: lookNow };
      const isLost = lookNow.shown === "lost";
      const tiles = tilesOf(layer, lookNow.shown);
      const { each, all } = lostOf(layer);
      pressChoice(modes, lookNow.shown);
      pressChoice(orders, lookNow.order);
      const what = isLost ? "what is thrown away" : "after pooling";
      setText(title, `All ${tiles.count} maps, ${what}`);
      showLegend(legend, tiles.scaleOf(), {
        unit: `activation of ${isLost ? names.below : names.own}`,
        decimals: 3,
      });
      sheet.show(tiles, sort(each, lookNow.order), map);
      setText(total, lossWords(all, "The whole layer"));
      tell(null);
    },
  };
}

/** @param {Pooled} layer @param {PoolingLook["shown"]} kind */
function tilesFrom(layer, kind) {
  const tensor = kind === "lost" ? restOf(layer) : layer.pooled;
  const [count, rows, columns] = tensor.shape;
  // One scale for both pictures, so that they can be compared.
  const scale = sequential(0, reach(layer.pooled.data) || 1);
  return { values: tensor.data, count, rows, columns, gap: 1, scaleOf: () => scale };
}

/** @param {Pooled} layer */
function restOf(layer) {
  const { shape } = layer.below;
  const data = new Float32Array(layer.below.data.length);
  for (let map = 0; map < shape[0]; map++)
    data.set(thrownAway(pooledMap(layer, map)), map * shape[1] * shape[2]);
  return { shape, data };
}
