/**
 * Surgery on routing: what the network would say if some capsules kept silent, if nothing
 * were routed, or if a coupling were held; beside what it says.
 * @import { TraceOf } from "../../../../types.js"
 * @import { Actions, CapsModel, RoutingState, RoutingStore, Surgery } from "../../types.js"
 */

import { holds, isSamePass } from "../../../../core/rooms.js";
import { focusedDigit } from "../../../../core/state.js";
import { memoizeByIndex, memoizeByObject } from "../../../../lib/memoize.js";
import { find, findElement } from "../../../../ui/dom.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { COMPARED, operatedOptions } from "../../answers/surgery.js";
import { evidenceOfCapsules } from "../evidence.js";
import { isIntact, NO_SURGERY } from "./changes.js";
import { mountHold } from "./hold.js";
import { mountLengths } from "./lengths.js";
import { mountPictures } from "./pictures.js";
import { mountPresets } from "./presets.js";
import { mountRoutingChoice } from "./routing.js";
import { sharesByType } from "./shares.js";
import { mountTypes } from "./types.js";
import { surgeryInWords } from "./words.js";

/** What of the state the panel is drawn from. */
const WATCHED = /** @type {const} */ ([
  "trace",
  "operated",
  "surgery",
  "showsOperated",
  "pixels",
  "iterations",
  "digit",
  "capsule",
  "model",
]);

/** @typedef {TraceOf<typeof COMPARED[number]>} ComparedTrace */

/**
 * @typedef {object} SurgeryScene what every part of the panel is drawn from
 * @property {CapsModel} model
 * @property {Surgery} surgery
 * @property {RoutingState["trace"]} intact
 * @property {ComparedTrace} changed the run under surgery; the intact one where nothing is changed
 * @property {boolean} isLate whether `changed` is about to be replaced
 * @property {number} digit in focus
 * @property {string} name of that digit
 * @property {number} capsule the one under the microscope
 * @property {Float64Array} shares (types), what each gives to the digit in focus
 * @property {number} types
 * @property {number} rows of a type's grid
 * @property {number} columns
 */

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 */
export function mountSurgery(root, store, actions) {
  const panel = findElement(root, "[data-surgery]");
  const words = findElement(panel, "[data-surgery-words]");
  const shows = find(panel, "[data-shows-operated]", HTMLInputElement);
  const reset = find(panel, "[data-reset]", HTMLButtonElement);
  const result = findElement(panel, "[data-result]");
  /** @param {Surgery} surgery */
  const operate = (surgery) => actions.operate(surgery);
  const parts = [
    mountPresets(panel, operate),
    mountTypes(panel, operate),
    mountRoutingChoice(panel, operate),
    mountHold(panel, operate),
    mountLengths(panel, actions),
    mountPictures(panel),
  ];
  shows.addEventListener("change", () => actions.showOperated(shows.checked));
  reset.addEventListener("click", () => operate(NO_SURGERY));

  /** @param {Pick<RoutingState, typeof WATCHED[number]>} state */
  function draw(state) {
    const found = surgerySceneOf(state);
    const { surgery, types, rows, columns } = found;
    words.textContent = surgeryInWords(surgery, { types, cells: rows * columns });
    panel.classList.toggle("is-operated", !isIntact(surgery));
    reset.disabled = isIntact(surgery);
    shows.checked = state.showsOperated;
    result.classList.toggle("is-old", found.isLate);
    for (const part of parts) part.show(found);
  }
  store.watch(WATCHED, showSeenFirst(panel, draw));
}

/** Shares after the last iteration, computed once for each digit of a run. */
const sharesIn = memoizeByObject(
  (/** @type {RoutingState["trace"]} */ { tensors }) => tensors["routing.couplings"],
  ({ tensors }) => {
    const couplings = tensors["routing.couplings"];
    const [iterations] = couplings.shape;
    const routing = {
      couplings,
      agreement: tensors["routing.agreement"],
      capsules: tensors["routing.capsules"],
    };
    return memoizeByIndex((digit) =>
      sharesByType(
        evidenceOfCapsules(routing, iterations - 1, digit),
        couplings.shape[1],
      ),
    );
  },
);

/**
 * @param {Pick<RoutingState, typeof WATCHED[number]>} state
 * @returns {SurgeryScene}
 */
function surgerySceneOf(state) {
  const { model, surgery, trace, operated, capsule, pixels, iterations } = state;
  const digit = focusedDigit(state);
  // Until the changed run comes, the intact one stands in for it, dimmed.
  const isRun = !isIntact(surgery) && holds(operated, model, COMPARED);
  const changed = isRun ? operated : trace;
  const options = isIntact(surgery) ? { iterations } : operatedOptions(state);
  const [, types, rows, columns] = trace.tensors["routing.couplings"].shape;
  return {
    model,
    surgery,
    intact: trace,
    changed,
    isLate:
      pixels === null || !isSamePass(changed, { model: model.id, pixels, options }),
    digit,
    name: model.class_names[digit],
    capsule,
    shares: sharesIn(trace)(digit),
    types,
    rows,
    columns,
  };
}
