/**
 * Attacks: `perturbations/attack.py`, step by step, along gradients that a graph computes.
 */

/** @typedef {{ value: number, gradient: ArrayLike<number> }} Slope */
/** @typedef {(image: Float64Array) => Promise<Slope>} SlopeOf of what is raised */

/**
 * Random numbers that NumPy has drawn, of the image's size: where noise goes, -1 or 1, and
 * where random starts lie, from -1 to 1.
 * @typedef {{ signs: Float64Array, ways: Float64Array[] }} Fields
 */

/** @typedef {{ method: string, steps: number, fields: Fields }} How */

/**
 * The images that an attack comes by, and what is raised of each.
 * @typedef {{ images: Float64Array[], values: number[] }} Way
 */

const MARGIN = 2 ** -23; // of ε that stays free: rounding moves a pixel
/** How far all steps reach together, in ε. @type {Record<string, number>} */
const REACH = { bim: 1, pgd: 2.5 };

/** @param {string} method */
export const takesSteps = (method) => Object.hasOwn(REACH, method);

/** @param {Float64Array} image @param {number} epsilon */
function ballOf(image, epsilon) {
  const radius = Math.max(epsilon - MARGIN, 0);
  const within = (/** @type {number} */ value, /** @type {number} */ at) => {
    const [low, high] = [image[at] - radius, image[at] + radius];
    return Math.min(Math.max(value, low, 0), high, 1);
  };
  /** @param {Float64Array} from @param {ArrayLike<number>} way @param {number} by */
  const move = (from, way, by) =>
    from.map((value, at) => within(value + by * way[at], at));
  return { radius, moved: move };
}

/** @param {ArrayLike<number>} gradient */
const signsOf = (gradient) => Float64Array.from(gradient, Math.sign);

/**
 * The image that an attack answers with: of those that take steps, the strongest.
 * @param {Float64Array} image in [0, 1] @param {number} epsilon in [0, 1]
 * @param {How} how @param {SlopeOf} slopeOf
 */
export async function attackImage(image, epsilon, how, slopeOf) {
  if (epsilon === 0) return image;
  if (takesSteps(how.method))
    return strongest((await followGradient(image, epsilon, how, slopeOf)).way);
  const { radius, moved } = ballOf(image, epsilon);
  const isNoise = how.method === "noise";
  const way = isNoise ? how.fields.signs : signsOf((await slopeOf(image)).gradient);
  return moved(image, way, radius);
}

/**
 * Every step from the start that leads highest, and its number: 0 is the image itself, and
 * of `pgd` FGSM's.
 * @param {Float64Array} image @param {number} epsilon @param {How} how
 * @param {SlopeOf} slopeOf
 */
export async function followGradient(
  image,
  epsilon,
  { method, steps, fields },
  slopeOf,
) {
  const { radius, moved } = ballOf(image, epsilon);
  const starts =
    method === "bim"
      ? [image]
      : [signsOf((await slopeOf(image)).gradient), ...fields.ways].map((way) =>
          moved(image, way, radius),
        );
  const step = (REACH[method] * radius) / steps;
  /** @type {Way[]} */
  const ways = [];
  for (const start of starts) {
    let now = start;
    let slope = await slopeOf(now);
    const way = { images: [now], values: [slope.value] };
    for (let stepsTaken = 0; stepsTaken < steps; stepsTaken++) {
      now = moved(now, signsOf(slope.gradient), step);
      slope = await slopeOf(now);
      way.images.push(now);
      way.values.push(slope.value);
    }
    ways.push(way);
  }
  const highest = ways.map(({ values }) => Math.max(...values));
  const start = highest.indexOf(Math.max(...highest));
  return { way: ways[start], start };
}

/** @param {Way} way */
export const strongest = ({ images, values }) =>
  images[values.indexOf(Math.max(...values))];
