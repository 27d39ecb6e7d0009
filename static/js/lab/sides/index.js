/**
 * All sides as it is drawn: the toy on its turntable, every network's curve, and the path
 * of what each makes of it along a full turn.
 * @import { SweepSlice, SweepWish, Swept } from "../shared/sweep.js"
 * @import { LabMount } from "../../types.js"
 */

import { seesToys, TOYS } from "../../core/state.js";
import { selector } from "../../core/store.js";
import { shapeOf } from "../../lib/pixels.js";
import { toyPixels } from "../../toys/scene.js";
import { findElement } from "../../ui/dom.js";
import { keepCodes, mountPaths } from "../pose/paths.js";
import { offerModel } from "../shared/offer.js";
import { mountSweep } from "../shared/sweep.js";
import { KNOBS } from "./experiment.js";
import { sceneOf } from "./scene.js";

/** @type {LabMount<SweepSlice>} */
export function mount(root, page, services) {
  // Where no toy is on show, another is turned, and its own category followed.
  const store = {
    ...selector(page, (state) =>
      state.source.kind === "toy"
        ? state
        : {
            ...state,
            followed: TOYS.indexOf(sceneOf(state.source, state.settings).category),
          },
    ),
    set: page.set,
  };
  const { codes, namesOf } = keepCodes(services);
  const none = findElement(root, "[data-no-toys]");
  const body = findElement(root, "[data-toys]");
  /** @type {{ swept: Swept, wish: SweepWish } | null} */
  let known = null;
  /** @type {ReturnType<typeof mountPaths> | null} */
  let paths = null;

  const begin = services.guarded(async (/** @type {undefined} */ _wish) => {
    const { categories } = await services.server.fetchToys();
    if (paths !== null) return;
    const { change } = mountSweep(root, store, services, {
      ...{ knobs: KNOBS, namesOf, title: "The toy" },
      imageOf({ source, pixels, settings }) {
        const { model } = store.get() ?? {};
        if (model === undefined || !seesToys(model)) return pixels;
        return toyPixels(categories, sceneOf(source, settings), shapeOf(model));
      },
      onSweep(swept, wish) {
        known = { swept, wish };
        showPaths();
      },
    });
    paths = mountPaths(
      findElement(root, "[data-paths]"),
      (knob, value) => change({ [knob.id]: value }, knob.id),
      findElement(root, "[data-moved]"),
    );
    store.watch(["settings", "knob"], ({ settings, knob }) => {
      const turned = KNOBS.find(({ id }) => id === knob);
      if (turned !== undefined) paths?.mark(turned, settings[knob]);
    });
  });

  offerModel(none, page, services, seesToys);
  store.watch(["model"], ({ model }) => {
    body.hidden = !seesToys(model);
    none.hidden = !body.hidden;
    if (!body.hidden && paths === null) void begin(undefined);
  });

  function showPaths() {
    const state = store.get();
    if (state === null || known === null) return;
    paths?.show(known.swept, known.wish, codes, state);
  }
  store.watch(["followed"], showPaths);
}
