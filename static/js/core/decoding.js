/**
 * What the decoder draws of poses that the trace has no picture of: asked for ten times a
 * second at most, of each class in one request.
 * @import { Model, Services } from "../types.js"
 */
import { latest, throttle } from "../lib/timing.js";

const PACE_MS = 100; // from one request to the next
const SHORTEST = 1e-9; // a vector of zeros has no direction

/**
 * @typedef {object} Wish
 * @property {string} name among all that are made of the same run
 * @property {string} like the wish for another run that stands for this one until it comes
 * @property {number} digit the class whose pose is decoded
 * @property {() => readonly (readonly number[])[]} poses (count, numbers)
 * @property {readonly number[]} [types] whose they are
 */

/** @typedef {{ types: readonly number[], images: Float32Array }} Decoded images: (poses, channels, rows, columns) */

/**
 * @param {Pick<Services, "server" | "guarded">} services
 * @param {() => void} draw called once there is more to show
 * @returns {(model: Model, run: object, wishes: readonly Wish[], pace_ms?: number) => (Decoded | null)[]}
 *   what has come for each wish of a run, or for one like it; null while there is none
 */
export function createDecoding({ server, guarded }, draw) {
  /** By the run, then by name. @type {WeakMap<object, Map<string, Decoded>>} */
  const known = new WeakMap();
  /** @type {Map<string, Decoded>} */
  const last = new Map();

  /** @typedef {{ model: Model, run: object, wishes: readonly Wish[] }} Asked */
  const ask = latest(
    guarded(async (/** @type {Asked} */ { model, run, wishes }) => {
      const own = known.get(run) ?? new Map();
      known.set(run, own);
      const left = wishes.filter(({ name }) => !own.has(name)); // answered meanwhile
      if (left.length === 0) return;
      const digits = [...new Set(left.map(({ digit }) => digit))];
      await Promise.all(
        digits.map(async (digit) => {
          const some = left.filter((wish) => wish.digit === digit);
          const poses = some.map((wish) => wish.poses());
          const body = { digit, poses: poses.flat() };
          const { images } = await server.computeTensors(model, "reconstruct", body);
          const size = images.data.length / body.poses.length;
          let from = 0;
          some.forEach(({ name, like, types = [] }, at) => {
            const end = from + poses[at].length * size;
            const decoded = { types, images: images.data.slice(from, end) };
            own.set(name, decoded);
            last.set(`${model.id}/${like}`, decoded);
            from = end;
          });
        }),
      );
      draw();
    }),
  );
  const paced = throttle(ask, { isBusy: () => true, gap_ms: PACE_MS });

  return (model, run, wishes, pace_ms = PACE_MS) => {
    const missing = wishes.filter(({ name }) => !known.get(run)?.has(name));
    if (missing.length > 0) paced.ask({ model, run, wishes: missing }, pace_ms);
    return wishes.map(
      ({ name, like }) =>
        known.get(run)?.get(name) ?? last.get(`${model.id}/${like}`) ?? null,
    );
  };
}

/**
 * What parts say of a class: the votes of each alone, made as long as the class's pose.
 * @param {readonly ArrayLike<number>[]} votes @param {ArrayLike<number>} pose
 * @returns {number[][]}
 */
export function saidPoses(votes, pose) {
  const length = Math.hypot(...Array.from(pose));
  return votes.map((own) => {
    const scale = length / Math.max(SHORTEST, Math.hypot(...Array.from(own)));
    return Array.from(own, (value) => value * scale);
  });
}
