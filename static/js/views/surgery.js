/**
 * Surgery on routing: what the network would say if some capsules kept silent, if nothing
 * were routed, or if a coupling were held; beside what it says.
 * @import { AppState, Model, Surgery, Trace } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { evidenceOfCapsules } from "../lib/evidence.js";
import { onceEach, onceFor } from "../lib/once.js";
import { sharesByType } from "../lib/shares.js";
import { isIntact, NO_SURGERY } from "../lib/surgery.js";
import { surgeryInWords } from "../lib/surgery-words.js";
import { find, findElement } from "../parts/find.js";
import { whileSeen } from "../parts/seen.js";
import { focusedDigit, isCurrent } from "../state.js";
import { mountHold } from "./surgery-hold.js";
import { mountLengths } from "./surgery-lengths.js";
import { mountPictures } from "./surgery-pictures.js";
import { mountPresets } from "./surgery-presets.js";
import { mountRoutingChoice } from "./surgery-routing.js";
import { mountTypes } from "./surgery-types.js";

/** What of the state the panel is drawn from. */
const WATCHED = /** @type {const} */ ([
  "trace",
  "operated",
  "surgery",
  "showsOperated",
  "pixels",
  "iterations",
  "view",
  "digit",
  "capsule",
  "model",
]);

/** What of the intact run it needs; the trace may lack some for a moment. */
const NEEDED = ["routing.couplings", "routing.agreement", "routing.capsules"];

/**
 * @typedef {object} Case what every part of the panel is drawn from
 * @property {Model} model
 * @property {Surgery} surgery
 * @property {Trace} intact
 * @property {Trace} changed the run under surgery; the intact one where nothing is changed
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
 * @param {Store<AppState>} store
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

  function draw() {
    const found = caseOf(store.get());
    if (found === null) return;
    const { surgery, types, rows, columns } = found;
    words.textContent = surgeryInWords(surgery, { types, cells: rows * columns });
    panel.classList.toggle("is-operated", !isIntact(surgery));
    reset.disabled = isIntact(surgery);
    shows.checked = store.get().showsOperated;
    result.classList.toggle("is-old", found.isLate);
    for (const part of parts) part.show(found);
  }
  store.watch(WATCHED, whileSeen(panel, draw));
}

/** Shares after the last iteration, computed once for each digit of a run. */
const sharesIn = onceFor(
  (/** @type {Trace} */ { tensors }) => tensors["routing.couplings"],
  ({ iterations, tensors }) => {
    const couplings = tensors["routing.couplings"];
    const routing = {
      couplings,
      agreement: tensors["routing.agreement"],
      capsules: tensors["routing.capsules"],
    };
    return onceEach((digit) =>
      sharesByType(
        evidenceOfCapsules(routing, iterations - 1, digit),
        couplings.shape[1],
      ),
    );
  },
);

/**
 * @param {Pick<AppState, typeof WATCHED[number]>} state
 * @returns {Case | null} null before there is anything to draw
 */
function caseOf(state) {
  const { model, surgery, trace, operated, capsule } = state;
  const digit = focusedDigit(state);
  const isReady = state.view === "routing" && model !== null && digit !== null;
  if (!isReady || trace === null) return null;
  if (!NEEDED.every((name) => name in trace.tensors)) return null;
  // Until the changed run comes, the intact one stands in for it, dimmed.
  const changed = isIntact(surgery) ? trace : (operated ?? trace);
  const [, types, rows, columns] = trace.tensors["routing.couplings"].shape;
  return {
    model,
    surgery,
    intact: trace,
    changed,
    isLate: !isCurrent(changed, state) || changed.surgery !== surgeryOf(surgery),
    digit,
    name: model.class_names[digit],
    capsule,
    shares: sharesIn(trace)(digit),
    types,
    rows,
    columns,
  };
}

/**
 * The surgery of the run that is wanted: that of an intact one is always the same object.
 * @param {Surgery} surgery
 */
function surgeryOf(surgery) {
  return isIntact(surgery) ? NO_SURGERY : surgery;
}
