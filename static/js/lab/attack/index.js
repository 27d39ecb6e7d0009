/**
 * Attack as it is drawn: the attacked digit, what was added to it, and in each network's row
 * its reading, its alarm and its curve over ε. Every attack stands beside random noise of
 * the same ε.
 * @import { LabServices, LabStore, Model } from "../../types.js"
 * @import { Attacked, AttackWish, Curve } from "./ask.js"
 * @import { Choices } from "./choices.js"
 * @import { AttackSlice } from "./experiment.js"
 */
import { scoreWords } from "../../core/scores.js";
import { knownLabel } from "../../core/state.js";
import { atRest } from "../../lib/at-rest.js";
import { toBytes } from "../../lib/pixels.js";
import { findElement } from "../../ui/find.js";
import { showLegend } from "../../ui/legend.js";
import { say } from "../../ui/say.js";
import { newestAnswer } from "../shared/ask.js";
import { mountCurve } from "../shared/curve.js";
import { axisOf, mountKnobs } from "../shared/knobs.js";
import { measurementOf, measuringCommand } from "../shared/measured.js";
import { mountRows } from "../shared/rows.js";
import { attackedNow, attackedOver } from "./ask.js";
import { KNOB, measuredAs, sweepOf } from "./choices.js";
import { alarmEntry, alarmThreshold, zeroEntry } from "./measured.js";
import { mountMenus } from "./menus.js";
import { changeScale, mountPair, mountSteps } from "./pictures.js";
import { alarmWords, attackWords, gradientWords } from "./words.js";

const REST_MS = 250;

/**
 * @param {HTMLElement} root
 * @param {LabStore<AttackSlice>} store
 * @param {LabServices} services
 */
export function mount(root, store, services) {
  const { server } = services;
  const words = findElement(root, "[data-words]");
  const pair = mountPair(findElement(root, "[data-changed]"));
  const legend = findElement(root, "[data-legend]");
  const shown = findElement(root, "[data-shown]");
  /** @type {readonly Attacked[]} */
  let found = [];
  /** @type {{ curves: readonly Curve[], wish: AttackWish } | null} */
  let known = null;

  const rows = mountRows(findElement(root, "[data-rows]"), (model) => {
    const own = found.find((each) => each.model === model);
    if (own !== undefined) services.openInExplore(model, toBytes(own.attacked.image));
  });
  const setEps = (/** @type {number} */ eps) => store.set({ eps });
  const sliders = mountKnobs(findElement(root, "[data-knobs]"), [KNOB], {
    turn: (_knob, eps) => setEps(eps),
    choose: () => {},
  });
  const menus = mountMenus(findElement(root, "[data-menus]"), (patch) => {
    const state = store.get();
    if (state !== null) store.set({ choices: { ...state.choices, ...patch } });
  });
  /** @type {WeakMap<HTMLElement, ReturnType<typeof mountExtra>>} */
  const extras = new WeakMap();
  /** @param {HTMLElement} extra */
  function extraIn(extra) {
    const made = extras.get(extra) ?? mountExtra(extra, setEps);
    extras.set(extra, made);
    return made;
  }

  const now = newestAnswer(
    services,
    (/** @type {AttackWish} */ wish) =>
      attackedNow(server, wish, (one) => {
        if (isWanted(wish)) showOne(one, wish);
      }),
    (answer, wish) => {
      found = answer;
      if (isWanted(wish)) showAll(wish);
    },
  );
  const sweep = newestAnswer(
    services,
    (/** @type {AttackWish} */ wish) =>
      attackedOver(server, wish, sweepOf(wish.choices)),
    (curves, wish) => {
      known = { curves, wish };
      showCurves();
    },
  );
  const askSweep = atRest(() => {
    const state = store.get();
    if (state !== null && !isKnown(state)) sweep.ask(state);
  }, REST_MS);
  /** @param {AttackWish} wish */
  function isKnown({ pixels, source, networks, choices }) {
    return (
      known !== null &&
      known.wish.pixels === pixels &&
      known.wish.source === source &&
      known.wish.networks === networks &&
      known.wish.choices === choices
    );
  }

  store.watch(["pixels", "source", "networks", "eps", "choices"], (state) => {
    sliders.show({ eps: state.eps }, KNOB.id);
    menus.show(state.networks, state.choices);
    showCurves();
    say(shown, "Computing the attack …");
    now.ask(state);
    askSweep();
  });

  /** @param {AttackWish} wish */
  function isWanted({ pixels, networks, eps, choices }) {
    const state = store.get();
    return (
      state !== null &&
      state.pixels === pixels &&
      state.networks === networks &&
      state.eps === eps &&
      state.choices === choices
    );
  }

  /**
   * @param {Attacked} each
   * @param {AttackWish} wish
   */
  function showOne(each, { networks, eps, choices }) {
    const { model, label } = each;
    const row = rows.of(networks).find((one) => one.model === model);
    if (row === undefined) return;
    row.show(readingOf(each), label);
    extraIn(row.extra).show(each, eps, [
      gradientWords(each, choices, zeroEntry(each.from)),
      alarmWords(each, alarmThreshold(model), alarmEntry(model), choices, eps),
    ]);
  }

  /** @param {AttackWish} wish */
  function showAll({ eps, choices }) {
    const chosen = store.get()?.model;
    const first = found.find(({ model }) => model === chosen) ?? found[0];
    if (first !== undefined) pair.show(first, eps);
    say(shown, first === undefined ? "" : `Attacked for ${first.model.title}.`);
    showLegend(legend, changeScale(eps), { unit: "added to a pixel" });
    const told = found.map((each) => attackWords(each, choices, eps));
    const none = "No network that takes part has a gradient.";
    say(words, told.length === 0 ? none : told.join("\n"));
  }

  function showCurves() {
    const state = store.get();
    if (state === null) return;
    const { eps, choices } = state;
    for (const { model, extra } of rows.of(state.networks)) {
      const own = isKnown(state)
        ? known?.curves.find((each) => each.model === model)
        : null;
      const { curve } = extraIn(extra);
      curve.show(curveData(model, state, choices, own ?? null));
      curve.mark(eps);
    }
  }
}

/**
 * What one row shows besides its reading.
 * @param {HTMLElement} root filled
 * @param {(eps: number) => void} choose
 */
function mountExtra(root, choose) {
  const pictures = document.createElement("div");
  pictures.className = "attack-pair";
  const told = document.createElement("div");
  told.className = "fine attack-told";
  const [gradient, alarm] = [document.createElement("p"), document.createElement("p")];
  told.append(gradient, alarm);
  const top = document.createElement("div");
  top.className = "attack-top";
  top.append(pictures, told);
  const holder = document.createElement("div");
  holder.className = "attack-curve";
  const stepsHolder = document.createElement("div");
  stepsHolder.className = "attack-path";
  stepsHolder.hidden = true;
  root.append(top, stepsHolder, holder);
  const pair = mountPair(pictures);
  const steps = mountSteps(stepsHolder);
  return {
    curve: mountCurve(holder, choose),
    /**
     * @param {Attacked} found
     * @param {number} eps
     * @param {readonly [gradient: string, alarm: string]} words
     */
    show(found, eps, words) {
      pair.show(found, eps);
      steps.show(found, found.path, eps);
      say(gradient, words[0]);
      say(alarm, words[1]);
    },
  };
}

/**
 * @param {Model} model
 * @param {Pick<import("../../types.js").AppState, "source">} state
 * @param {Choices} choices
 * @param {Curve | null} own
 * @returns {import("../shared/curve.js").CurveData}
 */
function curveData(model, { source }, choices, own) {
  const { one } = scoreWords(model);
  const label = knownLabel(source, model);
  const measured = measuredAs(choices, model);
  return {
    axis: axisOf(KNOB),
    score:
      label === null
        ? `${one} of its own reading`
        : `${one} of ${model.class_names[label]}`,
    knobs: own?.knobs ?? sweepOf(choices),
    shares: own?.shares ?? null,
    test: measurementOf(model, measured),
    command: measured === null ? "" : measuringCommand(model, measured),
  };
}

/**
 * An attacked image's reading in the form that rows show.
 * @param {Attacked} found
 */
function readingOf({ model, attacked: { image, prediction, scores, drawn } }) {
  const side = Math.sqrt(image.length);
  const reconstruction = drawn && { shape: [side, side], data: drawn };
  return {
    model,
    trace: {
      ...{ model: model.id, pixels: toBytes(image), options: {}, prediction },
      tensors: {
        scores: { shape: [scores.length], data: scores },
        ...(reconstruction && { reconstruction }),
      },
    },
  };
}
