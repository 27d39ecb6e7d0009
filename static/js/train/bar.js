/**
 * The slider over a run's snapshots above every layer and the Atlas, while one of them is the page's
 * network: the open view, its selection and the image stay.
 * @import { Actions, AppState, Model, Services, Store } from "../types.js"
 */
import { readLink, startOf, writeLink } from "../core/schema.js";
import { ATLAS, EXPLORE, TRAIN } from "../core/state.js";
import { selector } from "../core/store.js";
import { grouped } from "../lib/format.js";
import { momentOf } from "../lib/moments.js";
import { ownOf } from "../lib/own.js";
import { latest } from "../lib/timing.js";
import { button } from "../ui/inputs.js";
import { mountSlider } from "./slider.js";

/**
 * The network's own fields, as far as links keep them, for another moment of it.
 * @param {AppState} state @param {Model} model
 */
export function carriedOver({ network, model: before, slices }, model) {
  if (network === null || before === null) return {};
  const link = new URLSearchParams();
  writeLink(link, network.schema(before), ownOf(slices, before.id) ?? {});
  const schema = network.schema(model);
  return { ...startOf(schema), ...readLink(link, schema) };
}

/**
 * The models with another moment in place of the one before: the list keeps one of a run.
 * @param {readonly Model[]} models @param {Model | null} before @param {Model} model
 */
export function withMoment(models, before, model) {
  const others = models.filter(({ id }) => id !== model.id && id !== before?.id);
  return [...others, model];
}

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {Pick<Services, "server" | "guarded">} services
 */
export function mountBar(root, store, actions, { server, guarded }) {
  /** @type {{ run: string, steps: readonly number[] }} */
  let known = { run: "", steps: [] };

  const go = (/** @type {number} */ index) =>
    goTo({ run: known.run, step: known.steps[index] });
  const slider = mountSlider(root, go, true);

  const shown = selector(store, (state) => {
    const moment = state.model && momentOf(state.model.id);
    const isShown = state.mode === EXPLORE || state.mode === ATLAS;
    return isShown && moment ? { ...state, ...moment } : null;
  });
  // A run that goes on has more of them each time.
  const askSteps = latest(
    guarded(async (/** @type {string} */ run) => {
      const { snapshots } = await server.fetchRun(run);
      known = { run, steps: snapshots };
      show();
    }),
  );
  const goTo = latest(
    guarded(async (/** @type {{ run: string, step: number }} */ { run, step }) => {
      const model = await server.fetchModel(`${run}@${step}`);
      const state = store.get();
      if (shown.get()?.run !== run) return; // another network was chosen meanwhile
      const slices = { ...state.slices, [model.id]: carriedOver(state, model) };
      const models = withMoment(state.models, state.model, model);
      // What is drawn stays until this moment's own has come.
      await actions.useModel(model, { models, slices, trace: state.trace });
    }),
  );

  function show() {
    const state = shown.get();
    if (state === null) return;
    const { run, step } = state;
    const steps = known.run === run ? known.steps : [step];
    const last = steps[steps.length - 1] ?? step;
    const words = `After step ${grouped(step)} of ${grouped(Math.max(step, last))} that this run has come to`;
    const back = () =>
      store.set({ mode: TRAIN, train: { ...store.get().train, run, step } });
    const leave = button("Back to the run", back, { class: "quiet" });
    slider.show(steps.indexOf(step), steps.length, words, leave);
  }

  shown.whenGone(() => {
    root.hidden = true;
  });
  shown.watch(["model", "mode"], () => {
    root.hidden = false;
    show();
    askSteps(shown.get()?.run ?? "");
  });
}
