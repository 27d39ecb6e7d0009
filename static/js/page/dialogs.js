/**
 * Help, the card of the model in use, and the networks at hand side by side.
 * @import { AppState, Model, Network, Store } from "../types.js"
 */

import {
  effortWords,
  errorWords,
  intervalWords,
  mainFacts,
  singlesWords,
  testErrors,
} from "../core/card.js";
import { ruleWords } from "../core/scores.js";
import { pressed, SHORTCUTS, spelled } from "../core/shortcuts.js";
import { grouped, percent } from "../lib/format.js";
import { asksForHelp } from "../lib/keys.js";
import { stand } from "../ui/controls.js";
import { find, findElement, make, setAria, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { reportContent } from "./report.js";

/**
 * @param {HTMLElement} root holds the dialogs and the buttons that open them
 * @param {Store<AppState>} store
 */
export function mountDialogs(root, store) {
  /** @param {string} name */
  const open = (name) => {
    const dialog = find(root, `[data-dialog="${name}"]`, HTMLDialogElement);
    dialog.showModal();
    stand(dialog.querySelector("h2")); // not on its first link, which may be far down
    dialog.scrollTop = 0;
  };
  const shared = Object.values(SHORTCUTS).filter(
    (shortcut) => !("isOfKind" in shortcut),
  );
  fill(findElement(root, "[data-shortcuts]"), shared.map(rowOf));
  const asking = find(root, '[data-open="help"]', HTMLButtonElement);
  asking.title = `Help (${spelled(SHORTCUTS.help)})`;
  setAria(asking, { "aria-keyshortcuts": SHORTCUTS.help.keys });
  for (const button of root.querySelectorAll("[data-open]")) {
    button.addEventListener("click", () =>
      open(button.getAttribute("data-open") ?? ""),
    );
  }
  document.addEventListener("keydown", (event) => {
    const isFree =
      !event.defaultPrevented && !(event.target instanceof HTMLInputElement);
    if (asksForHelp(event) && isFree && !document.querySelector("dialog[open]"))
      open("help");
  });

  const about = find(root, '[data-dialog="about"]', HTMLDialogElement);
  const report = findElement(about, "[data-report]");
  const [main, facts] = ["main-facts", "facts"].map((name) =>
    findElement(about, `[data-${name}]`),
  );
  const table = find(about, "[data-side-by-side]", HTMLTableElement);
  const sources = root.querySelectorAll("[data-paper]");
  store.watch(["model", "models", "network"], ({ model, models, network }) => {
    if (model === null) return;
    const paper = model.paper ? `The network is the one of ${model.paper}.` : "";
    for (const source of sources) setText(source, paper);
    fill(
      main,
      mainFacts(model).map((fact) => h("li", {}, fact)),
    );
    facts.replaceChildren(...factsOf(model, network).flatMap(toElements));
    const { described } = model.card;
    report.hidden = described === undefined;
    fill(report, described ? reportContent(described) : null);
    fillTable(table, sideBySide(models), models.indexOf(model));
  });
}

/** @param {import("../core/shortcuts.js").Shortcut} shortcut */
function rowOf(shortcut) {
  const keys = pressed(shortcut).map((way, at) => [
    at > 0 && " ",
    way.map((key, of) => [of > 0 && "+", key === "…" ? key : h("kbd", {}, key)]),
  ]);
  return h("tr", {}, h("th", { scope: "row" }, keys), h("td", {}, shortcut.does));
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
        card.described ? "described by its owner" : architecture,
        `${grouped(parameters)} parameters`,
        ...(routing_iterations ? [routingWords(routing_iterations)] : []),
      ].join(", "),
    ],
    ["Answer", ruleWords(model)],
    ["Data", card.data ?? null],
    [
      "Test error",
      testErrors(model).length === 0
        ? null
        : `${errorWords(model)}; 95\u202f% interval ${intervalWords(model)}`,
    ],
    ["Single digits", singlesWords(model) || null],
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
    ["Training", effortWords(card) || null],
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
/** What each column says of a model. */
const COLUMNS = /** @type {const} */ ([
  ["Network", (/** @type {Model} */ { title }) => title],
  ["Parameters", (/** @type {Model} */ { parameters }) => grouped(parameters)],
  ["Test error", (/** @type {Model} */ model) => cellOfErrors(model) || UNKNOWN],
  [
    "95\u202f% interval",
    (/** @type {Model} */ model) => intervalWords(model) || UNKNOWN,
  ],
  ["Training", (/** @type {Model} */ { card }) => effortWords(card) || UNKNOWN],
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

/** @param {Model} model */
function cellOfErrors(model) {
  const [first, ...others] = testErrors(model);
  if (first === undefined) return "";
  if (others.length === 0) return `${percent(first.share)} of ${grouped(first.images)}`;
  const shares = [first, ...others].map(({ share, how }) => `${percent(share)} ${how}`);
  return `${shares.join(", ")}, of ${grouped(first.images)} pairs`;
}

/** @param {Model} model */
function forwardPass({ card: { forward } }) {
  if (forward === undefined) return UNKNOWN;
  const threads = forward.threads === 1 ? "one thread" : `${forward.threads} threads`;
  return `${forward.milliseconds.toFixed(1)} ms, ${threads}`;
}
