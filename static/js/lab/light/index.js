/**
 * Ground and light as it is drawn.
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { LabMount } from "../../types.js"
 */
import { mountSweep } from "../shared/sweep.js";
import { changeOf, KNOBS } from "./knobs.js";

/** @type {LabMount<SweepSlice>} */
export function mount(root, store, services) {
  mountSweep(root, store, services, { knobs: KNOBS, changeOf });
}
