/**
 * A toy as somebody looks at it: turned, on some ground, with a part of the picture hidden.
 * @import { Category, Values } from "./categories.js"
 * @import { Toy } from "./rendering.js"
 * @import { ImageShape } from "../types.js"
 */

import { toPixels } from "../lib/pixels.js";
import { drawnToy } from "./categories.js";
import { uniform } from "./chance.js";
import { LIGHTS, render } from "./rendering.js";
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
 * @property {"plain" | "grey" | "cluttered"} ground
 * @property {"nothing" | "left" | "right" | "top" | "bottom"} hidden which half is
 */

/** The toy that one begins with. @type {Scene} */
export const FIRST = {
  ...{ category: "animal", seed: 2000, own: {}, azimuth: 320, elevation: 40 },
  ...{ light: 1, ground: "plain", hidden: "nothing" },
};

const GREY = 0.15; // ink of the grey ground
const SPOTS = 14; // of a cluttered ground
const COVER = 0.5; // ink of what hides a half
const CLUTTER = 2 ** 31; // apart from all seeds of toys

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
  const { azimuth, elevation, light, hidden } = scene;
  const view = { azimuth, elevation, light: LIGHTS[light], zoom: 1 };
  const ink = render(toyIn(categories, scene), view, size, groundOf(scene));
  for (let i = 0; i < ink.length; i++) {
    const isCovered =
      hidden !== "nothing" &&
      isHidden(hidden, Math.floor(i / size) / size, (i % size) / size);
    ink[i] = isCovered ? COVER : Math.min(Math.max(ink[i], 0), 1);
  }
  return ink;
}

/**
 * A toy as a network reads it.
 * @param {Category[]} categories @param {Scene} scene @param {ImageShape} shape
 */
export function toyPixels(categories, scene, shape) {
  return toPixels(sceneInk(categories, scene, shape.rows), shape);
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
function groundOf({ ground, category, seed }) {
  if (ground === "plain") return undefined;
  if (ground === "grey") return () => GREY;
  const drawn = uniform(CLUTTER + seed + 7919 * category.length, 4 * SPOTS);
  const spots = Array.from({ length: SPOTS }, (_, k) => {
    const [x, y, radius, ink] = drawn.slice(4 * k, 4 * k + 4);
    return { x, y, radius: 0.05 + 0.1 * radius, ink: 0.1 + 0.45 * ink };
  });
  return (across, down) =>
    spots.reduce((most, { x, y, radius, ink }) => {
      const isOn = (across - x) ** 2 + (down - y) ** 2 < radius ** 2;
      return isOn ? Math.max(most, ink) : most;
    }, 0);
}
