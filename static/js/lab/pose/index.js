/**
 * Pose as it is drawn: the digit with its handles, every network's curve, and what becomes
 * of the numbers in each while the digit moves.
 * @import { SweepSlice, SweepWish, Swept } from "../shared/sweep.js"
 * @import { LabMount } from "../../types.js"
 */
import { findElement } from "../../ui/dom.js";
import { mountSweep } from "../shared/sweep.js";
import { mountBlurControl } from "./blur-control.js";
import { changeOf, KNOBS } from "./experiment.js";
import { mountHandles } from "./handles.js";
import { keepCodes, mountPaths } from "./paths.js";

/** @type {LabMount<SweepSlice>} */
export function mount(root, store, services) {
  const { codes, namesOf } = keepCodes(services);
  /** @type {{ swept: Swept, wish: SweepWish } | null} */
  let known = null;
  const { picture, change, drag } = mountSweep(root, store, services, {
    ...{ knobs: KNOBS, changeOf, namesOf },
    onSweep(swept, wish) {
      known = { swept, wish };
      showPaths();
    },
  });
  const handles = mountHandles(picture, () => store.get()?.settings ?? null, {
    change,
    drag,
  });
  const paths = mountPaths(
    findElement(root, "[data-paths]"),
    (knob, value) => change({ [knob.id]: value }, knob.id),
    findElement(root, "[data-moved]"),
  );
  mountBlurControl(findElement(root, "[data-blur]"), store, services);

  function showPaths() {
    const state = store.get();
    if (state === null || known === null) return;
    paths.show(known.swept, known.wish, codes, state);
  }
  store.watch(["followed"], showPaths);
  store.watch(["settings", "knob", "pixels"], ({ settings, knob, pixels }) => {
    handles.show(settings, pixels);
    const turned = KNOBS.find(({ id }) => id === knob);
    if (turned !== undefined) paths.mark(turned, settings[knob]);
  });
}
