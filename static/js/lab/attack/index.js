/**
 * Attack as it is drawn: the attacked image, what was added to it, a verdict of each network,
 * and one plot over ε. Every attack is compared with random noise of the same ε.
 * @import { LabMount, LabServices, LabStore, Model, Pixels, Trace } from "../../types.js"
 * @import { AttackWish, Attacked, Curve } from "./ask.js"
 * @import { AttackSlice } from "./experiment.js"
 */

import { saidOf } from "../../core/scores.js";
import { capitalized } from "../../lib/format.js";
import { isColour, shapeOf, toPixels } from "../../lib/pixels.js";
import { debounce } from "../../lib/timing.js";
import { findElement, setText } from "../../ui/dom.js";
import { fill } from "../../ui/h.js";
import { MEAN, showLegend } from "../../ui/pictures.js";
import { newestAlone } from "../shared/ask.js";
import { plotOf } from "../shared/courses.js";
import { sliders } from "../shared/knobs.js";
import { aboutNetworks, candidatesIn, mountVerdicts } from "../shared/verdicts.js";
import { attackable, attackedNow, attackedOver } from "./ask.js";
import { KNOB, sweepOf, takesSteps } from "./choices.js";
import { menus, zeroEntry } from "./controls.js";
import {
  addedPicture,
  attackedPicture,
  changeScale,
  coursesOver,
  stepsOf,
} from "./pictures.js";
import { attackWords, gradientWords, noiseWords, spared } from "./words.js";

const REST_MS = 250;

/**
 * An answer, what it was asked for, and whether all of it is there.
 * @typedef {{ curves: readonly Curve[], wish: AttackWish, isWhole: boolean }} Curves
 */

/** @type {LabMount<AttackSlice>} */
export function mount(root, store, services) {
  const curves = createCurves(services, {
    show: () => results.draw(),
    tellProgress: (words) => results.sayOfCurves(words),
  });
  const results = mountResults(root, store, services, curves);
  const attack = createAttack(services, store, results, () => askCurves());
  const askCurves = debounce(() => {
    const state = store.get();
    if (state === null || attack.isBusy()) return;
    curves.ask(state);
  }, REST_MS);
  const [knobs, choosing] = ["[data-knobs]", "[data-menus]"].map((each) =>
    findElement(root, each),
  );
  const turn = (/** @type {unknown} */ _, /** @type {number} */ eps) =>
    store.set({ eps });

  store.watch(["pixels", "source", "networks", "eps", "choices"], (state) => {
    fill(knobs, sliders([KNOB], { eps: state.eps }, KNOB.id, { turn }));
    results.await(state.networks);
    begin();
    fill(choosing, menus(state, store.set));
    results.draw();
  });
  store.watch(["pixels", "source", "networks", "choices"], askCurves);
  // What takes steps would keep the server busy for seconds after somebody has left.
  let wasLeft = false;
  store.subscribe(() => {
    const isOpen = store.get() !== null;
    if (!isOpen && (attack.isBusy() || curves.isBusy())) {
      wasLeft = true;
      for (const each of [attack, curves]) each.end();
    } else if (isOpen && wasLeft) {
      wasLeft = false;
      begin();
      askCurves();
    }
  });

  function begin() {
    const state = store.get();
    if (state === null) return;
    results.say("Computing the attack …");
    attack.ask(state);
  }
}

/**
 * Attack every network; each is shown as soon as it is done.
 * @param {LabServices} services @param {LabStore<AttackSlice>} store
 * @param {ReturnType<typeof mountResults>} results
 * @param {() => void} rest called when no attack is under way any more
 */
function createAttack(services, store, results, rest) {
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
  return newestAlone(
    services,
    async (/** @type {AttackWish} */ wish) => {
      try {
        return await attackedNow(services.server, wish, showing(wish));
      } finally {
        rest(); // what waited, so as not to slow this down
      }
    },
    (all, wish) => {
      if (isStillWanted(wish)) results.showAll(all, wish);
    },
    (before) => !isStillWanted(before),
  );
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
 * The attacked image and what was added to it, verdicts, the plot, and words.
 * @param {HTMLElement} root @param {LabStore<AttackSlice>} store
 * @param {LabServices} services @param {ReturnType<typeof createCurves>} curves
 */
function mountResults(root, store, services, curves) {
  const [words, changed, added, legend, shown, progress, steps] = [
    ...["words", "changed", "added", "legend", "shown", "progress", "steps"],
  ].map((each) => findElement(root, `[data-${each}]`));
  const [verdicts, heading, drawn, about] = [
    ...["verdicts", "score", "plot", "about"],
  ].map((each) => findElement(root, `[data-${each}]`));
  /** What is shown of attacks, and what was asked for. @type {Map<Model, { one: Attacked, trace: Trace, wish: AttackWish }>} */
  const shownOf = new Map();
  /** Of which image all is told. @type {Pixels | null} */
  let told = null;
  /** Those that are being attacked. @type {Set<Model>} */
  let awaited = new Set();
  const showVerdicts = mountVerdicts(verdicts, {
    open(model) {
      const one = shownOf.get(model)?.one;
      if (one) services.openInExplore(model, imageOf(one));
    },
    switchNetwork: services.switchNetwork,
  });

  function draw() {
    const state = store.get();
    if (state === null) return;
    const all = candidatesIn(state);
    root.classList.toggle("is-unswept", told !== null && told !== state.pixels);
    showVerdicts(all, (model) => {
      const { one, trace, wish } = shownOf.get(model) ?? {};
      return {
        isUnread: wish !== undefined && wish.pixels !== state.pixels,
        trace,
        followed: one?.label ?? null,
        isKnown: one !== undefined && !one.isOwn,
        isAwaited: awaited.has(model),
        ...(one && { told: noiseWords(one), drawn: attackedPicture(one) }),
      };
    });
    const courses = coursesOver(
      all,
      state,
      (model) => curves.of(model, state),
      (model) => attackedIn(state, shownOf.get(model)),
    );
    setText(heading, capitalized(courses.score));
    fill(drawn, plotOf({ ...courses, isAsked: curves.isAsked() }, state.eps, choose));
    fill(about, aboutNetworks(all));
  }

  const choose = (/** @type {number} */ eps) => store.set({ eps });

  return {
    draw,

    /** @param {readonly Model[]} networks which are being attacked */
    await(networks) {
      awaited = new Set(networks);
    },

    say: (/** @type {string} */ text) => setText(shown, text),
    sayOfCurves: (/** @type {string} */ text) => setText(progress, text),

    /** @param {Attacked} one @param {AttackWish} wish */
    showOne(one, wish) {
      awaited.delete(one.model);
      shownOf.set(one.model, { one, trace: traceOf(one), wish });
      draw();
    },

    /** @param {readonly Attacked[]} all @param {AttackWish} wish */
    showAll(all, { eps, choices, pixels, networks }) {
      awaited = new Set();
      told = pixels;
      draw();
      const chosen = store.get()?.model;
      const first = all.find(({ model }) => model === chosen) ?? all[0];
      if (first !== undefined) {
        fill(changed, attackedPicture(first));
        fill(added, addedPicture(first, eps));
      }
      fill(steps, first?.path && stepsOf(first, first.path, eps));
      setText(shown, first === undefined ? "" : `Attacked for ${first.model.title}.`);
      const isMean = all.some(({ model }) => isColour(shapeOf(model)));
      const unit = `added to a pixel${isMean ? MEAN : ""}`;
      showLegend(legend, changeScale(eps), { unit });
      const said = all.map((each) =>
        [attackWords(each, choices, eps), gradientWords(each, zeroEntry(each.model))]
          .filter(Boolean)
          .join(" "),
      );
      setText(words, [...said, ...spared(networks)].join("\n"));
    },
  };
}

/**
 * Ask for the curves over ε; each is shown as soon as it is there.
 * @param {LabServices} services
 * @param {object} hooks
 * @param {() => void} hooks.show
 * @param {(words: string) => void} hooks.tellProgress
 */
function createCurves(services, { show, tellProgress }) {
  /** @type {Curves | null} */
  let known = null;
  let isAsked = false;
  /** @param {Curves} found */
  function keep(found) {
    known = found;
    show();
  }
  /** @param {AttackWish & { signal: AbortSignal }} wish */
  async function ask(wish) {
    isAsked = true;
    show();
    try {
      return await attackedOver(
        services.server,
        wish,
        sweepOf(wish.choices),
        ({ curves, done, parts }) => {
          if (wish.signal.aborted) return;
          tellProgress(`Curves over ε: ${done} of ${parts} parts done …`);
          keep({ curves, wish, isWhole: false });
        },
      );
    } catch (error) {
      isAsked = false;
      show();
      throw error;
    } finally {
      isAsked = false;
      tellProgress("");
    }
  }
  const newest = newestAlone(
    services,
    ask,
    (curves, wish) => keep({ curves, wish, isWhole: true }),
    () => true,
  );

  return {
    /** @param {AttackWish} wish */
    ask(wish) {
      if (!isOf(known, wish) || !known?.isWhole) newest.ask(wish);
    },
    end: newest.end,
    isBusy: newest.isBusy,
    isAsked: () => isAsked,

    /** As far as known. @param {Model} model @param {AttackWish} wish */
    of: (model, wish) =>
      (isOf(known, wish) && known?.curves.find((one) => one.model === model)) || null,
  };
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

/**
 * An attack, if it is one of what is on show.
 * @param {AttackWish} state @param {{ one: Attacked, wish: AttackWish } | undefined} shown
 */
function attackedIn({ pixels, source, choices }, shown) {
  if (shown === undefined) return null;
  const { one, wish } = shown;
  const isOfThis =
    wish.pixels === pixels && wish.source === source && wish.choices === choices;
  return isOfThis ? { one, eps: wish.eps } : null;
}

/** @param {Attacked} one */
function imageOf({ model, attacked }) {
  return toPixels(attacked.image, shapeOf(model));
}

/** What a network reads in an attacked image. @param {Attacked} one @returns {Trace} */
function traceOf(one) {
  const { model, attacked } = one;
  const { prediction, scores, drawn } = attacked;
  const reconstruction = drawn && { shape: model.input_shape, data: drawn };
  return {
    model: model.id,
    pixels: imageOf(one),
    options: {},
    prediction,
    present: saidOf(scores, model).named,
    tensors: {
      scores: { shape: [scores.length], data: scores },
      ...(reconstruction && { reconstruction }),
    },
  };
}
