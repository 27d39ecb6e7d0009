/**
 * The state as a link: what stands behind the # of the address, and back.
 * @import { AppState, Model, Sample, Source } from "./types.js"
 */
import { sidesOf, startingPlaces } from "./geometry/receptive-field.js";
import { pack, unpack } from "./lib/pixels.js";
import { packPin, packSilence, unpackPins, unpackSilence } from "./lib/surgery-link.js";
import { readLooks, writeLooks } from "./link-looks.js";
import { initialState, VIEWS } from "./state.js";

/**
 * What of the state a link keeps.
 * @typedef {Pick<AppState, "view" | "pixels" | "source" | "iterations" | "step" | "digit" | "map" | "pixel" | "capsule" | "dimension" | "centre" | "conv1" | "beneath" | "routed" | "kernel" | "edits" | "surgery" | "showsOperated" | "model">} Linked
 */

/** @type {(keyof Linked)[]} */
export const LINKED = [
  "view",
  "pixels",
  "source",
  "iterations",
  "step",
  "digit",
  "map",
  "pixel",
  "capsule",
  "dimension",
  "centre",
  "conv1",
  "beneath",
  "routed",
  "kernel",
  "edits",
  "surgery",
  "showsOperated",
  "model",
];

/** What stands for an image where the canvas is empty. */
const EMPTY = "none";

/** What the network's sizes bound, and say where to start. */
const PLACES = /** @type {const} */ ([
  "map",
  "pixel",
  "capsule",
  "dimension",
  "centre",
]);

/** Decimals of an edit in a link; a slider's step is 0.001. */
const EDIT_DECIMALS = 3;

/** A capsule is shorter than 1, so no number in it moves further than from -1 to 1. */
const EDIT_REACH = 2;

/**
 * @param {Linked} state
 * @returns {string} without the #
 */
export function toHash(state) {
  const link = new URLSearchParams({ view: state.view });
  if (state.model !== null && !state.model.default) link.set("model", state.model.id);
  const { source } = state;
  if (source.kind === "sample") link.set("sample", source.id);
  else link.set("image", state.pixels === null ? EMPTY : pack(state.pixels));
  if (source.kind === "dataset")
    link.set("of", `${source.id}/${source.index}/${source.label}`);
  link.set("iterations", String(state.iterations));
  if (state.step !== state.iterations) link.set("step", String(state.step));
  if (state.digit !== null) link.set("digit", String(state.digit));
  const start = state.model && startingPlaces(state.model.card.config);
  for (const key of PLACES) {
    if (state[key] !== start?.[key]) link.set(key, String(state[key]));
  }
  writeLooks(link, state);
  for (const [digit, differences] of Object.entries(state.edits)) {
    link.append("edit", `${digit}:${packEdits(differences)}`);
  }
  writeSurgery(link, state);
  return link.toString();
}

/**
 * Read a link. What it does not say, or says wrongly, keeps its default.
 * @param {string} hash with or without the #
 * @param {{ samples: readonly Sample[], models: AppState["models"] }} known
 * @returns {Partial<Linked>}
 */
export function fromHash(hash, { samples, models }) {
  const link = new URLSearchParams(hash.replace(/^#/, ""));
  const model =
    models.find(({ id }) => id === link.get("model")) ??
    models.find((one) => one.default) ??
    null;
  const sizes = model?.card.config;
  /** @param {string} key @param {number} low @param {number} high */
  const whole = (key, low, high) => readWhole(link.get(key), low, high);

  const iterations =
    whole("iterations", 1, model?.max_routing_iterations ?? 1) ??
    model?.routing_iterations;
  const start = sizes ? startingPlaces(sizes) : initialState();
  const sides = sizes ? sidesOf(sizes) : { conv1: 0, primary: 0 };
  const capsules = (sizes?.primary_types ?? 0) * sides.primary ** 2;
  return {
    ...readImage(link, samples, model),
    ...(model && { model }),
    view: VIEWS.find((view) => view === link.get("view")) ?? VIEWS[0],
    ...(iterations && { iterations, step: whole("step", 1, iterations) ?? iterations }),
    digit: whole("digit", 0, (model?.classes ?? 1) - 1) ?? null,
    map: whole("map", 0, (sizes?.conv1_kernels ?? 1) - 1) ?? start.map,
    pixel: whole("pixel", 0, sides.conv1 ** 2 - 1) ?? start.pixel,
    capsule: whole("capsule", 0, capsules - 1) ?? start.capsule,
    dimension: whole("dimension", 0, (sizes?.primary_dim ?? 1) - 1) ?? start.dimension,
    centre: whole("centre", 0, (sizes?.image_size ?? 1) ** 2 - 1) ?? start.centre,
    ...readLooks(link),
    edits: readEdits(link.getAll("edit"), model?.classes ?? 0, model?.pose_dim ?? 0),
    ...readSurgery(link, { capsules, cells: sides.primary ** 2, model }),
  };
}

/**
 * @param {URLSearchParams} link
 * @param {Pick<Linked, "surgery" | "showsOperated" | "model">} state
 */
function writeSurgery(link, { surgery, showsOperated, model }) {
  const { silenced, routing, pins } = surgery;
  if (silenced.length > 0 && model !== null) {
    const { primary } = sidesOf(model.card.config);
    link.set("silence", packSilence(silenced, primary ** 2));
  }
  if (routing !== "agreement") link.set("routing", routing);
  for (const pin of pins) link.append("pin", packPin(pin));
  if (showsOperated) link.set("shown", "operated");
}

/**
 * @param {URLSearchParams} link
 * @param {{ capsules: number, cells: number, model: AppState["model"] }} sizes
 * @returns {Pick<Linked, "surgery" | "showsOperated">}
 */
function readSurgery(link, { capsules, cells, model }) {
  return {
    surgery: {
      silenced: unpackSilence(link.get("silence") ?? "", { capsules, cells }),
      routing: link.get("routing") === "uniform" ? "uniform" : "agreement",
      pins: unpackPins(link.getAll("pin"), {
        capsules,
        classes: model?.classes ?? 0,
      }),
    },
    showsOperated: link.get("shown") === "operated",
  };
}

/**
 * @param {URLSearchParams} link
 * @param {readonly Sample[]} samples
 * @param {Model | null} model
 * @returns {Partial<Linked>}
 */
function readImage(link, samples, model) {
  const sample = samples.find(({ id }) => id === link.get("sample"));
  if (sample) return { pixels: sample.pixels, source: sampleSource(sample) };
  const image = link.get("image") ?? "";
  if (image === EMPTY) return { pixels: null, source: { kind: "link" } };
  const pixels = unpack(image, model?.card.config.image_size);
  if (pixels === null) return {};
  return { pixels, source: readDataset(link.get("of") ?? "", model?.classes ?? 0) };
}

/**
 * @param {string} text such as `mnist-test/247/4`
 * @param {number} classes
 * @returns {Source}
 */
function readDataset(text, classes) {
  const [, id, indexText, labelText] = /^([\w-]+)\/(\d+)\/(\d+)$/.exec(text) ?? [];
  const index = readWhole(indexText ?? null, 0, Number.MAX_SAFE_INTEGER);
  const label = readWhole(labelText ?? null, 0, classes - 1);
  if (index === null || label === null) return { kind: "link" };
  return { kind: "dataset", id, index, label };
}

/**
 * @param {Sample} sample
 * @returns {Source}
 */
export function sampleSource({ id, label, title }) {
  return { kind: "sample", id, label, title };
}

/**
 * @param {string | null} text
 * @param {number} low
 * @param {number} high
 * @returns {number | null} null when it is not a whole number in low..high
 */
function readWhole(text, low, high) {
  if (text === null || !/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value >= low && value <= high ? value : null;
}

/** @param {readonly number[]} differences */
function packEdits(differences) {
  return differences
    .map((value, dimension) => ({
      value: Number(value.toFixed(EDIT_DECIMALS)),
      dimension,
    }))
    .filter(({ value }) => value !== 0)
    .map(({ value, dimension }) => `${dimension}=${value}`)
    .join(";");
}

/**
 * @param {string[]} texts such as `4:3=0.12;7=-0.05`
 * @param {number} classes
 * @param {number} length numbers in a capsule
 * @returns {AppState["edits"]}
 */
function readEdits(texts, classes, length) {
  /** @type {Record<number, number[]>} */
  const edits = {};
  for (const text of texts) {
    const [, digitText, list] = /^(\d+):(.*)$/.exec(text) ?? [];
    const digit = readWhole(digitText ?? null, 0, classes - 1);
    if (digit === null) continue;
    const differences = Array.from({ length }, () => 0);
    for (const item of list.split(";")) {
      const [, dimensionText, value] = /^(\d+)=(-?\d*\.?\d+)$/.exec(item) ?? [];
      const dimension = readWhole(dimensionText ?? null, 0, length - 1);
      if (dimension !== null && Math.abs(Number(value)) <= EDIT_REACH)
        differences[dimension] = Number(value);
    }
    if (differences.some((value) => value !== 0)) edits[digit] = differences;
  }
  return edits;
}
