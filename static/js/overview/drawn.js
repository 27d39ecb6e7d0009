/**
 * What the decoder draws of a class after an iteration. The picture of the trace is of its
 * verdict in the last one; any other is asked for, all iterations of a class at once.
 * @import { NetworkState, Services } from "../types.js"
 * @import { Scene } from "./types.js"
 */
import { latest, throttle } from "../lib/timing.js";

const SHORTEST = 1e-9; // a vector of zeros has no direction
const PACE_MS = 100; // from one request for what parts say to the next

/**
 * @param {{ get: () => (NetworkState & { scene: Scene }) | null }} open
 * @param {Services} services @param {() => void} draw called once there is more to show
 * @returns {(scene: Scene, classes: readonly number[], step: number) => (Float32Array | null)[]} null
 *   while one is on its way; none where nothing is drawn
 */
export function createDrawn(open, { server, guarded }, draw) {
  /** By what classes are made of, by class: a picture for each iteration. @type {WeakMap<object, Map<number, Float32Array[]>>} */
  const known = new WeakMap();
  const keyOf = (/** @type {Scene} */ { rivers }) => rivers;

  const ask = latest(
    guarded(async (/** @type {{ scene: Scene, classes: number[] }} */ wish) => {
      const { scene, classes } = wish;
      const { model, scene: now } = open.get() ?? {};
      const pose = scene.classes?.pose;
      if (!model || now?.rivers !== scene.rivers || !pose) return;
      const own = known.get(keyOf(scene)) ?? new Map();
      known.set(keyOf(scene), own);
      await Promise.all(
        classes.map(async (digit) => {
          const poses = Array.from({ length: scene.steps }, (_, step) =>
            pose(step, digit),
          );
          const body = { digit, poses };
          const { images } = await server.computeTensors(model, "reconstruct", body);
          const size = images.data.length / scene.steps;
          const found = poses.map((_, step) =>
            images.data.slice(step * size, (step + 1) * size),
          );
          own.set(digit, found);
        }),
      );
      draw();
    }),
  );

  return (scene, wanted, step) => {
    const { drawn, classes, prediction, steps, isEmpty } = scene;
    if (drawn === null || isEmpty) return [];
    const found = wanted.map((classIndex) =>
      classIndex === prediction && step === steps - 1
        ? drawn.values
        : (known.get(keyOf(scene))?.get(classIndex)?.[step] ?? null),
    );
    const missing = wanted.filter((_, at) => found[at] === null);
    if (missing.length > 0 && classes?.pose) ask({ scene, classes: missing });
    return found;
  };
}

/**
 * What parts say of a class: what the decoder draws of the votes of each alone, made as long
 * as the class's pose.
 * @typedef {{ types: readonly number[], images: Float32Array }} Said images: (types, channels,
 *   rows, columns)
 */

/**
 * @typedef {object} SaidWish
 * @property {Scene} scene
 * @property {number} classIndex
 * @property {number} step
 * @property {readonly number[]} types
 */

/**
 * What parts say, asked for ten times a second at most, all of a class in one request.
 * @param {{ get: () => (NetworkState & { scene: Scene }) | null }} open
 * @param {Services} services @param {() => void} draw called once there is more to show
 * @returns {(scene: Scene, classes: readonly number[], step: number, types: readonly number[]) => Map<number, Said>} by
 *   class; until it comes, that of the image before
 */
export function createSaid(open, { server, guarded }, draw) {
  /** By what flows, then by what is asked. @type {WeakMap<object, Map<string, Said>>} */
  const known = new WeakMap();
  /** By model and class. @type {Map<string, Said>} */
  const last = new Map();

  const ask = latest(
    guarded(async (/** @type {SaidWish[]} */ wishes) => {
      const { model, scene } = open.get() ?? {};
      if (!model || scene?.rivers !== wishes[0].scene.rivers) return;
      const own = known.get(scene.rivers) ?? new Map();
      known.set(scene.rivers, own);
      const left = wishes.filter((wish) => !own.has(keyOf(wish))); // answered meanwhile
      if (left.length === 0) return;
      await Promise.all(
        left.map(async (wish) => {
          const body = { digit: wish.classIndex, poses: posesOf(wish) };
          const { images } = await server.computeTensors(model, "reconstruct", body);
          const said = { types: wish.types, images: images.data };
          own.set(keyOf(wish), said);
          last.set(`${model.id}/${wish.classIndex}`, said);
        }),
      );
      draw();
    }),
  );
  const paced = throttle(ask, { isBusy: () => true, gap_ms: PACE_MS });

  return (scene, classes, step, types) => {
    const { model } = open.get() ?? {};
    const wishes = classes.map((classIndex) => ({ scene, classIndex, step, types }));
    const found = wishes.map((wish) => known.get(scene.rivers)?.get(keyOf(wish)));
    const missing = wishes.filter((_, at) => found[at] === undefined);
    if (missing.length > 0 && types.length > 0 && !scene.isEmpty) paced.ask(missing);
    return new Map(
      classes.flatMap((classIndex, at) => {
        const said = found[at] ?? last.get(`${model?.id}/${classIndex}`);
        return said ? [[classIndex, said]] : [];
      }),
    );
  };
}

/** @param {SaidWish} wish */
const keyOf = ({ classIndex, step, types }) => [classIndex, step, ...types].join("/");

/**
 * The votes of each type alone, as long as the class's pose.
 * @param {SaidWish} wish @returns {number[][]}
 */
export function posesOf({ scene, classIndex, step, types }) {
  const river = scene.rivers.find(({ given }) => given);
  const pose = scene.classes?.pose;
  if (!river?.given || !pose) return [];
  const { given, steps, parts } = river;
  const length = Math.hypot(...pose(step, classIndex));
  const classes = scene.names.length;
  const numbers = given.length / (steps * parts * classes);
  const now = Math.min(step, steps - 1);
  return types.map((type) => {
    const from = ((now * parts + type) * classes + classIndex) * numbers;
    const votes = [...given.subarray(from, from + numbers)];
    const scale = length / Math.max(SHORTEST, Math.hypot(...votes));
    return votes.map((value) => value * scale);
  });
}
