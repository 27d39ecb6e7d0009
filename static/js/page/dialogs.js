/**
 * Help, the card of the model in use, and the networks at hand side by side.
 * @import { AppState, Model, Network, Store } from "../types.js"
 */

import { ruleWords } from "../core/scores.js";
import { counted, grouped, percent } from "../lib/format.js";
import { mcnemar, wilsonInterval } from "../lib/statistics.js";
import { find, findElement, make } from "../ui/dom.js";

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
    words.replaceChildren(
      ...differences(model, models).map((text) => make("p", "", text)),
    );
  });
}

/**
 * @param {HTMLTableElement} table @param {{ head: string[], rows: string[][] }} content
 * @param {number} chosen the row of the network on show
 */
function fillTable(table, { head, rows }, chosen) {
  const headers = head.map((name) => make("th", { scope: "col" }, name));
  table.createTHead().replaceChildren(make("tr", "", ...headers));
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(
    ...rows.map((texts, i) => {
      const [name, ...others] = texts;
      const cells = others.map((text) => make("td", "", text));
      const look = i === chosen ? { "aria-current": "true" } : "";
      return make("tr", look, make("th", { scope: "row" }, name), ...cells);
    }),
  );
}

/** @param {number} iterations */
const routingWords = (iterations) =>
  iterations === 1 ? "routing in one step" : `${iterations} routing iterations`;

/**
 * @param {Model} model
 * @param {Network | null} network what shows it
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
        ...(routing_iterations ? [routingWords(routing_iterations)] : []),
      ].join(", "),
    ],
    ["Answer", ruleWords(model)],
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
  const term = make("dt", "", name);
  const description = make("dd", "", value);
  return [term, description];
}

const UNKNOWN = "–";
const MINUTE = 60; // seconds
const HOUR = 60 * MINUTE;
const CHANCE = 0.05; // the p below which a difference is no longer put down to chance

/** What each column says of a model. */
const COLUMNS = /** @type {const} */ ([
  ["Network", (/** @type {Model} */ { title }) => title],
  ["Parameters", (/** @type {Model} */ { parameters }) => grouped(parameters)],
  ["Test error", testError],
  ["95\u202f% interval", interval],
  ["Training", training],
  ["Forward pass", forwardPass],
]);

/**
 * What each network costs, and how often it is wrong.
 * @param {readonly Model[]} models
 * @returns {{ head: string[], rows: string[][] }}
 */
export function sideBySide(models) {
  return {
    head: COLUMNS.map(([name]) => name),
    rows: models.map((model) => COLUMNS.map(([, cell]) => cell(model))),
  };
}

/**
 * What the test set says of the difference between two networks.
 * @param {Model} model @param {readonly Model[]} models
 * @returns {string[]} a sentence for each other model that was tested on the same images
 */
export function differences(model, models) {
  return models.flatMap((other) => {
    if (other === model || !isTestedAlike(model, other)) return [];
    const own = indicesOf(model);
    const others = indicesOf(other);
    const onlyOwn = [...own].filter((index) => !others.has(index)).length;
    const onlyOther = [...others].filter((index) => !own.has(index)).length;
    const p = mcnemar(onlyOwn, onlyOther);
    const verdict =
      p < CHANCE ? "more than chance explains" : "no more than chance explains";
    return [
      `Of the same ${grouped(model.card.test_images ?? 0)} test images, ${model.title} alone misreads ${onlyOwn} and ${other.title} alone ${onlyOther}, ${verdict} (exact McNemar test, p = ${p.toFixed(p < 0.01 ? 4 : 2)}).`,
    ];
  });
}

/** @param {Model} model */
function testError({ card: { test_error: error, test_images: images } }) {
  if (error === undefined || !images) return UNKNOWN;
  return `${percent(error)} of ${grouped(images)}`;
}

/** @param {Model} model */
function interval({ card: { test_error: error, test_images: images } }) {
  if (error === undefined || !images) return UNKNOWN;
  const [low, high] = wilsonInterval(Math.round(error * images), images);
  return `${(100 * low).toFixed(2)} to ${percent(high)}`;
}

/** @param {Model} model */
function training({ card }) {
  const { epochs, training_time_s: seconds } = card.lineage ?? card;
  const runs = card.lineage?.runs ?? 1;
  if (epochs === undefined || seconds === undefined) return UNKNOWN;
  return `${epochs} epochs${runs > 1 ? ` in ${runs} runs` : ""}, ${duration(seconds)}`;
}

/** @param {Model} model */
function forwardPass({ card: { forward } }) {
  if (forward === undefined) return UNKNOWN;
  const threads = forward.threads === 1 ? "one thread" : `${forward.threads} threads`;
  return `${forward.milliseconds.toFixed(1)} ms, ${threads}`;
}

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  if (minutes === 0) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {Model} one @param {Model} other */
function isTestedAlike({ card: one }, { card: other }) {
  return (
    one.mistakes !== undefined &&
    other.mistakes !== undefined &&
    one.dataset === other.dataset &&
    one.test_images === other.test_images
  );
}

/** @param {Model} model */
function indicesOf({ card: { mistakes = [] } }) {
  return new Set(mistakes.map(({ index }) => index));
}
