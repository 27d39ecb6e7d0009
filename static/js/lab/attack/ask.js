/**
 * Attacked images from the server, and what every network reads in exactly these: they
 * travel as numbers, since a byte would round a small change away.
 * @import { LabServices, Model, Pixels, Tensor } from "../../types.js"
 * @import { Choices } from "./experiment.js"
 */
import { knownLabel } from "../../core/state.js";
import { differenceOf, meanSquare } from "../../lib/arithmetic.js";
import { inkOf, toRows } from "../../lib/pixels.js";
import { sweepBy } from "../shared/ask.js";
import { ANY, takesSteps } from "./experiment.js";

/** Weight of the reconstruction error for an attacker who avoids the alarm. */
const ALARM_WEIGHT = 5;
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
 * @property {Model} from whose gradient was followed
 * @property {Read} clean
 * @property {Read} noisy
 * @property {Read} attacked
 * @property {number | null} zeros share of pixels with a gradient of exactly 0; null: of noise
 * @property {boolean} isAvoiding whether the attack lowered the reconstruction error, too
 * @property {Path | null} path of `bim` and `pgd`
 */

/**
 * The steps of an attack, in the network whose gradient it followed.
 * @typedef {object} Path
 * @property {Float32Array[]} images the start first
 * @property {number[]} predictions
 * @property {Float32Array[]} scores
 * @property {number} strongest the index of the image that is the answer
 * @property {number} start 0: not a random one
 */

/**
 * Whose gradient a network is attacked with.
 * @param {Model} model @param {readonly Model[]} networks
 * @param {Pick<Choices, "source">} choices
 */
export function sourceFor(model, networks, { source }) {
  return networks.find(({ id, can }) => id === source && can.gradient) ?? model;
}

/**
 * The body of `POST /api/models/<id>/attack`.
 * @param {Pixels} pixels @param {Model} from @param {number} label
 * @param {readonly number[]} epsilons @param {Choices} choices @param {boolean} path
 */
export function attackBody(pixels, from, label, epsilons, choices, path) {
  const { method, target, gradient, loss } = choices;
  return {
    ...{
      image: toRows(inkOf(pixels), pixels),
      label,
      epsilons,
      method,
      gradient,
      loss,
      path,
    },
    target: target === ANY || Number(target) >= from.classes ? null : Number(target),
    steps: STEPS,
    alarm: isAvoiding(choices, from) ? ALARM_WEIGHT : 0,
  };
}

/** @param {Pick<Choices, "alarm" | "method">} choices @param {Model} from */
function isAvoiding({ alarm, method }, from) {
  return alarm === "avoided" && method !== "noise" && from.can.reconstruct;
}

/**
 * @param {LabServices["server"]} server @param {AttackWish} wish
 * @param {(found: Attacked) => void} tell called for each network as soon as it is done:
 *   PGD takes seconds
 * @returns {Promise<Attacked[]>} those that can be attacked, in the order of the networks
 */
export async function attackedNow(server, wish, tell) {
  const { pixels, eps, choices, networks, signal } = wish;
  const subjects = await subjectsOf(server, wish);
  const once = remembering(
    async (/** @type {Model} */ from, /** @type {number} */ label) => {
      const path = takesSteps(choices.method);
      const body = attackBody(pixels, from, label, [eps], choices, path);
      return server.fetchAttack(from, body, signal);
    },
  );
  const noise = remembering((/** @type {Model} */ from, /** @type {number} */ label) =>
    server.fetchAttack(
      from,
      attackBody(pixels, from, label, [eps], { ...choices, method: "noise" }, false),
      signal,
    ),
  );
  return Promise.all(
    subjects.map(async ({ model, label, isOwn, clean }) => {
      const from = sourceFor(model, networks, choices);
      const own = labelIn(subjects, from) ?? label;
      const [{ tensors, metadata }, control] = await Promise.all([
        once(from, own),
        noise(from, own),
      ]);
      const image = tensors.images.data;
      const [noisy, attacked] = await readEach(server, model, [
        control.tensors.images.data,
        image,
      ]);
      const zeros = metadata.zero_gradients;
      const found = {
        ...{ model, label, isOwn, from, clean, noisy, attacked },
        zeros: zeros === undefined ? null : Number(zeros),
        isAvoiding: isAvoiding(choices, from),
        path: from === model ? pathOf(tensors, metadata) : null,
      };
      tell(found);
      return found;
    }),
  );
}

/**
 * Scores of the label over ε, and the readings.
 * @typedef {object} Curve
 * @property {Model} model
 * @property {readonly number[]} knobs
 * @property {number[]} shares
 * @property {number[]} predictions
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
 * @param {(from: Model) => boolean} [isWanted] whether to attack by the gradient of a network
 * @returns {Promise<Curve[]>}
 */
export async function attackedOver(
  server,
  wish,
  epsilons,
  tell,
  isWanted = () => true,
) {
  const { pixels, choices, networks, signal } = wish;
  const subjects = await subjectsOf(server, wish);
  const parts = partsOf(epsilons, choices);
  const asks = parts.map((some) =>
    remembering((/** @type {Model} */ from, /** @type {number} */ label) =>
      server.fetchAttack(
        from,
        attackBody(pixels, from, label, some, choices, false),
        signal,
      ),
    ),
  );
  const sourceOf = (/** @type {Model} */ model) => sourceFor(model, networks, choices);
  const wanted = subjects.filter(({ model }) => isWanted(sourceOf(model)));
  /** @type {Curve[]} */
  const curves = [];
  let done = 0;
  for (const { model, label } of wanted) {
    const from = sourceOf(model);
    /** @type {Read[]} */
    const reads = [];
    for (const ask of asks) {
      const { tensors } = await ask(from, labelIn(subjects, from) ?? label);
      reads.push(...(await readEach(server, model, split(tensors.images), false)));
      done += 1;
      if (reads.length === epsilons.length)
        curves.push({
          ...{ model, knobs: epsilons },
          shares: reads.map(({ scores }) => scores[label]),
          predictions: reads.map(({ prediction }) => prediction),
        });
      tell({ curves: [...curves], done, parts: wanted.length * parts.length });
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
    if (last.filter((each) => each > 0).length === TOGETHER) parts.push([eps]);
    else last.push(eps);
  }
  return parts;
}

/**
 * The networks for which there is a gradient to follow.
 * @param {Pick<AttackWish, "networks" | "choices">} wish
 */
export function attackable({ networks, choices }) {
  return networks.filter((model) => sourceFor(model, networks, choices).can.gradient);
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

/** @param {readonly { model: Model, label: number }[]} subjects @param {Model} model */
function labelIn(subjects, model) {
  return subjects.find((each) => each.model === model)?.label;
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
  const scores = split(tensors.scores);
  const drawn = isDrawn ? split(tensors.reconstruction) : null;
  return images.map((image, i) => ({
    ...{ image, prediction: predictions[i], scores: scores[i] },
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
    images: split(tensors["path.images"]),
    predictions: Array.from(tensors["path.predictions"].data),
    scores: split(tensors["path.scores"]),
    strongest: values.indexOf(Math.max(...values)),
    start: Number(metadata["path.start"]),
  };
}

/** One part for each place of the first axis. @param {Tensor} tensor */
export function split({ shape: [count], data }) {
  const size = data.length / count;
  return Array.from({ length: count }, (_, i) =>
    data.subarray(i * size, (i + 1) * size),
  );
}

/**
 * The mean squared difference of an image and what a network draws of it: what the alarm
 * measures.
 * @param {Read} read
 * @returns {number | null} null without a reconstruction
 */
export function errorOf({ image, drawn }) {
  return drawn && meanSquare(differenceOf(image, drawn));
}

/**
 * Ask the same question only once.
 * @template Answer
 * @param {(model: Model, label: number) => Promise<Answer>} ask
 */
function remembering(ask) {
  /** @type {Map<string, Promise<Answer>>} */
  const known = new Map();
  return (/** @type {Model} */ model, /** @type {number} */ label) => {
    const key = `${label} ${model.id}`;
    const answer = known.get(key) ?? ask(model, label);
    known.set(key, answer);
    return answer;
  };
}
