/**
 * Digits to try: the project's own, and a data set's where the server has one.
 * @import { AppState, Dataset, DatasetDigit, Pixels, Source } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { ink } from "../lib/color.js";
import { grouped } from "../lib/number.js";
import { inkOf, sideOf } from "../lib/pixels.js";
import { sampleSource } from "../link.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findElement } from "../parts/find.js";

const PAGE = 24; // test digits at a time

/**
 * @typedef {object} Library asks the server
 * @property {() => Promise<{ datasets: Dataset[], missing?: string }>} fetchDatasets
 * @property {(dataset: string, query: Record<string, string | number>) => Promise<{ total: number, digits: DatasetDigit[] }>} fetchDigits
 */

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {Library} library
 */
export function mountToTry(root, store, actions, library) {
  const samples = findElement(root, "[data-samples]");
  store.watch(["samples"], (state) => {
    samples.replaceChildren(
      ...state.samples.map((sample) => {
        const source = sampleSource(sample);
        return thumb(sample.pixels, sample.title, source, actions);
      }),
    );
  });
  store.watch(["source", "samples"], ({ source }) => markShown(root, source));
  mountDatasets(root, store, actions, library);
}

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {Library} library
 */
function mountDatasets(root, store, actions, { fetchDatasets, fetchDigits }) {
  const folder = find(root, "[data-datasets]", HTMLDetailsElement);
  const form = find(root, "[data-dataset-form]", HTMLFormElement);
  const note = findElement(root, "[data-dataset-note]");
  const digits = findElement(root, "[data-digits]");
  const more = find(root, "[data-more-digits]", HTMLButtonElement);
  /** @type {Dataset | null} */
  let dataset = null;
  /** @type {Record<string, string | number>} */
  let query = {};

  store.watch(["model"], ({ model }) => {
    const labels = find(form, "[name=label]", HTMLSelectElement);
    const names = (model?.class_names ?? []).map(
      (name, label) => new Option(name, String(label)),
    );
    labels.replaceChildren(new Option("any", ""), ...names);
  });

  folder.addEventListener("toggle", () => {
    if (folder.open && dataset === null) void guarded(open);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    query = readQuery(new FormData(form), store.get().model?.id ?? "");
    void guarded(() => show(0));
  });
  more.addEventListener(
    "click",
    () => void guarded(() => show(digits.children.length)),
  );

  async function open() {
    const { datasets, missing } = await fetchDatasets();
    form.hidden = datasets.length === 0;
    note.textContent = missing ?? "";
    if (datasets.length === 0) return;
    dataset = datasets[0];
    query = { order: "random", seed: 1 };
    await show(0);
  }

  /** @param {number} offset */
  async function show(offset) {
    if (dataset === null) return;
    const answer = await fetchDigits(dataset.id, { ...query, offset, limit: PAGE });
    if (offset === 0) digits.replaceChildren();
    for (const digit of answer.digits)
      digits.append(datasetThumb(dataset, digit, actions));
    note.textContent = `${grouped(answer.total)} of ${grouped(dataset.count)} test digits`;
    more.hidden = digits.children.length >= answer.total;
    markShown(root, store.get().source);
  }

  /** @param {() => Promise<void>} job */
  async function guarded(job) {
    try {
      await job();
    } catch (error) {
      note.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

/**
 * @param {FormData} form
 * @param {string} model
 * @returns {Record<string, string | number>}
 */
function readQuery(form, model) {
  const index = String(form.get("index"));
  if (index !== "") return { order: "index", from: Number(index) };
  /** @type {Record<string, string | number>} */
  const query = {};
  const label = String(form.get("label"));
  if (label !== "") query.label = Number(label);
  const which = form.get("which");
  if (which === "mistakes") query.mistakes_of = model;
  else if (which === "random") {
    query.order = "random";
    query.seed = Math.floor(Math.random() * 2 ** 31);
  }
  return query;
}

/**
 * @param {Dataset} dataset
 * @param {DatasetDigit} digit
 * @param {Actions} actions
 */
function datasetThumb({ id }, { index, label, prediction, pixels }, actions) {
  const title =
    prediction === undefined
      ? `test digit ${index}, label ${label}`
      : `test digit ${index}, label ${label}, read as ${prediction}`;
  return thumb(pixels, title, { kind: "dataset", id, index, label }, actions);
}

/**
 * @param {Pixels} pixels
 * @param {string} title
 * @param {Source} source
 * @param {Actions} actions
 */
function thumb(pixels, title, source, actions) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = title;
  button.setAttribute("aria-label", title);
  button.dataset.source = keyOf(source);
  const canvas = document.createElement("canvas");
  const side = sideOf(pixels);
  paintHeatmap(canvas, inkOf(pixels), { rows: side, columns: side, scale: ink() });
  button.append(canvas);
  button.addEventListener("click", () => actions.showImage(pixels, source));
  return button;
}

/**
 * @param {HTMLElement} root
 * @param {Source} source
 */
function markShown(root, source) {
  for (const button of root.querySelectorAll("[data-source]")) {
    const isShown = button.getAttribute("data-source") === keyOf(source);
    button.setAttribute("aria-pressed", String(isShown));
  }
}

/** @param {Source} source */
function keyOf(source) {
  if (source.kind === "sample") return source.id;
  return source.kind === "dataset" ? `${source.id}/${source.index}` : source.kind;
}
