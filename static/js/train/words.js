/**
 * What a run does and what it has learnt, in sentences.
 * @import { Saying } from "../core/scores.js"
 * @import { Awake, Model, Recipes, RoutingShares, Run, Setting, SettingValue, Tensor, Trace } from "../types.js"
 * @import { Count, History, Point } from "./history.js"
 */
import {
  groundsWords,
  isReadAs,
  nextWords,
  readsWords,
  saidOf,
} from "../core/scores.js";
import { sum } from "../lib/arithmetic.js";
import { exactShare } from "../lib/decimals.js";
import {
  asSentence,
  capitalized,
  counted,
  fixed,
  grouped,
  listed,
  percent,
  sentences,
} from "../lib/format.js";
import { wilsonInterval } from "../lib/statistics.js";
import { lastUntil, rightOf } from "./history.js";
import { RECIPE } from "./symbols.js";

/** What a recipe says that shapes no run, or is said otherwise. */
const NO_SETTINGS = [
  ...["architecture", "preset", "threads", "dataset", "start", "symbols"],
];

const TEST = "test digit";
const IMAGE = "test image";
const DIGITS = ["", "mnist", "drawn"]; // data sets

/** What was asked of a run. @typedef {Pick<Run, "architecture" | "settings">} RunSettings */

/** Whether a run is on symbols of one's own. @param {Pick<Run, "recipe">} run */
function isOfSymbols({ recipe }) {
  return recipe.dataset === RECIPE.dataset;
}

/** What one of the images is called that a run is tested on. @param {Pick<Run, "recipe">} run */
export function testedOn(run) {
  if (isOfSymbols(run)) return "kept example";
  return DIGITS.includes(String(run.recipe.dataset ?? "")) ? TEST : IMAGE;
}

/** What the image on show is called beside a run. @param {Pick<Run, "recipe">} run */
export function yourImage(run) {
  return testedOn(run) === TEST ? "your digit" : "your picture";
}

/** What architectures are called, once the server has said it. @type {Map<string, string>} */
const networks = new Map();
/** And their settings. @type {Map<string, string>} */
const settings = new Map();

/** @param {Pick<Recipes, "architectures">} recipes */
export function nameNetworks({ architectures }) {
  for (const architecture of architectures) {
    networks.set(architecture.name, architecture.title);
    for (const { name, title } of architecture.settings) settings.set(name, title);
  }
}

/** @param {string} name of an architecture */
export function networkTitle(name) {
  return networks.get(name) ?? name;
}

/** @param {string} name of a setting */
export function settingTitle(name) {
  return settings.get(name) ?? name.replaceAll("_", " ");
}

/** @param {SettingValue} value */
export function valueWords(value) {
  return Array.isArray(value) ? value.join(" ") : String(value);
}

/**
 * A run's name: its architecture, and what was asked to be otherwise than usual.
 * @param {Pick<Run, "architecture" | "recipe">} run
 */
export function runTitle({ architecture, recipe }) {
  const isOwn = isOfSymbols({ recipe });
  /** @type {Readonly<Record<string, unknown>>} */
  const usual = isOwn ? RECIPE : {};
  const changes = Object.entries(recipe).flatMap(([name, value]) => {
    if (NO_SETTINGS.includes(name) || usual[name] === value) return [];
    if (name === "examples" && value === 0) return ["all training images"];
    return [`${settingTitle(name)} ${valueWords(/** @type {SettingValue} */ (value))}`];
  });
  const [, step] = /@(\d+)$/.exec(String(recipe.start ?? "")) ?? [];
  const forked = step === undefined ? [] : [`forked after step ${grouped(+step)}`];
  const learnt = learntFrom(String(recipe.dataset ?? ""));
  return [networkTitle(architecture), ...learnt, ...changes, ...forked].join(", ");
}

/** @param {string} dataset @returns {string[]} nothing of what is usual */
function learntFrom(dataset) {
  if (dataset === "" || dataset === "mnist") return [];
  if (dataset.startsWith("set:")) return ["own pictures"];
  if (dataset === RECIPE.dataset) return ["own symbols"];
  return [dataset === "drawn" ? "drawn digits" : dataset];
}

/**
 * What a run does, by its list and its events; one that paused may wait for a place.
 * @param {Pick<Run, "state">} run @param {Pick<History, "state">} history
 */
export function stateOf(run, history) {
  const isWaiting = run.state === "waiting" && history.state !== "running";
  return isWaiting ? run.state : (history.state ?? run.state);
}

/**
 * What a run does just now, and what of its files is lost.
 * @param {Pick<Run, "place" | "state" | "message" | "damage" | "is_recorded">} run as it was listed
 * @param {History} history what has been heard of it since
 */
export function stateWords(run, history) {
  const recorded = run.is_recorded ? "This run is recorded. " : "";
  const words = `${recorded}${doingWords(run, history)}`;
  if (!run.damage) return words;
  return `${words} Some of its files are damaged: ${asSentence(run.damage)}`;
}

/**
 * @param {Pick<Run, "place" | "state" | "message">} run @param {History} history
 */
function doingWords(run, history) {
  const { now, total, message } = history;
  const state = stateOf(run, history);
  const why = message || (history.state === null ? run.message : null);
  const reached = `step ${grouped(now.step)}`;
  const effort = `${counted(now.images, "image")} in ${secondsWords(now.seconds)}`;
  const because = why ? ` ${asSentence(why)}` : "";
  const addition = run.message ? ` ${asSentence(capitalized(run.message))}` : "";
  if (state === "waiting") return waitingWords(run.place) + addition;
  if (state === "failed") return `Failed.${because}`;
  if (state === "stopped") return `Stopped after ${reached}: ${effort}.${because}`;
  if (state === "done")
    return `Done: ${counted(now.step, "step")}, ${effort}.${because}`;
  if (state === "paused") return `Paused after ${reached}: ${effort}.${because}`;
  if (total === 0) return "It starts.";
  if (now.step === total && why) return `Trained.${because}`;
  return `Trains: ${reached} of ${grouped(total)}, ${effort}.`;
}

/** @param {number} position */
function waitingWords(position) {
  return position <= 1
    ? "It waits, and is the next to train."
    : `It waits: ${counted(position - 1, "run")} ${position === 2 ? "goes" : "go"} before it.`;
}

/** @param {number} seconds */
export function secondsWords(seconds) {
  if (seconds < 120) return `${fixed(seconds, seconds < 10 ? 1 : 0)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * A number of any size, by its first two digits: 0.0313 -> "0.031".
 * @param {number} value 0 or more
 */
export function brief(value) {
  if (value === 0) return "0";
  const decimals = 1 - Math.floor(Math.log10(value));
  return fixed(value, Math.min(8, Math.max(0, decimals)));
}

/**
 * @param {readonly Count[]} counts @param {number | undefined} classes if they are known
 * @param {string} tested what one of the images is called that are counted
 */
export function countWords(counts, classes, tested = TEST) {
  const count = counts.at(-1);
  if (count === undefined) return `The ${tested}s have not been counted yet.`;
  const { images, tested: all } = count;
  const right = rightOf(count);
  const score = `${grouped(right)} of ${counted(all, tested)} correctly`;
  const guessed =
    classes && `; guessing would get about ${grouped(Math.round(all / classes))} right`;
  if (images === 0)
    return `Before it has seen an image, it reads ${score}${guessed ?? ""}.`;
  return `After ${counted(images, "image")} it reads ${score} and misreads ${grouped(all - right)}, ${percent(count.error, 1)}.`;
}

/** How the loss went. @param {readonly Point[]} points */
export function lossWords(points) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "";
  const [from, to] = [brief(first.loss), brief(last.loss)];
  if (from === to) return `The loss on training images is ${to}.`;
  const way = last.loss < first.loss ? "fallen" : "risen";
  return `The loss on training images has ${way} from ${from} to ${to}.`;
}

/** @param {History} history */
export function rateWords({ held, points }) {
  const last = points.at(-1);
  if (held !== null) return `Learning rate held at ${brief(held)}`;
  return last === undefined ? "" : `Learning rate ${brief(last.learning_rate)}`;
}

/**
 * What a network reads in the digit on show.
 * @param {ArrayLike<number>} scores
 * @param {Saying & Pick<Model, "class_names">} model
 * @param {number | null} label where it is known
 */
export function digitWords(scores, model, label) {
  const reading = saidOf(scores, model);
  const next = nextWords(reading, scores, model);
  const agrees =
    label === null
      ? ""
      : isReadAs(reading, label)
        ? " The label agrees."
        : ` The label says ${model.class_names[label]}.`;
  return `The network that learns ${readsWords(reading, model)}: ${groundsWords(reading, scores, model)}${next && `; ${next}`}.${agrees}`;
}

/**
 * How many capsules answer the digit on show, layer by layer.
 * @param {readonly Awake[]} layers
 */
export function awakeWords(layers) {
  return layers
    .map(({ title, words, count, of, starved }) => {
      const are = count === 1 ? "is" : "are";
      const all = `${grouped(count)} of ${counted(of, "capsule")} ${are} ${words}`;
      if (starved === null || starved.count === 0) return `${title}: ${all}.`;
      const types = `${grouped(starved.count)} of ${counted(starved.of, "type")}`;
      return `${title}: ${all}; ${types} ${starved.count === 1 ? "has" : "have"} none.`;
    })
    .join(" ");
}

/**
 * How far routing has left even shares, for the class that is read.
 * @param {Pick<RoutingShares, "name" | "isOnce">} shares
 * @param {Tensor} tensor theirs
 * @param {number} classIndex @param {readonly string[]} names of the classes
 */
export function shareWords({ name, isOnce }, { shape, data }, classIndex, names) {
  const size = data.length / (isOnce ? 1 : shape[0]);
  const values = Array.from(data.slice(-size)).filter(
    (_, i) => i % names.length === classIndex,
  );
  const mean = sum(values) / values.length;
  const most = Math.max(...values);
  const where = isOnce ? "In routing" : "In the last iteration of routing";
  const even = fixed(1 / names.length, 2);
  const [usual, largest] = [mean, most].map((share) => exactShare(share, 2));
  return `${where}, the mean ${name} to ${names[classIndex]} is ${usual} and the largest ${largest}; if shared equally it would be ${even}.`;
}

/**
 * Which of two runs is ahead, at the last place that both have reached.
 * @param {{ name: string, counts: readonly Count[] }} run
 * @param {{ name: string, counts: readonly Count[] }} other
 * @param {"images" | "seconds"} over
 * @param {string} [tested] what one of the images is called that are counted
 * @returns {string} "" while one of them has not been counted
 */
export function aheadWords(run, other, over, tested = TEST) {
  const ends = [run, other].map(({ counts }) => counts.at(-1)?.[over] ?? -1);
  const until = Math.min(...ends);
  const [a, b] = [run, other].map(({ counts }) => lastUntil(counts, until, over));
  if (a === null || b === null) return "";
  const at = (/** @type {Count} */ count) =>
    over === "images" ? counted(count.images, "image") : secondsWords(count.seconds);
  const wrong = (/** @type {Count} */ count) => grouped(count.tested - rightOf(count));
  const of = (/** @type {Count} */ count) => `of ${counted(count.tested, tested)}`;
  const isSame = a.tested === b.tested;
  const too = (/** @type {Count} */ count) => (isSame ? "" : ` ${of(count)}`);
  if (a.error === b.error)
    return `Neither is ahead: ${run.name} misreads ${wrong(a)} ${of(a)} after ${at(a)}, ${other.name} ${isSame ? "as many" : `${wrong(b)} ${of(b)}`} after ${at(b)}.`;
  const [first, second] = a.error < b.error ? [a, b] : [b, a];
  const [winner, loser] = first === a ? [run, other] : [other, run];
  const [low, high] = [first, second].map((count) =>
    wilsonInterval(count.tested - rightOf(count), count.tested),
  );
  const chance =
    low[1] < high[0]
      ? "Their 95 % intervals do not overlap."
      : "Their 95 % intervals overlap, so this may be chance.";
  return `${capitalized(winner.name)} is ahead: it misreads ${wrong(first)} ${of(first)} after ${at(first)}, ${loser.name} ${wrong(second)}${too(second)} after ${at(second)}. ${chance}`;
}

/**
 * What to mind in comparing two runs.
 * @param {RunSettings} run @param {RunSettings} other
 * @param {"images" | "seconds"} over
 * @param {readonly Setting[]} settings of the first's architecture
 * @param {string} [tested] what one of the images is called that are counted
 */
export function mindWords(run, other, over, settings, tested = TEST) {
  const apart = differentSettings(run, other);
  const isOtherLoss =
    run.architecture !== other.architecture ||
    settings.some(({ name, group }) => group === "loss" && apart.includes(name));
  return sentences([
    isOtherLoss && `Their losses are not defined alike: compare the ${tested}s.`,
    over === "seconds" &&
      "Two runs that train at once share the processor, so each takes longer.",
    "This is one run of each; other seeds may differ.",
  ]);
}

/**
 * The settings in which two runs of one architecture differ.
 * @param {RunSettings} run @param {RunSettings} other
 */
function differentSettings(run, other) {
  return Object.keys(run.settings).filter(
    (name) => String(run.settings[name]) !== String(other.settings[name]),
  );
}

const FEW = 2; // settings in a name

/**
 * What two runs are called beside each other: by what sets them apart.
 * @param {RunSettings} run @param {RunSettings} other
 * @returns {[string, string]} in the middle of a sentence
 */
export function namesBeside(run, other) {
  const both = (/** @type {(run: RunSettings) => string} */ called) =>
    /** @type {[string, string]} */ ([called(run), called(other)]);
  if (run.architecture !== other.architecture)
    return both(({ architecture }) => `the ${networkTitle(architecture)}`);
  const names = differentSettings(run, other);
  if (names.length === 0 || names.length > FEW)
    return ["the first run", "the second run"];
  return both(({ settings }) => {
    const values = names.map(
      (name) => `${settingTitle(name)} ${valueWords(settings[name])}`,
    );
    return `the run with ${listed(values)}`;
  });
}

/**
 * What differs between two runs, where their names do not say it.
 * @param {RunSettings} run @param {RunSettings} other
 * @returns {string}
 */
export function differenceWords(run, other) {
  if (run.architecture !== other.architecture) return "";
  const names = differentSettings(run, other);
  if (names.length === 0) return "Both runs have the same settings.";
  if (names.length <= FEW) return "";
  const words = names.map(
    (name) =>
      `${settingTitle(name)} ${valueWords(run.settings[name])} and ${valueWords(other.settings[name])}`,
  );
  return `${capitalized(words.join("; "))}.`;
}
