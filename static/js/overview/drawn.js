/**
 * What the decoder draws of a class after an iteration. The picture of the trace is of its
 * verdict in the last one; any other is asked for, all iterations of a class at once.
 * @import { NetworkState, Services } from "../types.js"
 * @import { Scene } from "./types.js"
 */
import { latest } from "../lib/timing.js";

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
