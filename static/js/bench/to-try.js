/**
 * Images to try: a few examples, and test sets where the server has any.
 * @import { Example } from "./examples.js"
 * @import { Actions, AppState, Dataset, DatasetImage, Model, Source, Store } from "../types.js"
 */

import { pairOn } from "../core/pair.js";
import { readsPairs, seesToys, suits, trainedOn } from "../core/state.js";
import { asSentence, grouped, messageOf } from "../lib/format.js";
import { memoizeByObject } from "../lib/memoize.js";
import { shapeOf } from "../lib/pixels.js";
import { paintPixels } from "../paint/heatmap.js";
import { oneStop } from "../ui/controls.js";
import { fillMenu, find, findElement, make, setText } from "../ui/dom.js";
import { showSeenFirst } from "../ui/visibility.js";
import {
  examplesFor,
  HEADINGS,
  isOthers,
  NOTES,
  PAIRS,
  partsOfToys,
} from "./examples.js";

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {Library} library
 */
export function mountToTry(root, store, actions, library) {
  const samples = findElement(root, "[data-samples]");
  const stop = oneStop(samples);
  const note = findElement(root, "[data-samples-note]");
  /** Those that stand there now. @type {Example[]} */
  let shown = [];
  /** The model before. @type {Model | null} */
  let before = null;
  /** The source before: where the model alone is another, it is still the one on show. @type {Source | null} */
  let seen = null;
  /** The example that a network for two digits laid another over. @type {{ pair: Source, alone: Example } | null} */
  let doubled = null;
  // The same for each network that reads it: networks are switched more often than made.
  const thumbOf = memoizeByObject(
    (/** @type {Example} */ { pixels }) => pixels,
    (example) => thumb(example, actions),
  );
  /** @param {unknown} error @returns {null} */
  function failed(error) {
    actions.report(asSentence(messageOf(error)));
    return null;
  }
  store.watch(["samples", "model"], async ({ model }) => {
    if (model === null) return;
    const isKept = before !== null && store.get().source === seen;
    const found = await examplesFor(model, store.get().samples, library).catch(failed);
    if (found === null || store.get().model !== model) return; // another was chosen
    const { kind, examples, isOwn } = found;
    shown = examples;
    setText(findElement(root, "h2"), readsPairs(model) ? PAIRS : HEADINGS[kind]);
    note.hidden = isOwn || kind === "dataset";
    const isOfSymbols = trainedOn(model) === "symbols";
    if (kind !== "dataset") setText(note, NOTES[isOfSymbols ? "symbols" : kind]);
    samples.replaceChildren(...examples.map(thumbOf));
    // A network begins with what it can read; a drawing stays.
    const [first] = examples;
    if (first !== undefined && isOthers(store.get().source, kind, model, before))
      actions.showImage(first.pixels, first.source);
    else if (isKept) double(model);
    before = model;
    markShown(root, store.get().source);
    stop();
  });

  /** A network for two digits begins with two; one for a single digit, with the one before. @param {Model} model */
  function double(model) {
    const { pixels, source, samples } = store.get();
    if (doubled?.pair === source && !readsPairs(model))
      return actions.showImage(doubled.alone.pixels, doubled.alone.source);
    if (pixels === null || source.kind !== "sample" || !readsPairs(model)) return;
    const pair = pairOn(source.id, model, samples);
    doubled = { pair: pair.source, alone: { pixels, title: "", source } };
    actions.showImage(pair.pixels, pair.source);
  }

  store.watch(["source"], ({ source }) => {
    seen = source;
    markShown(root, source);
    stop();
  });
  store.watch(["source", "pixels", "model"], async ({ source, pixels, model }) => {
    if (source.kind !== "toy" || pixels !== null || model === null) return;
    const parts = await partsOfToys(library).catch(failed);
    if (parts === null) return;
    const { categories, toyPixels } = parts;
    if (store.get().source !== source || store.get().pixels !== null) return;
    actions.showImage(toyPixels(categories, source, shapeOf(model)), source);
  });
  mountTestImages(root, store, actions, library);

  return {
    /** The image that a network of no digits begins with; null for others. */
    first: () => shown.find(({ source }) => source.kind !== "sample") ?? null,

    /**
     * Show the example after the one on show, or before it; from the last to the first.
     * @param {number} by 1 or -1
     */
    turn(by) {
      const key = keyOf(store.get().source);
      const at = shown.findIndex(({ source }) => keyOf(source) === key);
      const from = at < 0 && by < 0 ? 0 : at;
      const next = shown[(from + by + shown.length) % shown.length];
      if (next !== undefined) actions.showImage(next.pixels, next.source);
    },
  };
}

const PAGE = 24; // images at a time
const NO_TOYS =
  "The server has no test images of toys. Draw them with `python -m capsnet_explorer toys`.";
const AT_FIRST = { query: { order: "random", seed: 1 }, first: 0 };

/**
 * @typedef {object} Library asks the server
 * @property {() => Promise<{ datasets: Dataset[], missing?: string }>} fetchDatasets
 * @property {typeof import("../core/api.js").fetchToys} fetchToys
 * @property {(dataset: string, query: Record<string, string | number>) => Promise<{ total: number, digits: DatasetImage[] }>} fetchImages
 */

/**
 * @typedef {object} Wish
 * @property {Record<string, string | number>} query which images, in which order
 * @property {number} first place in that order to begin at
 */

/**
 * A test set to browse: by label, by number, at random, or what the network reads
 * wrong. At first it is that of the data the network learned from.
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {Library} library
 */
function mountTestImages(root, store, actions, { fetchDatasets, fetchImages }) {
  const folder = find(root, "[data-datasets]", HTMLDetailsElement);
  const form = find(root, "[data-dataset-form]", HTMLFormElement);
  const picker = find(form, "[name=dataset]", HTMLSelectElement);
  const note = findElement(root, "[data-dataset-note]");
  const images = findElement(root, "[data-digits]");
  const stop = oneStop(images);
  const more = find(root, "[data-more-digits]", HTMLButtonElement);
  /** What the server has. @type {Dataset[] | null} */
  let all = null;
  /** Those that the network can be shown. @type {Dataset[]} */
  let datasets = [];
  let missing = "";
  /** @type {Wish} */
  let wish = AT_FIRST;
  let asked = 0;

  /** @param {() => Promise<void>} job */
  const guarded = (job) =>
    job().catch((error) => setText(note, asSentence(messageOf(error))));
  folder.addEventListener("toggle", () => {
    // What was missing may have come since.
    if (folder.open && (all === null || missing !== "")) void guarded(open);
  });
  store.watch(["model"], () => {
    if (all !== null) void guarded(beginWithOwn);
  });
  picker.addEventListener("change", () => void guarded(begin));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    wish = readWish(new FormData(form), store.get().model?.id ?? "");
    void guarded(() => show(wish.first));
  });
  more.addEventListener(
    "click",
    () => void guarded(() => show(wish.first + images.children.length)),
  );

  async function open() {
    ({ datasets: all, missing = "" } = await fetchDatasets());
    await beginWithOwn();
  }

  async function beginWithOwn() {
    const { model } = store.get();
    if (all === null || model === null) return;
    datasets = all.filter((each) => suits(each, model));
    form.hidden = datasets.length === 0;
    findElement(form, "[data-dataset-choice]").hidden = datasets.length < 2;
    const options = datasets.map(({ id, title }) => ({ id, words: title }));
    const own = datasets.find(({ dataset }) => dataset === trainedOn(model));
    fillMenu(picker, options, (own ?? datasets[0])?.id ?? "");
    await begin();
  }

  async function begin() {
    const { model } = store.get();
    const dataset = chosen();
    if (dataset === undefined || model === null) {
      asked++; // whatever is on its way suits another network
      images.replaceChildren();
      more.hidden = true;
      note.textContent = model !== null && seesToys(model) ? NO_TOYS : missing;
      return;
    }
    note.textContent = missing;
    offer(form, dataset, model);
    wish = AT_FIRST;
    await show(0);
  }

  const chosen = () => datasets.find(({ id }) => id === picker.value);

  /** @param {number} offset */
  async function show(offset) {
    const dataset = chosen();
    if (dataset === undefined) return;
    const turn = ++asked;
    const query = { ...wish.query, offset, limit: PAGE };
    const answer = await fetchImages(dataset.id, query);
    if (turn !== asked) return; // others have been asked for since
    if (offset === wish.first) images.replaceChildren();
    const { model } = store.get();
    const names =
      model && dataset.dataset === trainedOn(model) ? model.class_names : [];
    const { id } = dataset;
    for (const { pixels, ...image } of answer.digits) {
      const { index, label } = image;
      const source = /** @type {const} */ ({ kind: "dataset", id, index, label });
      images.append(thumb({ pixels, title: titleOf(image, names), source }, actions));
    }
    const count = `${grouped(answer.total)} of ${grouped(dataset.count)} images`;
    note.textContent = `${count}. ${missing}`;
    more.hidden = wish.first + images.children.length >= answer.total;
    markShown(root, store.get().source);
    stop();
  }
}

/**
 * Offer what can be asked for: labels by the names of the network's classes, where it
 * learned from such images, and otherwise by their numbers.
 * @param {HTMLFormElement} form @param {Dataset} dataset @param {Model} model
 */
function offer(form, dataset, model) {
  const isOwn = dataset.dataset === trainedOn(model);
  const labels = find(form, "[name=label]", HTMLSelectElement);
  labels.disabled = dataset.labels.length === 0;
  const names = dataset.labels.map((_, label) => {
    const name = isOwn ? model.class_names[label] : undefined;
    return { id: String(label), words: name ?? String(label) };
  });
  fillMenu(labels, [{ id: "", words: "any" }, ...names], "");
  const number = find(form, "[name=index]", HTMLInputElement);
  number.max = String(dataset.count - 1);
  number.value = "";
  find(form, "[name=which]", HTMLSelectElement).value = "random";
  const mistakes = find(form, "[value=mistakes]", HTMLOptionElement);
  mistakes.disabled = !(isOwn && model.card.mistakes);
}

/**
 * @param {FormData} form
 * @param {string} model id
 * @returns {Wish}
 */
export function readWish(form, model) {
  const number = String(form.get("index") ?? "");
  if (number !== "") return { query: { order: "index" }, first: Number(number) };
  /** @type {Record<string, string | number>} */
  const query = {};
  const label = String(form.get("label") ?? "");
  if (label !== "") query.label = Number(label);
  const which = form.get("which");
  if (which === "mistakes") query.mistakes_of = model;
  else if (which === "random") {
    query.order = "random";
    query.seed = Math.floor(Math.random() * 2 ** 31);
  }
  return { query, first: 0 };
}

/**
 * @param {Pick<DatasetImage, "index" | "label" | "prediction">} image
 * @param {readonly string[]} names of labels; one without a name is its number
 */
export function titleOf({ index, label, prediction }, names) {
  const nameOf = (/** @type {number} */ each) => names[each] ?? String(each);
  if (label === null) return `your image ${index}`;
  const title = `test image ${index}, label ${nameOf(label)}`;
  return prediction === undefined ? title : `${title}, read as ${nameOf(prediction)}`;
}

/**
 * A small picture that puts its image before the network. It is an image, since a browser
 * composes each canvas as a layer of its own, in every frame.
 * @param {Example} example @param {Actions} actions
 */
function thumb({ pixels, title, source }, actions) {
  const { columns, rows } = pixels;
  const picture = make("img", { alt: "", draggable: "false" });
  const look = { title, "aria-label": title, "data-source": keyOf(source) };
  const button = make("button", look, picture);
  // Its shape at once, so that nothing moves; what is drawn on it when it is seen.
  picture.style.aspectRatio = `${columns} / ${rows}`;
  showSeenFirst(picture, () => {
    const canvas = make("canvas");
    paintPixels(canvas, pixels);
    picture.src = canvas.toDataURL();
  })();
  button.addEventListener("click", () => actions.showImage(pixels, source));
  return button;
}

/**
 * Press the one whose image is on show.
 * @param {HTMLElement} root @param {Source} source
 */
function markShown(root, source) {
  for (const button of root.querySelectorAll("[data-source]")) {
    const isShown = button.getAttribute("data-source") === keyOf(source);
    button.setAttribute("aria-pressed", String(isShown));
  }
}

let count = 0;
/** A digit of a pair by its own image, which links and examples share. */
const numberOf = memoizeByObject(
  (/** @type {import("../types.js").Pixels} */ pixels) => pixels,
  () => ++count,
);

/** @param {Source} source */
function keyOf(source) {
  if (source.kind === "pair")
    return source.digits
      .map((each) => each && `${numberOf(each.pixels)}:${each.right},${each.down}`)
      .join(" ");
  if (source.kind === "sample") return source.id;
  if (source.kind === "toy")
    return `${source.category} of seed ${source.seed} on ${source.backdrop}`;
  return source.kind === "dataset" ? `${source.id}/${source.index}` : source.kind;
}
