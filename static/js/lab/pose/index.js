/**
 * Pose as it is drawn: the digit with its handles, every network's curve, and what becomes
 * of the numbers in each while the digit moves.
 * @import { Codes } from "./paths.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { LabMount } from "../../types.js"
 */
import { mountPanels } from "../../ui/panel.js";
import { mountSweep } from "../shared/sweep.js";
import { mountHandles } from "./handles.js";
import { changeOf, KNOBS } from "./knobs.js";
import { movedPanel, pooledOf } from "./moved.js";
import { keepCodes, pathsPanel } from "./paths.js";

const HOW_TO_READ =
  "Equivariance would show as a smooth path in a capsule that stays long. Each path stands in the plane of its own first two principal components; a dot is one value of the knob, from dark (the least) to light (the largest), hollow where another class is read. A plane that shows much of the variance is weak evidence, and so is one image. A better test: can the knob’s value be read from the vectors of unseen images? Where a network’s card has that measurement, R² is 1 for an exact reading and 0 for one no better than the mean. A network without poses is the control; its hidden layer is followed instead.";

export const panels = (/** @type {Codes} */ codes) => [
  movedPanel(codes),
  pathsPanel(codes, HOW_TO_READ),
];

/** @type {LabMount<SweepSlice>} */
export function mount(root, store, services) {
  const { codes, namesOf } = keepCodes(services);
  const { picture, change, drag, scenes } = mountSweep(root, store, services, {
    knobs: KNOBS,
    changeOf,
    namesOf: async (model) => [
      ...(await namesOf(model)),
      ...[pooledOf(model)?.tensor ?? []].flat(),
    ],
  });
  const handles = mountHandles(picture, () => store.get()?.settings ?? null, {
    change,
    drag,
  });
  mountPanels(root, { scenes, act: change }, panels(codes));
  store.watch(["settings", "pixels"], ({ settings, pixels }) =>
    handles.show(settings, pixels),
  );
}
