/**
 * One map of a pooling layer before and after the move, drawn by its network.
 * @import { Assembled, Move } from "../parts/arrangement.js"
 * @import { Cut } from "../parts/cut.js"
 * @import { PoolingSlice } from "./experiment.js"
 * @import { Both } from "./index.js"
 * @import { LabStore, LayerUnits, Pixels } from "../../types.js"
 */

import { clamp, differenceOf, largestOf, reach } from "../../lib/arithmetic.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { greyOf, inkOf, toPixels } from "../../lib/pixels.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { assembled, STAY } from "../parts/arrangement.js";
import { cutBy, NONE } from "../parts/cut.js";
import { cutOf } from "../parts/presets.js";
import { MOST } from "./experiment.js";

/**
 * One map of a pooling layer before and after the move, drawn by its network.
 * @param {HTMLElement} root
 * @param {LabStore<PoolingSlice>} store
 */
export function mountMaps(root, store) {
  const title = findElement(root, "[data-maps-title]");
  const choice = find(root, "[data-layer]", HTMLSelectElement);
  const number = find(root, "[data-shown]", HTMLInputElement);
  const most = find(root, "[data-most]", HTMLButtonElement);
  const holder = findElement(root, "[data-picture]");
  const readout = findElement(root, "#lab-pooling-readout");
  /** @type {{ form: Both["form"], draw: ReturnType<NonNullable<NonNullable<Both["form"]>["mountPicture"]>> } | null} */
  let mounted = null;

  choice.addEventListener("change", () =>
    store.set({ layer: choice.value, shown: null, window: null }),
  );
  number.addEventListener("input", () => {
    if (number.checkValidity() && number.value !== "")
      store.set({ shown: number.valueAsNumber });
  });
  most.addEventListener("click", () => store.set({ shown: null, window: null }));

  /** @param {Both} both */
  function drawerFor({ form, before }) {
    if (mounted !== null && mounted.form === form) return mounted.draw;
    const template = document.querySelector(
      `template[data-moving="${before.model.architecture}"]`,
    );
    if (!(template instanceof HTMLTemplateElement) || !form?.mountPicture) return null;
    holder.replaceChildren(document.importNode(template.content, true));
    const draw = form.mountPicture(holder, {
      hover: (words) => setText(readout, words),
      choose: (window) => store.set({ window }),
    });
    mounted = { form, draw };
    return draw;
  }

  return {
    /**
     * @param {readonly Both[]} all
     * @param {readonly { before: LayerUnits, after: LayerUnits }[][]} layers of each
     */
    show(all, layers) {
      const state = store.get();
      const at = all.findIndex(({ form }) => form?.mountPicture !== undefined);
      root.hidden = at < 0;
      if (state === null || at < 0) return;
      const pooling = layers[at].filter(({ before }) => before.pools);
      const one = pooling.find(({ before }) => before.id === state.layer) ?? pooling[0];
      const draw = drawerFor(all[at]);
      if (one === undefined || draw === null) return;
      const maps = one.before.maps ?? 1;
      const map =
        state.shown !== null && state.shown < maps
          ? state.shown
          : mostChanged(one.before.data, one.after.data, maps);
      fillChoice(
        choice,
        pooling.map(({ before }) => before),
        one.before.id,
      );
      number.max = String(maps - 1);
      if (number !== document.activeElement || number.value === "")
        number.value = String(map);
      most.setAttribute("aria-pressed", String(state.shown === null));
      setText(
        title,
        `Map ${map} of ${one.before.title} in ${all[at].before.model.title}, before and after`,
      );
      const [before, after] = [all[at].before, all[at].after].map(
        ({ trace }) => /** @type {any} */ (trace), // it was asked for what the form needs
      );
      const windows = [one.before, one.after].map(({ data }) => {
        const size = data.length / maps;
        return data.subarray(map * size, (map + 1) * size);
      });
      const window =
        state.window !== null && state.window < windows[0].length
          ? state.window
          : mostChanged(windows[0], windows[1], windows[0].length);
      draw(before, after, one.before.id, map, window);
    },
  };
}

/**
 * @param {HTMLSelectElement} choice
 * @param {readonly LayerUnits[]} layers
 * @param {string} chosen
 */
function fillChoice(choice, layers, chosen) {
  if (choice.options.length !== layers.length)
    choice.replaceChildren(...layers.map(({ id, title }) => new Option(title, id)));
  choice.value = chosen;
}

/**
 * Which of equal parts, such as maps, changes most, all its values together.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {number} parts
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
const NEAR = 0.01;
const ROUGH = 0.1;

/**
 * @typedef {object} Change
 * @property {number} units
 * @property {number} active units that are not zero both times
 * @property {number} near of these, how many change by 1 % at most of the longer of both
 * @property {number} rough how many by 10 % at most
 * @property {number} share the sum of all changes' lengths, as a share of the sum of all
 *   lengths before; not a number where that is 0
 * @property {{ contested: number, rewon: number } | null} winners of a layer that pools:
 *   windows above 0 both times, and those of them in which another pixel wins
 */

/**
 * How much a layer changes, in terms in which pooled values and poses compare: each
 * unit is a vector, a value being a vector of one number.
 * @param {LayerUnits} before
 * @param {LayerUnits} after the same layer
 * @returns {Change}
 */
export function changeOf(before, after) {
  const { size } = before;
  const units = before.data.length / size;
  let [active, near, rough, changed, length] = [0, 0, 0, 0, 0];
  for (let unit = 0; unit < units; unit++) {
    const [was, is, by] = lengthsOf(before.data, after.data, unit * size, size);
    length += was;
    changed += by;
    const longer = Math.max(was, is);
    if (longer === 0) continue;
    active++;
    if (by <= NEAR * longer) near++;
    if (by <= ROUGH * longer) rough++;
  }
  const winners = winnersOf(before, after);
  return { units, active, near, rough, share: changed / length, winners };
}

/**
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {number} start
 * @param {number} size
 * @returns {[was: number, is: number, by: number]} lengths, and that of the difference
 */
function lengthsOf(before, after, start, size) {
  let [was, is, by] = [0, 0, 0];
  for (let i = start; i < start + size; i++) {
    was += before[i] ** 2;
    is += after[i] ** 2;
    by += (after[i] - before[i]) ** 2;
  }
  return [Math.sqrt(was), Math.sqrt(is), Math.sqrt(by)];
}

/** @param {LayerUnits} before @param {LayerUnits} after */
function winnersOf(before, after) {
  if (before.winners === undefined || after.winners === undefined) return null;
  let [contested, rewon] = [0, 0];
  for (let i = 0; i < before.winners.length; i++) {
    if (before.data[i] === 0 || after.data[i] === 0) continue;
    contested++;
    if (before.winners[i] !== after.winners[i]) rewon++;
  }
  return { contested, rewon };
}

/**
 * The image's own change: all differences, as a share of the ink before.
 * @param {ArrayLike<number>} before
 * @param {ArrayLike<number>} after
 * @returns {number} not a number where there is no ink
 */
export function inkChange(before, after) {
  let [changed, ink] = [0, 0];
  for (let i = 0; i < before.length; i++) {
    changed += Math.abs(after[i] - before[i]);
    ink += before[i];
  }
  return changed / ink;
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
 * @param {Pixels} pixels
 * @param {PoolingSlice["moves"]} what
 * @param {number} chosen
 * @param {number} down
 * @param {number} right
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

/**
 * @param {{ down: number, right: number }} move
 * @returns {{ down: number, right: number }} at most `MOST` pixels each way
 */
export function kept({ down, right }) {
  const within = (/** @type {number} */ by) => clamp(by, -MOST, MOST) + 0;
  return { down: within(down), right: within(right) };
}
