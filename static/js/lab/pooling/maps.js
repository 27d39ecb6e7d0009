/**
 * The image with a stroke moved, how much that changes each layer of a network, and one map
 * of a pooling layer before and after.
 * @import { Assembled, Move } from "../parts/arrangement.js"
 * @import { Cut } from "../parts/cut.js"
 * @import { PoolingSlice } from "./experiment.js"
 * @import { Both } from "./index.js"
 * @import { Told } from "./words.js"
 * @import { Change } from "../../lib/change.js"
 * @import { LabStore, LayerUnits, Pixels, Pooled, PooledPicture } from "../../types.js"
 */

import { differenceOf, largestOf, reach } from "../../lib/arithmetic.js";
import { changeOf, rewonOf } from "../../lib/change.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { greyOf, inkOf, toPixels } from "../../lib/pixels.js";
import { findElement, setText } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { button, menu } from "../../ui/inputs.js";
import { assembled, STAY } from "../parts/arrangement.js";
import { cutBy, NONE } from "../parts/cut.js";
import { cutOf } from "../parts/presets.js";

/**
 * One map of a pooling layer before and after the move, drawn by its network.
 * @param {HTMLElement} root @param {LabStore<PoolingSlice>} store
 * @returns {(all: readonly Both[], layers: readonly { before: LayerUnits, after: LayerUnits }[][]) => void}
 *   layers of each network
 */
export function mountMaps(root, store) {
  const [title, controls, holder, readout] = [
    ...["maps-title", "controls", "picture", "readout"],
  ].map((each) => findElement(root, `[data-${each}]`));
  /** @type {ReturnType<PooledPicture["mountPooled"]> | null} */
  let draw = null;

  return (all, layers) => {
    const state = store.get();
    const at = all.findIndex(({ picture }) => picture !== null);
    const pooling = layers[at]?.filter(({ before }) => before.pooled) ?? [];
    const one = pooling.find(({ before }) => before.id === state?.layer) ?? pooling[0];
    root.hidden = one === undefined;
    if (state === null || one === undefined) return;
    const [before, after] = [one.before, one.after].map(
      ({ pooled }) => /** @type {Pooled} */ (pooled),
    );
    const [maps] = before.pooled.shape;
    const { data } = one.before;
    const map = within(state.shown, maps) ?? mostChanged(data, one.after.data, maps);
    const [was, is] = [before, after].map(({ pooled: { data } }) => {
      const size = data.length / maps;
      return data.subarray(map * size, (map + 1) * size);
    });
    const window = within(state.window, was.length) ?? mostChanged(was, is, was.length);
    const { title: name, id } = one.before;
    setText(
      title,
      `Map ${map} of ${name} in ${all[at].before.model.title}, before and after`,
    );
    const options = pooling.map(({ before: { id, title } }) => [id, title]);
    const shown = { type: "number", min: 0, max: maps - 1, step: 1, value: map };
    /** @param {any} event */
    const oninput = ({ target }) => {
      if (target.checkValidity() && target.value !== "")
        store.set({ shown: target.valueAsNumber });
    };
    fill(
      controls,
      menu("Layer", options, id, (layer) =>
        store.set({ layer, shown: null, window: null }),
      ),
      h("label", {}, "Map ", h("input", { ...shown, oninput })),
      button(
        "The map that changes most",
        () => store.set({ shown: null, window: null }),
        { pressed: state.shown === null },
      ),
    );
    draw ??= /** @type {PooledPicture} */ (all[at].picture).mountPooled(holder, {
      choose: (chosen) => store.set({ window: chosen }),
      tell: (words) => setText(readout, words),
    });
    draw(before, after, map, window);
  };
}

/** @param {number | null} chosen @param {number} count @returns {number | null} null: none */
const within = (chosen, count) => (chosen !== null && chosen < count ? chosen : null);

/**
 * Which of equal parts, such as maps, changes most, all its values together.
 * @param {Float32Array} before @param {Float32Array} after @param {number} parts
 * @returns {number} the one with the highest values where nothing changes
 */
export function mostChanged(before, after, parts) {
  const differences = differenceOf(after, before);
  const values = reach(differences) > 0 ? differences : before;
  const size = values.length / parts;
  const sums = Array.from({ length: parts }, (_, part) =>
    values
      .subarray(part * size, (part + 1) * size)
      .reduce((sum, value) => sum + Math.abs(value), 0),
  );
  return largestOf(sums);
}

/** A unit that changes by no more than these shares of its length nearly stays. */
const LIMITS = [0.01, 0.1];

/**
 * @typedef {Change & { winners: ReturnType<typeof rewonOf> | null }} LayerChange winners of
 *   a layer that pools
 */

/**
 * The layers of one network and how much they change.
 * @param {Both} both
 * @returns {{ before: LayerUnits, after: LayerUnits, told: Told }[]}
 */
export function layersOf({ before, after, units }) {
  const [was, is] = [before, after].map(({ trace }) => units?.of(trace) ?? []);
  return was.map((layer, i) => ({
    before: layer,
    after: is[i],
    told: { network: before.model.title, layer, change: layerChange(layer, is[i]) },
  }));
}

/**
 * @param {LayerUnits} before
 * @param {LayerUnits} after the same layer
 * @returns {LayerChange}
 */
function layerChange(before, after) {
  const [was, is] = [before, after].map(
    ({ pooled }) =>
      pooled && { pooled: pooled.pooled.data, winners: pooled.winners.data },
  );
  const winners = was && is ? rewonOf(was, is) : null;
  return { ...changeOf(before, after, LIMITS), winners };
}

/**
 * @typedef {object} MovedImage
 * @property {Cut} cut one piece where the whole digit is moved
 * @property {number} piece that is moved: the chosen one, or the first if there is none
 * @property {Move[]} moves
 * @property {Assembled} made
 * @property {Pixels} pixels
 */

/**
 * The image with its digit, or a piece of it, moved.
 * @param {Pixels} pixels @param {PoolingSlice["moves"]} what @param {number} chosen
 * @param {number} down @param {number} right
 * @returns {MovedImage}
 */
export function movedImage(pixels, what, chosen, down, right) {
  const ink = inkOf(pixels);
  const cut = what === "strokes" ? cutOf(pixels, "strokes") : whole(pixels);
  const piece = chosen < cut.pieces.length ? chosen : 0;
  const moves = cut.pieces.map((_, i) =>
    i === piece ? { ...STAY, down, right } : STAY,
  );
  const made = assembled(ink, cut, moves);
  return { cut, piece, moves, made, pixels: toPixels(made.ink, pixels) };
}

/** All ink as one piece: made once, so that it stays the same while it moves. */
const whole = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const ink = greyOf(inkOf(pixels), pixels);
    const owners = Uint8Array.from(ink, (value) => (value > 0 ? 0 : NONE));
    return cutBy(ink, pixels, owners);
  },
);
