/**
 * Training runs in the page, as the server's routes tell of them: symbols of one's own are
 * learnt a step at a time, between questions.
 * @import { Model, Run, RunEvent } from "../../types.js"
 * @import { SymbolsFile } from "../../train/symbols.js"
 * @import { Plan, Sizes } from "./learning.js"
 */
import { fromBase64 } from "../../lib/encoding.js";
import { toSafetensors } from "../../lib/safetensors.js";
import { keep, keptAs } from "../storage.js";
import { keptSteps, learner } from "./learning.js";
import { bring, broughtAs, filesHere, read, runner } from "./networks.js";

/** @typedef {{ method: string, id: string, part: string, body: any }} RunRequest of `api/runs` */
/** @typedef {Plan & { settings: Run["settings"], sizes: Record<string, Sizes> }} Lesson */

/**
 * @typedef {object} OwnRun
 * @property {Run} facts
 * @property {number} events how many there have been
 * @property {ReturnType<typeof learner>} learner
 * @property {Model} model as all its moments are described
 * @property {ReadonlySet<number>} kept after which steps the network is kept
 * @property {Float32Array[]} tests an image of each symbol
 * @property {number | null} held the learning rate that was set
 * @property {number} batch images of a step
 * @property {{ sums: Float32Array, steps: number, seconds: number, at: number } | null} since the last event of progress
 */

const SNAPSHOTS = 24;
const TOLD_EVERY_MS = 300; // least time between two events of progress
const NAME = /^[A-Za-z0-9][\w-]{0,59}$/; // of a model, as the server has it
const DIVERGED = "the loss is no number any more: a lower learning rate may help";
const LIKE = "symbols"; // whose graphs these networks have

/** The newest first. @type {OwnRun[]} */
const runs = [];
/** What was trained here, by id. @type {Map<string, ArrayBuffer>} */
const files = new Map();

/** @typedef {{ told: { run: string, number: number, event: RunEvent } } | { brought: { model: Model, like: string } }} News */

/** @type {(news: News) => void} */
let tell = () => {};
/** Does a job between two questions. @type {(job: () => Promise<void>) => void} */
let between = () => {};

/** @param {typeof tell} listener @param {typeof between} queue */
export function runWith(listener, queue) {
  tell = listener;
  between = queue;
}

/**
 * What `api/runs` answers. @param {RunRequest} request
 * @returns {Promise<object>}
 */
export async function answerRuns({ method, id, part, body }) {
  if (id === "" && method === "POST") return { id: await begin(body) };
  if (id === "") return { runs: runs.map(({ facts }) => facts), refused: [] };
  const run = runs.find(({ facts }) => facts.id === id);
  if (run === undefined) throw refused(404, `There is no run ${id} here.`);
  if (method === "POST" && part === "keep") return keepMomentAs(run, body);
  if (method === "DELETE") {
    run.facts.state = "stopped";
    runs.splice(runs.indexOf(run), 1);
    for (const step of run.facts.snapshots) files.delete(`${id}@${step}`);
  }
  if (method === "PATCH") change(run, body);
  return run.facts;
}

/**
 * What is listed of a run before its first step.
 * @param {Pick<Run, "id" | "recipe" | "architecture" | "total" | "settings">} facts
 * @returns {Run}
 */
export const newRun = (facts) => ({
  ...facts,
  state: "running",
  place: 0,
  step: 0,
  images: 0,
  seconds: 0,
  learning_rate: null,
  error: null,
  tested: null,
  snapshots: [],
  message: null,
  can_go_on: false,
  damage: null,
});

/** Start a run. @param {any} recipe */
async function begin({ symbols: file, start, ...recipe }) {
  if (recipe.dataset !== "symbols" || start !== undefined)
    throw refused(
      403,
      "Here a network learns symbols of your own, from the beginning.",
    );
  const { symbols } = /** @type {SymbolsFile} */ (file);
  const count = symbols.length;
  const lesson = /** @type {Lesson} */ (
    await filesHere().json(`networks/${LIKE}.json`)
  );
  const model = /** @type {Model} */ (
    await filesHere().json(`api/models/${LIKE}-${count}.json`)
  );
  const lessons = symbols.map(({ examples }) => {
    const all = examples.map((image) =>
      Float32Array.from(fromBase64(image) ?? [], (byte) => byte / 255),
    );
    return { images: all.slice(0, -1), test: all[all.length - 1] };
  });
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  const id = seed.toString(16).padStart(8, "0");
  const { steps, batch, settings, sizes } = lesson;
  /** @type {OwnRun} */
  const run = {
    facts: newRun({
      ...{ id, recipe, architecture: model.architecture, total: steps },
      settings: { ...settings, classes: count, seed },
    }),
    events: 0,
    batch,
    learner: learner(lesson, sizes[count], lessons, seed, runner(LIKE)),
    model: { ...model, class_names: symbols.map(({ name }) => name) },
    kept: keptSteps(steps, SNAPSHOTS),
    tests: lessons.map(({ test }) => test),
    held: null,
    since: null,
  };
  runs.unshift(run);
  between(async () => {
    state(run, { total: steps, examples: steps * batch });
    goOn(run);
  });
  return id;
}

/** Have the next step taken, once the questions that wait are answered. @param {OwnRun} run */
function goOn(run) {
  setTimeout(() =>
    between(async () => {
      if (run.facts.state !== "running") return;
      const isNew = run.facts.snapshots.length === 0;
      try {
        await (isNew ? keepMoment(run) : advance(run));
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        return state(run, { message }, "failed");
      }
      if (run.facts.step < run.facts.total) return goOn(run);
      const { error, tested } = run.facts;
      state(run, { error, tested }, "done");
    }),
  );
}

/** @param {OwnRun} run */
async function advance(run) {
  const { facts } = run;
  const began = performance.now();
  const { figures, rate } = await run.learner.advance(run.held);
  const took = (performance.now() - began) / 1000;
  facts.step = run.learner.step;
  facts.images = facts.step * run.batch;
  facts.seconds += took;
  facts.learning_rate = rate;
  run.since ??= { sums: figures.map(() => 0), steps: 0, seconds: 0, at: began };
  const { since } = run;
  for (const [index, figure] of figures.entries()) since.sums[index] += figure;
  since.steps++;
  since.seconds += took;
  const isEnd = facts.step === facts.total;
  if (isEnd || facts.step === 1 || performance.now() - since.at > TOLD_EVERY_MS)
    tellProgress(run);
  if (run.kept.has(facts.step)) await keepMoment(run);
}

/** Tell of the steps since the last time. @param {OwnRun} run */
function tellProgress(run) {
  const { since, batch, facts } = run;
  if (since === null) return;
  const [classes, reconstruction, further, accuracy] = Array.from(
    since.sums,
    (sum) => sum / since.steps,
  );
  if (!Number.isFinite(classes + reconstruction)) throw new Error(DIVERGED);
  run.since = null;
  say(run, {
    event: "progress",
    loss: classes + reconstruction + further,
    class_loss: classes,
    reconstruction_loss: reconstruction,
    accuracy,
    learning_rate: facts.learning_rate,
    images_per_second: (since.steps * batch) / since.seconds,
  });
}

/** Keep the network as it is, and count what it misreads. @param {OwnRun} run */
async function keepMoment(run) {
  const { facts, model, tests } = run;
  const { id, step, images, seconds } = facts;
  const words = step === 1 ? "1 step" : `${step} steps`;
  const when = step === 0 ? "before training" : `after ${words}`;
  const title = `${model.title} ${when}`;
  const additions = {
    ...{
      title,
      class_names: model.class_names,
      steps: step,
      seed: facts.settings.seed,
    },
    ...{ training_images: images, training_time_s: Number(seconds.toFixed(1)) },
  };
  const card = { ...model.card, ...additions };
  const moment = {
    ...model,
    id: `${id}@${step}`,
    version: `${id}-${step}`,
    title,
    card,
  };
  const file = toSafetensors(run.learner.weights(), { card: JSON.stringify(card) });
  bringHere(moment, file);
  let wrong = 0;
  for (const [label, image] of tests.entries()) {
    const { scores } = await read(moment, image, ["scores"], {});
    const lengths = Array.from(scores.data);
    wrong += Number(lengths.indexOf(Math.max(...lengths)) !== label);
  }
  facts.snapshots = [...facts.snapshots, step];
  facts.error = wrong / tests.length;
  facts.tested = tests.length;
  const { error, tested } = facts;
  say(run, { event: "snapshot", error, tested, bytes: file.byteLength });
}

/** @param {OwnRun} run @param {any} wish @throws a run that has ended is not changed */
function change(run, { learning_rate: rate, state: wanted }) {
  if (rate !== undefined) {
    run.held = rate;
    say(run, { event: "rate", learning_rate: rate });
  }
  const { facts } = run;
  const isOver = facts.state === "done" || facts.state === "failed";
  if (wanted === undefined || wanted === facts.state || isOver) return;
  state(run, {}, wanted);
  facts.can_go_on = wanted === "stopped";
  if (wanted === "running") goOn(run);
}

/** Keep a moment in the browser. @param {OwnRun} run @param {{ step: number, name: string, title?: string }} wish */
async function keepMomentAs(run, { step, name, title = name }) {
  const moment = `${run.facts.id}@${step}`;
  const file = await fileOf(moment);
  if (!NAME.test(name))
    throw refused(
      422,
      "A name must be 1 to 60 letters, digits, - and _, and begin with a letter or digit.",
      "name",
    );
  if (broughtAs(name) !== undefined || (await isSiteModel(name)))
    throw refused(409, `There is a model ${name} already.`, "name");
  const model = {
    .../** @type {Model} */ (broughtAs(moment)),
    id: name,
    title,
    kept: true,
  };
  await keep({ model, file }).catch(({ message }) => {
    throw refused(503, `This browser keeps no network: ${message}`);
  });
  bringHere(model, file);
  return { model: name };
}

/** Have a network read like any other. @param {Model} model @param {ArrayBuffer} file */
function bringHere(model, file) {
  files.set(model.id, file);
  bring(model, LIKE, file);
  tell({ brought: { model, like: `${LIKE}-${model.classes}` } });
}

/** A network that was kept here before, ready to be read. @param {string} id */
export async function bringKept(id) {
  const kept = await keptAs(id);
  if (kept) bringHere(kept.model, kept.file);
  return kept?.model;
}

/** The weights of a network that was trained here, with its card. @param {string} id */
export async function fileOf(id) {
  const file = files.get(id) ?? ((await bringKept(id)) && files.get(id));
  if (file === undefined) throw refused(404, `There is no network ${id} here.`);
  return file;
}

/** @param {string} id */
async function isSiteModel(id) {
  const { models } = await filesHere().json("api/models.json");
  return models.some((/** @type {Model} */ model) => model.id === id);
}

/** Say that a run does something else now. @param {OwnRun} run @param {object} more @param {Run["state"]} [next] */
function state(run, more, next = "running") {
  run.facts.state = next;
  say(run, { event: "state", state: next, ...more });
}

/** @param {OwnRun} run @param {object} event */
function say(run, event) {
  const { id, step, images, seconds } = run.facts;
  const whole = /** @type {RunEvent} */ ({ ...event, step, images, seconds });
  tell({ told: { run: id, number: ++run.events, event: whole } });
}

/** @param {number} status @param {string} message @param {string | null} [field] */
const refused = (status, message, field = null) =>
  Object.assign(new Error(message), { status, field });
