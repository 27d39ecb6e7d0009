/**
 * The header: Explore, Lab, Atlas or Train, which model, light or dark, a link to what is on show,
 * and the way past everything.
 * @import { Actions, AppState, Model, Store } from "../types.js"
 */

import { lacks } from "../core/lacks.js";
import { toHash } from "../core/link.js";
import { EXPLORE, trainedOn } from "../core/state.js";
import { momentOf } from "../lib/moments.js";
import { listenToChoices, pressChoice, showBelow } from "../ui/controls.js";
import { isCopied } from "../ui/copying.js";
import { find, findElement, make, setText } from "../ui/dom.js";

const OWN = "+"; // no model's id

/**
 * Explore, Lab, Atlas or Train, which model, light or dark.
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {() => void} openOwn says how to open a network of one's own
 */
export function mountHeader(root, store, actions, openOwn) {
  const picker = find(root, "[data-models]", HTMLSelectElement);

  store.watch(["models", "refused"], ({ models, refused }) => {
    const optionOf = (/** @type {Model} */ { id, title }) => new Option(title, id);
    const groups = groupModels(models).map(({ label, models: members }) => {
      const isYours = label === YOURS;
      const brings = lacks("server") ? "weights" : "network";
      const add = isYours ? [new Option(`Your own ${brings} …`, OWN)] : [];
      return make("optgroup", { label }, ...members.map(optionOf), ...add);
    });
    picker.replaceChildren(...groups.filter(({ children }) => children.length > 0));
    if (refused.length > 0) picker.append(notAvailable(refused));
    picker.disabled = models.length === 0;
  });
  store.watch(["model"], ({ model }) => {
    if (model !== null) picker.value = model.id;
  });
  picker.addEventListener("change", async () => {
    if (picker.value === OWN) openOwn();
    const model = store.get().models.find(({ id }) => id === picker.value);
    if (model) await actions.useModel(model);
    picker.value = store.get().model?.id ?? ""; // the model before, where this one failed
  });

  const modes = findElement(root, "[data-modes]");
  listenToChoices(modes, (mode) => {
    actions.openMode(/** @type {AppState["mode"]} */ (mode));
    requestAnimationFrame(showBelow);
  });
  store.watch(["mode"], ({ mode }) => {
    pressChoice(modes, mode);
    document.body.classList.toggle("has-no-strip", mode !== EXPLORE);
  });

  findElement(root, "[data-theme-switch]").addEventListener("click", () => {
    const page = document.documentElement;
    const now = page.dataset.theme ?? (prefersDark() ? "dark" : "light");
    page.dataset.theme = now === "dark" ? "light" : "dark";
    keep(page.dataset.theme);
  });
}

/** What networks read, and the data sets of each, by the names on cards. */
const GROUPS = /** @type {const} */ ([
  ["Digits", ["mnist", "drawn"]],
  ["Pairs of digits", ["overlapping"]],
  ["Toys", ["toys"]],
  ["Photographs", ["cifar10"]],
]);

/** Networks of one's own, and those that read anything else. */
const YOURS = "Yours";

/**
 * Networks by what they read; the reader's own, whatever they read, at the end.
 * @template {Pick<Model, "id" | "card" | "kept">} Each
 * @param {readonly Each[]} models
 * @returns {{ label: string, models: Each[] }[]} groups that hold any, and always the last
 */
export function groupModels(models) {
  /** @param {Each} model */
  const groupOf = (model) => {
    const { card, kept, id } = model;
    if (kept || card.described !== undefined || momentOf(id) !== null) return YOURS;
    const group = GROUPS.find(([, sets]) =>
      sets.some((dataset) => dataset === trainedOn(model)),
    );
    return group?.[0] ?? YOURS;
  };
  const labels = GROUPS.map(([label]) => label);
  const of = (/** @type {string} */ label) => ({
    label,
    models: models.filter((model) => groupOf(model) === label),
  });
  return [...labels.map(of).filter((group) => group.models.length > 0), of(YOURS)];
}

/**
 * Files that cannot be shown, each with its reason.
 * @param {AppState["refused"]} refused
 */
function notAvailable(refused) {
  const options = refused.map(({ id, reason }) => {
    const option = new Option(`${id}: ${reason}`, "");
    option.disabled = true;
    return option;
  });
  return make("optgroup", { label: "Not available" }, ...options);
}

function prefersDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @param {string} theme */
function keep(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // The browser refuses to keep anything: the choice holds until the page is left.
  }
}

const SAID_MS = 2500;

/**
 * The button that copies a link to exactly what is on show. Where the browser refuses
 * the clipboard, as it does on addresses without TLS, a dialog shows the link,
 * selected.
 * @param {HTMLElement} root holds the button and the dialog
 * @param {Store<AppState>} store @param {HTMLElement} announcer
 */
export function mountCopyLink(root, store, announcer) {
  const button = findElement(root, "[data-copy-link]");
  const words = findElement(button, "[data-word]");
  const dialog = find(root, '[data-dialog="link"]', HTMLDialogElement);
  const field = find(dialog, "[data-link]", HTMLInputElement);
  let timer = 0;

  button.addEventListener("click", async () => {
    // Not the address: it is written a moment later than the state changes.
    const end = `#${toHash(store.get())}`;
    const isAlone = lacks("address");
    const link = isAlone ? end : new URL(end, location.href).href;
    if (await isCopied(link)) {
      clearTimeout(timer);
      setText(words, isAlone ? "Copied what follows #" : "Copied");
      announcer.textContent = isAlone
        ? "The part of the link from # on is copied. Behind the address of any copy of this file, it opens this view."
        : "The link is copied.";
      timer = setTimeout(() => setText(words, "Copy link"), SAID_MS);
    } else {
      field.value = link;
      dialog.showModal();
      field.select();
    }
  });
}

/**
 * Follow the link without writing its target into the address, which holds the state.
 * @param {HTMLElement} link
 * @param {HTMLElement} target can be focused
 */
export function listenToSkip(link, target) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    target.focus();
  });
}
