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
import { listenToClicks } from "../ui/controls.js";
import { download, find, findElement, setText, writer } from "../ui/dom.js";
import { hasEnded } from "./history.js";
import { brief, rateWords, stateOf } from "./words.js";

const REST_MS = 250; // a hand that turns the learning rate rests

/**
 * @param {HTMLElement} root
 * @param {object} page
 * @param {Services} page.services @param {Store<AppState>} page.store
 * @param {Actions} page.actions
 * @param {{ look: () => Promise<void>, forget: (id: string) => void }} page.follower
 * @param {() => { run: Run | null, moment: { wish: { id: string, images: number }, model: Model } | null }} page.now
 * @param {(start: Start) => void} page.fork
 * @param {(patch: Partial<AppState["train"]>) => void} page.set
 * @param {() => void} page.changed called after a model was kept
 * @param {(id: string) => Promise<void>} page.leave the page goes on without a run's models
 */
export function mountSteering(root, page) {
  const { services, store, actions, follower, now, fork, set } = page;
  const { server, guarded } = services;
  const write = writer(root);
  const [pause, stop, back] = ["pause", "stop", "rate-back"].map((name) =>
    findElement(root, `[data-${name}]`),
  );
  const rate = find(root, "[data-rate]", HTMLInputElement);
  let isTurning = false;
  let isResting = false;

  /** @param {(run: Run) => Promise<unknown>} job @returns {() => void} */
  const withRun = (job) => () => {
    const { run } = now();
    if (run === null) return;
    void guarded(async () => {
      await job(run);
      await follower.look();
    })(null);
  };
  /** @param {AppState["mode"]} mode in which the moment on show is opened */
  const openIn = (mode) => () => {
    const model = now().moment?.model;
    if (model === undefined) return;
    const { models } = store.get();
    if (!models.some(({ id }) => id === model.id))
      store.set({ models: [...models, model] });
    void guarded(() => actions.useModel(model, { mode }))(null);
  };
  listenToClicks(root, {
    pause: withRun(({ id }) =>
      server.changeRun(id, { state: isResting ? "running" : "paused" }),
    ),
    stop: withRun(({ id }) => server.changeRun(id, { state: "stopped" })),
    "rate-back": withRun(({ id }) => server.changeRun(id, { learning_rate: null })),
    explore: openIn(EXPLORE),
    lab: openIn(LAB),
    atlas: openIn(ATLAS),
    delete() {
      const { run } = now();
      if (run === null) return;
      const snapshots = counted(run.snapshots.length, "snapshot");
      write(
        "throw-words",
        `Its ${snapshots} will be deleted; what you have kept as a model stays.`,
      );
      find(root, "[data-throw]", HTMLDialogElement).showModal();
    },
    "throw-yes": withRun(async ({ id }) => {
      await server.deleteRun(id);
      follower.forget(id);
      await page.leave(id);
      set({ run: "", step: null });
    }),
    file() {
      const model = now().moment?.model;
      if (model === undefined) return;
      void guarded(async () =>
        download(await server.fetchWeights(model), `${model.id}.safetensors`),
      )(null);
    },
    fork() {
      const { run, moment } = now();
      if (run === null || moment === null) return;
      const { architecture, settings } = run;
      const words = `Starts from the weights after ${counted(moment.wish.images, "image")} of the run on show; the network’s sizes stay as they are.`;
      fork({ id: moment.wish.id, architecture, settings, words });
    },
  });
  const turn = debounce(() => {
    const { run } = now();
    isTurning = false;
    if (run === null) return;
    const learning_rate = Number((10 ** rate.valueAsNumber).toPrecision(2));
    void guarded(async () => void (await server.changeRun(run.id, { learning_rate })))(
      null,
    );
  }, REST_MS);
  rate.addEventListener("input", () => {
    isTurning = true;
    write("rate-words", brief(10 ** rate.valueAsNumber));
    turn();
  });

  const keep = find(root, "[data-keep]", HTMLFormElement);
  keep.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { run, moment } = now();
    const name = find(keep, "[data-name]", HTMLInputElement);
    if (run === null || moment === null) return;
    write("keep-problem", "");
    try {
      const step = Number(moment.wish.id.split("@")[1]);
      const id = await server.keepSnapshot(run.id, { step, name: name.value });
      const model = await server.fetchModel(id);
      store.set({ models: [...store.get().models, model] });
      page.changed();
      write(
        "kept",
        `Kept: the network after step ${grouped(step)} is the model ${id}.`,
      );
      name.value = "";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      write("keep-problem", asSentence(messageOf(error)));
      name.focus();
    }
  });

  return {
    /** @param {Run} run @param {History} history */
    show(run, history) {
      root.classList.toggle("is-recorded", run.is_recorded ?? false);
      const state = stateOf(run, history);
      const isOver = hasEnded({ state });
      isResting = isOver || state === "paused";
      pause.hidden = isOver ? !run.can_go_on : state === "waiting";
      setText(pause, isResting ? "Go on" : "Pause");
      stop.hidden = isOver;
      findElement(root, "[data-rate-row]").hidden = isOver || state === "waiting";
      back.hidden = history.held === null;
      const now = history.held ?? history.points.at(-1)?.learning_rate;
      if (isTurning || now === undefined) return;
      if (document.activeElement !== rate) rate.value = String(Math.log10(now));
      write("rate-words", rateWords(history));
      rate.setAttribute("aria-valuetext", brief(now));
    },
  };
}
