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
 * @returns {(scene: Scene, classIndex: number, step: number) => Float32Array | null} null
 *   while it is on its way, and where nothing is drawn
 */
export function createDrawn(open, { server, guarded }, draw) {
  /** By what classes are made of, by class: a picture for each iteration. @type {WeakMap<object, Map<number, Float32Array[]>>} */
  const known = new WeakMap();
  const keyOf = (/** @type {Scene} */ { rivers }) => rivers;

  const ask = latest(
    guarded(async (/** @type {{ scene: Scene, classIndex: number }} */ wish) => {
      const { scene, classIndex } = wish;
      const { model, scene: now } = open.get() ?? {};
      const pose = scene.classes?.pose;
      if (!model || now?.rivers !== scene.rivers || !pose) return;
      const poses = Array.from({ length: scene.steps }, (_, step) =>
        pose(step, classIndex),
      );
      const body = { digit: classIndex, poses };
      const { images } = await server.computeTensors(model, "reconstruct", body);
      const size = images.data.length / scene.steps;
      const found = poses.map((_, step) =>
        images.data.slice(step * size, (step + 1) * size),
      );
      const own = known.get(keyOf(scene)) ?? new Map();
      known.set(keyOf(scene), own.set(classIndex, found));
      draw();
    }),
  );

  return (scene, classIndex, step) => {
    const { drawn, classes, prediction, steps } = scene;
    if (drawn === null) return null;
    if (classIndex === prediction && step === steps - 1) return drawn.values;
    const found = known.get(keyOf(scene))?.get(classIndex);
    if (found) return found[step];
    if (classes?.pose) ask({ scene, classIndex });
    return null;
  };
}
