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
import { attackWords, gradientWords, noiseWords, sparedWords } from "./words.js";

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
  const [knobs, choosing] = ["[data-knobs]", "[data-menus]"].map((selector) =>
    findElement(root, selector),
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
      for (const request of [attack, curves]) request.end();
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
  function reportTo(wish) {
    let done = 0;
    return (/** @type {Attacked} */ result) => {
      if (!isStillWanted(wish)) return;
      done += 1;
      results.showOne(result, wish);
      const all = attackable(wish).length;
      results.say(`Computing the attack: ${done} of ${all} networks done …`);
    };
  }
  return newestAlone(
    services,
    async (/** @type {AttackWish} */ wish) => {
      try {
        return await attackedNow(services.server, wish, reportTo(wish));
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
  const [words, changed, added, legend, status, progress, steps] = [
    ...["words", "changed", "added", "legend", "shown", "progress", "steps"],
  ].map((name) => findElement(root, `[data-${name}]`));
  const [verdicts, heading, drawn, about] = [
    ...["verdicts", "score", "plot", "about"],
  ].map((name) => findElement(root, `[data-${name}]`));
  /** What is shown of attacks, and what was asked for. @type {Map<Model, { one: Attacked, trace: Trace, wish: AttackWish }>} */
  const shownOf = new Map();
  /** Of which image all is told. @type {Pixels | null} */
  let pixelsTold = null;
  /** Those that are being attacked. @type {Set<Model>} */
  let awaited = new Set();
  const showVerdicts = mountVerdicts(verdicts, {
    open(model) {
      const attack = shownOf.get(model)?.one;
      if (attack) services.openInExplore(model, imageOf(attack));
    },
    switchNetwork: services.switchNetwork,
  });

  function draw() {
    const state = store.get();
    if (state === null) return;
    const all = candidatesIn(state);
    root.classList.toggle(
      "is-unswept",
      pixelsTold !== null && pixelsTold !== state.pixels,
    );
    showVerdicts(all, (model) => {
      const { one: attack, trace, wish } = shownOf.get(model) ?? {};
      return {
        isUnread: wish !== undefined && wish.pixels !== state.pixels,
        trace,
        followed: attack?.label ?? null,
        isKnown: attack !== undefined && !attack.isOwn,
        isAwaited: awaited.has(model),
        ...(attack && { remark: noiseWords(attack), drawn: attackedPicture(attack) }),
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

    say: (/** @type {string} */ text) => setText(status, text),
    sayOfCurves: (/** @type {string} */ text) => setText(progress, text),

    /** @param {Attacked} attack @param {AttackWish} wish */
    showOne(attack, wish) {
      awaited.delete(attack.model);
      shownOf.set(attack.model, { one: attack, trace: traceOf(attack), wish });
      draw();
    },

    /** @param {readonly Attacked[]} all @param {AttackWish} wish */
    showAll(all, { eps, choices, pixels, networks }) {
      awaited = new Set();
      pixelsTold = pixels;
      draw();
      const chosen = store.get()?.model;
      const first = all.find(({ model }) => model === chosen) ?? all[0];
      if (first !== undefined) {
        fill(changed, attackedPicture(first));
        fill(added, addedPicture(first, eps));
      }
      fill(steps, first?.path && stepsOf(first, first.path, eps));
      setText(status, first === undefined ? "" : `Attacked for ${first.model.title}.`);
      const isMean = all.some(({ model }) => isColour(shapeOf(model)));
      const unit = `added to a pixel${isMean ? MEAN : ""}`;
      showLegend(legend, changeScale(eps), { unit });
      const sentences = all.map((attack) =>
        [
          attackWords(attack, choices, eps),
          gradientWords(attack, zeroEntry(attack.model)),
        ]
          .filter(Boolean)
          .join(" "),
      );
      setText(words, [...sentences, ...sparedWords(networks)].join("\n"));
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
  /** @param {Curves} curves */
  function keep(curves) {
    known = curves;
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
    } finally {
      isAsked = false;
      tellProgress("");
      show();
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
      (isOf(known, wish) && known?.curves.find((curve) => curve.model === model)) ||
      null,
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
 * @param {AttackWish} state @param {{ one: Attacked, wish: AttackWish } | undefined} attack
 */
function attackedIn({ pixels, source, choices }, attack) {
  if (attack === undefined) return null;
  const { one, wish } = attack;
  const isOfThis =
    wish.pixels === pixels && wish.source === source && wish.choices === choices;
  return isOfThis ? { one, eps: wish.eps } : null;
}

/** @param {Attacked} attack */
function imageOf({ model, attacked }) {
  return toPixels(attacked.image, shapeOf(model));
}

/** What a network reads in an attacked image. @param {Attacked} attack @returns {Trace} */
function traceOf(attack) {
  const { model, attacked } = attack;
  const { prediction, scores, drawn } = attacked;
  const reconstruction = drawn && { shape: model.input_shape, data: drawn };
  return {
    model: model.id,
    pixels: imageOf(attack),
    options: {},
    prediction,
    present: saidOf(scores, model).named,
    tensors: {
      scores: { shape: [scores.length], data: scores },
      ...(reconstruction && { reconstruction }),
    },
  };
}
