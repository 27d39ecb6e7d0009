/**
 * Attack as it is drawn: the attacked digit, what was added to it, and in each network's row
 * its reading, its alarm and its curve over ε. Every attack stands beside random noise of
 * the same ε.
 * @import { LabServices, LabStore, Model } from "../../types.js"
 * @import { Attacked, AttackWish, Curve } from "./ask.js"
 * @import { AttackSlice, Choices } from "./experiment.js"
 * @import { CurvesState } from "./pictures.js"
 */

import { presentIn } from "../../core/scores.js";
import { shapeOf, toPixels } from "../../lib/pixels.js";
import { debounce } from "../../lib/timing.js";
import { findElement, setText } from "../../ui/dom.js";
import { showLegend } from "../../ui/pictures.js";
import { newestAlone } from "../shared/ask.js";
import { mountKnobs } from "../shared/knobs.js";
import { mountRows } from "../shared/rows.js";
import { errorsOf, noRocWords, rocOf, rocWords } from "./alarm.js";
import { attackable, attackedNow, attackedOver } from "./ask.js";
import {
  alarmEntry,
  alarmThreshold,
  mountMenus,
  mountStop,
  zeroEntry,
} from "./controls.js";
import { KNOB, sweepOf, takesSteps, withOtherGradient } from "./experiment.js";
import {
  bothTold,
  changeScale,
  curveData,
  hasBoth,
  mountExtra,
  mountPair,
} from "./pictures.js";
import { alarmWords, attackWords, gradientWords } from "./words.js";

const REST_MS = 250;

/** An answer, and what it was asked for. @typedef {{ curves: readonly Curve[], wish: AttackWish }} Curves */

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
  let isAttacking = false;
  const stop = mountStop(findElement(root, "[data-stop]"), { end: endAll, begin });

  const rows = mountRows(findElement(root, "[data-rows]"), (model) => {
    const own = found.find((each) => each.model === model);
    if (own !== undefined) services.openInExplore(model, imageOf(own));
  });
  const setEps = (/** @type {number} */ eps) => store.set({ eps });
  const sliders = mountKnobs(findElement(root, "[data-knobs]"), [KNOB], {
    turn: (_knob, eps) => setEps(eps),
    choose: () => {},
  });
  const menus = mountMenus(
    findElement(root, "[data-menus]"),
    (patch) => {
      const state = store.get();
      if (state !== null) store.set({ choices: { ...state.choices, ...patch } });
    },
    (both) => store.set({ both }),
  );
  /** @type {WeakMap<HTMLElement, ReturnType<typeof mountExtra>>} */
  const extras = new WeakMap();
  /** @param {HTMLElement} extra */
  function extraIn(extra) {
    const made = extras.get(extra) ?? mountExtra(extra, setEps);
    extras.set(extra, made);
    return made;
  }

  const now = newestAlone(
    services,
    async (/** @type {AttackWish} */ wish) => {
      isAttacking = true;
      try {
        return await stop.whileUnderWay(attackedNow(server, wish, telling(wish)));
      } finally {
        isAttacking = false;
        askCurves(); // which waited, so as not to slow this down
      }
    },
    (answer, wish) => {
      if (!isWanted(wish)) return;
      found = answer;
      for (const { element } of rows.of(wish.networks))
        element.classList.remove("is-awaited");
      showAll(wish);
    },
    (before) => !isWanted(before),
  );
  /**
   * Show each network as soon as it is done, and how many are.
   * @param {AttackWish} wish
   */
  function telling(wish) {
    let done = 0;
    return (/** @type {Attacked} */ one) => {
      if (!isWanted(wish)) return;
      done += 1;
      showOne(one, wish);
      const all = attackable(wish).length;
      setText(shown, `Computing the attack: ${done} of ${all} networks done …`);
    };
  }
  const curves = createCurves(services, stop, showCurves);
  const askCurves = debounce(() => {
    const state = store.get();
    if (state === null || isAttacking || stop.isStopped()) return;
    curves.ask(state);
  }, REST_MS);

  store.watch(["pixels", "source", "networks", "eps", "choices"], (state) => {
    sliders.show({ eps: state.eps }, KNOB.id);
    for (const { element } of rows.of(state.networks))
      element.classList.add("is-awaited");
    begin();
  });
  store.watch(["source", "networks", "eps", "choices", "both"], (state) => {
    menus.show(state.networks, state.choices, state.both);
    showCurves();
  });
  store.watch(["pixels", "source", "networks", "choices", "both"], askCurves);
  stop.whenLeft(store);

  function begin() {
    const state = store.get();
    if (state === null) return;
    stop.start(takesSteps(state.choices.method));
    setText(shown, "Computing the attack …");
    now.ask(state);
  }
  function endAll() {
    for (const each of [now, curves]) each.end();
    setText(shown, "Stopped.");
  }

  /**
   * Whether an answer is still worth showing. Answers of FGSM and noise, which are
   * quick, are shown for another ε as well, so that the picture follows the hand.
   * @param {AttackWish} wish
   */
  function isWanted({ pixels, networks, eps, choices }) {
    const state = store.get();
    return (
      state !== null &&
      state.pixels === pixels &&
      state.networks === networks &&
      (state.eps === eps || !takesSteps(choices.method)) &&
      state.choices === choices
    );
  }

  /** @param {Attacked} each @param {AttackWish} wish */
  function showOne(each, { networks, eps, choices }) {
    const { model, label } = each;
    const row = rows.of(networks).find((one) => one.model === model);
    if (row === undefined) return;
    row.show(readingOf(each), label);
    row.element.classList.remove("is-awaited");
    showAttacked(extraIn(row.extra), each, choices, eps);
  }

  /** @param {AttackWish} wish */
  function showAll({ eps, choices }) {
    const chosen = store.get()?.model;
    const first = found.find(({ model }) => model === chosen) ?? found[0];
    if (first !== undefined) pair.show(first, eps);
    setText(shown, first === undefined ? "" : `Attacked for ${first.model.title}.`);
    showLegend(legend, changeScale(eps), { unit: "added to a pixel" });
    const told = found.map((each) => attackWords(each, choices, eps));
    const none = "No network that takes part has a gradient.";
    setText(words, told.length === 0 ? none : told.join("\n"));
  }

  function showCurves() {
    const state = store.get();
    if (state === null) return;
    for (const { model, extra } of rows.of(state.networks)) {
      const [own, other] = curves.of(model, state);
      const { curve, tellBoth } = extraIn(extra);
      curve.show(curveData(model, state, own, other));
      curve.mark(state.eps);
      tellBoth(bothTold(model, state, own, other));
    }
  }
}

/**
 * Ask for the curves over ε: of the chosen gradient, and of the other one where both are
 * on show.
 * @param {LabServices} services
 * @param {ReturnType<typeof mountStop>} stop
 * @param {() => void} show
 */
function createCurves(services, stop, show) {
  /** Of the chosen gradient. @type {Curves | null} */
  let known = null;
  /** Of the other one. @type {Curves | null} */
  let others = null;
  /**
   * @param {(wish: AttackWish) => Promise<Curve[]>} ask
   * @param {(found: Curves) => void} keep
   */
  const asking = (ask, keep) =>
    newestAlone(
      services,
      (/** @type {AttackWish} */ wish) => stop.whileUnderWay(ask(wish)),
      (curves, wish) => {
        keep({ curves, wish });
        show();
      },
      () => true,
    );
  const chosen = asking(
    (wish) => attackedOver(services.server, wish, sweepOf(wish.choices)),
    (found) => {
      known = found;
    },
  );
  const other = asking(
    (wish) => {
      const choices = withOtherGradient(wish.choices);
      const routes = (/** @type {Model} */ from) => from.can.route;
      const turned = { ...wish, choices };
      return attackedOver(services.server, turned, sweepOf(choices), routes);
    },
    (found) => {
      others = found;
    },
  );

  return {
    /** @param {CurvesState & AttackWish} state */
    ask(state) {
      if (!isOf(known, state)) chosen.ask(state);
      const needsOther = state.networks.some((model) => hasBoth(model, state));
      if (needsOther && !isOf(others, state)) other.ask(state);
    },

    end() {
      chosen.end();
      other.end();
    },

    /**
     * @param {Model} model
     * @param {AttackWish} state
     * @returns {(Curve | null)[]} of the chosen gradient and of the other, as far as known
     */
    of: (model, state) =>
      [known, others].map(
        (each) =>
          (isOf(each, state) && each?.curves.find((one) => one.model === model)) ||
          null,
      ),
  };
}

/**
 * What one row shows besides its reading.
 * @param {ReturnType<typeof mountExtra>} extra
 * @param {Attacked} attacked
 * @param {Choices} choices
 * @param {number} eps
 */
function showAttacked(extra, attacked, choices, eps) {
  const { model, from } = attacked;
  const [entry, threshold] = [alarmEntry(model), alarmThreshold(model)];
  extra.show(attacked, eps, [
    gradientWords(attacked, choices, zeroEntry(from)),
    alarmWords(attacked, threshold, entry, choices, eps),
  ]);
  const roc = rocOf(entry, attacked, choices, eps);
  const words = roc === null ? noRocWords(entry, attacked, eps) : rocWords(roc, eps);
  extra.alarm.show(errorsOf(attacked), threshold, roc, words);
}

/**
 * Whether curves are of what is on show; ε does not matter to them.
 * @param {Curves | null} curves
 * @param {AttackWish} wish
 */
function isOf(curves, { pixels, source, networks, choices }) {
  return (
    curves !== null &&
    curves.wish.pixels === pixels &&
    curves.wish.source === source &&
    curves.wish.networks === networks &&
    curves.wish.choices === choices
  );
}

/** @param {Attacked} found */
function imageOf({ model, attacked }) {
  return toPixels(attacked.image, shapeOf(model));
}

/**
 * An attacked image's reading in the form that rows show.
 * @param {Attacked} found
 */
function readingOf(found) {
  const { model, attacked } = found;
  const { prediction, scores, drawn } = attacked;
  const reconstruction = drawn && { shape: model.input_shape, data: drawn };
  return {
    model,
    trace: {
      ...{ model: model.id, pixels: imageOf(found), options: {} },
      ...{ prediction, present: presentIn(scores, model) },
      tensors: {
        scores: { shape: [scores.length], data: scores },
        ...(reconstruction && { reconstruction }),
      },
    },
  };
}
