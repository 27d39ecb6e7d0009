/**
 * Pairs of runs that differ in one thing, to be started with one click.
 * @import { Recipes } from "../types.js"
 */
import { capitalized } from "../lib/format.js";

/**
 * @typedef {object} Pair
 * @property {string} id
 * @property {string} title
 * @property {readonly [object, object]} recipes beside what both share
 */

/** What only a network that routes can be asked for. */
const ROUTES = "routing_iterations";

/** @type {readonly Pair[]} */
const PAIRS = [
  {
    id: "iterations",
    title: "Three routing iterations against one",
    recipes: [{ [ROUTES]: 3 }, { [ROUTES]: 1 }],
  },
  {
    id: "reconstruction",
    title: "With and without reconstruction",
    recipes: [{}, { reconstruction_weight: 0 }],
  },
  {
    id: "examples",
    title: "300 images 200 times each against 60 000 once",
    recipes: [
      { examples: 300, epochs: 200 },
      { examples: 0, epochs: 1 },
    ],
  },
];

/**
 * The usual network against the first that does not route.
 * @param {Recipes} recipes
 * @returns {Pair[]} none where all route, or the usual one does not
 */
function withAndWithoutRouting({ architectures, default: usual }) {
  /** @param {Recipes["architectures"][number]} network */
  const routes = ({ settings }) => settings.some(({ name }) => name === ROUTES);
  const own = architectures.find(({ name }) => name === usual);
  const other = architectures.find((each) => !routes(each));
  if (own === undefined || other === undefined || !routes(own)) return [];
  const title = `${capitalized(own.title)} against ${other.title}`;
  const of = (/** @type {typeof own} */ { name }) => ({ architecture: name });
  return [{ id: "architecture", title, recipes: [of(own), of(other)] }];
}

/**
 * The pairs that can be trained here.
 * @param {Recipes} recipes
 * @returns {Pair[]}
 */
export function pairsOf(recipes) {
  const { architectures, default: usual } = recipes;
  return [...withAndWithoutRouting(recipes), ...PAIRS].filter((pair) =>
    pair.recipes.every((recipe) => {
      const { architecture = usual, ...settings } =
        /** @type {Record<string, string>} */ (recipe);
      const known = architectures.find(({ name }) => name === architecture);
      const names = known?.settings.map(({ name }) => name) ?? [];
      return (
        known !== undefined &&
        Object.keys(settings).every((name) => names.includes(name))
      );
    }),
  );
}

/** Whether mistakes can be made on purpose here. @param {Recipes} recipes */
export function hasMistakes({ architectures, default: usual }) {
  const known = architectures.find(({ name }) => name === usual);
  return known?.settings.some(({ name }) => name === "mistake") ?? false;
}

/**
 * What to ask for: both runs from one seed, each with half of the processor.
 * @param {readonly [object, object]} two @param {Recipes} recipes @param {number} seed
 * @returns {Record<string, unknown>[]}
 */
export function asked(two, { cores, default: usual }, seed) {
  const threads = Math.max(1, Math.floor(cores / 2));
  return two.map((recipe) => ({ architecture: usual, ...recipe, seed, threads }));
}
