/**
 * What a run can start from in place of random weights: networks, and the newest moments of
 * runs.
 * @import { Model, OwnSet, Recipes, Run, SettingValue } from "../types.js"
 */
import { counted, listed } from "../lib/format.js";
import { networkTitle, runTitle } from "./words.js";

/**
 * @typedef {object} Origin
 * @property {string} id of a model or a snapshot
 * @property {string} words what it is called
 * @property {string} architecture
 * @property {number | null} channels of its images; null where nobody knows
 * @property {Readonly<Record<string, SettingValue>>} settings where they are otherwise than usual
 */

const IN_COLOUR = ["cifar10"]; // data sets; others are grey …
const ANYTHING = ["folder", "idx", "npz"]; // … or as their files are

/**
 * How many channels the images of a data set have.
 * @param {string} dataset @param {readonly Pick<OwnSet, "id" | "shape">[]} sets
 * @returns {number | null} null where nobody knows
 */
export function channelsOf(dataset, sets) {
  if (dataset.startsWith("set:"))
    return sets.find(({ id }) => `set:${id}` === dataset)?.shape[0] ?? null;
  if (ANYTHING.includes(dataset)) return null;
  return IN_COLOUR.includes(dataset) ? 3 : 1;
}

/**
 * What a run on images of some channels can start from.
 * @param {readonly Model[]} models @param {readonly Run[]} runs
 * @param {Pick<Recipes, "architectures">} recipes
 * @param {readonly Pick<OwnSet, "id" | "shape">[]} sets
 * @param {number | null} channels null: any
 * @returns {Origin[]}
 */
export function startsOf(models, runs, { architectures }, sets, channels) {
  const known = architectures.map(({ name }) => name);
  const networks = models
    .filter(({ id, architecture }) => known.includes(architecture) && !id.includes("@"))
    .map(({ id, title, architecture, input_shape, card }) => ({
      id,
      architecture,
      channels: input_shape[0],
      words: title === id ? id : `${id}: ${title}`,
      settings: /** @type {Origin["settings"]} */ (card.config),
    }));
  const moments = runs.flatMap((run) => {
    const { id, architecture, settings, recipe } = run;
    const step = run.snapshots.at(-1);
    if (!step) return [];
    const words = `run: ${runTitle(run)}, after ${counted(step, "step")}`;
    const channels = channelsOf(String(recipe.dataset ?? ""), sets);
    return [{ id: `${id}@${step}`, words, architecture, settings, channels }];
  });
  return [...networks, ...moments].filter(
    (start) =>
      channels === null || start.channels === null || start.channels === channels,
  );
}

/** Beside the settings of a run that starts from a network. @param {Origin} origin */
export function startWords({ words, architecture }) {
  return `Starts from ${words}: a ${networkTitle(architecture)}, whose sizes stay. Layers that depend on the classes, or on the images’ size, begin at random where these are others.`;
}

/**
 * Which layers take a network’s weights and which do not.
 * @param {{ taken?: readonly string[], anew?: readonly string[] }} start
 */
export function layersWords({ taken: copied = [], anew = [] }) {
  if (copied.length === 0) return "";
  if (anew.length === 0)
    return `All layers begin with the weights that it starts from: ${listed(copied)}.`;
  return `With the weights that it starts from ${copied.length === 1 ? "begins" : "begin"} ${listed(copied)}; at random, in part or as a whole: ${listed(anew)}.`;
}

/**
 * What a run started from, of its recipe and of what its card says.
 * @param {Pick<Run, "recipe">} run
 * @param {{ taken?: readonly string[], anew?: readonly string[] } | undefined} start
 */
export function originWords({ recipe }, start) {
  if (recipe.start === undefined) return "";
  const [run, step] = String(recipe.start).split("@");
  const from = step === undefined ? run : `the run ${run} after step ${step}`;
  const parts = start?.anew?.length ? ` ${layersWords(start)}` : "";
  return `It started from the weights of ${from}.${parts}`;
}
