/**
 * A toy on its turntable, in a link.
 * @import { ToySource } from "../../types.js"
 */
import { readWhole } from "../../lib/links.js";
import { BACKDROPS, GROUNDS, HIDDEN, TINTS, TOYS } from "../state.js";
import { BETWEEN_PARTS, nextTurn } from "./parts.js";

/** What stands before the name of a ground in colour, and of a tint. */
const [ON, TINT] = ["on-", "tint-"];

/** How the collection shows toys; in colour, how the first one is shown. */
export const AS_COLLECTED = {
  ground: GROUNDS[0],
  backdrop: BACKDROPS[0],
  tint: TINTS[0],
  hidden: HIDDEN[0],
};

/**
 * A toy: its category, its seed, how it is looked at, its colours where they are not the
 * first ones, and each of its own numbers.
 * @param {ToySource} toy
 */
export function packToy({
  category,
  seed,
  own,
  azimuth,
  elevation,
  light,
  ground,
  backdrop,
  tint,
  hidden,
}) {
  const numbers = Object.entries(own).map(([name, percent]) => `${name}-${percent}`);
  const seen = [category, seed, azimuth, elevation, light, ground, hidden];
  const colours = [
    ...(backdrop === BACKDROPS[0] ? [] : [ON + backdrop]),
    ...(tint === TINTS[0] ? [] : [TINT + tint]),
  ];
  return [...seen, ...colours, ...numbers].join(BETWEEN_PARTS);
}

/**
 * @param {string} text made by `packToy`
 * @returns {ToySource | null} null where it is no toy
 */
export function unpackToy(text) {
  const [category, ...more] = text.split(BETWEEN_PARTS);
  const [seed, azimuth, elevation, light] = [2 ** 32 / TOYS.length - 1, 359, 90, 5].map(
    (most, i) => readWhole(more[i] ?? null, 0, Math.floor(most)),
  );
  const ground = GROUNDS.find((each) => each === more[4]);
  const hidden = HIDDEN.find((each) => each === more[5]);
  const last = more.slice(6);
  const backdrop = BACKDROPS.find((each) => last.includes(ON + each)) ?? BACKDROPS[0];
  const tint = TINTS.find((each) => last.includes(TINT + each)) ?? TINTS[0];
  const others = last.filter((each) => each !== ON + backdrop && each !== TINT + tint);
  const numbers = others.map((each) => {
    const [, name, percent] = /^([a-z_]+)-(\d+)$/.exec(each) ?? [];
    return /** @type {const} */ ([name, readWhole(percent ?? null, 0, 100)]);
  });
  if (!TOYS.includes(category) || ground === undefined || hidden === undefined)
    return null;
  if (seed === null || azimuth === null || elevation === null || light === null)
    return null;
  /** @type {Record<string, number>} */
  const own = {};
  for (const [name, percent] of numbers) {
    if (percent === null) return null;
    own[name] = percent;
  }
  return toySource({
    category,
    seed,
    own,
    azimuth,
    elevation,
    light,
    ground,
    hidden,
    backdrop,
    tint,
  });
}

/**
 * @param {import("../../toys/scene.js").Scene} scene
 * @param {number} [turn] that of the toy before, where one hand goes on
 * @returns {ToySource}
 */
export function toySource(scene, turn = nextTurn()) {
  return { ...scene, kind: "toy", turn };
}
