/**
 * Pooling as it is drawn: a stroke moved by a pixel or two, and what that changes in the
 * layers of every network.
 * @import { Shift } from "../../lib/shift.js"
 * @import { LabServices, LabStore, Model, NetworkUnits, Pixels, PooledPicture } from "../../types.js"
 * @import { Reading } from "../shared/ask.js"
 * @import { PoolingSlice } from "./experiment.js"
 */

import { changeOf } from "../../lib/change.js";
import { memoize } from "../../lib/memoize.js";
import { inkOf } from "../../lib/pixels.js";
import { STEPS, stepped, UNMOVED } from "../../lib/shift.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, make, setText } from "../../ui/dom.js";
import { mountStage } from "../parts/stage.js";
import { newestAnswer, readBy } from "../shared/ask.js";
import { changedDigit, mountRows } from "../shared/rows.js";
import { layersOf, mountMaps, movedImage } from "./maps.js";
import { changeWords, layerTable, movedWords } from "./words.js";

/** @typedef {{ pixels: Pixels, networks: readonly Model[], changed: Pixels }} Wish */

/**
 * What one network says before and after the move.
 * @typedef {object} Both
 * @property {Reading} before
 * @property {Reading} after
 * @property {NetworkUnits | null} units null where it does not say what to compare
 * @property {PooledPicture | null} picture null where it has no layer that pools
 */

/**
 * @param {HTMLElement} root
 * @param {LabStore<PoolingSlice>} store
 * @param {LabServices} services
 */
export function mount(root, store, services) {
  const { server, loadNetwork } = services;
  const picture = findElement(root, "[data-changed]");
  const digit = changedDigit(picture, "The digit after the move");
  const what = findElement(root, "[data-what]");
  const sentences = findElement(root, "[data-words]");
  const told = findElement(root, "[data-moved-words]");
  const maps = mountMaps(findElement(root, "[data-maps]"), store);
  const rows = mountRows(findElement(root, "[data-rows]"), (model) => {
    const now = movedNow();
    if (now !== null) services.openInExplore(model, now.pixels);
  });
  /** @type {WeakMap<HTMLElement, ReturnType<typeof layerTable>>} */
  const tables = new WeakMap();
  /** @type {{ both: readonly Both[], wish: Wish } | null} */
  let known = null;

  const move = memoize(movedImage);
  function movedNow() {
    const state = store.get();
    if (state === null) return null;
    const { pixels, moves, piece, down, right } = state;
    return move(pixels, moves, piece, down, right);
  }

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

  const ask = newestAnswer(
    services,
    async (/** @type {Wish} */ { pixels, networks, changed }) => {
      const forms = await Promise.all(networks.map(formOf));
      const namesOf = (/** @type {Model} */ model) => [
        ...(forms[networks.indexOf(model)].units?.needs ?? []),
      ];
      const last = known?.wish;
      const isSame = last?.pixels === pixels && last.networks === networks;
      const before =
        isSame && known !== null
          ? known.both.map((each) => each.before)
          : await readBy(server, networks, pixels, namesOf);
      const after = await readBy(server, networks, changed, namesOf);
      return before.map((each, i) => ({
        before: each,
        after: after[i],
        ...forms[i],
      }));
    },
    (both, wish) => {
      known = { both, wish };
      showKnown();
    },
  );
  /** @param {Model} model */
  async function formOf(model) {
    const { units = null } = await loadNetwork(model);
    return { units, picture: (await units?.load?.()) ?? null };
  }

  store.watch(["pixels", "networks", "moves", "piece", "down", "right"], (state) => {
    const { pixels, networks, moves, piece, down, right } = state;
    const now = move(pixels, moves, piece, down, right);
    rows.of(networks);
    digit.show(now.pixels, pixels);
    stage.show(now.cut, now.moves, now.piece);
    pressChoice(what, moves);
    const { share } = changeOf({ data: inkOf(pixels) }, { data: inkOf(now.pixels) });
    const name =
      moves === "digit" ? "The whole digit" : `Piece ${now.piece + 1} of its strokes`;
    const lost = now.made.beyond + now.made.covered;
    setText(told, movedWords(name, { down, right }, share, lost));
    ask.ask({ pixels, networks, changed: now.pixels });
  });
  store.watch(["layer", "shown", "window", "followed"], showKnown);

  function showKnown() {
    const state = store.get();
    if (state === null || known === null) return;
    const { both, wish } = known;
    rows.show(
      both.map(({ after }) => after),
      state.followed,
    );
    if (wish.networks !== state.networks) return;
    const layers = both.map(layersOf);
    rows.of(state.networks).forEach(({ extra }, i) => {
      const table = tables.get(extra) ?? layerTable(extra);
      tables.set(extra, table);
      table.show(layers[i].map(({ told }) => told));
    });
    const all = layers.flat().map((each) => each.told);
    sentences.replaceChildren(
      ...changeWords(all).map((sentence) => make("p", "", sentence)),
    );
    maps.show(both, layers);
  }
}
