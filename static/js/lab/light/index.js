/**
 * Ground and light as it is drawn.
 * @import { LabServices, LabStore } from "../../types.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 */
import { mountSweep } from "../shared/sweep.js";
import { changeOf, KNOBS } from "./experiment.js";

/**
 * @param {HTMLElement} root
 * @param {LabStore<SweepSlice>} store
 * @param {LabServices} services
 */
export function mount(root, store, services) {
  mountSweep(root, store, services, { knobs: KNOBS, changeOf });
}
