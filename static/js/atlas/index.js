/**
 * The Atlas: map, confusion matrix and pictures of the chosen network's test set, linked by
 * one selection.
 * @import { AppState, Model, Pixels, Services, Store } from "../types.js"
 * @import { Atlas, Selection } from "../lib/selections.js"
 */
import {
  ATLAS,
  COMPARE,
  comparableModels,
  EXPLORE,
  INPUT,
  isSameNetwork,
  LAB,
  momentOf,
  trainedOn,
} from "../core/state.js";
import { selector } from "../core/store.js";
import { classNumbers, pairIn } from "../lib/class-numbers.js";
import {
  asSentence,
  counted,
  fileName,
  fixed,
  grouped,
  messageOf,
  percent,
} from "../lib/format.js";
import { AUTOMATIC } from "../lib/overrides.js";
import {
  ALL,
  csvOf,
  isKnown,
  lassoOf,
  selected,
  selectionWords,
  withLabel,
} from "../lib/selections.js";
import { latest } from "../lib/timing.js";
import { paintPixels } from "../paint/heatmap.js";
import { listenToChoices, pressChoice } from "../ui/controls.js";
import { download, find, findCanvas, findElement, make, setText } from "../ui/dom.js";
import { onTheme } from "../ui/stage.js";
import { createPictures } from "../ui/test-images.js";
import { confusionTable } from "./confusion.js";
import { colorOf, createMap } from "./map.js";
import { mountNumbers } from "./numbers.js";
import { contours, densest, SCORES_MAP, scoreCorners } from "./places.js";
import { atlasOf, readTested, withMoments } from "./reading.js";
import { searchWords, soughtIn } from "./search.js";
import { mountTable } from "./table.js";

/** What the map of scores shows. */
const SCORED =
  "From the middle an arrow leads to each class, as long as its score. Set end to end, the arrows lead to the image, but no farther than the circle of names. An image lies near a class’s name if the network is sure of that class alone, and near the middle if it is sure of none, or torn between classes that face each other. Every network and every moment has this same map.";
const NEAREST = 10;
const WALL = 60; // pictures at a time

/** What spaces are called, by the names that `model/measuring/atlas.py` gives them. */
const SPACES = /** @type {Record<string, string>} */ ({
  capsules: "all class capsules",
  pose: "the pose of the class read",
  hidden: "the hidden layer",
  pixels: "the pixels",
});

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Services} services
 */
export function mountAtlas(root, store, { server, during, guarded }) {
  const canvas = findCanvas(root, "[data-map]");
  const maps = find(root, "[data-maps]", HTMLSelectElement);
  const none = findElement(root, "[data-none]");
  const wall = findElement(root, "[data-wall]");
  const more = find(root, "[data-more-pictures]", HTMLButtonElement);
  const open = findElement(root, "[data-openers]");
  const presets = findElement(root, "[data-presets]");
  const differing = find(root, "[data-differing]", HTMLSelectElement);
  const lasso = findElement(root, "[data-lasso]");

  /** @type {Map<string, Atlas | string>} by model; words: why there is none */
  const known = new Map();
  /** @type {{ index: number, label: number, distance: number }[]} */
  let nearest = [];
  /** Why a model's test images have no pictures; "" where they have. @type {Map<string, string>} */
  const lacking = new Map();
  /** The same for the model on show, once it is known. */
  let missing = "";
  let shownInWall = WALL;

  const pictures = createPictures(server.fetchPictures, () => {
    map.draw();
    numbers.draw();
    for (const each of root.querySelectorAll("canvas[data-image]"))
      if (each instanceof HTMLCanvasElement) paintNumbered(each);
    showPointPicture();
  });
  const map = createMap(canvas, {
    choose: (point) => set({ point }),
    open: () => openPoint(store.get().atlas.point),
    outline(outline) {
      const selection = lassoOf(mapNow().id, outline);
      if (selection !== null) set({ selection });
      lasso.setAttribute("aria-pressed", "false");
      map.setOutlining(false);
    },
    pictures: canvasesOf,
  });
  const numbers = mountNumbers(root, {
    set: (patch) => set(patch),
    select: (selection) => set({ selection }),
    choose: choosePoint,
    open: (point) => openPoint(point),
    button: numberedButton,
    pictures: canvasesOf,
    ...{ computeTensors: server.computeTensors, guarded },
  });
  const table = mountTable(root, choosePoint);
  /** @param {number[]} images */
  function canvasesOf(images) {
    return pictures.of(images).map((each) => each?.canvas ?? null);
  }
  /** @param {number} point chosen elsewhere than on the map */
  function choosePoint(point) {
    set({ point });
    map.goTo(point);
  }

  const set = (/** @type {Partial<AppState["atlas"]>} */ patch) =>
    store.set({ atlas: { ...store.get().atlas, ...patch } });

  const own = selector(store, (state) => {
    const { mode, model } = state;
    if (mode !== ATLAS || model === null) return null;
    return { ...state, ...state.atlas, model };
  });
  /** What is on show, of the moment before while a moment of a run is read. */
  let before = /** @type {{ model: Model, atlas: Atlas } | null} */ (null);
  /** The atlas on show, once it is there. @returns {Atlas | null} */
  function atlasNow() {
    const model = own.get()?.model;
    if (model === undefined) return null;
    const found = known.get(model.id);
    if (typeof found === "object") before = { model, atlas: found };
    else if (found !== undefined || !isSameNetwork(before?.model, model)) before = null;
    return before?.atlas ?? null;
  }
  /** How far test images are read, in words; "" where none are. */
  let progress = "";
  /** Of the models whose test images are read. @type {Set<string>} */
  const underWay = new Set();
  /** Which moments there are of each run. @type {Map<string, readonly number[]>} */
  const steps = new Map();
  function mapNow() {
    const atlas = atlasNow();
    const wanted = own.get()?.map ?? "";
    const names = Object.keys(atlas?.positions ?? {});
    const id = names.includes(wanted) ? wanted : (names[0] ?? "");
    return { id, places: atlas?.positions[id] ?? [] };
  }
  /** What is selected; everything where this network has no such selection. */
  function selectionNow() {
    const atlas = atlasNow();
    const selection = own.get()?.selection ?? ALL;
    return atlas !== null && isKnown(atlas, selection) ? selection : ALL;
  }
  /** @type {{ atlas: Atlas | null, selection: Selection | null, images: number[] }} */
  let last = { atlas: null, selection: null, images: [] };
  function imagesNow() {
    const [atlas, selection] = [atlasNow(), selectionNow()];
    if (last.atlas !== atlas || last.selection !== selection)
      last = { atlas, selection, images: atlas ? selected(atlas, selection) : [] };
    return last.images;
  }

  /** Of the models whose numbers were asked for. @type {Set<Model>} */
  const asked = new Set();
  /** Fetch a network's numbers once they are open, or something is selected by them. */
  function needNumbers() {
    const state = own.get();
    if (state === null) return;
    const { of, selection } = state;
    const isNeeded =
      of !== null || (selection.kind === "lasso" && pairIn(selection.map) !== null);
    if (isNeeded) void fetchNumbers(state.model);
  }
  const fetchNumbers = guarded(async (/** @type {Model} */ model) => {
    const atlas = atlasNow();
    const { numbers: entry } = model.card;
    if (atlas === null || asked.has(model) || entry === undefined) return;
    asked.add(model);
    const tensors = await server.fetchOwnTensors(model, "measured/numbers");
    const found = classNumbers(tensors, atlas.labels, entry.properties);
    known.set(model.id, { ...atlas, numbers: found });
    if (own.get()?.model === model) showAll();
  });

  const askSteps = guarded(async (/** @type {string} */ run) => {
    const { snapshots } = await server.fetchRun(run);
    steps.set(run, snapshots);
    showAll();
  });
  /** Read the moment that the selection compares with. */
  const needMoment = guarded(
    async (/** @type {AppState} */ { model, models, atlas }) => {
      const from = atlas.selection.kind === "differ" ? atlas.selection.from : "";
      const isMoment = momentOf(from) !== null && isSameNetwork(model, { id: from });
      if (!isMoment || known.has(from) || underWay.has(from)) return;
      const other = await server.fetchModel(from);
      await during(() => fetchAtlas(other, models));
    },
  );

  own.watch(["model", "models"], ({ model, models }) => {
    nearest = [];
    missing = lacking.get(model.id) ?? "";
    pictures.useSet(`${trainedOn(model)}-test`, lacking.get(model.id) === "");
    progress = "";
    showAll();
    if (!known.has(model.id)) void during(() => fetchAtlas(model, models));
    const moment = momentOf(model.id);
    if (moment !== null) void askSteps(moment.run);
  });
  own.watch(["map", "selection"], () => {
    shownInWall = WALL;
    showAll();
  });
  own.watch(["point"], () => {
    showMap();
    showPoint();
    markPoint();
    showNumbers();
  });
  own.watch(["contours"], ({ contours }) => {
    const button = findElement(root, "[data-contours]");
    button.setAttribute("aria-pressed", String(contours));
    findElement(root, "[data-contours-words]").hidden = !contours;
    showMap();
  });
  own.watch(["of", "across", "up", "along"], () => {
    needNumbers();
    showNumbers();
  });

  /** @param {Model} model @param {Model[]} models */
  async function fetchAtlas(model, models) {
    if (underWay.has(model.id)) return;
    underWay.add(model.id);
    try {
      const { datasets, missing: words } = await server.fetchDatasets();
      const isThere = datasets.some(({ dataset }) => dataset === trainedOn(model));
      lacking.set(model.id, isThere ? "" : (words ?? howToGet(trainedOn(model))));
      if (own.get()?.model === model) {
        missing = lacking.get(model.id) ?? "";
        pictures.useSet(`${trainedOn(model)}-test`, isThere);
      }
      const alike = comparableModels({ models, model });
      if (model.card.atlas === undefined) {
        const read = await readTested(server, model, isStillRead);
        if (read === null) return;
        known.set(model.id, atlasOf(model, alike, read.tensors, read.total));
        bringMomentsTogether(model);
      } else {
        const tensors = await server.fetchOwnTensors(model, "atlas");
        known.set(model.id, atlasOf(model, alike, tensors));
      }
    } catch (error) {
      known.set(model.id, asSentence(messageOf(error)));
    } finally {
      underWay.delete(model.id);
    }
    const state = own.get();
    progress = "";
    showAll();
    if (state?.model === model) ask();

    /** @param {number} count @param {number} of */
    function isStillRead(count, of) {
      const now = own.get();
      const { selection } = now ?? {};
      const isCompared = selection?.kind === "differ" && selection.from === model.id;
      if (now?.model.id !== model.id && !isCompared) return false;
      progress = `Reading the test images with ${model.title}: ${grouped(count)} of ${grouped(of)} so far.`;
      showAbout(now?.model ?? model, atlasNow());
      return true;
    }
  }

  /** Moments of a run that were read are compared. @param {Model} model */
  function bringMomentsTogether(model) {
    const moments = [...known].flatMap(([id, atlas]) =>
      typeof atlas === "object" && momentOf(id) !== null && isSameNetwork(model, { id })
        ? [/** @type {const} */ ([id, atlas])]
        : [],
    );
    for (const [id, atlas] of moments)
      known.set(
        id,
        withMoments(
          atlas,
          moments.filter(([other]) => other !== id),
        ),
      );
  }

  function showNumbers() {
    const atlas = atlasNow();
    const state = own.get();
    if (atlas === null || state === null) return;
    numbers.show({
      ...{ model: state.model, atlas, images: imagesNow(), wrong: wrongOf(atlas) },
      ...{ point: state.point, opened: state },
    });
  }

  // The image of the bench.
  const ask = () => {
    const state = own.get();
    const isMeasured = state?.model.card.atlas !== undefined && atlasNow() !== null;
    if (state === null || state.pixels === null || !isMeasured) {
      nearest = [];
      return showNearest();
    }
    askNearest({ model: state.model, pixels: state.pixels });
  };
  const askNearest = latest(
    guarded(async (/** @type {{ model: Model, pixels: Pixels }} */ wish) => {
      const found = await server.fetchNearest(wish.model, wish.pixels, NEAREST);
      if (own.get()?.model !== wish.model) return;
      nearest = found;
      showNearest();
      showMap();
    }),
  );
  own.watch(["pixels", "model"], ask);

  function showAll() {
    const state = own.get();
    if (state === null) return;
    const found = known.get(state.model.id);
    none.hidden = typeof found !== "string";
    if (typeof found === "string") setText(none, found);
    const atlas = atlasNow();
    for (const part of root.querySelectorAll("[data-atlas]"))
      if (part instanceof HTMLElement) part.hidden = atlas === null;
    showAbout(state.model, atlas);
    if (atlas === null) return;
    showMaps(state.model);
    showSelection(atlas);
    showConfusion(atlas);
    showWall(atlas);
    showPoint();
    showMap();
    showNumbers();
    needNumbers();
    void needMoment(state);
    findElement(root, "[data-near]").hidden = state.model.card.atlas === undefined;
  }

  /** @param {Model} model @param {Atlas | null} atlas */
  function showAbout(model, atlas) {
    const words =
      progress !== "" || atlas === null
        ? progress || "The whole test set of a network at a glance."
        : aboutWords(model, atlas);
    setText(findElement(root, "[data-about]"), words);
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
    const { id } = mapNow();
    maps.value = id;
    const entry = card.atlas?.maps[id];
    const words = findElement(root, "[data-map-words]");
    if (entry === undefined || card.atlas === undefined) return setText(words, SCORED);
    setText(
      words,
      `Of each image’s ${card.atlas.neighbours} nearest in ${SPACES[entry.space] ?? entry.space}, ${percent(entry.kept, 0)} are among its ${card.atlas.neighbours} nearest on this map; its trustworthiness is ${fixed(entry.trustworthiness)} (1: whatever lies near on the map is near).`,
    );
  }

  function showMap() {
    const atlas = atlasNow();
    const state = own.get();
    if (atlas === null || state === null) return;
    const { id, places } = mapNow();
    const images = imagesNow();
    const isScored = id === SCORES_MAP;
    map.show({
      frame: isScored ? id : `${state.model.id}/${id}`,
      ...{ places, labels: atlas.labels, names: atlas.names },
      anchors: isScored ? scoreCorners(atlas.names.length) : anchorsOf(atlas, places),
      contours: state.contours ? contoursOf(atlas, places) : [],
      wrong: wrongOf(atlas),
      chosen: images,
      isAll: images.length === atlas.count,
      point: state.point,
      nearest: nearest.map(({ index }) => index),
    });
  }

  /** @param {Atlas} atlas */
  function showSelection(atlas) {
    const selection = selectionNow();
    pressChoice(presets, selection.kind);
    for (const kind of /** @type {const} */ (["alone", "unlike"]))
      find(presets, `[data-value="${kind}"]`, HTMLButtonElement).disabled = !isKnown(
        atlas,
        { kind },
      );
    const moments = momentsBeside(own.get()?.model.id ?? "");
    differing.disabled = atlas.others.length + moments.length === 0;
    differing.replaceChildren(
      new Option("…", ""),
      ...atlas.others.map(({ id, title }) => new Option(title, id)),
      ...moments.map(
        ({ id, step }) => new Option(`itself after step ${grouped(step)}`, id),
      ),
    );
    differing.value = selection.kind === "differ" ? selection.from : "";
    find(root, 'option[value="error"]', HTMLOptionElement).disabled =
      atlas.errors === null;
    setText(
      findElement(root, "[data-sentence]"),
      selectionWords(atlas, selection, imagesNow()),
    );
    setText(findElement(root, "[data-find-words]"), searchWords(atlas));
    const legend = findElement(root, "[data-legend]");
    if (legend.dataset.names !== atlas.names.join("\n")) {
      legend.dataset.names = atlas.names.join("\n");
      legend.replaceChildren(
        ...atlas.names.map((name, label) => labelButton(name, label)),
        make("span", "nowrap", make("i", "is-ring"), "misread"),
      );
    }
    const labels = selection.kind === "label" ? selection.classes : [];
    legend.querySelectorAll("button").forEach((button, label) => {
      button.setAttribute("aria-pressed", String(labels.includes(label)));
    });
  }

  /** The other moments of its run. @param {string} id of the model */
  function momentsBeside(id) {
    const { run = "", step = 0 } = momentOf(id) ?? {};
    return (steps.get(run) ?? []).flatMap((other) =>
      other === step ? [] : [{ id: `${run}@${other}`, step: other }],
    );
  }

  /** @param {string} name @param {number} label */
  function labelButton(name, label) {
    const color = make("i");
    color.style.background = colorOf(label);
    const button = make(
      "button",
      { type: "button", title: `Label ${name}` },
      color,
      name,
    );
    button.addEventListener("click", () =>
      set({ selection: withLabel(selectionNow(), label) }),
    );
    return button;
  }

  /** @param {Atlas} atlas */
  function showConfusion(atlas) {
    const selection = selectionNow();
    const table = findElement(root, "[data-confusion]");
    if (shownTable !== atlas) {
      shownTable = atlas;
      table.replaceChildren(confusionTable(atlas, (next) => set({ selection: next })));
    }
    const key = JSON.stringify(selection);
    for (const button of table.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.selection === key));
  }
  /** @type {Atlas | null} */
  let shownTable = null;

  /** @param {Atlas} atlas */
  function showWall(atlas) {
    const images = imagesNow();
    const some = images.slice(0, shownInWall);
    wall.replaceChildren(
      ...some.map((index) => numberedButton(index, captionOf(atlas, index))),
    );
    table.show(atlas, some, mapNow().places);
    more.hidden = some.length === images.length;
    const words =
      some.length === images.length
        ? ""
        : `The first ${grouped(some.length)} of ${grouped(images.length)}. `;
    setText(findElement(root, "[data-wall-words]"), words + missing);
    markPoint();
  }

  /** @param {number} index @param {string} caption */
  function numberedButton(index, caption) {
    const atlas = atlasNow();
    const button = make("button", { "data-index": String(index) });
    const picture = make("canvas", { "data-image": String(index) });
    picture.width = picture.height = 28;
    if (missing === "") {
      button.append(picture);
      paintNumbered(picture);
    }
    button.append(caption !== "" || missing === "" ? caption : String(index));
    const isMisread =
      atlas !== null && atlas.labels[index] !== atlas.predictions[index];
    button.classList.toggle("is-misread", isMisread);
    if (atlas !== null) button.title = pointWords(atlas, index);
    button.addEventListener("click", () => choosePoint(index));
    button.addEventListener("dblclick", () => openPoint(index));
    return button;
  }

  /** @param {HTMLCanvasElement} picture */
  function paintNumbered(picture) {
    const [found] = pictures.of([Number(picture.dataset.image)]);
    if (found !== null) paintPixels(picture, found.pixels);
  }

  function markPoint() {
    const point = String(own.get()?.point ?? "");
    for (const each of wall.children)
      if (each instanceof HTMLElement)
        each.setAttribute("aria-pressed", String(each.dataset.index === point));
  }

  function showPoint() {
    const atlas = atlasNow();
    const point = own.get()?.point ?? null;
    const isThere = atlas !== null && point !== null && point < atlas.count;
    const words = isThere
      ? pointWords(atlas, point)
      : "Choose a point of the map or a picture, or find a number.";
    setText(findElement(root, "[data-point]"), words);
    open.hidden = !isThere || missing !== "";
    showPointPicture();
  }

  function showPointPicture() {
    const picture = findCanvas(root, "[data-point-picture]");
    const point = own.get()?.point ?? null;
    const [found] = point === null || missing !== "" ? [null] : pictures.of([point]);
    picture.hidden = found === null;
    if (found !== null) paintPixels(picture, found.pixels);
  }

  function showNearest() {
    const atlas = atlasNow();
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
      ...nearest.map(({ index, distance }) =>
        numberedButton(
          index,
          `${atlas.names[atlas.labels[index]]}: ${fixed(distance, 2)}`,
        ),
      ),
    );
  }

  /**
   * Show a test image elsewhere; Back leads here again.
   * @param {number | null} point @param {Partial<AppState>} place
   */
  async function openPoint(point, place = { mode: EXPLORE }) {
    const atlas = atlasNow();
    const model = own.get()?.model;
    if (point === null || atlas === null || !model || missing !== "") return;
    const [{ pixels }] = await pictures.fetched([point]);
    const id = `${trainedOn(model)}-test`;
    store.set({
      ...{ pixels, intake: null, overrides: AUTOMATIC, unread: [], problem: null },
      source: { kind: "dataset", id, index: point, label: atlas.labels[point] },
      ...place,
    });
  }

  /** @returns {Partial<AppState>} the comparison with the image on the bench */
  function besideOwn() {
    const { pixels, source } = store.get();
    const kept = pixels === null ? null : { pixels, source };
    return { mode: EXPLORE, view: kept ? COMPARE : INPUT, kept, keptTrace: null };
  }

  differing.addEventListener("change", () => {
    const from = differing.value;
    set({ selection: from === "" ? ALL : { kind: "differ", from } });
  });
  findElement(root, "[data-contours]").addEventListener("click", () =>
    set({ contours: !store.get().atlas.contours }),
  );
  maps.addEventListener("change", () => set({ map: maps.value }));
  listenToChoices(presets, (kind) =>
    set({ selection: /** @type {Selection} */ ({ kind }) }),
  );
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
  more.addEventListener("click", () => {
    const atlas = atlasNow();
    shownInWall += WALL;
    if (atlas !== null) showWall(atlas);
  });
  findElement(root, "[data-closer]").addEventListener("click", map.closer);
  findElement(root, "[data-farther]").addEventListener("click", map.farther);
  findElement(root, "[data-whole]").addEventListener("click", map.whole);
  lasso.addEventListener("click", () => {
    const isOn = lasso.getAttribute("aria-pressed") !== "true";
    lasso.setAttribute("aria-pressed", String(isOn));
    map.setOutlining(isOn);
  });
  find(root, "[data-range]", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const [low, high] = ["low", "high"].map((name) =>
      Number(find(root, `[data-${name}]`, HTMLInputElement).value),
    );
    const kind = find(root, "[data-measure]", HTMLSelectElement).value;
    set({ selection: /** @type {Selection} */ ({ kind, low, high }) });
  });
  find(root, "[data-find]", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = find(root, "[data-sought]", HTMLInputElement);
    const atlas = atlasNow();
    if (atlas === null) return;
    const sought = soughtIn(atlas, value);
    if ("point" in sought) choosePoint(sought.point);
    if ("selection" in sought) set({ selection: sought.selection });
    const words = "problem" in sought ? sought.problem : searchWords(atlas);
    setText(findElement(root, "[data-find-words]"), words);
  });
  findElement(root, "[data-csv]").addEventListener("click", () => {
    const atlas = atlasNow();
    if (atlas === null) return;
    const text = csvOf(atlas, imagesNow(), mapNow().id);
    const name = fileName([atlas.title, "atlas", selectionNow().kind], "csv");
    download(new Blob([text], { type: "text/csv" }), name);
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

/** @type {WeakMap<object, ReturnType<typeof densest>>} */
const anchors = new WeakMap();

/** @param {Atlas} atlas @param {ArrayLike<number>} places */
function anchorsOf({ labels, names }, places) {
  const found = anchors.get(places) ?? densest(places, labels, names.length);
  anchors.set(places, found);
  return found;
}

/** @param {Model} model @param {Atlas} atlas */
function aboutWords({ title, card }, { count, total }) {
  if (card.atlas !== undefined)
    return `Every point is one of the ${counted(count, "test image")} of ${title}. Images that are alike to the network lie close together as far as a map can show it.`;
  const which = count < total ? `first ${grouped(count)} of the ` : "";
  return `Every point is one of the ${which}${counted(total, "test image")} of ${title}, read just now. Measuring it (python -m model measure) adds maps of its layers.`;
}

/** What to do where other test images are there. @param {string} dataset */
const howToGet = (dataset) =>
  `These test images are not in the data folder. Where they can be downloaded, python -m model data --dataset ${dataset} does so; then restart the server.`;

/** @type {WeakMap<object, ReturnType<typeof contours>>} */
const outlines = new WeakMap();

/** @param {Atlas} atlas @param {ArrayLike<number>} places */
function contoursOf({ labels, names }, places) {
  const found = outlines.get(places) ?? contours(places, labels, names.length);
  outlines.set(places, found);
  return found;
}

/**
 * One test image in a sentence.
 * @param {Atlas} atlas @param {number} index
 */
export function pointWords(atlas, index) {
  const { labels, predictions, names, best, errors, score } = atlas;
  const isRight = labels[index] === predictions[index];
  const reads = `${isRight ? "read correctly" : `misread as ${names[predictions[index]]}`} with a ${score} of ${fixed(best[index])}`;
  const error =
    errors === null
      ? ""
      : `; mean squared error of its reconstruction ${fixed(errors[index], 4)}`;
  return `Test image ${grouped(index)}: label ${names[labels[index]]}, ${reads}${error}.`;
}

/** @param {Atlas} atlas @param {number} index */
function captionOf({ labels, predictions, names }, index) {
  const label = names[labels[index]];
  return labels[index] === predictions[index]
    ? label
    : `${label} → ${names[predictions[index]]}`;
}
