/**
 * Has poses decoded by the server, always the newest one next.
 * @import { Decoded, Model, Services } from "../types.js"
 */
import { latest } from "../lib/timing.js";

/**
 * @param {{ get: () => { model: Model } | null, set: (patch: { decoded: Decoded }) => void }} store
 *   a network's; it gets what is decoded while its model is chosen
 * @param {Services} services
 * @returns {(wish: { model: Model, digit: number, pose: number[] }) => void} ask for a pose
 *   of that class to be decoded
 */
export function createDecoding(store, { server, guarded }) {
  return latest(
    guarded(async ({ model, digit, pose }) => {
      const body = { digit, poses: [pose] };
      const { images } = await server.computeTensors(model, "reconstruct", body);
      if (store.get()?.model === model)
        store.set({ decoded: { digit, pose, data: images.data } });
    }),
  );
}
