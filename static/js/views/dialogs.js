/**
 * Help, and the card of the model in use.
 * @import { AppState, Model } from "../types.js"
 * @import { Store } from "../store.js"
 */
import { grouped, percent } from "../lib/number.js";
import { find, findElement } from "../parts/find.js";

/**
 * @param {HTMLElement} root holds the dialogs and the buttons that open them
 * @param {Store<AppState>} store
 */
export function mountDialogs(root, store) {
  /** @param {string} name */
  const open = (name) =>
    find(root, `[data-dialog="${name}"]`, HTMLDialogElement).showModal();
  for (const button of root.querySelectorAll("[data-open]")) {
    button.addEventListener("click", () =>
      open(button.getAttribute("data-open") ?? ""),
    );
  }
  document.addEventListener("keydown", (event) => {
    const isFree =
      !event.defaultPrevented && !(event.target instanceof HTMLInputElement);
    if (event.key === "?" && isFree && !document.querySelector("dialog[open]"))
      open("help");
  });

  const facts = findElement(root, "[data-facts]");
  store.watch(["model"], ({ model }) => {
    if (model !== null) facts.replaceChildren(...factsOf(model).flatMap(toElements));
  });
}

/**
 * @param {Model} model
 * @returns {[string, string][]}
 */
function factsOf({
  title,
  architecture,
  parameters,
  routing_iterations,
  version,
  card,
}) {
  /** @type {[string, string | null][]} */
  const facts = [
    ["Name", title],
    [
      "Architecture",
      `${architecture}, ${grouped(parameters)} parameters, ${routing_iterations} routing iterations`,
    ],
    ["Data", card.data ?? null],
    [
      "Test error",
      card.test_error === undefined
        ? null
        : `${percent(card.test_error)} of ${grouped(card.test_images ?? 0)} images`,
    ],
    [
      "Validation error",
      card.validation_error === undefined
        ? null
        : `${percent(card.validation_error)} of ${grouped(card.validation_images ?? 0)} images held out from training`,
    ],
    [
      "Reconstruction",
      card.reconstruction_mse === undefined
        ? null
        : `${card.reconstruction_mse.toFixed(4)} mean squared error`,
    ],
    [
      "Training",
      card.epochs === undefined
        ? null
        : `${card.epochs} epochs of ${grouped(card.training_images ?? 0)} images, ${Math.round((card.training_time_s ?? 0) / 60)} minutes`,
    ],
    ["Command", card.command ?? null],
    ["Date", card.date ?? null],
    ["Version", version],
  ];
  return /** @type {[string, string][]} */ (
    facts.filter(([, value]) => value !== null)
  );
}

/** @param {[string, string]} fact */
function toElements([name, value]) {
  const term = document.createElement("dt");
  term.textContent = name;
  const description = document.createElement("dd");
  description.textContent = value;
  return [term, description];
}
