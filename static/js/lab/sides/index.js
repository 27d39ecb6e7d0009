/**
 * All sides as it is drawn: the toy on its turntable, every network's line, and the path
 * of what each makes of it along a full turn.
 * @import { Codes } from "../pose/paths.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { LabMount } from "../../types.js"
 */

import { seesToys, TOYS } from "../../core/state.js";
import { selector } from "../../core/store.js";
import { shapeOf } from "../../lib/pixels.js";
import { toyPixels } from "../../toys/scene.js";
import { mountPanels } from "../../ui/panel.js";
import { keepCodes, pathsPanel } from "../pose/paths.js";
import { mountSweep } from "../shared/sweep.js";
import { KNOBS } from "./knobs.js";
import { sceneOf } from "./scene.js";

const HOW_TO_READ =
  "A full turn brings the toy back to where it began, so the path of what a network makes of it closes. A pose that follows the turn would draw one wide ring; a vector that tells the category alone would stay where it is. Each path stands in the plane of its own first two principal components; a dot is one value of the knob, from dark (the least) to light (the largest), hollow where another category is read. A network without poses is the control; its hidden layer is followed instead.";

export const panels = (/** @type {Codes} */ codes) => [pathsPanel(codes, HOW_TO_READ)];

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
  let isMounted = false;

  const begin = services.guarded(async (/** @type {undefined} */ _wish) => {
    const { categories } = await services.server.fetchToys();
    if (isMounted) return;
    isMounted = true;
    const { change, scenes } = mountSweep(root, store, services, {
      knobs: KNOBS,
      namesOf,
      title: "The toy",
      isKnown: () => true,
      imageOf({ source, pixels, settings }) {
        const { model } = store.get() ?? {};
        if (model === undefined || !seesToys(model)) return pixels;
        return toyPixels(categories, sceneOf(source, settings), shapeOf(model));
      },
    });
    mountPanels(root, { scenes, act: change }, panels(codes));
  });

  store.watch(["model"], ({ model }) => {
    if (seesToys(model) && !isMounted) void begin(undefined);
  });
}
