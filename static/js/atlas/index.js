/**
 * The Atlas: map, confusion matrix and pictures of the chosen network's test set, linked by
 * one selection.
 * @import { Actions, AppState, Model, Pixels, Services, Source, Store } from "../types.js"
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { OnShow } from "./known.js"
 * @import { Anchor } from "./map.js"
 */
import { pairSource } from "../core/links/pairs.js";
import { AS_COLLECTED, toySource } from "../core/links/toys.js";
import {
  ATLAS,
  COMPARE,
  EXPLORE,
  INPUT,
  isSameNetwork,
  LAB,
  madeFrom,
  momentOf,
  testImagesOf,
  trainedOn,
} from "../core/state.js";
import { selector } from "../core/store.js";
import { counted, fixed, grouped, percent } from "../lib/format.js";
import { AUTOMATIC } from "../lib/overrides.js";
import { shapeOf } from "../lib/pixels.js";
import { lassoOf, selected, VIEWS } from "../lib/selections.js";
import { entries, groupName, groupsOf } from "../lib/tested.js";
import { latest } from "../lib/timing.js";
import { find, findCanvas, findElement, setText } from "../ui/dom.js";
import { onTheme } from "../ui/stage.js";
import { createKnown } from "./known.js";
import { createMap } from "./map.js";
import { mountNumbers } from "./numbers.js";
import { laidOut, pairPicture } from "./pairs.js";
import { mountPictured } from "./pictured.js";
import { contours, densest, SCORES_MAP, scoreCorners } from "./places.js";
import { mountSelecting } from "./selecting.js";

/** What the map of scores shows. */
const SCORED =
  "From the middle an arrow leads to each class, as long as its score. Add the arrows head to tail: the image is drawn where they end, but never outside the circle of names. An image lies near a class’s name if the network is sure of that class alone, and near the middle if it is sure of none, or torn between classes that face each other. Every network and every moment has this same map.";
/** The same, of images of two classes. */
const SCORED_PAIRS =
  "From the middle an arrow leads to each class, as long as its score. Add the arrows head to tail: the image is drawn where they end, but never outside the circle of names. An image lies between the names of two classes if the network is sure of both; near the middle lie those whose two classes face each other, and those of which it is not sure.";
const NEAREST = 10;
/** The seed of the first test toys; with each seed, one of every category is drawn. */
const TOY_SEED = 2000;

/** What spaces are called, by the names that `model/measuring/atlas.py` gives them. */
const SPACES = /** @type {Record<string, string>} */ ({
  capsules: "all class capsules",
  pose: "the pose of the class read",
  hidden: "the hidden layer",
  pixels: "the pixels",
});

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {Pick<Actions, "useModel">} actions @param {Services} services
 */
export function mountAtlas(root, store, actions, services) {
  const { server, guarded } = services;
  const canvas = findCanvas(root, "[data-map]");
  const maps = find(root, "[data-maps]", HTMLSelectElement);
  const none = findElement(root, "[data-none]");
  const open = findElement(root, "[data-openers]");
  const lasso = findElement(root, "[data-lasso]");
  /** @type {Awaited<ReturnType<typeof server.fetchNearest>>} */
  let nearest = [];
  /** What they are nearest to. @type {{ model: Model | null, pixels: Pixels | null }} */
  let about = { model: null, pixels: null };

  const set = (/** @type {Partial<AppState["atlas"]>} */ patch) =>
    store.set({ atlas: { ...store.get().atlas, ...patch } });
  const select = (/** @type {Selection} */ selection) => set({ selection });
  /** @param {number} point chosen elsewhere than on the map */
  function choosePoint(point) {
    set({ point });
    map.goTo(point);
  }

  const own = selector(store, (state) => {
    const { mode, model } = state;
    if (mode !== ATLAS || model === null) return null;
    return { ...state, ...state.atlas, model };
  });
  const known = createKnown(own, services, {
    changed() {
      usePictures();
      showAll();
      ask();
    },
    progressed: showAbout,
  });
  const pictured = mountPictured(root, known, {
    fetchPictures: fetchMade,
    choose: choosePoint,
    open: openPoint,
    arrived() {
      map.draw();
      numbers.draw();
    },
  });
  const map = createMap(canvas, {
    choose: (point) => set({ point }),
    open: () => openPoint(store.get().atlas.point),
    outline(outline) {
      const selection = lassoOf(known.map().id, outline);
      if (selection !== null) select(selection);
      lasso.setAttribute("aria-pressed", "false");
      map.setOutlining(false);
    },
    pictures: pictured.canvases,
  });
  const numbers = mountNumbers(root, {
    ...{ set, select, choose: choosePoint, open: openPoint },
    ...{ button: pictured.button, pictures: pictured.canvases },
    ...{ computeTensors: server.computeTensors, guarded },
  });
  const selecting = mountSelecting(root, known, {
    ...{ select, choose: choosePoint },
    turnTo: services.guarded(turnTo),
  });

  own.watch(["model", "models"], (state) => {
    usePictures();
    ask();
    known.need(/** @type {OnShow} */ (state));
    showAll();
  });
  own.watch(["map", "selection"], () => {
    pictured.fromTheFirst();
    showAll();
  });
  own.watch(["point"], ({ point }) => {
    showMap();
    pictured.showPoint(point);
    showNumbers();
  });
  own.watch(["contours"], ({ contours }) => {
    const button = findElement(root, "[data-contours]");
    button.setAttribute("aria-pressed", String(contours));
    findElement(root, "[data-contours-words]").hidden = !contours;
    showMap();
  });
  own.watch(["of", "across", "up", "along"], () => {
    needParts();
    showNumbers();
  });
  own.watch(["pixels"], ask);

  function usePictures() {
    const model = own.get()?.model;
    if (model) pictured.useSet(testImagesOf(trainedOn(model)), known.whyBare(model));
  }
  function needParts() {
    const state = own.get();
    if (state !== null && known.atlas() !== null) known.needParts(state);
  }

  function showAll() {
    const state = own.get();
    if (state === null) return;
    const { model, point } = state;
    const why = known.whyNone(model);
    none.hidden = why === "";
    setText(none, why);
    const atlas = known.atlas();
    for (const part of root.querySelectorAll("[data-atlas]"))
      if (part instanceof HTMLElement) part.hidden = atlas === null;
    showAbout();
    if (atlas === null) return;
    showMaps(model);
    selecting.show(atlas, model);
    pictured.showPoint(point);
    pictured.showWall();
    showMap();
    showNumbers();
    needParts();
    findElement(root, "[data-near]").hidden = model.card.atlas === undefined;
  }

  function showAbout() {
    const model = own.get()?.model;
    const atlas = known.atlas();
    setText(
      findElement(root, "[data-about]"),
      known.progress() ||
        (model && atlas
          ? aboutWords(model, atlas)
          : "The whole test set of a network at a glance."),
    );
  }

  /** @param {Model} model */
  function showMaps({ card }) {
    const entries = Object.entries(card.atlas?.maps ?? {});
    const ids = entries.map(([id]) => id).join();
    if (maps.dataset.ids !== ids || maps.options.length === 0) {
      maps.dataset.ids = ids;
      maps.replaceChildren(
        ...entries.map(
          ([id, { space, method, numbers }]) =>
            new Option(`${SPACES[space] ?? space} (${numbers} numbers), ${method}`, id),
        ),
        new Option("the scores, between the classes", SCORES_MAP),
      );
    }
    const { id } = known.map();
    maps.value = id;
    const entry = card.atlas?.maps[id];
    const words = findElement(root, "[data-map-words]");
    if (entry === undefined || card.atlas === undefined)
      return setText(words, known.atlas()?.each === 1 ? SCORED : SCORED_PAIRS);
    setText(
      words,
      `Of each image’s ${card.atlas.neighbours} nearest in ${SPACES[entry.space] ?? entry.space}, ${percent(entry.kept, 0)} are among its ${card.atlas.neighbours} nearest on this map; its trustworthiness is ${fixed(entry.trustworthiness)} (1: neighbours on the map are always neighbours in the network).`,
    );
  }

  function showMap() {
    const atlas = known.atlas();
    const state = own.get();
    if (atlas === null || state === null) return;
    const { id, places } = known.map();
    const images = known.images();
    const isScored = id === SCORES_MAP;
    map.show({
      frame: isScored ? id : `${state.model.id}/${id}`,
      ...{ places, labels: atlas.labels, names: atlas.names },
      anchors: isScored ? cornersOf(atlas) : anchorsOf(atlas, places),
      contours: state.contours ? contoursOf(atlas, places) : [],
      wrong: wrongOf(atlas),
      chosen: images,
      isAll: images.length === atlas.count,
      point: state.point,
      nearest: nearest.map(({ index }) => index),
    });
  }

  /**
   * Show the same images as another network or moment reads them, and who changes sides.
   * @param {string} id
   */
  async function turnTo(id) {
    const { model, models, atlas } = store.get();
    const isMoment = momentOf(id) !== null && isSameNetwork(model, { id });
    const other = isMoment
      ? await server.fetchModel(id)
      : models.find((each) => each.id === id);
    if (model === null || other === undefined) return;
    const selection = /** @type {const} */ ({ kind: "differ", from: model.id });
    await actions.useModel(other, { atlas: { ...atlas, selection } });
  }

  function showNumbers() {
    const atlas = known.atlas();
    const state = own.get();
    if (atlas === null || state === null) return;
    const { model, point } = state;
    const images = known.images();
    numbers.show({ model, atlas, images, wrong: wrongOf(atlas), point, opened: state });
  }

  /** Ask which test images are nearest to the image on the bench. */
  function ask() {
    const state = own.get();
    const isMeasured = state?.model.card.atlas !== undefined && known.atlas() !== null;
    const { model = null, pixels = null } = isMeasured ? state : {};
    if (model === about.model && pixels === about.pixels) return showNearest();
    if (model !== about.model || pixels === null) nearest = [];
    about = { model, pixels };
    if (model !== null && pixels !== null) askNearest({ model, pixels });
    else showNearest();
  }
  const askNearest = latest(
    guarded(async (/** @type {{ model: Model, pixels: Pixels }} */ wish) => {
      const found = await server.fetchNearest(wish.model, wish.pixels, NEAREST);
      if (own.get()?.model !== wish.model) return;
      nearest = found;
      showNearest();
      showMap();
    }),
  );
  function showNearest() {
    const atlas = known.atlas();
    const state = own.get();
    if (atlas === null || state === null) return;
    const codes = state.model.card.atlas?.codes;
    const space = SPACES[Object.keys(atlas.positions)[0]] ?? "its numbers";
    setText(
      findElement(root, "[data-near-words]"),
      nearest.length === 0 || codes === undefined
        ? "Draw or choose an image on the left."
        : `The ${counted(nearest.length, "test image")} nearest to it in ${space}, each with its label and its distance, by ${codes.components} principal components, which find ${percent(codes.kept, 0)} of a test image’s ten nearest. On the map the ring marks the nearest, and lines lead to the others.`,
    );
    findElement(root, "[data-nearest]").replaceChildren(
      ...nearest.map(({ index, labels, distance }) =>
        pictured.button(index, `${groupName(atlas, labels)}: ${fixed(distance, 2)}`),
      ),
    );
  }

  /**
   * Show a test image elsewhere; Back leads here again.
   * @param {number | null} point @param {Partial<AppState>} place
   */
  async function openPoint(point, place = { mode: EXPLORE }) {
    const atlas = known.atlas();
    const model = own.get()?.model;
    if (point === null || atlas === null || !model || !pictured.isThere()) return;
    const image = await madeOf(atlas, model, point);
    store.set({
      ...{ ...image, intake: null, overrides: AUTOMATIC, unread: [], problem: null },
      ...place,
    });
  }

  /**
   * A test image, and what it is: an entry of a data set, or two of them.
   * @param {Atlas} atlas @param {Model} model @param {number} point
   * @returns {Promise<{ pixels: Pixels, source: Source }>}
   */
  async function madeOf(atlas, model, point) {
    if (atlas.pairs === null) {
      const [{ pixels }] = await pictured.fetched([point]);
      const [id, label] = [testImagesOf(trainedOn(model)), atlas.labels[point]];
      return { pixels, source: { kind: "dataset", id, index: point, label } };
    }
    const [digits] = await laidOut(atlas, atlas.pairs, [point], fetchDigits(model));
    const pixels = pairPicture(digits, shapeOf(model));
    return { pixels, source: pairSource(digits) };
  }

  /** @param {Model} model of which digits are the images */
  const fetchDigits = (model) => (/** @type {readonly number[]} */ digits) =>
    server.fetchPictures(testImagesOf(madeFrom(model)), digits);

  /**
   * Pictures of a test set; those of pairs are made of single digits.
   * @param {string} dataset @param {readonly number[]} indexes
   */
  async function fetchMade(dataset, indexes) {
    const [atlas, model] = [known.atlas(), own.get()?.model];
    if (!atlas?.pairs || !model) return server.fetchPictures(dataset, indexes);
    const laid = await laidOut(atlas, atlas.pairs, indexes, fetchDigits(model));
    return laid.map((digits) => pairPicture(digits, shapeOf(model)));
  }

  /** The toy chosen, from the same side, as it stands on the turntable. */
  function openToy() {
    const [atlas, point] = [known.atlas(), own.get()?.point];
    if (!atlas?.views || point == null) return;
    const [toy, azimuth, elevation, light] = entries(atlas.views, VIEWS.length, point);
    const seed = TOY_SEED + Math.floor(toy / atlas.names.length);
    const category = atlas.names[atlas.labels[point]];
    const scene = { category, seed, own: {}, azimuth, elevation, light };
    store.set({
      ...{
        pixels: null,
        source: toySource({ ...scene, ...AS_COLLECTED }),
      },
      ...{ intake: null, overrides: AUTOMATIC, unread: [], problem: null },
      ...{ mode: EXPLORE, view: INPUT },
    });
  }

  /** @returns {Partial<AppState>} the comparison with the image on the bench */
  function besideOwn() {
    const { pixels, source } = store.get();
    const kept = pixels === null ? null : { pixels, source };
    return { mode: EXPLORE, view: kept ? COMPARE : INPUT, kept, keptTrace: null };
  }

  findElement(root, "[data-contours]").addEventListener("click", () =>
    set({ contours: !store.get().atlas.contours }),
  );
  maps.addEventListener("change", () => set({ map: maps.value }));
  /** @type {[name: string, placeOf: () => Partial<AppState>][]} */
  const openers = [
    ["explore", () => ({ mode: EXPLORE })],
    ["lab", () => ({ mode: LAB })],
    ["compare", besideOwn],
  ];
  for (const [name, placeOf] of openers)
    findElement(open, `[data-in="${name}"]`).addEventListener("click", () =>
      openPoint(own.get()?.point ?? null, placeOf()),
    );
  findElement(root, "[data-on-turntable]").addEventListener("click", openToy);
  findElement(root, "[data-closer]").addEventListener("click", map.closer);
  findElement(root, "[data-farther]").addEventListener("click", map.farther);
  findElement(root, "[data-whole]").addEventListener("click", map.whole);
  lasso.addEventListener("click", () => {
    const isOn = lasso.getAttribute("aria-pressed") !== "true";
    lasso.setAttribute("aria-pressed", String(isOn));
    map.setOutlining(isOn);
  });
  onTheme(map.draw);
}

/** @type {WeakMap<Atlas, number[]>} */
const wrongs = new WeakMap();

/** @param {Atlas} atlas */
function wrongOf(atlas) {
  const found = wrongs.get(atlas) ?? selected(atlas, { kind: "misread" });
  wrongs.set(atlas, found);
  return found;
}

/** @type {WeakMap<object, Anchor[]>} */
const anchors = new WeakMap();

/** @param {Atlas} atlas @param {ArrayLike<number>} places */
function anchorsOf(atlas, places) {
  const known = anchors.get(places);
  if (known !== undefined) return known;
  const { names, of } = groupsOf(atlas);
  const found = densest(places, of, names.length).flatMap((place, group) =>
    place === null ? [] : [{ name: names[group], place }],
  );
  anchors.set(places, found);
  return found;
}

/** Where classes are named on the map of scores. @param {Atlas} atlas @returns {Anchor[]} */
const cornersOf = ({ names }) =>
  scoreCorners(names.length).map((place, label) => ({ name: names[label], place }));

/** @param {Model} model @param {Atlas} atlas */
function aboutWords({ title, card }, { count, total, each }) {
  const colors = each > 1 ? " Its two halves have the colours of its two labels." : "";
  if (card.atlas !== undefined)
    return `Every point is one of the ${counted(count, "test image")} of ${title}.${colors} Images that the network sees as similar are drawn close together, as far as two dimensions allow.`;
  const which = count < total ? `first ${grouped(count)} of the ` : "";
  return `Every point is one of the ${which}${counted(total, "test image")} of ${title}, read just now.${colors} Measuring it (python -m model measure) adds maps of its layers.`;
}

/** @type {WeakMap<object, ReturnType<typeof contours>>} */
const outlines = new WeakMap();

/** @param {Atlas} atlas @param {ArrayLike<number>} places */
function contoursOf({ labels, names }, places) {
  const found = outlines.get(places) ?? contours(places, labels, names.length);
  outlines.set(places, found);
  return found;
}
