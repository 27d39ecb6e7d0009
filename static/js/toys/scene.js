/**
 * A toy as somebody looks at it: turned, on some ground, with a part of the picture hidden.
 * @import { Category, Values } from "./categories.js"
 * @import { Backdrop, Tint } from "./colours.js"
 * @import { Toy } from "./rendering.js"
 * @import { ImageShape } from "../types.js"
 */

import { isColour, toPixels } from "../lib/pixels.js";
import { drawnToy } from "./categories.js";
import { clutterOf, coloured, isOn } from "./colours.js";
import { LIGHTS, look, render } from "./rendering.js";
import { toyOf } from "./sizing.js";

/**
 * A toy: what its seed draws, but for numbers of one's own, in percent of their ranges; and
 * how it is looked at, in degrees, in one of the collection's lights.
 * @typedef {object} Scene
 * @property {string} category
 * @property {number} seed
 * @property {Readonly<Record<string, number>>} own
 * @property {number} azimuth
 * @property {number} elevation
 * @property {number} light
 * @property {"plain" | "grey" | "cluttered"} ground where a network reads ink
 * @property {Backdrop} backdrop the ground where it reads colours
 * @property {Tint} tint likewise
 * @property {"nothing" | "left" | "right" | "top" | "bottom"} hidden which half is
 */

/** The toy that one begins with. @type {Scene} */
export const FIRST = {
  category: "animal",
  seed: 2000,
  own: {},
  azimuth: 320,
  elevation: 40,
  light: 1,
  ground: "plain",
  backdrop: "sky",
  tint: "white",
  hidden: "nothing",
};

/** The one that a network of colours begins with. @type {Scene} */
export const FIRST_IN_COLOUR = { ...FIRST, category: "plane" };

const GREY = 0.15; // ink of the grey ground
const COVER = 0.5; // ink, and brightness, of what hides a half

/**
 * The value of each parameter, and where it lies in its range, in percent.
 * @param {Category[]} categories all of them, in the server's order
 * @param {Pick<Scene, "category" | "seed" | "own">} toy
 */
export function parametersOf(categories, { category, seed, own }) {
  const drawn = drawnToy(categories, category, seed);
  const { parameters } = /** @type {Category} */ (
    categories.find(({ name }) => name === category)
  );
  return parameters.map(({ name, title, low, high }) => {
    const span = high - low;
    const percent = own[name] ?? (100 * (drawn[name] - low)) / span;
    const value = name in own ? low + (span * percent) / 100 : drawn[name];
    return { name, title, value, percent };
  });
}

/** @type {{ name: string, toy: Toy } | null} */
let last = null;

/**
 * The toy itself; measuring it takes long, and one is turned many times.
 * @param {Category[]} categories @param {Pick<Scene, "category" | "seed" | "own">} scene
 */
function toyIn(categories, scene) {
  const parameters = parametersOf(categories, scene);
  /** @type {Values} */
  const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  const name = JSON.stringify([scene.category, values]);
  if (last?.name !== name) last = { name, toy: toyOf(scene.category, values) };
  return last.toy;
}

/**
 * @param {Category[]} categories all of them, in the server's order
 * @param {Scene} scene
 * @param {number} size rows and columns
 * @returns {Float64Array} ink in 0..1, row by row
 */
export function sceneInk(categories, scene, size) {
  const toy = toyIn(categories, scene);
  return halved(render(toy, viewOf(scene), size, groundOf(scene)), scene, size);
}

/**
 * @param {Category[]} categories @param {Scene} scene @param {number} size
 * @returns {Float64Array} red, green and blue in 0..1, each row by row
 */
export function sceneColours(categories, scene, size) {
  const picture = look(toyIn(categories, scene), viewOf(scene), size);
  return halved(coloured(picture, scene), scene, size);
}

/** @param {Scene} scene */
function viewOf({ azimuth, elevation, light }) {
  return { azimuth, elevation, light: LIGHTS[light], zoom: 1 };
}

/**
 * Hide a half, and keep the rest within 0 and 1.
 * @param {Float64Array} values channel by channel, row by row
 * @param {Scene} scene @param {number} size
 */
function halved(values, { hidden }, size) {
  return values.map((value, i) => {
    const row = Math.floor(i / size) % size;
    return hidden !== "nothing" && isHidden(hidden, row / size, (i % size) / size)
      ? COVER
      : Math.min(Math.max(value, 0), 1);
  });
}

/**
 * A toy as a network reads it: in its colours, or as ink.
 * @param {Category[]} categories @param {Scene} scene @param {ImageShape} shape
 */
export function toyPixels(categories, scene, shape) {
  const drawn = isColour(shape) ? sceneColours : sceneInk;
  return toPixels(drawn(categories, scene, shape.rows), shape);
}

/**
 * @param {Scene["hidden"]} hidden
 * @param {number} down @param {number} across as shares of the picture
 */
function isHidden(hidden, down, across) {
  if (hidden === "left" || hidden === "right")
    return across < 0.5 === (hidden === "left");
  return down < 0.5 === (hidden === "top");
}

/**
 * The ink of the ground at a place of the picture, before anything stands on it.
 * @param {Pick<Scene, "ground" | "category" | "seed">} scene
 * @returns {((across: number, down: number) => number) | undefined} of shares of the picture
 */
function groundOf({ ground, ...toy }) {
  if (ground === "plain") return undefined;
  if (ground === "grey") return () => GREY;
  const spots = clutterOf(toy);
  return (across, down) =>
    spots.reduce(
      (most, spot) => (isOn(spot, across, down) ? Math.max(most, spot.ink) : most),
      0,
    );
}
