/**
 * The Atlas: map, confusion matrix and pictures of the chosen network's test set, linked by
 * one selection.
 * @import { Actions, AppState, Model, Pixels, Services, Store } from "../types.js"
 * @import { OnShow } from "./atlases.js"
 * @import { Scene } from "./scene.js"
 */
import { ATLAS, testImagesOf, trainedOn } from "../core/state.js";
import { selector } from "../core/store.js";
import { latest } from "../lib/timing.js";
import { findElement, setText } from "../ui/dom.js";
import { mountPanels } from "../ui/panel.js";
import { createPictures } from "../ui/test-images.js";
import { actionsOf, fetchesMade } from "./actions.js";
import { createAtlases } from "./atlases.js";
import { panels } from "./panels.js";
import { createPins } from "./pins.js";
import { START, sceneOf } from "./scene.js";
import { aboutWords } from "./words.js";

const NEAREST = 10;

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {Pick<Actions, "useModel">} actions @param {Services} services
 */
export function mountAtlas(root, store, actions, services) {
  const { server, guarded } = services;
  const none = findElement(root, "[data-none]");
  const page = { ...START };
  /** What the nearest are nearest to. @type {{ model: Model | null, pixels: Pixels | null }} */
  let about = { model: null, pixels: null };
  /** @type {((scene: Scene) => void)[]} */
  const watchers = [];

  const shown = selector(store, (state) => {
    const { mode, model } = state;
    if (mode !== ATLAS || model === null) return null;
    return { ...state, ...state.atlas, model };
  });
  const atlases = createAtlases(shown, services, {
    changed() {
      usePictures();
      draw();
      ask();
    },
    progressed: showAbout,
  });
  const now = () => ({ atlas: atlases.atlas(), model: shown.get()?.model });
  const pictures = createPictures(fetchesMade(server, now), draw);
  const pins = createPins(server, draw);
  const { fetched } = pictures;
  const act = actionsOf(store, actions, services, {
    atlases,
    shown,
    page,
    draw,
    fetched,
  });

  const scenes = {
    watch: (/** @type {(scene: Scene) => void} */ watcher) =>
      void watchers.push(watcher),
  };
  mountPanels(root, { scenes, act }, panels);

  shown.watch(["model", "models"], (state) => {
    usePictures();
    ask();
    atlases.need(/** @type {OnShow} */ (state));
    draw();
  });
  shown.watch(["map", "selection"], () => {
    page.most = START.most;
    draw();
  });
  shown.watch(["point"], draw);
  shown.watch(["pixels"], ask);
  shown.watch(["samples"], draw);

  const pin = guarded((/** @type {OnShow} */ { model, samples: drawn }) =>
    pins.pin(model, drawn),
  );

  function usePictures() {
    const model = shown.get()?.model;
    if (!model) return;
    const why = atlases.whyBare(model);
    page.missing = why ?? "";
    pictures.useSet(testImagesOf(trainedOn(model)), why === "");
  }

  function draw() {
    const state = shown.get();
    if (state === null) return;
    const why = atlases.whyNone(state.model);
    none.hidden = why === "";
    setText(none, why);
    const pinned = page.missing === "" ? [] : pins.of(state.model);
    const scene = sceneOf(state, atlases, page, { pictures: pictures.of, pinned });
    findElement(root, "[data-atlas]").hidden = scene === null;
    showAbout();
    if (scene === null) return;
    findElement(root, "[data-near]").hidden = state.model.card.atlas === undefined;
    for (const watcher of watchers) watcher(scene);
    atlases.needParts(state);
    if (page.missing !== "") void pin(state);
  }

  function showAbout() {
    const { model, atlas } = now();
    const words =
      model && atlas
        ? aboutWords(model, atlas)
        : "The whole test set of a network at a glance.";
    setText(findElement(root, "[data-about]"), atlases.progress() || words);
  }

  /** Ask which test images are nearest to the image on the bench. */
  function ask() {
    const state = shown.get();
    const isMeasured =
      state?.model.card.atlas !== undefined && atlases.atlas() !== null;
    const { model = null, pixels = null } = isMeasured ? state : {};
    if (model === about.model && pixels === about.pixels) return;
    if (model !== about.model || pixels === null) page.nearest = [];
    about = { model, pixels };
    if (model !== null && pixels !== null) askNearest({ model, pixels });
    draw();
  }
  const askNearest = latest(
    guarded(async (/** @type {{ model: Model, pixels: Pixels }} */ wish) => {
      const nearest = await server.fetchNearest(wish.model, wish.pixels, NEAREST);
      if (shown.get()?.model !== wish.model) return;
      page.nearest = nearest;
      draw();
    }),
  );
}
