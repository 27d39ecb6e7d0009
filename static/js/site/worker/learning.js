/**
 * A network that learns symbols here. The steps are a graph that was made of the project's
 * own objective and Adam, the examples are changed by its own augmentation
 * (`model/exporting/learning.py`); chance alone is drawn here.
 *
 * The graphs have room for ten classes. A network of fewer is the first part of each of
 * their tensors, the rest is 0, and no routing goes there.
 * @import { Numbers } from "../../lib/safetensors.js"
 */
import { random } from "../../lib/chance.js";
import { narrow, sizeOf, widen } from "./tensors.js";

/** How a tensor begins: all `scale`, or at random about 0. @typedef {{ kind: "constant" | "uniform" | "normal", scale: number }} Fill */

/**
 * What is known of such networks.
 * @typedef {object} Plan
 * @property {number} classes that the graphs have room for
 * @property {number} batch images of a step
 * @property {number} steps of a run
 * @property {number} learning_rate at its highest
 * @property {number} warmup_steps in which it rises
 * @property {number} uniform random numbers for each image
 * @property {number[]} normal the shape of the others
 * @property {number[]} image its shape
 * @property {{ name: string, shape: number[] }[]} parameters in the order of their vector
 * @property {{ name: string, shape: number[] }[]} running the same of running figures
 */

/**
 * A network's tensors with so many classes, in the order of the plan's.
 * @typedef {(Fill & { shape: number[] })[]} Sizes
 */

/** @typedef {Record<string, Numbers & { type?: "int64" | "bool" }>} Feeds */
/** @typedef {(graph: "step" | "warp", feeds: Feeds) => Promise<Record<string, Float32Array<ArrayBuffer>>>} Run */

/** @typedef {{ images: Float32Array[], test: Float32Array }} Lesson examples of one symbol */

/**
 * @param {Plan} plan @param {Sizes} sizes
 * @param {readonly Lesson[]} symbols one for each class
 * @param {number} seed a whole number from 0 to 2^32 − 1
 * @param {Run} run
 */
export function learner(plan, sizes, symbols, seed, run) {
  const chance = random(seed);
  const all = [...plan.parameters, ...plan.running];
  const vectors = {
    ...begin(),
    means: new Float32Array(),
    squares: new Float32Array(),
  };
  vectors.means = new Float32Array(vectors.parameters.length);
  vectors.squares = new Float32Array(vectors.parameters.length);
  const absent = Array.from({ length: plan.classes }, (_, at) =>
    Number(at >= symbols.length),
  );
  let step = 0;

  function begin() {
    const parts = all.map(({ shape: wide }, at) => {
      const { shape, ...fill } = sizes[at];
      const data = Float32Array.from({ length: sizeOf(shape) }, () =>
        drawValue(fill, chance),
      );
      return widen({ shape, data }, wide);
    });
    const count = plan.parameters.length;
    return {
      parameters: join(parts.slice(0, count)),
      running: join(parts.slice(count)),
    };
  }

  /** Examples of symbols, each as often, changed at random. */
  async function batch() {
    const size = sizeOf(plan.image);
    const images = new Float32Array(plan.batch * size);
    const labels = Array.from({ length: plan.batch }, (_, index) => {
      const label = at(symbols.length, chance);
      const examples = symbols[label].images;
      images.set(examples[at(examples.length, chance)], index * size);
      return label;
    });
    const uniform = numbers([plan.uniform, plan.batch], chance);
    const normal = numbers(plan.normal, () => normally(chance));
    const shape = [plan.batch, ...plan.image];
    const { warped } = await run("warp", {
      images: { shape, data: images },
      uniform,
      normal,
    });
    return {
      images: { shape, data: warped },
      labels: {
        type: /** @type {const} */ ("int64"),
        shape: [plan.batch],
        data: labels,
      },
    };
  }

  return {
    get step() {
      return step;
    },

    /**
     * Take a step.
     * @param {number | null} held the learning rate; null follows the schedule
     * @returns {Promise<{ figures: Float32Array, rate: number }>} see `Objective`
     */
    async advance(held = null) {
      const rate = held ?? rateAt(step, plan);
      const vectorFeeds = Object.entries(vectors).map(([name, data]) => [
        name,
        { shape: [data.length], data },
      ]);
      const { figures, ...after } = await run("step", {
        ...(await batch()),
        ...Object.fromEntries(vectorFeeds),
        absent: { type: "bool", shape: [plan.classes], data: absent },
        number: { shape: [], data: [step + 1] },
        rate: { shape: [], data: [rate] },
      });
      for (const name of Object.keys(vectors))
        vectors[/** @type {keyof typeof vectors} */ (name)] = after[`${name}.after`];
      step++;
      return { figures, rate };
    },

    /** The network as it is now. @returns {Record<string, Numbers>} */
    weights() {
      let from = 0;
      const both = join([vectors.parameters, vectors.running]);
      return Object.fromEntries(
        all.map(({ name, shape: wide }, at) => {
          const data = both.subarray(from, from + sizeOf(wide));
          from += data.length;
          return [name, narrow({ shape: wide, data }, sizes[at].shape)];
        }),
      );
    },
  };
}

/**
 * Adam's rate: it rises, and falls as a cosine does (`model/training/schedule.py`).
 * @param {number} step @param {Pick<Plan, "steps" | "learning_rate" | "warmup_steps">} plan
 */
export function rateAt(step, { steps, learning_rate: most, warmup_steps }) {
  const rising = Math.min(warmup_steps, steps);
  if (step < rising) return (most * (step + 1)) / rising;
  const done = (step - rising) / Math.max(1, steps - rising);
  return (most * (1 + Math.cos(Math.PI * done))) / 2;
}

/** After which steps a network is kept: more of them at the beginning. @param {number} total @param {number} count */
export const keptSteps = (total, count) =>
  new Set(
    Array.from({ length: count }, (_, at) =>
      Math.round(total * (at / (count - 1)) ** 2),
    ),
  );

/** @param {number} count @param {() => number} chance */
const at = (count, chance) => Math.floor(count * chance());

/** @param {() => number} chance of mean 0 and deviation 1 (Box & Muller 1958) */
const normally = (chance) =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());

/** @param {Fill} fill @param {() => number} chance */
function drawValue({ kind, scale }, chance) {
  if (kind === "constant") return scale;
  return scale * (kind === "normal" ? normally(chance) : 2 * chance() - 1);
}

/** @param {number[]} shape @param {() => number} draw */
const numbers = (shape, draw) => ({
  shape,
  data: Float32Array.from({ length: sizeOf(shape) }, draw),
});

/** @param {readonly Float32Array[]} parts */
function join(parts) {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of parts) {
    all.set(part, from);
    from += part.length;
  }
  return all;
}
