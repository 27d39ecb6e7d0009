/**
 * Pooling as it is drawn: a stroke moved by a pixel or two, and what that changes in the
 * layers of every network.
 * @import { Shift } from "../../lib/shift.js"
 * @import { LabMount, LabServices, LabStore, Model, NetworkUnits, Pixels, PooledPicture } from "../../types.js"
 * @import { ChangeWish, Reading } from "../shared/ask.js"
 * @import { PoolingSlice } from "./experiment.js"
 */

import { changeOf } from "../../lib/change.js";
import { memoize } from "../../lib/memoize.js";
import { inkOf, isColour } from "../../lib/pixels.js";
import { STEPS, stepped, UNMOVED } from "../../lib/shift.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { mountStage } from "../parts/stage.js";
import { newestAnswer, pairReader } from "../shared/ask.js";
import { changedDigit, mountRows } from "../shared/rows.js";
import { layersOf, mountMaps, movedImage } from "./maps.js";
import { changeWords, layerTable, movedWords } from "./words.js";

/**
 * What one network says before and after the move.
 * @typedef {object} Both
 * @property {Reading} before
 * @property {Reading} after
 * @property {NetworkUnits | null} units null where it does not say what to compare
 * @property {PooledPicture | null} picture null where it has no layer that pools
 */

/** How an image is moved. @typedef {Pick<PoolingSlice, "moves" | "piece" | "down" | "right"> & { pixels: Pixels }} Moving */

/** @type {LabMount<PoolingSlice>} */
export function mount(root, store, services) {
  const picture = findElement(root, "[data-changed]");
  const digit = changedDigit(picture, "The image after the move");
  const told = findElement(root, "[data-moved-words]");
  const moving = mountMoving(root, picture, store);
  const showLayers = mountLayers(root, store, (model) => {
    const now = moving.now();
    if (now !== null) services.openInExplore(model, now.pixels);
  });
  const ask = createReader(services, showLayers);

  store.watch(["pixels", "networks", "moves", "piece", "down", "right"], (state) => {
    const { pixels, networks, moves, down, right } = state;
    const now = moving.show(state);
    digit.show(now.pixels, pixels);
    const { share } = changeOf({ data: inkOf(pixels) }, { data: inkOf(now.pixels) });
    const name =
      moves === "digit" ? "The whole image" : `Piece ${now.piece + 1} of its strokes`;
    const lost = now.made.beyond + now.made.covered;
    const isColoured = isColour(pixels);
    setText(told, movedWords(name, { down, right }, share, lost, isColoured));
    ask({ pixels, networks, changed: now.pixels });
  });
}

/**
 * Move the digit or one of its pieces: by hand, by keys and by buttons.
 * @param {HTMLElement} root
 * @param {HTMLElement} picture where it is moved by hand
 * @param {LabStore<PoolingSlice>} store
 */
function mountMoving(root, picture, store) {
  const what = findElement(root, "[data-what]");
  const stage = mountStage(
    picture,
    findElement(root, "[data-piece]"),
    {
      put: (piece, /** @type {Shift} */ by) => store.set({ ...stepped(by), piece }),
      choose(piece) {
        if (store.get()?.piece !== piece) store.set({ piece });
      },
    },
    "lab-pooling-keys",
  );
  listenToChoices(what, (value) =>
    store.set({ moves: value === "strokes" ? value : "digit", piece: 0 }),
  );
  for (const [name, step] of Object.entries(STEPS))
    findElement(root, `[data-move="${name}"]`).addEventListener("click", () => {
      const state = store.get();
      if (state !== null) store.set(stepped(state, step));
    });
  findElement(root, "[data-move-back]").addEventListener("click", () =>
    store.set(UNMOVED),
  );

  const move = memoize(movedImage);
  /** @param {Moving} state */
  const movedIn = ({ pixels, moves, piece, down, right }) =>
    move(pixels, moves, piece, down, right);
  return {
    now() {
      const state = store.get();
      return state && movedIn(state);
    },

    /** @param {Moving} state */
    show(state) {
      const now = movedIn(state);
      stage(now.cut, now.moves, now.piece);
      pressChoice(what, state.moves);
      return now;
    },
  };
}

/**
 * Ask every network about the layers that it compares, before the move and after it.
 * @param {LabServices} services
 * @param {(both: readonly Both[], wish: ChangeWish) => void} show
 */
function createReader(services, show) {
  const unitsOf = async (/** @type {Model} */ model) =>
    (await services.loadNetwork(model)).units ?? null;
  const readPair = pairReader(services.server, async (model) => [
    ...((await unitsOf(model))?.needs ?? []),
  ]);
  return newestAnswer(
    services,
    async (/** @type {ChangeWish} */ wish) => {
      const { before, after } = await readPair(wish);
      return Promise.all(
        before.map(async (each, i) => {
          const units = await unitsOf(each.model);
          const picture = (await units?.load?.()) ?? null;
          return { before: each, after: after[i], units, picture };
        }),
      );
    },
    show,
  ).ask;
}

/**
 * What the move changes: a row for each network, in words, and one map before and after.
 * @param {HTMLElement} root @param {LabStore<PoolingSlice>} store
 * @param {(model: Model) => void} open
 * @returns {(both: readonly Both[], wish: ChangeWish) => void}
 */
function mountLayers(root, store, open) {
  const sentences = findElement(root, "[data-words]");
  const showMaps = mountMaps(findElement(root, "[data-maps]"), store);
  const showRows = mountRows(findElement(root, "[data-rows]"), open);
  /** @type {{ both: readonly Both[], layers: ReturnType<typeof layersOf>[], wish: ChangeWish } | null} */
  let known = null;
  store.watch(["networks", "layer", "shown", "window", "followed"], draw);

  function draw() {
    const state = store.get();
    if (state === null) return;
    const { both, layers, wish } = known ?? { both: [], layers: [], wish: null };
    showRows(state.networks, (model) => {
      const at = both.findIndex(({ after }) => after.model === model);
      return {
        ...{ trace: both[at]?.after.trace, followed: state.followed },
        extra: at >= 0 && layerTable(layers[at].map(({ told }) => told)),
      };
    });
    if (wish?.networks !== state.networks) return;
    const all = layers.flat().map((each) => each.told);
    fill(
      sentences,
      changeWords(all).map((sentence) => h("p", {}, sentence)),
    );
    showMaps(both, layers);
  }
  return (both, wish) => {
    known = { both, layers: both.map(layersOf), wish };
    draw();
  };
}
