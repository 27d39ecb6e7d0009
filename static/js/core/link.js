/**
 * The state as a link: what stands behind the # of the address, and back. The page, the
 * chosen network and the open experiment each declare their part as a schema.
 * @import { AppState, Model, Pixels, Sample, Source } from "../types.js"
 * @import { Field, Schema, StateOf } from "./schema.js"
 */

import { momentOf } from "../lib/moments.js";
import { ownOf } from "../lib/own.js";
import { DIGIT, pack, shapeOf, unpack } from "../lib/pixels.js";
import { ALL, packSelection, unpackSelection } from "../lib/selections.js";
import { lacks } from "./lacks.js";
import { packTestImage, unpackTestImage } from "./links/datasets.js";
import { packDigit, unpackPair } from "./links/pairs.js";
import { BETWEEN_PARTS, EMPTY } from "./links/parts.js";
import { packToy, unpackToy } from "./links/toys.js";
import {
  choice,
  optional,
  packed,
  readLink,
  startOf,
  text,
  unreadOf,
  unreadText,
  writeLink,
} from "./schema.js";
import {
  ATLAS,
  EXPLORE,
  experimentSlice,
  hasView,
  isFitted,
  LAB,
  OVERVIEW,
  openExperiment,
  openingSlice,
  panelId,
  readsPairs,
  TRAIN,
  turnsToys,
} from "./state.js";

/** How networks that are switched off are set apart in a link; no id holds it. */
const BETWEEN = "/";

/** Longer images are left out of a link where their data set names them. */
const MOST_PACKED = 1000; // characters

/** Any link says one of these; what else stands in it is a network's own. */
const SAYS = ["mode", "view", "model", "sample", "image"];

/** What of the state a link keeps; slices as far as their networks say. */
export const LINKED = /** @type {const} */ ([
  "mode",
  "lab",
  "atlas",
  "train",
  "view",
  "pixels",
  "source",
  "kept",
  "second",
  "classIndex",
  "model",
  "slices",
  "opened",
]);

/**
 * What a link is read with: what it can name, its model and that model's network, and what
 * is kept already of other networks, experiments and views.
 * @typedef {Pick<AppState, "samples" | "models" | "experiments" | "model" | "network" | "slices" | "lab" | "atlas" | "train" | "opened">} Known
 */

/**
 * The state's own part of a link, in the order in which it is written.
 * @param {Known} known
 * @returns {Schema}
 */
function pageSchema(known) {
  const { model, models, network } = known;
  return {
    view: packed({
      link: "view",
      words: "the view",
      start: "",
      pack: String,
      unpack: (id) => (network !== null && hasView(network, id) ? id : null),
    }),
    model: packed({
      link: "model",
      words: "the model",
      start: /** @type {Model?} */ (null),
      pack: (each) => (each === null || each.default ? "" : each.id),
      unpack: (id) => models.find((each) => each.id === id) ?? null,
    }),
    image: picture("", "", known),
    kept: picture("kept-", " to compare with", known),
    second: text("second"),
    classIndex: optional({
      link: "digit",
      words: "the class",
      most: (model?.classes ?? 0) - 1,
    }),
    mode: choice("mode", modesHere(), EXPLORE, "the mode"),
    lab: labField(known),
    atlas: modeField(ATLAS, ATLAS_SCHEMA, known.atlas),
    train: modeField(TRAIN, TRAIN_SCHEMA, known.train),
    slices: slicesField(known),
    opened: openedField(known), // the last: it follows from what else a link says
  };
}

/** Modes that this page can open. @returns {AppState["mode"][]} */
function modesHere() {
  /** @type {AppState["mode"][]} */
  const all = [EXPLORE, LAB, ATLAS, TRAIN];
  return all.filter(
    (mode) =>
      !(mode === ATLAS && lacks("atlas")) && !(mode === TRAIN && lacks("training")),
  );
}

/**
 * An image: the id of a sample, the two digits that it was made of, or its pixels and where
 * in a data set they are from.
 * @param {string} prefix of the names
 * @param {string} use for people
 * @param {Known} known
 * @returns {Field<Pick<AppState, "pixels" | "source"> | null>}
 */
function picture(prefix, use, { samples, model }) {
  const names = {
    sample: `${prefix}sample`,
    pair: `${prefix}pair`,
    image: `${prefix}image`,
    toy: `${prefix}toy`,
    of: `${prefix}of`,
  };
  const sampleOf = (/** @type {string | null} */ id) =>
    samples.find((each) => each.id === id) ?? null;
  const pixelsOf = (/** @type {string} */ text) =>
    unpack(text, model ? shapeOf(model) : DIGIT);
  const pairOf = (/** @type {string[]} */ texts) =>
    texts.length > 0 && model && readsPairs(model)
      ? unpackPair(texts, model, samples)
      : null;
  /**
   * An image's values, and where in a data set it is from, if it is.
   * @param {URLSearchParams} link changed @param {Pixels | null} pixels @param {Source} source
   */
  function writeValues(link, pixels, source) {
    const image = pixels === null ? EMPTY : pack(pixels);
    const isNamed = source.kind === "dataset";
    if (isNamed) link.set(names.of, packTestImage(source));
    if (!isNamed || image.length <= MOST_PACKED) link.set(names.image, image);
  }

  return {
    start: () => null,
    write(link, shown) {
      if (shown === null) return;
      const { pixels, source } = shown;
      if (source.kind === "sample") return link.set(names.sample, source.id);
      if (source.kind === "pair" && model && readsPairs(model))
        return source.digits.forEach((digit) => {
          link.append(names.pair, packDigit(digit, samples));
        });
      const isToy = source.kind === "toy" && model !== null && turnsToys(model);
      if (isToy) link.set(names.toy, packToy(source));
      // A toy is drawn again from what it is, unless another network's drawing is shown.
      if (!isToy || (pixels !== null && isFitted(pixels)))
        writeValues(link, pixels, source);
    },
    read(link) {
      const sample = sampleOf(link.get(names.sample));
      if (sample) return { pixels: sample.pixels, source: sampleSource(sample) };
      const pair = pairOf(link.getAll(names.pair));
      if (pair) return pair;
      const text = link.get(names.image) ?? "";
      const toy =
        model && turnsToys(model) ? unpackToy(link.get(names.toy) ?? "") : null;
      const source =
        toy ?? unpackTestImage(link.get(names.of) ?? "", model?.classes ?? 0);
      // Without its pixels, what has a name is drawn or fetched.
      if (source.kind !== "link" && text === "") return { pixels: null, source };
      if (text === EMPTY) return { pixels: null, source: { kind: "link" } };
      const pixels = pixelsOf(text);
      return pixels && { pixels, source };
    },
    unread: (link) => [
      ...unreadText(link, names.sample, `the example${use}`, sampleOf),
      ...unreadText(link, names.pair, `the two digits${use}`, () =>
        pairOf(link.getAll(names.pair)),
      ),
      ...unreadText(link, names.toy, `the toy${use}`, unpackToy),
      ...unreadText(link, names.image, `the image${use}`, (text) =>
        text === EMPTY ? text : pixelsOf(text),
      ),
    ],
  };
}

/** Says of an experiment that opens elsewhere that its fields stand where they start. */
const AT_REST = "rest";

/**
 * Whether a link says any field of a schema, be it that the field stands where it starts.
 * @param {URLSearchParams} link @param {import("./schema.js").Schema} schema
 */
function says(link, schema) {
  /** @type {string[]} */
  const asked = [];
  const heard = new URLSearchParams(link);
  heard.get = (name) => {
    asked.push(name);
    return link.get(name);
  };
  readLink(heard, schema);
  return asked.some((name) => link.has(name));
}

/** @param {import("./schema.js").Schema} schema @param {object} slice */
function isAsAtStart(schema, slice) {
  const link = new URLSearchParams();
  writeLink(link, schema, slice);
  return link.size === 0;
}

/**
 * The Lab: the open experiment, with its own fields, and which networks are switched off.
 * @param {Known} known
 * @returns {Field<AppState["lab"]>}
 */
function labField({ experiments, models, lab }) {
  const experimentOf = (/** @type {string} */ id) =>
    experiments.find((each) => each.id === id) ?? null;
  const idsIn = (/** @type {string | null} */ text) =>
    (text ?? "").split(BETWEEN).filter((id) => id !== "");
  const isModel = (/** @type {string} */ id) => models.some((each) => each.id === id);
  return {
    start: () => lab,
    write(link, { off }, _start, state) {
      const open = state.mode === LAB ? openExperiment(state) : null;
      if (open === null) return;
      link.set("experiment", open.id);
      if (off.length > 0) link.set("off", off.join(BETWEEN));
      const slice = experimentSlice(state, open);
      writeLink(link, open.schema, slice);
      if (open.opens !== undefined && isAsAtStart(open.schema, slice))
        link.set(AT_REST, "1");
    },
    read(link, _start, { mode }) {
      const open = experimentOf(link.get("experiment") ?? "") ?? experiments[0];
      if (mode !== LAB || open === undefined) return undefined;
      const slice = { ...startOf(open.schema), ...readLink(link, open.schema) };
      const isSaid = link.has(AT_REST) || says(link, open.schema);
      return {
        experiment: open.id,
        off: idsIn(link.get("off")).filter(isModel),
        slices: { ...lab.slices, [open.id]: isSaid ? slice : openingSlice(open) },
      };
    },
    unread: (link) => [
      ...unreadText(link, "experiment", "the experiment", experimentOf),
      ...unreadText(link, "off", "the networks to switch off", (text) =>
        idsIn(text).every(isModel) ? text : null,
      ),
    ],
  };
}

/** What a link says of the atlas. */
const ATLAS_SCHEMA = {
  map: text("atlas-map"),
  selection: packed({
    link: "selected",
    words: "the selection",
    start: ALL,
    pack: packSelection,
    unpack: unpackSelection,
  }),
  point: optional({
    link: "test-image",
    words: "the test image",
    most: Number.MAX_SAFE_INTEGER,
  }),
};

/** What a link says of training. */
const TRAIN_SCHEMA = {
  tab: choice("train-tab", ["learn", "inside", "runs"]),
  run: text("run"),
  beside: text("run-beside"),
  step: optional({
    link: "run-step",
    words: "the moment",
    most: Number.MAX_SAFE_INTEGER,
  }),
  over: choice("over", ["images", "seconds"]),
};

/**
 * A mode's own part, which links keep while that mode is open.
 * @template {Schema} Fields
 * @param {AppState["mode"]} own
 * @param {Fields} schema
 * @param {StateOf<Fields>} now
 * @returns {Field<StateOf<Fields>>}
 */
function modeField(own, schema, now) {
  return {
    start: () => now,
    write(link, value, _start, { mode }) {
      if (mode === own) writeLink(link, schema, value);
    },
    read: (link, _start, { mode }) =>
      mode === own ? { ...startOf(schema), ...readLink(link, schema) } : undefined,
    unread: (link) => unreadOf(link, schema),
  };
}

/**
 * The chosen network's own fields. What a link does not keep of them stays as it was.
 * @param {Known} known
 * @returns {Field<AppState["slices"]>}
 */
function slicesField({ model, network, slices }) {
  if (model === null || network === null) return { start: () => slices };
  const schema = network.schema(model);
  return {
    start: () => slices,
    write: (link, slices) => writeLink(link, schema, ownOf(slices, model.id) ?? {}),
    read(link) {
      const slice = ownOf(slices, model.id) ?? startOf(schema);
      return {
        ...slices,
        [model.id]: { ...slice, ...readLink(link, schema) },
      };
    },
  };
}

/**
 * The open panels of the view. A link that does not say them opens those that hold
 * something it says; without any link, what the browser remembers stays.
 * @param {Known} known
 * @returns {Field<AppState["opened"]>}
 */
function openedField({ network, model, opened }) {
  const viewOf = (/** @type {string} */ view) =>
    network?.views.find(({ id }) => id === view);
  const foldsOf = (/** @type {string} */ view) =>
    Object.entries(viewOf(view)?.folds ?? {});
  /** @param {URLSearchParams} link @param {string} view */
  const ledTo = (link, view) =>
    foldsOf(view).flatMap(([panel, names]) =>
      names.some((name) => link.has(name)) ? [panel] : [],
    );
  /** @param {string} text @param {string} view @returns {string[] | null} */
  const panelsIn = (text, view) => {
    const named = text.split(BETWEEN_PARTS).filter((panel) => panel !== "");
    const known = foldsOf(view).map(([panel]) => panel);
    return named.every((panel) => known.includes(panel)) ? named : null;
  };
  return {
    start: () => opened,
    write(link, value, _start, { view }) {
      const panels = foldsOf(view).flatMap(([panel]) =>
        value.includes(panelId(view, panel)) ? [panel] : [],
      );
      const text = panels.join(BETWEEN_PARTS);
      if (text !== ledTo(link, view).join(BETWEEN_PARTS)) link.set("open", text);
    },
    read(link, _start, { view, slices }) {
      if (link.size === 0) return undefined;
      const understood = new URLSearchParams();
      if (network !== null && model !== null)
        writeLink(understood, network.schema(model), ownOf(slices, model.id) ?? {});
      const panels = link.has("open")
        ? (panelsIn(link.get("open") ?? "", view) ?? [])
        : ledTo(understood, view);
      const elsewhere = opened.filter((id) => !id.startsWith(panelId(view, "")));
      return [...elsewhere, ...panels.map((panel) => panelId(view, panel))];
    },
    unread: (link, { view }) =>
      unreadText(link, "open", "the open panels", (text) => panelsIn(text, view)),
  };
}

/**
 * @param {Known & Pick<AppState, typeof LINKED[number]>} state
 * @returns {string} without the #
 */
export function toHash(state) {
  const link = new URLSearchParams();
  writeLink(link, pageSchema(state), { ...state, image: state });
  return link.toString();
}

/**
 * Read a link. What it does not say, or says wrongly, keeps its default; an image that it
 * does not say, and a Lab that it does not open, stay as they are.
 * @param {string} hash with or without the #
 * @param {Known} known
 */
export function fromHash(hash, known) {
  const link = paramsOf(hash);
  const schema = pageSchema(known);
  const { image, kept, second, mode, lab, atlas, train, ...own } = readLink(
    link,
    schema,
  );
  const { classIndex, view, slices, opened } = own;
  const { model, network } = known;
  /** @type {Partial<AppState>} */
  const said = {
    model,
    network,
    mode,
    second,
    classIndex,
    slices,
    view: view || OVERVIEW,
    kept: kept?.pixels ? kept : null,
    ...(lab && { lab }),
    ...(atlas && { atlas }),
    ...(train && { train }),
    ...(opened && { opened }),
    ...image,
  };
  const isNoLink = link.size > 0 && !SAYS.some((name) => link.has(name));
  if (isNoLink) return { ...said, unread: ["any setting"] };
  return { ...said, unread: [...unreadOf(link, schema), ...link.unasked()] };
}

/**
 * What a link only names, apart from the toy on show.
 * @param {string} hash with or without the #
 * @param {Known} known
 * @returns {{ shown: Named | null, kept: Named | null }} null where it brings pixels, or none
 *   are to be had
 */
export function namedIn(hash, known) {
  const { image, kept } = readLink(paramsOf(hash), pageSchema(known));
  const [shown, other] = [image, kept].map((each) => {
    const { pixels, source } = each ?? { pixels: null, source: { kind: "link" } };
    const isNamed = source.kind === "toy" || source.kind === "dataset";
    return pixels === null && isNamed ? /** @type {Named} */ (source) : null;
  });
  return { shown: shown?.kind === "dataset" ? shown : null, kept: other };
}

/** @typedef {Extract<Source, { kind: "toy" | "dataset" }>} Named */

/** Links said a version once, which nothing follows from. */
const UNASKED = ["v"];

/** A link that remembers which of its names were asked for. */
class Link extends URLSearchParams {
  #asked = new Set(UNASKED);

  /** @param {string} name */
  get(name) {
    this.#asked.add(name);
    return super.get(name);
  }

  /** @param {string} name */
  getAll(name) {
    this.#asked.add(name);
    return super.getAll(name);
  }

  /** @param {string} name */
  has(name) {
    this.#asked.add(name);
    return super.has(name);
  }

  /** What it says under names that nobody asked for. */
  unasked() {
    const names = [...new Set(this.keys())].filter((name) => !this.#asked.has(name));
    return names.map((name) => `the setting “${name}”`);
  }
}

/**
 * What an address says of the page: behind its #, or, where there is nothing, behind its ?,
 * where some people put it.
 * @param {Pick<Location, "hash" | "search">} address
 * @returns {string} with or without the #
 */
export function linkIn({ hash, search }) {
  const asked = new URLSearchParams(search);
  const isInSearch = hash.length < 2 && SAYS.some((name) => asked.has(name));
  return isInSearch ? search.slice(1) : hash;
}

/**
 * The model that a link names, else the default one.
 * @param {string} hash with or without the #
 * @param {readonly Model[]} models
 * @returns {Model | null} null while no models are known
 */
export function modelIn(hash, models) {
  const id = paramsOf(hash).get("model");
  return (
    models.find((one) => one.id === id) ?? models.find((one) => one.default) ?? null
  );
}

/**
 * The id of the moment of a run that a link names as its model.
 * @param {string} hash with or without the #
 */
export function momentIn(hash) {
  const id = paramsOf(hash).get("model") ?? "";
  return momentOf(id) === null ? null : id;
}

/**
 * The view that a link names, be there such a view or not.
 * @param {string} hash with or without the #
 */
export function viewIn(hash) {
  return paramsOf(hash).get("view") ?? OVERVIEW;
}

/**
 * The panel that a link leads to.
 * @param {string} hash with or without the #
 * @returns {string | null} null where it opens none, or several
 */
export function panelIn(hash) {
  const panels = (paramsOf(hash).get("open") ?? "").split(BETWEEN_PARTS);
  return panels.length === 1 ? panels[0] || null : null;
}

/** @param {string} hash with or without the # */
const paramsOf = (hash) => new Link(hash.replace(/^#/, ""));

/** @param {Sample} sample @returns {Source} */
export function sampleSource({ id, label, title }) {
  return { kind: "sample", id, label, title };
}
