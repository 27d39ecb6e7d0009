/**
 * Attack as it is drawn: the attacked digit, what was added to it, and in each network's row
 * its reading, its alarm and its curve over ε. Every attack stands beside random noise of
 * the same ε.
 * @import { LabMount, LabServices, LabStore, Model } from "../../types.js"
 * @import { AttackWish, Attacked, Curve, Progress } from "./ask.js"
 * @import { AttackSlice, Choices } from "./experiment.js"
 * @import { CurvesState } from "./pictures.js"
 */

import { presentIn } from "../../core/scores.js";
import { isColour, shapeOf, toPixels } from "../../lib/pixels.js";
import { debounce } from "../../lib/timing.js";
import { findElement, make, setText } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { MEAN, showLegend } from "../../ui/pictures.js";
import { newestAlone } from "../shared/ask.js";
import { curve } from "../shared/curve.js";
import { mountKnobs } from "../shared/knobs.js";
import { mountRows } from "../shared/rows.js";
import { alarm, errorsOf, noRocWords, rocOf, rocWords } from "./alarm.js";
import { attackable, attackedNow, attackedOver } from "./ask.js";
import {
  alarmEntry,
  alarmThreshold,
  mountMenus,
  mountStop,
  zeroEntry,
} from "./controls.js";
import {
  hasTwoGradients,
  KNOB,
  sweepOf,
  takesSteps,
  withOtherGradient,
} from "./experiment.js";
import {
  bothTold,
  changeScale,
  curveData,
  foundIn,
  hasBoth,
  pair,
} from "./pictures.js";
import { alarmWords, attackWords, foundWords, gradientWords } from "./words.js";

const REST_MS = 250;

/**
 * An answer, what it was asked for, and whether all of it is there.
 * @typedef {{ curves: readonly Curve[], wish: AttackWish, isWhole: boolean }} Curves
 */

/** @type {LabMount<AttackSlice>} */
export function mount(root, store, services) {
  const results = mountResults(root, store, services);
  const stop = mountStop(findElement(root, "[data-stop]"), { end: endAll, begin });
  const attack = createAttack(services, store, stop, results, () => askCurves());
  const curves = createCurves(services, stop, {
    show: showCurves,
    tellProgress: results.sayOfCurves,
  });
  const askCurves = debounce(() => {
    const state = store.get();
    if (state === null || attack.isUnderWay() || stop.isStopped()) return;
    curves.ask(state);
  }, REST_MS);
  const sliders = mountKnobs(findElement(root, "[data-knobs]"), [KNOB], {
    turn: (_knob, eps) => store.set({ eps }),
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

  store.watch(["pixels", "source", "networks", "eps", "choices"], (state) => {
    sliders.show({ eps: state.eps }, KNOB.id);
    results.await(state.networks);
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
    results.say("Computing the attack …");
    attack.ask(state);
  }
  function endAll() {
    for (const each of [attack, curves]) each.end();
    results.say("Stopped.");
  }
  function showCurves() {
    const state = store.get();
    if (state !== null) results.showCurves(state, curves);
  }
}

/**
 * Attack every network; each is shown as soon as it is done.
 * @param {LabServices} services @param {LabStore<AttackSlice>} store
 * @param {ReturnType<typeof mountStop>} stop
 * @param {ReturnType<typeof mountResults>} results
 * @param {() => void} rest called when no attack is under way any more
 */
function createAttack(services, store, stop, results, rest) {
  let isUnderWay = false;
  const isStillWanted = (/** @type {AttackWish} */ wish) => isWanted(store.get(), wish);

  /** @param {AttackWish} wish */
  function showing(wish) {
    let done = 0;
    return (/** @type {Attacked} */ one) => {
      if (!isStillWanted(wish)) return;
      done += 1;
      results.showOne(one, wish);
      const all = attackable(wish).length;
      results.say(`Computing the attack: ${done} of ${all} networks done …`);
    };
  }
  const newest = newestAlone(
    services,
    async (/** @type {AttackWish} */ wish) => {
      isUnderWay = true;
      try {
        const attacks = attackedNow(services.server, wish, showing(wish));
        return await stop.whileUnderWay(attacks);
      } finally {
        isUnderWay = false;
        rest(); // what waited, so as not to slow this down
      }
    },
    (found, wish) => {
      if (isStillWanted(wish)) results.showAll(found, wish);
    },
    (before) => !isStillWanted(before),
  );
  return { ...newest, isUnderWay: () => isUnderWay };
}

/**
 * Whether an answer is still worth showing. Answers of FGSM and noise, which are
 * quick, are shown for another ε as well, so that the picture follows the hand.
 * @param {AttackWish | null} state @param {AttackWish} wish
 */
function isWanted(state, { pixels, networks, eps, choices }) {
  return (
    state !== null &&
    state.pixels === pixels &&
    state.networks === networks &&
    (state.eps === eps || !takesSteps(choices.method)) &&
    state.choices === choices
  );
}

/**
 * The attacked digit and what was added to it, a row for each network, and words.
 * @param {HTMLElement} root @param {LabStore<AttackSlice>} store
 * @param {LabServices} services
 */
function mountResults(root, store, services) {
  const words = findElement(root, "[data-words]");
  const changed = findElement(root, "[data-changed]");
  const legend = findElement(root, "[data-legend]");
  const shown = findElement(root, "[data-shown]");
  const progress = findElement(root, "[data-progress]");
  /** @type {readonly Attacked[]} */
  let found = [];
  const rows = mountRows(
    findElement(root, "[data-rows]"),
    (model) => {
      const own = found.find((each) => each.model === model);
      if (own !== undefined) services.openInExplore(model, imageOf(own));
    },
    makeExtra,
  );

  return {
    /** @param {readonly Model[]} networks which are being attacked */
    await(networks) {
      for (const { element } of rows.of(networks)) element.classList.add("is-awaited");
    },

    say: (/** @type {string} */ text) => setText(shown, text),
    sayOfCurves: (/** @type {string} */ text) => setText(progress, text),

    /** @param {Attacked} each @param {AttackWish} wish */
    showOne(each, { networks, eps, choices }) {
      const row = rows.of(networks).find(({ model }) => model === each.model);
      if (row === undefined) return;
      row.show(readingOf(each), each.label);
      row.element.classList.remove("is-awaited");
      showAttacked(row.extra.found, each, choices, eps);
    },

    /** @param {readonly Attacked[]} all @param {AttackWish} wish */
    showAll(all, { networks, eps, choices }) {
      found = all;
      for (const { element } of rows.of(networks))
        element.classList.remove("is-awaited");
      const chosen = store.get()?.model;
      const first = found.find(({ model }) => model === chosen) ?? found[0];
      if (first !== undefined) fill(changed, pair(first, eps));
      setText(shown, first === undefined ? "" : `Attacked for ${first.model.title}.`);
      const isMean = found.some(({ model }) => isColour(shapeOf(model)));
      const unit = `added to a pixel${isMean ? MEAN : ""}`;
      showLegend(legend, changeScale(eps), { unit });
      const told = found.map((each) => attackWords(each, choices, eps));
      const none = "No network that takes part has a gradient.";
      setText(words, told.length === 0 ? none : told.join("\n"));
    },

    /** @param {CurvesState & AttackWish} state @param {ReturnType<typeof createCurves>} curves */
    showCurves(state, curves) {
      for (const { model, extra } of rows.of(state.networks)) {
        const [own, other] = curves.of(model, state);
        const data = curveData(model, state, own, other);
        const told = bothTold(model, state, own, other);
        fill(
          extra.curve,
          curve(data, state.eps, (eps) => store.set({ eps })),
          told && h("p", { class: "fine attack-both" }, told),
        );
      }
    },
  };
}

/**
 * Ask for the curves over ε: of the chosen gradient, and of the other one where both are
 * on show. Each is shown as soon as it is there.
 * @param {LabServices} services @param {ReturnType<typeof mountStop>} stop
 * @param {object} hooks
 * @param {() => void} hooks.show
 * @param {(words: string) => void} hooks.tellProgress
 */
function createCurves(services, stop, { show, tellProgress }) {
  /** Of the chosen gradient. @type {Curves | null} */
  let known = null;
  /** Of the other one. @type {Curves | null} */
  let others = null;
  /**
   * @param {(wish: AttackWish, tell: (progress: Progress) => void) => Promise<Curve[]>} ask
   * @param {(found: Curves) => void} keep
   */
  const asking = (ask, keep) =>
    newestAlone(
      services,
      async (/** @type {AttackWish & { signal: AbortSignal }} */ wish) => {
        const asked = ask(wish, ({ curves, done, parts }) => {
          if (wish.signal.aborted) return;
          tellProgress(`Curves over ε: ${done} of ${parts} parts done …`);
          keep({ curves, wish, isWhole: false });
          show();
        });
        try {
          return await stop.whileUnderWay(asked);
        } finally {
          tellProgress("");
        }
      },
      (curves, wish) => {
        keep({ curves, wish, isWhole: true });
        show();
      },
      () => true,
    );
  const chosen = asking(
    (wish, tell) => attackedOver(services.server, wish, sweepOf(wish.choices), tell),
    (found) => {
      known = found;
    },
  );
  const other = asking(
    (wish, tell) => {
      const choices = withOtherGradient(wish.choices);
      const turned = { ...wish, choices };
      return attackedOver(
        services.server,
        turned,
        sweepOf(choices),
        tell,
        hasTwoGradients,
      );
    },
    (found) => {
      others = found;
    },
  );
  const isWhole = (
    /** @type {Curves | null} */ curves,
    /** @type {AttackWish} */ state,
  ) => isOf(curves, state) && curves?.isWhole === true;

  return {
    /** @param {CurvesState & AttackWish} state */
    ask(state) {
      if (!isWhole(known, state)) chosen.ask(state);
      const needsOther = state.networks.some((model) => hasBoth(model, state));
      if (needsOther && !isWhole(others, state)) other.ask(state);
    },

    end() {
      chosen.end();
      other.end();
    },

    /**
     * @param {Model} model @param {AttackWish} state
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
 * Where a row shows what was found, and its curve.
 * @param {HTMLElement} room filled
 */
function makeExtra(room) {
  const [found, curve] = ["found", "curve"].map((each) =>
    make("div", `attack-${each}`),
  );
  room.append(found, curve);
  return { found, curve };
}

/**
 * @param {HTMLElement} place @param {Attacked} attacked
 * @param {Choices} choices @param {number} eps
 */
function showAttacked(place, attacked, choices, eps) {
  const { model, from } = attacked;
  const [entry, threshold] = [alarmEntry(model), alarmThreshold(model)];
  const roc = rocOf(entry, attacked, choices, eps);
  const words = roc === null ? noRocWords(entry, attacked, eps) : rocWords(roc, eps);
  const errors = errorsOf(attacked);
  const told = /** @type {const} */ ([
    foundWords(attacked, threshold),
    gradientWords(attacked, choices, zeroEntry(from)),
    alarmWords(attacked, threshold, entry, choices, eps),
  ]);
  fill(
    place,
    foundIn(attacked, eps, told, errors && alarm(errors, threshold, roc, words)),
  );
}

/**
 * Whether curves are of what is on show; ε does not matter to them.
 * @param {Curves | null} curves @param {AttackWish} wish
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

/** An attacked image's reading in the form that rows show. @param {Attacked} found */
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
