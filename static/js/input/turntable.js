/**
 * The turntable, where toys can be put before a network: one is chosen or rolled, turned by a
 * hand, lit, changed part by part, put on another ground, half hidden; for a network of colours,
 * tinted.
 * @import { Actions, AppState, ImageShape, Model, Services, Store, ToySource } from "../types.js"
 * @import { Category } from "../toys/categories.js"
 * @import { Scene } from "../toys/scene.js"
 */

import { toySource } from "../core/links/toys.js";
import {
  BACKDROPS,
  GROUNDS,
  seesToys,
  TINTS,
  TOYS,
  toyLabel,
  trainedOn,
  turnsToys,
} from "../core/state.js";
import { clamp } from "../lib/arithmetic.js";
import { sentences } from "../lib/format.js";
import { isColour, shapeOf } from "../lib/pixels.js";
import { debounce } from "../lib/timing.js";
import { paintImage } from "../paint/heatmap.js";
import { LIGHTS } from "../toys/rendering.js";
import {
  FIRST,
  FIRST_IN_COLOUR,
  parametersOf,
  sceneColours,
  sceneInk,
  toyPixels,
} from "../toys/scene.js";
import { arrowOf, listenToClicks, listenToDrag } from "../ui/controls.js";
import { find, findCanvas, findElement, tellSetting, writer } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";

/** Pixels along the large picture: while a hand turns it, and once that rests. */
const [MOVING, RESTING] = [170, 320];
const REST_MS = 150;
const STEP = 5; // degrees that an arrow key turns a toy
const LEAP = 20; // with Shift; the collection's own step
const HALF_TURN = 180; // degrees that a hand turns a toy along the whole picture
const LAST_SEED = 2019; // of the test's toys; whoever rolls one gets another
const SEEDS = 1_000_000;

/** Of the collection, in degrees: the lowest and the highest camera. */
const ELEVATIONS = [30, 70];

const PHOTOGRAPHS = "cifar10"; // the data set, by the name on cards
const READS_TOYS = "This network reads toys, seen from any side.";
const READS_COLOURS =
  "The project draws toys in colour for this network, on plain and on cluttered ground.";

/** Where a toy in colour stands. */
const ON = /** @type {const} */ ({
  sky: "before the sky",
  grass: "on grass",
  road: "on a road",
  white: "on white ground",
  dark: "on dark ground",
  clutter: "on cluttered ground",
});

/**
 * Those that a network of colours begins with, each in a tint and on a ground that suit it.
 * @type {Pick<Scene, "category" | "tint" | "backdrop">[]}
 */
const SUITED = [
  { category: "plane", tint: "white", backdrop: "sky" },
  { category: "car", tint: "red", backdrop: "road" },
  { category: "truck", tint: "yellow", backdrop: "road" },
  { category: "animal", tint: "white", backdrop: "grass" },
  { category: "human", tint: "blue", backdrop: "grass" },
];

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {Pick<Actions, "showImage" | "report">} actions
 * @param {Services} services
 */
export function mountTurntable(root, store, actions, services) {
  const stage = findCanvas(root, "[data-toy-stage]");
  const write = writer(root);
  const parts = findElement(root, "[data-toy-parts]");
  const category = find(root, "[data-toy-category]", HTMLSelectElement);
  const inputs = [...root.querySelectorAll("[data-toy-of]")].filter(
    (element) =>
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement,
  );
  /** @type {Category[] | null} */
  let categories = null;
  /** What one hand does on a slider until it lets go. @type {number | undefined} */
  let hand;

  const [lights, grounds, tints] = ["light", "ground", "tint"].map((name) =>
    find(root, `[data-toy-of=${name}]`, HTMLSelectElement),
  );
  category.append(...TOYS.map((name) => new Option(name)));
  lights.append(...LIGHTS.map((light, i) => new Option(lightWords(light), String(i))));
  tints.append(...TINTS.map((name) => new Option(name)));

  /** What is on the turntable; null where there is nothing. */
  function now() {
    const { source, model } = store.get();
    return source.kind === "toy" && model !== null && turnsToys(model) ? source : null;
  }

  /** @param {Scene} scene @param {number} [turn] that one hand goes on with */
  function show(scene, turn) {
    const { model } = store.get();
    if (model === null || categories === null) return;
    const pixels = toyPixels(categories, scene, shapeOf(model));
    actions.showImage(pixels, toySource(scene, turn));
  }

  /** @param {Partial<Scene>} more @param {number} [turn] */
  function change(more, turn) {
    const scene = now();
    if (scene !== null) show({ ...scene, ...more }, turn);
  }

  function draw() {
    const scene = now();
    const { model } = store.get();
    findElement(root, "[data-toy-bench]").hidden = scene === null;
    findElement(root, "[data-toy-start]").hidden = scene !== null;
    if (scene === null || categories === null || model === null) return;
    paint(stage, categories, scene, model, MOVING);
    sharpen();
    category.value = scene.category;
    for (const input of inputs) {
      const name = /** @type {keyof Scene} */ (input.dataset.toyOf);
      input.value = String(scene[name]);
      const output = input.parentElement?.querySelector("output"); // a choice has none
      if (output) tellSetting(input, output, `${scene[name]}°`);
    }
    fill(parts, parametersOf(categories, scene).map(partSlider));
    const isAsDrawn = Object.keys(scene.own).length === 0;
    findElement(root, "[data-toy-as-drawn]").hidden = isAsDrawn;
    write("toy-words", toyWords(scene, model));
  }

  const sharpen = debounce(() => {
    const [scene, { model }] = [now(), store.get()];
    if (scene !== null && categories !== null && model !== null)
      paint(stage, categories, scene, model, RESTING);
  }, REST_MS);

  /** What there is to choose and to read, where a network reads colours or ink. @param {Model} model */
  function suit(model) {
    const isInColour = isColour(shapeOf(model));
    write("toy-reads", seesToys(model) ? READS_TOYS : READS_COLOURS);
    const names = isInColour ? BACKDROPS : GROUNDS;
    grounds.dataset.toyOf = isInColour ? "backdrop" : "ground";
    if (grounds.length !== names.length)
      grounds.replaceChildren(...names.map((name) => new Option(name)));
    for (const part of root.querySelectorAll("[data-toy-in]")) {
      const isOfColour = part.getAttribute("data-toy-in") === "colour";
      part.toggleAttribute("hidden", isOfColour !== isInColour);
    }
  }

  store.watch(["source", "model"], async ({ model }) => {
    root.hidden = model === null || !turnsToys(model);
    if (root.hidden || model === null) return;
    suit(model);
    try {
      categories ??= (await services.server.fetchToys()).categories;
    } catch (error) {
      actions.report(/** @type {Error} */ (error).message);
      return;
    }
    draw();
  });

  listenToClicks(root, {
    "toy-put"() {
      const { model } = store.get();
      show(model !== null && isColour(shapeOf(model)) ? FIRST_IN_COLOUR : FIRST);
      stage.focus({ preventScroll: true });
    },
    "toy-roll": () => change({ seed: rolledSeed(Math.random), own: {} }),
    "toy-as-drawn"() {
      change({ own: {} });
      find(parts, "input", HTMLInputElement).focus(); // the button has gone
    },
  });
  category.addEventListener("change", () =>
    change({ category: category.value, own: {} }),
  );
  const letGo = () => {
    hand = undefined;
  };
  for (const input of inputs) {
    const isNumber = input.matches("[type=range], [data-number]");
    input.addEventListener("input", () => {
      const name = /** @type {string} */ (input.dataset.toyOf);
      change({ [name]: isNumber ? Number(input.value) : input.value }, hand);
      hand = now()?.turn;
    });
    input.addEventListener("change", letGo);
  }
  parts.addEventListener("input", ({ target }) => {
    const scene = now();
    if (!(target instanceof HTMLInputElement) || scene === null) return;
    const dimensions = { ...scene.own, [target.name]: Number(target.value) };
    change({ own: dimensions }, hand);
    hand = now()?.turn;
  });
  parts.addEventListener("change", letGo);

  // Turn and tilt the toy, by a drag or by arrow keys.
  listenToDrag(stage, (event) => {
    const from = now();
    if (from === null) return null;
    const { turn } = toySource(from); // all of this drag is one
    return ({ clientX, clientY }) => {
      const degrees = HALF_TURN / stage.getBoundingClientRect().width;
      const right = (clientX - event.clientX) * degrees;
      const down = (clientY - event.clientY) * degrees;
      change(turnScene(from, { right, down }), turn);
    };
  });
  stage.addEventListener("keydown", (event) => {
    const [scene, arrow] = [now(), arrowOf(event)];
    if (scene === null || arrow === null) return;
    const [down, right] = arrow.map((way) => way * (event.shiftKey ? LEAP : STEP));
    change(turnScene(scene, { right, down }));
    event.preventDefault();
  });
}

/**
 * Two toys of each category, each from a side of its own; in colour, one of each, on plain and
 * on cluttered ground.
 * @param {Category[]} categories @param {ImageShape} shape
 */
export function exampleToys(categories, shape) {
  const isInColour = isColour(shape);
  /** @type {Scene[]} */
  const scenes = isInColour
    ? SUITED.flatMap((suited) => [
        { ...FIRST, ...suited },
        { ...FIRST, ...suited, backdrop: /** @type {const} */ ("clutter") },
      ])
    : [0, 1].flatMap((more) =>
        TOYS.map((category, i) => {
          const azimuth = (FIRST.azimuth + 72 * i + 180 * more) % 360;
          return { ...FIRST, category, azimuth, seed: FIRST.seed + more };
        }),
      );
  return scenes.map((scene) => {
    const { category, seed, backdrop } = scene;
    const on = isInColour ? ` ${ON[backdrop]}` : "";
    return {
      pixels: toyPixels(categories, scene, shape),
      title: `${category} of seed ${seed}${on}`,
      source: toySource(scene),
    };
  });
}

/**
 * From where a toy is seen after a hand has moved its near side: to the right, the toy
 * turns; down, and one looks from further above.
 * @param {Pick<Scene, "azimuth" | "elevation">} from
 * @param {{ right: number, down: number }} degrees
 */
export function turnScene({ azimuth, elevation }, { right, down }) {
  const around = Math.round(azimuth + right) % 360;
  return {
    azimuth: (around + 360) % 360,
    elevation: clamp(Math.round(elevation + down), 0, 90),
  };
}

/**
 * A seed of no toy in the collection.
 * @param {() => number} random from 0 up to 1
 */
export function rolledSeed(random) {
  return LAST_SEED + 1 + Math.floor(random() * SEEDS);
}

/**
 * What is on the turntable, and what training never showed of such toys.
 * @param {Scene} scene @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 */
export function toyWords(scene, model) {
  const { category, seed, own: dimensions, azimuth, elevation, ground, hidden } = scene;
  const changed = Object.keys(dimensions).length > 0 ? ", with parts of your own" : "";
  const view = `${category} of seed ${seed}${changed}, turned by ${azimuth}° and seen from ${elevation}° above the ground`;
  if (!seesToys(model)) return coloursWords(scene, model, view);
  const [lowest, highest] = ELEVATIONS;
  return sentences([
    `The ${view}.`,
    (elevation < lowest || elevation > highest) &&
      `Training showed toys from ${lowest} to ${highest}° above the ground.`,
    ground !== "plain" && `Training showed no ${ground} ground.`,
    hidden !== "nothing" && `The ${hidden} half is hidden, which training never did.`,
  ]);
}

/**
 * The same for a network that was not made for toys.
 * @param {Scene} scene @param {Pick<Model, "card" | "class_names" | "input_shape">} model
 * @param {string} view what stands there, and how it is looked at
 */
function coloursWords(scene, model, view) {
  const { backdrop, tint, hidden } = scene;
  const label = toyLabel(scene, model);
  const name = label === null ? null : model.class_names[label];
  return sentences([
    `The ${tint} ${view}, ${ON[backdrop]}.`,
    hidden !== "nothing" && `The ${hidden} half is hidden.`,
    trainedOn(model) === PHOTOGRAPHS &&
      "Training showed photographs alone: no such drawing was among them.",
    name && `Its class is ${name}, as CIFAR-10 would call it.`,
  ]);
}

/** @param {{ azimuth: number, elevation: number }} light */
function lightWords({ azimuth, elevation }) {
  const side = azimuth === 0 ? "the front" : azimuth < 0 ? "the left" : "the right";
  return `from ${side}, ${elevation}° high`;
}

/** @param {{ name: string, title: string, percent: number }} parameter */
function partSlider({ name, title, percent }) {
  const range = { type: "range", min: "0", max: "100", name };
  const value = String(Math.round(percent));
  return h(
    "li",
    {},
    h("label", {}, h("span", {}, title), h("input", { ...range, value })),
  );
}

/**
 * Show what a camera sees: in colour, or ink on light ground.
 * @param {HTMLCanvasElement} canvas @param {Category[]} categories @param {Scene} scene
 * @param {Model} model that reads it @param {number} side rows and columns
 */
function paint(canvas, categories, scene, model, side) {
  const shape = { ...shapeOf(model), rows: side, columns: side };
  const image = isColour(shape)
    ? sceneColours(categories, scene, side)
    : sceneInk(categories, scene, side).map((ink) => 1 - ink);
  paintImage(canvas, image, shape);
}
