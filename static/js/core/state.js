/**
 * The state that every network shares: what it starts with, and what can be derived from
 * it. What is a network's own, or an experiment's, is declared by their schemas.
 * @import { AnyExperiment, Network, AppState, Dataset, Model, Pixels, Source, ToySource, Trace } from "../types.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { momentOf } from "../lib/moments.js";
import { placed } from "../lib/overlap.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { ownOf } from "../lib/own.js";
import { DIGIT, fitTo, isSameShape, shapeOf } from "../lib/pixels.js";
import { ALL } from "../lib/selections.js";
import { startOf } from "./schema.js";

/** Each layer of one network. */
export const EXPLORE = "explore";

/** Experiments with all networks. Also the id of the panel that holds them. */
export const LAB = "lab";

/** The whole test set as a map. Also the id of the panel that holds it. */
export const ATLAS = "atlas";

/** A network learning. Also the id of the panel that holds it. */
export const TRAIN = "train";

/** The view that every network begins with: all of it in one picture. */
export const OVERVIEW = "overview";

/** The image that it reads, and how that was made. */
export const INPUT = "input";

/** The view that shows the kept image beside the one on show, whatever the network. */
export const COMPARE = "compare";

/** What the samples are like: MNIST, by the name on cards. */
const DIGITS = "mnist";

/** Data of digits, by the names on cards: MNIST's, and those that this project draws. */
export const READ_DIGITS = [DIGITS, "drawn"];

/** The data that pairs of digits are made from, by the name on cards. */
const MADE_FROM = /** @type {Record<string, string>} */ ({ overlapping: DIGITS });

/** The categories of toys, in the server's order. */
export const TOYS = ["animal", "human", "plane", "truck", "car"];

/** What CIFAR-10 calls them, as far as it has a name for every toy of a category. */
const IN_PHOTOGRAPHS = /** @type {Record<string, string>} */ ({
  plane: "airplane",
  truck: "truck",
  car: "automobile",
});

/** What toys can stand on. */
export const GROUNDS = /** @type {const} */ (["plain", "grey", "cluttered"]);

/** … and where they are in colour; and what tints there are. */
// biome-ignore format: one line tells them
export const BACKDROPS = /** @type {const} */ (["sky", "grass", "road", "white", "dark", "clutter"]);
export const TINTS = /** @type {const} */ (["white", "red", "yellow", "blue"]);

/** Which half of a toy's picture can be hidden. */
// biome-ignore format: one line tells them
export const HIDDEN = /** @type {const} */ (["nothing", "left", "right", "top", "bottom"]);

/** @returns {AppState} */
export function initialState() {
  return {
    models: [],
    refused: [],
    model: null,
    network: null,
    slices: {},
    samples: [],
    pixels: null,
    source: { kind: "link" },
    intake: null,
    overrides: AUTOMATIC,
    trace: null,
    intact: null,
    kept: null,
    keptTrace: null,
    second: "",
    mode: EXPLORE,
    view: OVERVIEW,
    opened: [],
    isPresenting: false,
    experiments: [],
    lab: { experiment: "", off: [], slices: {} },
    atlas: { map: "", selection: ALL, point: null },
    train: {
      tab: "learn",
      run: "",
      beside: "",
      step: null,
      over: "images",
    },
    classIndex: null,
    field: null,
    isHeld: false,
    isReading: false,
    isAway: false,
    unread: [],
    problem: null,
  };
}

const SHARED = new Set(Object.keys(initialState()));

/**
 * Whether a key is of the state that all networks share, or one of a network's own.
 * @param {string} key
 */
export function isShared(key) {
  return SHARED.has(key);
}

/**
 * Hold the keys of a network's own state against those that all networks share: of two
 * with one name, one would be changed in place of the other.
 * @param {readonly string[]} keys
 * @throws {Error} where one is shared
 */
export function checkOwnKeys(keys) {
  const found = keys.filter(isShared);
  if (found.length > 0)
    throw new Error(`The page's own state has ${found.join(", ")} already.`);
}

/**
 * The class in focus: the chosen one, else the network's.
 * @template {Pick<Trace, "prediction"> | null} Run
 * @param {{ classIndex: number | null, trace: Run }} state
 * @returns {Run extends null ? number | null : number} null before the first answer
 */
export function focusedClass({ classIndex, trace }) {
  return /** @type {any} */ (classIndex ?? trace?.prediction ?? null); // too deep for tsc
}

/**
 * The id of a folded panel.
 * @param {string} view
 * @param {string} name of the panel in that view
 */
export const panelId = (view, name) => `${view}/${name}`;

/**
 * Whether a folded panel is open.
 * @param {Pick<AppState, "opened">} state
 * @param {string} id
 */
export function isUnfolded({ opened }, id) {
  return opened.includes(id);
}

/**
 * The ids of the views of a network, in the strip's order.
 * @param {Network | null} network null while it is on its way
 */
export function viewIds(network) {
  return [OVERVIEW, INPUT, ...(network?.views ?? []).map(({ id }) => id)];
}

/**
 * Whether a network, or the page whatever the network, has such a view.
 * @param {Network} network @param {string} id
 */
export function hasView(network, id) {
  return id === COMPARE || viewIds(network).includes(id);
}

/**
 * What changes with the network: image and view stay where they can, the class in focus
 * where the classes are the same, and whatever was chosen in that network before.
 * @param {AppState} state @param {Model} model
 * @param {Network} network that of the model
 * @returns {Partial<AppState>}
 */
export function withModel(state, model, network) {
  const { model: before, slices, view, classIndex } = state;
  const isSameKind = before?.architecture === model.architecture;
  const isSameClasses =
    before !== null && before.class_names.join() === model.class_names.join();
  return {
    model,
    network,
    slices: {
      ...slices,
      [model.id]:
        ownOf(slices, model.id) ??
        startOf(
          network.schema(model),
          isSameKind ? ownOf(slices, before.id) : undefined,
        ),
    },
    view: hasView(network, view) ? view : OVERVIEW,
    classIndex: isSameClasses ? classIndex : null,
    // What one network answered means nothing with another.
    trace: null,
    intact: null,
    keptTrace: null,
    field: null,
  };
}

/**
 * Whether two models are the same network, at two moments of its training or at one.
 * @param {Pick<Model, "id"> | null | undefined} one
 * @param {Pick<Model, "id"> | null | undefined} other
 */
export function isSameNetwork(one, other) {
  const nameOf = (/** @type {string} */ id) => momentOf(id)?.run ?? id;
  if (!one || !other) return one === other;
  return nameOf(one.id) === nameOf(other.id);
}

/**
 * The data set that a network learned from, by the name on its card.
 * @param {Pick<Model, "card">} model
 */
export function trainedOn({ card }) {
  return card.dataset ?? DIGITS; // cards of old name none
}

/**
 * Whether a network was described in Python, of images that its owner alone knows: whatever
 * its classes are called, they are those of no set of the page.
 * @param {Pick<Model, "card">} model
 */
export function hasOwnImages(model) {
  return trainedOn(model).startsWith("described-");
}

/**
 * The data set that its test images are made from: that of single digits for pairs.
 * @param {Pick<Model, "card">} model
 */
export function madeFrom(model) {
  const trained = trainedOn(model);
  return MADE_FROM[trained] ?? trained;
}

/**
 * The id of the test images of a data set, as addresses have it.
 * @param {string} dataset by its name on cards
 */
export function testImagesOf(dataset) {
  return `${dataset.replace(":", "-")}-test`;
}

/**
 * The label of the image on show, where it is known and is one of the network's classes:
 * a 4 of MNIST is nothing to a network that has learned garments.
 * @param {Source} source @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 * @returns {number | null}
 */
export function knownLabel(source, model) {
  const own = madeFrom(model);
  if (source.kind === "sample") return READ_DIGITS.includes(own) ? source.label : null;
  if (source.kind === "toy") return toyLabel(source, model);
  if (source.kind !== "dataset") return null;
  const isOfDigits = source.id === testImagesOf(DIGITS) && READ_DIGITS.includes(own);
  return isOfDigits || source.id === testImagesOf(own) ? source.label : null;
}

/**
 * The class of a toy: of a network of photographs, the one that CIFAR-10 would call it.
 * @param {Pick<ToySource, "category">} toy @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 * @returns {number | null} null where the network has none
 */
export function toyLabel({ category }, model) {
  if (seesToys(model)) return TOYS.indexOf(category);
  const names = Object.values(IN_PHOTOGRAPHS);
  const isOfPhotographs =
    !hasOwnImages(model) && names.every((name) => model.class_names.includes(name));
  const name = IN_PHOTOGRAPHS[category];
  return turnsToys(model) && isOfPhotographs && name !== undefined
    ? model.class_names.indexOf(name)
    : null;
}

/**
 * The labels of all that the image on show shows, as `knownLabel`.
 * @param {Source} source @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 * @returns {number[] | null} null where any is unknown
 */
export function knownLabels(source, model) {
  if (source.kind !== "pair") {
    const label = knownLabel(source, model);
    return label === null ? null : [label];
  }
  const labels = source.digits.flatMap((each) => (each === null ? [] : [each.label]));
  const isKnown = trainedOn(model) in MADE_FROM && labels.length > 0;
  return isKnown && labels.every((label) => label !== null)
    ? /** @type {number[]} */ (labels)
    : null;
}

/**
 * Whether a network was made for two digits on a canvas that is larger than one of them.
 * @param {Pick<Model, "present" | "input_shape">} model
 */
export function readsPairs({ present, input_shape }) {
  const { channels, rows, columns } = shapeOf({ input_shape });
  const isLarger = rows > DIGIT.rows && columns > DIGIT.columns;
  return present.at_most === 2 && isLarger && channels === DIGIT.channels;
}

/**
 * Whether a network was made for toys on a turntable.
 * @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 */
export function seesToys(model) {
  const [channels, rows, columns] = model.input_shape;
  const isOfToys = model.class_names.join() === TOYS.join() && !hasOwnImages(model);
  return channels === 1 && rows === columns && isOfToys;
}

/**
 * Whether the turntable can put toys before a network: one made for them, or one that reads
 * 32×32 pixels in colour.
 * @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 */
export function turnsToys(model) {
  return seesToys(model) || model.input_shape.join() === "3,32,32";
}

/**
 * Whether a network that reads toys can be shown a data set, or one that reads none.
 * @param {Pick<Dataset, "dataset">} of @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 */
export function suits({ dataset }, model) {
  return (dataset === "toys") === seesToys(model);
}

// The Lab.

/** The state that the Lab is made of. @typedef {Pick<AppState, "lab" | "experiments">} LabPart */

/**
 * What is on show: the open view of Explore, or another mode as a whole.
 * @param {{ mode?: AppState["mode"], view: string }} state
 */
export function shownView({ mode = EXPLORE, view }) {
  return mode === EXPLORE ? view : mode;
}

/**
 * The open experiment.
 * @param {LabPart} state
 * @returns {AnyExperiment | null} null where there are none
 */
export function openExperiment({ lab, experiments }) {
  return experiments.find(({ id }) => id === lab.experiment) ?? experiments[0] ?? null;
}

/**
 * An experiment's slice of the state.
 * @param {Pick<AppState, "lab">} state @param {AnyExperiment} experiment
 * @returns {object} always the same object while nothing in it changes
 */
export function experimentSlice({ lab }, experiment) {
  return lab.slices[experiment.id] ?? openingSlice(experiment);
}

/** An experiment's slice where it opens. */
export const openingSlice = memoizeByObject(
  (/** @type {AnyExperiment} */ experiment) => experiment,
  ({ schema, opens }) => ({ ...startOf(schema), ...opens }),
);

/**
 * The models that can be asked about the image on show: those with the chosen one's
 * classes that read images of its size.
 * @param {Pick<AppState, "models" | "model">} state
 * @returns {Model[]}
 */
export function comparableModels({ models, model }) {
  const kindOf = (/** @type {Model} */ each) =>
    [...each.class_names, ...each.input_shape].join("\n");
  return model === null ? [] : models.filter((each) => kindOf(each) === kindOf(model));
}

/**
 * Those of them that are switched on.
 * @param {Pick<AppState, "models" | "model" | "lab">} state
 * @returns {Model[]}
 */
export function switchedOn(state) {
  return comparableModels(state).filter(({ id }) => !state.lab.off.includes(id));
}

// Images of the shape that the network reads: digits have 28 x 28 pixels, a network may
// have learned from images of another size, or from several channels.

/**
 * What was given, by what was made of it: the way back to the first network loses nothing.
 * @type {WeakMap<Pixels, Pixels>}
 */
const originals = new WeakMap();

/** Whether an image was given in another shape. @param {Pixels} pixels */
export const isFitted = (pixels) => originals.has(pixels);

/**
 * An image of the shape that a network reads: scaled, or, where the network was made for
 * several digits on one canvas, as it is in the middle of it.
 * @param {Pixels} pixels @param {Model} model
 */
export function fittedTo(pixels, model) {
  const shape = shapeOf(model);
  if (isSameShape(pixels, shape)) return pixels;
  const original = originals.get(pixels) ?? pixels;
  const isDigit = isSameShape(original, DIGIT);
  const found =
    isDigit && readsPairs(model) ? placed(original, shape) : fitTo(original, shape);
  if (found !== original) originals.set(found, original);
  return found;
}

/**
 * The state with images of the shape that its network reads. A toy is drawn anew, in colour
 * or as ink.
 * @template {Pick<AppState, "pixels" | "source" | "kept" | "model">} State
 * @param {State} state
 * @returns {State} the same where they have it
 */
export function withFittingImages(state) {
  const { model, pixels: given, kept: before, source } = state;
  if (model === null) return state;
  const isOther = given && given.channels !== shapeOf(model).channels;
  const isRedrawn = isOther && source.kind === "toy" && turnsToys(model);
  const pixels = isRedrawn ? null : given && fittedTo(given, model);
  const kept = before && { ...before, pixels: fittedTo(before.pixels, model) };
  const isKept = kept?.pixels === before?.pixels;
  if (pixels === given && isKept) return state;
  return { ...state, pixels, kept: isKept ? before : kept };
}
