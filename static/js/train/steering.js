/**
 * What can be done with a run: pause, go on, stop, throw away, turn its learning rate; and
 * with one of its moments: open it, fork from it, keep it.
 * @import { Actions, AppState, Model, Run, Services, Store } from "../types.js"
 * @import { History } from "./history.js"
 * @import { Start } from "./knobs.js"
 */
import { ApiError } from "../core/connection.js";
import { ATLAS, EXPLORE, LAB } from "../core/state.js";
import { asSentence, counted, grouped, messageOf } from "../lib/format.js";
import { debounce } from "../lib/timing.js";
import { find, findElement, setText } from "../ui/dom.js";
import { hasEnded } from "./history.js";
import { brief, rateWords, stateOf } from "./words.js";

const REST_MS = 250; // a hand that turns the learning rate rests

/**
 * @param {HTMLElement} root
 * @param {object} page
 * @param {Services} page.services @param {Store<AppState>} page.store
 * @param {Actions} page.actions
 * @param {{ look: () => Promise<void>, forget: (id: string) => void }} page.follower
 * @param {() => { run: Run | null, found: { wish: { id: string, images: number }, model: Model } | null }} page.now
 * @param {(recipe: Readonly<Record<string, unknown>>, fail?: (message: string) => void) => void} page.startAgain
 * @param {(start: Start) => void} page.fork
 * @param {(patch: Partial<AppState["train"]>) => void} page.set
 * @param {() => void} page.changed called after a model was kept
 * @param {(id: string) => Promise<void>} page.leave the page goes on without a run's models
 */
export function mountSteering(root, page) {
  const { services, store, actions, follower, now, startAgain, fork, set } = page;
  const { server, guarded } = services;
  const button = (/** @type {string} */ name) =>
    find(root, `[data-${name}]`, HTMLButtonElement);
  const [pause, stop, again, remove] = ["pause", "stop", "again", "delete"].map(button);
  const rate = find(root, "[data-rate]", HTMLInputElement);
  const back = button("rate-back");
  const dialog = find(root, "[data-throw]", HTMLDialogElement);
  const keep = find(root, "[data-keep]", HTMLFormElement);
  let isTurning = false;

  /** @param {(run: Run) => Promise<unknown>} job @returns {() => void} */
  const withRun = (job) => () => {
    const { run } = now();
    if (run === null) return;
    void guarded(async () => {
      await job(run);
      await follower.look();
    })(null);
  };
  /** @param {(found: NonNullable<ReturnType<typeof now>["found"]>) => unknown} job */
  const withMoment = (job) => () => {
    const { found } = now();
    if (found !== null) void guarded(async () => void (await job(found)))(null);
  };

  pause.addEventListener(
    "click",
    withRun(({ id }) => {
      const isResting = pause.dataset.rests === "yes";
      return server.changeRun(id, { state: isResting ? "running" : "paused" });
    }),
  );
  stop.addEventListener(
    "click",
    withRun(({ id }) => server.changeRun(id, { state: "stopped" })),
  );
  again.addEventListener("click", () => {
    const { run } = now();
    if (run !== null) startAgain(run.recipe);
  });
  remove.addEventListener("click", () => {
    const { run } = now();
    if (run === null) return;
    setText(
      findElement(dialog, "[data-throw-words]"),
      `Its ${counted(run.snapshots.length, "snapshot")} will be deleted; what you have kept as a model stays.`,
    );
    dialog.showModal();
  });
  const further = find(root, "[data-further]", HTMLFormElement);
  further.addEventListener("submit", (event) => {
    event.preventDefault();
    const { run } = now();
    const step = run?.snapshots.at(-1);
    if (!run || step === undefined) return;
    const epochs = find(further, "input", HTMLInputElement).valueAsNumber;
    const problem = findElement(further, "[data-further-problem]");
    setText(problem, "");
    startAgain({ start: `${run.id}@${step}`, epochs }, (message) =>
      setText(problem, asSentence(message)),
    );
  });
  button("throw-yes").addEventListener(
    "click",
    withRun(async ({ id }) => {
      await server.deleteRun(id);
      follower.forget(id);
      await page.leave(id);
      set({ run: "", step: null });
    }),
  );

  const turn = debounce(() => {
    const { run } = now();
    isTurning = false;
    if (run === null) return;
    const value = Number((10 ** rate.valueAsNumber).toPrecision(2));
    void guarded(() =>
      server.changeRun(run.id, { learning_rate: value }).then(() => {}),
    )(null);
  }, REST_MS);
  rate.addEventListener("input", () => {
    isTurning = true;
    setText(findElement(root, "[data-rate-words]"), brief(10 ** rate.valueAsNumber));
    turn();
  });
  back.addEventListener(
    "click",
    withRun(({ id }) => server.changeRun(id, { learning_rate: null })),
  );

  /** @param {Model} model @param {AppState["mode"]} mode */
  async function open(model, mode) {
    const { models } = store.get();
    if (!models.some(({ id }) => id === model.id))
      store.set({ models: [...models, model] });
    await actions.useModel(model, { mode });
  }
  button("explore").addEventListener(
    "click",
    withMoment(({ model }) => open(model, EXPLORE)),
  );
  button("lab").addEventListener(
    "click",
    withMoment(({ model }) => open(model, LAB)),
  );
  button("atlas").addEventListener(
    "click",
    withMoment(({ model }) => open(model, ATLAS)),
  );
  button("fork").addEventListener("click", () => {
    const { run, found } = now();
    if (run === null || found === null) return;
    const { architecture, settings } = run;
    const words = `Starts from the weights after ${counted(found.wish.images, "image")} of the run on show; the network’s sizes stay as they are.`;
    fork({ id: found.wish.id, architecture, settings, words });
  });
  keep.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { run, found } = now();
    const name = find(keep, "[data-name]", HTMLInputElement);
    if (run === null || found === null) return;
    const [problem, kept] = ["keep-problem", "kept"].map((part) =>
      findElement(keep, `[data-${part}]`),
    );
    setText(problem, "");
    try {
      const step = Number(found.wish.id.split("@")[1]);
      const id = await server.keepSnapshot(run.id, { step, name: name.value });
      const model = await server.fetchModel(id);
      store.set({ models: [...store.get().models, model] });
      page.changed();
      setText(
        kept,
        `Kept: the network after step ${grouped(step)} is the model ${id}.`,
      );
      name.value = "";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setText(problem, asSentence(messageOf(error)));
      name.focus();
    }
  });

  return {
    /** @param {Run} run @param {History} history */
    show(run, history) {
      const state = stateOf(run, history);
      const isOver = hasEnded({ state });
      const isResting = isOver || state === "paused";
      pause.hidden = isOver ? !run.can_go_on : state === "waiting";
      pause.dataset.rests = isResting ? "yes" : "no";
      setText(pause, isResting ? "Go on" : "Pause");
      stop.hidden = isOver;
      further.hidden = state !== "done" || run.snapshots.length < 2;
      findElement(root, "[data-rate-row]").hidden = isOver || state === "waiting";
      back.hidden = history.held === null;
      const now = history.held ?? history.points.at(-1)?.learning_rate;
      if (!isTurning && now !== undefined) {
        if (document.activeElement !== rate) rate.value = String(Math.log10(now));
        setText(findElement(root, "[data-rate-words]"), rateWords(history));
        rate.setAttribute("aria-valuetext", brief(now));
      }
    },
  };
}
