/**
 * Which iteration is on show, how many run, whose routing it is, and which capsule above
 * is in focus.
 * @import { Above, Actions, MatrixModel, Place, RoutingState, RoutingStore } from "../types.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { gridOf, numberOf, placeIn } from "../places.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 */
export function mountControls(root, store, actions) {
  mountIterations(root, store, actions);
  const layers = findElement(root, "[data-layers]");
  const parents = findElement(root, "[data-parents]");
  const places = findElement(root, "[data-position]");
  const row = find(places, "[data-row]", HTMLInputElement);
  const column = find(places, "[data-column]", HTMLInputElement);
  /** @type {Pick<RoutingState, "routed" | "model" | "caps1" | "caps2"> | null} */
  let state = null;

  listenToChoices(layers, (value) =>
    actions.showRoutingOf(/** @type {Above} */ (value)),
  );

  /** @param {Partial<Place>} change */
  function choose(change) {
    if (state === null) return;
    const { routed, model } = state;
    if (routed === "classes") {
      if (change.type !== undefined) actions.focusDigit(change.type);
      return;
    }
    const grid = gridOf(model.card.config, routed);
    const place = { ...placeIn(grid, state[routed]), ...change };
    actions.chooseCapsule(routed, numberOf(grid, place));
  }
  row.addEventListener("input", () => choose({ row: Number(row.value) }));
  column.addEventListener("input", () => choose({ column: Number(column.value) }));

  const offer = memoize(
    (/** @type {MatrixModel} */ model, /** @type {Above} */ above) => {
      const { types, side } = gridOf(model.card.config, above);
      const names = Array.from({ length: types }, (_, type) =>
        above === "classes" ? model.class_names[type] : String(type),
      );
      const [name] = parents.children;
      name.textContent = above === "classes" ? "Class" : "Type";
      parents.replaceChildren(name, ...names.map(button));
      listenToChoices(parents, (value) => choose({ type: Number(value) }));
      places.hidden = above === "classes";
      row.max = String(side - 1);
      column.max = String(side - 1);
    },
  );

  store.watch(
    ["model", "routed", "caps1", "caps2", "digit", "trace"],
    ({ model, routed, caps1, caps2, digit, trace }) => {
      state = { routed, model, caps1, caps2 };
      pressChoice(layers, routed);
      offer(model, routed);
      const grid = gridOf(model.card.config, routed);
      const place =
        routed === "classes"
          ? { type: focusedDigit({ digit, trace }), row: 0, column: 0 }
          : placeIn(grid, state[routed]);
      pressChoice(parents, String(place.type));
      row.value = String(place.row);
      column.value = String(place.column);
      setText(
        findElement(places, "[data-position-value]"),
        `${place.row}, ${place.column}`,
      );
    },
  );
}

/**
 * @param {string} text
 * @param {number} value
 */
function button(text, value) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.dataset.value = String(value);
  return made;
}

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 */
function mountIterations(root, store, actions) {
  const step = find(root, "[data-step]", HTMLInputElement);
  const stepValue = findElement(root, "[data-step-value]");
  const iterations = find(root, "[data-iterations]", HTMLInputElement);
  const iterationsValue = findElement(root, "[data-iterations-value]");
  const note = findElement(root, "[data-iterations-note]");
  step.addEventListener("input", () => actions.showStep(Number(step.value)));
  iterations.addEventListener("input", () =>
    actions.runIterations(Number(iterations.value)),
  );
  store.watch(["step", "iterations", "model"], (state) => {
    const { model } = state;
    iterations.max = String(model.max_routing_iterations);
    iterations.value = String(state.iterations);
    const isTrained = state.iterations === model.routing_iterations;
    iterationsValue.textContent = `${state.iterations}${isTrained ? " (as trained)" : ""}`;
    setText(note, iterationsNote(model, state.iterations));
    step.max = String(state.iterations);
    step.value = String(state.step);
    step.disabled = state.iterations === 1;
    stepValue.textContent = `${state.step} of ${state.iterations}`;
  });
}

/**
 * What another number of iterations than the trained one does, as far as it was measured.
 * @param {Pick<MatrixModel, "routing_iterations" | "card">} model
 * @param {number} iterations that run
 */
export function iterationsNote({ routing_iterations: trained, card }, iterations) {
  const errors = Object.entries(card.errors_by_iterations ?? {})
    .map(([count, error]) => ({ count: Number(count), error }))
    .sort((a, b) => a.count - b.count);
  const measured = errors
    .map(({ count, error }) => `${percent(error, 1)} with ${count}`)
    .join(", ");
  const told = measured === "" ? "" : ` Errors on test images: ${measured}.`;
  const now =
    iterations === trained
      ? "All layers run this many iterations, and their weights fit that number. With another number, the network reads worse or not at all."
      : `This run has ${iterations} in every layer, but the weights fit ${trained}: the network was not trained to give this answer.`;
  return `Trained with ${trained}. ${now}${told}`;
}
