/**
 * What readers do in the Atlas: select, choose a test image, open it elsewhere, save.
 * @import { Actions, AppState, Model, Pixels, Services, Source, Store } from "../types.js"
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { Picture } from "../ui/test-images.js"
 * @import { Atlases, OnShow } from "./atlases.js"
 * @import { Pin } from "./pins.js"
 */
import { pairSource } from "../core/links/pairs.js";
import { AS_COLLECTED, toySource } from "../core/links/toys.js";
import {
  COMPARE,
  EXPLORE,
  INPUT,
  isSameNetwork,
  LAB,
  madeFrom,
  TRAIN,
  testImagesOf,
  trainedOn,
} from "../core/state.js";
import { momentOf } from "../lib/moments.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { shapeOf } from "../lib/pixels.js";
import { withLabel } from "../lib/selections.js";
import { entries, VIEWS } from "../lib/tested.js";
import { laidOut, pairPicture } from "./pairs.js";
import { START } from "./scene.js";

/** The seed of the first test toys; with each seed, one of every category is drawn. */
const TOY_SEED = 2000;

/** What of the state goes with the image before. */
const ANOTHER = { intake: null, overrides: AUTOMATIC, unread: [], problem: null };

/** @typedef {ReturnType<typeof actionsOf>} Act */

/**
 * @param {Store<AppState>} store @param {Pick<Actions, "useModel">} actions
 * @param {Pick<Services, "server" | "guarded">} services
 * @param {object} view
 * @param {Atlases} view.atlases
 * @param {{ get: () => OnShow | null }} view.shown
 * @param {typeof START} view.page
 * @param {() => void} view.draw
 * @param {(images: readonly number[]) => Promise<Picture[]>} view.fetched
 */
export function actionsOf(store, actions, { server, guarded }, view) {
  const { atlases, shown, page, draw, fetched } = view;
  const set = (/** @type {Partial<AppState["atlas"]>} */ patch) =>
    store.set({ atlas: { ...store.get().atlas, ...patch } });
  /** What was chosen before is told of no more, unless it is selected, too. @param {Selection} selection */
  function select(selection) {
    set({ selection });
    const { point } = store.get().atlas;
    if (point !== null && !atlases.images().includes(point)) set({ point: null });
  }
  const choose = (/** @type {number} */ point) => set({ point });

  /** @type {Record<"explore" | "lab" | "compare", () => Partial<AppState>>} */
  const places = {
    explore: () => ({ mode: EXPLORE }),
    lab: () => ({ mode: LAB }),
    /** The comparison with the image on the bench. */
    compare() {
      const { pixels, source } = store.get();
      const kept = pixels === null ? null : { pixels, source };
      return { mode: EXPLORE, view: kept ? COMPARE : INPUT, kept, keptTrace: null };
    },
  };

  return {
    set,
    select,
    choose,
    /** @param {number} label */
    selectLabel: (label) => select(withLabel(atlases.selection(), label)),
    more() {
      page.most += START.most;
      draw();
    },
    /**
     * Show a test image elsewhere; Back leads here again.
     * @param {number | null} point @param {keyof typeof places} [where]
     */
    async open(point, where = "explore") {
      const atlas = atlases.atlas();
      const model = shown.get()?.model;
      if (point === null || atlas === null || !model || page.missing !== "") return;
      const destination = places[where]();
      store.set({ ...(await madeOf(atlas, model, point)), ...ANOTHER, ...destination });
    },

    /**
     * Show a sample digit on the bench, and choose where it stands on the map.
     * @param {Pin} pinned
     */
    tryDigit({ sample: { id, label, title, pixels }, index }) {
      store.set({ pixels, source: { kind: "sample", id, label, title }, ...ANOTHER });
      choose(index);
    },

    /** Where MNIST can be downloaded. */
    goToTrain: () => store.set({ mode: TRAIN }),

    /** The toy chosen, from the same side, as it stands on the turntable. */
    openToy() {
      const [atlas, point] = [atlases.atlas(), shown.get()?.point];
      if (!atlas?.views || point == null) return;
      const view = entries(atlas.views, VIEWS.length, point);
      const [toy, azimuth, elevation, light] = view;
      const seed = TOY_SEED + Math.floor(toy / atlas.names.length);
      const category = atlas.names[atlas.labels[point]];
      const scene = { category, seed, own: {}, azimuth, elevation, light };
      const source = toySource({ ...scene, ...AS_COLLECTED });
      store.set({ pixels: null, source, ...ANOTHER, mode: EXPLORE, view: INPUT });
    },

    /** Show the same images as another network or moment reads them, and who changes sides. */
    turnTo: guarded(async (/** @type {string} */ id) => {
      const { model, models, atlas } = store.get();
      const isMoment = momentOf(id) !== null && isSameNetwork(model, { id });
      const other = isMoment
        ? await server.fetchModel(id)
        : models.find((candidate) => candidate.id === id);
      if (model === null || other === undefined) return;
      const selection = /** @type {const} */ ({ kind: "differ", from: model.id });
      await actions.useModel(other, { atlas: { ...atlas, selection } });
    }),
  };

  /**
   * A test image, and what it is: an entry of a data set, or two of them.
   * @param {Atlas} atlas @param {Model} model @param {number} point
   * @returns {Promise<{ pixels: Pixels, source: Source }>}
   */
  async function madeOf(atlas, model, point) {
    if (atlas.pairs === null) {
      const [{ pixels }] = await fetched([point]);
      const [id, label] = [testImagesOf(trainedOn(model)), atlas.labels[point]];
      return { pixels, source: { kind: "dataset", id, index: point, label } };
    }
    const fetchDigits = digitsOf(server, model);
    const [digits] = await laidOut(atlas, atlas.pairs, [point], fetchDigits);
    return { pixels: pairPicture(digits, shapeOf(model)), source: pairSource(digits) };
  }
}

/** @param {Pick<Services["server"], "fetchPictures">} server @param {Model} model of which digits are the images */
const digitsOf = (server, model) => (/** @type {readonly number[]} */ digits) =>
  server.fetchPictures(testImagesOf(madeFrom(model)), digits);

/**
 * Fetches pictures of a test set; those of pairs are made of single digits.
 * @param {Pick<Services["server"], "fetchPictures">} server
 * @param {() => { atlas: Atlas | null, model: Model | undefined }} now
 */
export const fetchesMade =
  (server, now) =>
  /** @param {string} dataset @param {readonly number[]} indexes */
  async (dataset, indexes) => {
    const { atlas, model } = now();
    if (!atlas?.pairs || !model) return server.fetchPictures(dataset, indexes);
    const laid = await laidOut(atlas, atlas.pairs, indexes, digitsOf(server, model));
    return laid.map((digits) => pairPicture(digits, shapeOf(model)));
  };
