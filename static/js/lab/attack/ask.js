/**
 * Attacked images from the server, and what every network reads in exactly these: they
 * travel as numbers, since a byte would round a small change away.
 * @import { LabServices, Model, Pixels, Tensor } from "../../types.js"
 * @import { Choices } from "./choices.js"
 */
import { isReadAs, saidOf } from "../../core/scores.js";
import { knownLabel } from "../../core/state.js";
import { rowsOf } from "../../lib/arithmetic.js";
import { inkOf, toRows } from "../../lib/pixels.js";
import { sweepBy } from "../shared/ask.js";
import { ANY, takesSteps } from "./choices.js";

const STEPS = 10;

/**
 * @typedef {object} AttackWish
 * @property {Pixels} pixels
 * @property {import("../../types.js").AppState["source"]} source
 * @property {readonly Model[]} networks
 * @property {number} eps
 * @property {Choices} choices
 * @property {AbortSignal} [signal] ends it: nobody waits for it any more
 */

/**
 * One image in one network.
 * @typedef {object} Read
 * @property {Float32Array | Float64Array} image
 * @property {number} prediction
 * @property {Float32Array} scores
 * @property {Float32Array | null} drawn the reconstruction, if the network makes one
 */

/**
 * One attack on one network, beside the image as it was and random noise.
 * @typedef {object} Attacked
 * @property {Model} model
 * @property {number} label the class to lead away from
 * @property {boolean} isOwn whether the label is what the network itself reads
 * @property {Read} clean
 * @property {Read} noisy
 * @property {Read} attacked
 * @property {number | null} zeros share of pixels with a gradient of exactly 0; null: of noise
 * @property {Path | null} path of `bim` and `pgd`
 */

/**
 * The steps of an attack.
 * @typedef {object} Path
 * @property {Float32Array[]} images the start first
 * @property {Float32Array[]} scores
 * @property {number} strongest the index of the image that is the answer
 * @property {number} start 0: not a random one
 */

/**
 * The body of `POST /api/models/<id>/attack`.
 * @param {Pixels} pixels @param {Model} model @param {number} label
 * @param {readonly number[]} epsilons @param {Choices} choices @param {boolean} path
 */
export function attackBody(pixels, model, label, epsilons, choices, path) {
  const { method, target } = choices;
  return {
    image: toRows(inkOf(pixels), pixels),
    label,
    epsilons,
    method,
    path,
    target: target === ANY || Number(target) >= model.classes ? null : Number(target),
    steps: STEPS,
  };
}

/**
 * @param {LabServices["server"]} server @param {AttackWish} wish
 * @param {(result: Attacked) => void} tell called for each network as soon as it is done:
 *   PGD takes seconds
 * @returns {Promise<Attacked[]>} those that can be attacked, in the order of the networks
 */
export async function attackedNow(server, wish, tell) {
  const { pixels, eps, choices, signal } = wish;
  const subjects = await subjectsOf(server, wish);
  return Promise.all(
    subjects.map(async ({ model, label, isOwn, clean }) => {
      /** @param {Choices} how */
      const ask = (how) => {
        const body = attackBody(
          pixels,
          model,
          label,
          [eps],
          how,
          takesSteps(how.method),
        );
        return server.fetchAttack(model, body, signal);
      };
      const [{ tensors, metadata }, control] = await Promise.all([
        ask(choices),
        ask({ ...choices, method: "noise" }),
      ]);
      const [noisy, attacked] = await readEach(server, model, [
        control.tensors.images.data,
        tensors.images.data,
      ]);
      const zeros = metadata.zero_gradients;
      const result = {
        model,
        label,
        isOwn,
        clean,
        noisy,
        attacked,
        zeros: zeros === undefined ? null : Number(zeros),
        path: pathOf(tensors, metadata),
      };
      tell(result);
      return result;
    }),
  );
}

/**
 * Scores of the label over ε.
 * @typedef {object} Curve
 * @property {Model} model
 * @property {readonly number[]} knobs
 * @property {number[]} shares
 * @property {boolean[]} isRead whether the label is read
 */

/**
 * How far curves are.
 * @typedef {object} Progress
 * @property {readonly Curve[]} curves those that are whole
 * @property {number} done parts that are answered
 * @property {number} parts of all curves
 */

/**
 * Attack every network at each ε, in parts that take the server seconds at most, one after
 * the other: whoever draws meanwhile waits for none, and a signal ends them between two.
 * @param {LabServices["server"]} server @param {AttackWish} wish
 * @param {readonly number[]} epsilons
 * @param {(progress: Progress) => void} tell called after each part
 * @returns {Promise<Curve[]>}
 */
export async function attackedOver(server, wish, epsilons, tell) {
  const { pixels, choices, signal } = wish;
  const subjects = await subjectsOf(server, wish);
  const parts = partsOf(epsilons, choices);
  /** @type {Curve[]} */
  const curves = [];
  let done = 0;
  for (const { model, label } of subjects) {
    /** @type {Read[]} */
    const reads = [];
    for (const some of parts) {
      const body = attackBody(pixels, model, label, some, choices, false);
      const { tensors } = await server.fetchAttack(model, body, signal);
      reads.push(...(await readEach(server, model, rowsOf(tensors.images), false)));
      done += 1;
      if (reads.length === epsilons.length)
        curves.push({
          model,
          knobs: epsilons,
          shares: reads.map(({ scores }) => scores[label]),
          isRead: reads.map(({ scores }) => isReadAs(saidOf(scores, model), label)),
        });
      tell({ curves: [...curves], done, parts: subjects.length * parts.length });
    }
  }
  return curves;
}

/** Of an attack that takes steps, ε for one request: the server computes two at once. */
const TOGETHER = 2;

/**
 * What is asked in one request: all of a quick attack, a few ε of one that takes steps.
 * @param {readonly number[]} epsilons @param {Pick<Choices, "method">} choices
 * @returns {(readonly number[])[]} in the same order
 */
export function partsOf(epsilons, { method }) {
  if (!takesSteps(method)) return [epsilons];
  /** @type {number[][]} */
  const parts = [[]];
  for (const eps of epsilons) {
    const last = parts[parts.length - 1];
    if (last.filter((eps) => eps > 0).length === TOGETHER) parts.push([eps]);
    else last.push(eps);
  }
  return parts;
}

/** Those that have a gradient to follow. @param {Pick<AttackWish, "networks">} wish */
export function attackable({ networks }) {
  return networks.filter(({ can }) => can.gradient);
}

/**
 * The networks that can be attacked, and from which class to lead each away: the image's
 * label, or without one what the network itself reads.
 * @param {LabServices["server"]} server @param {AttackWish} wish
 */
async function subjectsOf(server, wish) {
  const { pixels, source } = wish;
  return Promise.all(
    attackable(wish).map(async (model) => {
      const [clean] = await readEach(server, model, [inkOf(pixels)]);
      const known = knownLabel(source, model);
      const label = known ?? clean.prediction;
      return { model, label, isOwn: known === null, clean };
    }),
  );
}

/**
 * @param {LabServices["server"]} server @param {Model} model
 * @param {readonly (Float32Array | Float64Array)[]} images
 * @param {boolean} [isDrawn] whether to ask for reconstructions
 * @returns {Promise<Read[]>}
 */
async function readEach(server, model, images, isDrawn = model.can.reconstruct) {
  const names = isDrawn ? ["reconstruction"] : [];
  const [{ predictions, tensors }] = await sweepBy(
    server,
    [model],
    images,
    () => names,
  );
  const scores = rowsOf(tensors.scores);
  const drawn = isDrawn ? rowsOf(tensors.reconstruction) : null;
  return images.map((image, i) => ({
    image,
    prediction: predictions[i],
    scores: scores[i],
    drawn: drawn === null ? null : drawn[i],
  }));
}

/**
 * @param {Readonly<Record<string, Tensor>>} tensors
 * @param {Readonly<Record<string, string>>} metadata
 * @returns {Path | null}
 */
function pathOf(tensors, metadata) {
  if (tensors["path.images"] === undefined) return null;
  const values = Array.from(tensors["path.values"].data);
  return {
    images: rowsOf(tensors["path.images"]),
    scores: rowsOf(tensors["path.scores"]),
    strongest: values.indexOf(Math.max(...values)),
    start: Number(metadata["path.start"]),
  };
}
