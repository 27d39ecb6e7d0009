/**
 * Help, and the card of the model in use.
 * @import { AnyNetwork, AppState, Model } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { counted, grouped, percent } from "../lib/format.js";
import { find, findElement } from "../ui/dom.js";
import { differences, sideBySide } from "./side-by-side.js";

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
  const table = find(root, "[data-side-by-side]", HTMLTableElement);
  const words = findElement(root, "[data-differences]");
  store.watch(["model", "models", "network"], ({ model, models, network }) => {
    if (model === null) return;
    facts.replaceChildren(...factsOf(model, network).flatMap(toElements));
    fillTable(table, sideBySide(models), models.indexOf(model));
    words.replaceChildren(...differences(model, models).map(toParagraph));
  });
}

/**
 * @param {HTMLTableElement} table
 * @param {{ head: string[], rows: string[][] }} content
 * @param {number} chosen the row of the network on show
 */
function fillTable(table, { head, rows }, chosen) {
  const headers = head.map((name) => {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    return cell;
  });
  table.createTHead().replaceChildren(rowOf(headers));
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(
    ...rows.map((texts, i) => {
      const cells = texts.map((text, column) => {
        const cell = document.createElement(column === 0 ? "th" : "td");
        if (column === 0) cell.scope = "row";
        cell.textContent = text;
        return cell;
      });
      const row = rowOf(cells);
      if (i === chosen) row.setAttribute("aria-current", "true");
      return row;
    }),
  );
}

/** @param {HTMLElement[]} cells */
function rowOf(cells) {
  const row = document.createElement("tr");
  row.append(...cells);
  return row;
}

/** @param {string} text */
function toParagraph(text) {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  return paragraph;
}

/**
 * @param {Model} model
 * @param {AnyNetwork | null} network what shows it
 * @returns {[string, string][]}
 */
function factsOf(model, network) {
  const { title, architecture, parameters, routing_iterations, version, card } = model;
  /** @type {[string, string | null][]} */
  const facts = [
    ["Name", title],
    [
      "Architecture",
      [
        architecture,
        `${grouped(parameters)} parameters`,
        ...(routing_iterations ? [`${routing_iterations} routing iterations`] : []),
      ].join(", "),
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
    ...(network?.facts?.(model) ?? []),
    [
      "Training",
      card.epochs === undefined
        ? null
        : `${counted(card.epochs, "epoch")} of ${grouped(card.training_images ?? 0)} images, ${Math.round((card.training_time_s ?? 0) / 60)} minutes`,
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
