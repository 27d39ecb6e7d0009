/**
 * What experiments with knobs have in common: the changed digit, the sliders, a row and a
 * curve for each network, and a sentence. The digit follows every move; the sweep for the
 * curves is asked once the hand rests.
 * @import { LabServices, LabStore, Model, Pixels } from "../../types.js"
 * @import { NamesOf, Reading, Sweep } from "./ask.js"
 * @import { Change } from "./change.js"
 * @import { Knob, Settings } from "./knobs.js"
 */
import { SCORES, scoreWords } from "../../core/scores.js";
import { inkOf } from "../../lib/pixels.js";
import { debounce, throttle } from "../../lib/timing.js";
import { findElement, setText } from "../../ui/dom.js";
import { newestAnswer, readBy, sweepBy } from "./ask.js";
import { changedPixels } from "./change.js";
import { mountCurve } from "./curve.js";
import { atStart, axisOf, mountKnobs } from "./knobs.js";
import { changedDigit, mountRows } from "./rows.js";
import { measurementOf, measuringCommand, sweepWords, testWords } from "./words.js";

/** The slice of such an experiment: the knob of the curves, and where all stand. @typedef {{ knob: string, settings: Settings }} SweepSlice */

/** Turns knobs; the curves are drawn over `knob`. @typedef {(patch: Settings, knob: string) => void} Turn */

/**
 * @typedef {object} NowWish
 * @property {Pixels} pixels
 * @property {readonly Model[]} networks
 * @property {Settings} settings
 */

/** @typedef {NowWish & { knob: Knob }} SweepWish */

/**
 * @typedef {object} Swept
 * @property {readonly Pixels[]} images one for each of the knob's values
 * @property {readonly Sweep[]} sweeps one for each network
 */

/** How long a hand must rest before curves are asked for, in milliseconds. */
const REST_MS = 120;

/**
 * The least time between two pictures while the networks still read the one before: with
 * one in every frame, a slow processor would leave the networks a third less of its time.
 */
const GAP_MS = 30;

/**
 * @param {HTMLElement} root
 * @param {LabStore<SweepSlice>} store
 * @param {LabServices} services
 * @param {object} options
 * @param {readonly Knob[]} options.knobs
 * @param {(settings: Settings) => Change} options.changeOf
 * @param {NamesOf} [options.namesOf] tensors of each image of a sweep besides scores
 * @param {(swept: Swept, wish: SweepWish) => void} [options.onSweep]
 * @returns {{ picture: HTMLElement, change: Turn, drag: Turn }} where the changed digit
 *   is, and how to turn several knobs at once: by one step, or by a hand that drags
 */
export function mountSweep(root, store, services, options) {
  const { knobs, changeOf, namesOf, onSweep } = options;
  const { server } = services;
  /** @type {Pixels | null} */
  let changed = null;
  /** @type {readonly Reading[]} */
  let read = [];
  /** @type {{ swept: Swept, wish: SweepWish } | null} */
  let known = null;

  const picture = findElement(root, "[data-changed]");
  const digit = changedDigit(picture, "The changed digit");
  const words = findElement(root, "[data-words]");
  const test = findElement(root, "[data-test]");
  const rows = mountRows(findElement(root, "[data-rows]"), (model) => {
    if (changed !== null) services.openInExplore(model, changed);
  });
  /** @type {WeakMap<HTMLElement, ReturnType<typeof mountCurve>>} */
  const curves = new WeakMap();
  const sliders = mountKnobs(findElement(root, "[data-knobs]"), knobs, {
    turn: ({ id }, value) => drag({ [id]: value }, id),
    choose: ({ id }) => store.set({ knob: id }),
  });

  let isReading = false;
  const dragging = throttle(({ patch, knob }) => set(patch, knob), {
    isBusy: () => isReading,
    gap_ms: GAP_MS,
  });
  /** @type {Turn} */
  const drag = (patch, knob) => dragging.ask({ patch, knob });
  /** @type {Turn} */
  function change(patch, knob) {
    dragging.forget();
    set(patch, knob);
  }
  /** @type {Turn} */
  function set(patch, knob) {
    const state = store.get();
    if (state !== null) store.set({ knob, settings: { ...state.settings, ...patch } });
  }
  const knobOf = (/** @type {string} */ id) =>
    knobs.find((knob) => knob.id === id) ?? knobs[0];

  // The digit follows the hand at once; the networks read as fast as they can.
  /** @param {NowWish} state */
  function showChanged({ pixels, networks, settings }) {
    const image = changedPixels(pixels, changeOf(settings));
    changed = image;
    digit.show(image, pixels);
    reading.ask({ image, networks });
  }
  const reading = newestAnswer(
    services,
    async (/** @type {{ image: Pixels, networks: readonly Model[] }} */ wish) => {
      isReading = true;
      try {
        return await readBy(server, wish.networks, wish.image);
      } finally {
        isReading = false;
      }
    },
    (readings) => {
      read = readings;
      rows.show(readings, store.get()?.followed ?? null);
    },
  );
  const sweep = newestAnswer(
    services,
    async (/** @type {SweepWish} */ { pixels, networks, settings, knob }) => {
      const changes = knob.sweep.map((value) =>
        changeOf({ ...settings, [knob.id]: value }),
      );
      const images = changes.map((change) => changedPixels(pixels, change));
      const sweeps = await sweepBy(server, networks, images.map(inkOf), namesOf);
      return { images, sweeps };
    },
    (swept, wish) => {
      known = { swept, wish };
      showAge();
      showCurves();
      onSweep?.(swept, wish);
    },
  );
  const askSweep = debounce(() => {
    const state = store.get();
    if (state === null) return;
    const wish = { ...state, knob: knobOf(state.knob) };
    if (known === null || !isSameSweep(wish, known.wish)) sweep.ask(wish);
  }, REST_MS);

  store.watch(["pixels", "networks", "settings", "knob"], (state) => {
    const knob = knobOf(state.knob);
    sliders.show(state.settings, knob.id);
    for (const { extra } of rows.of(state.networks))
      curves.get(extra)?.mark(state.settings[knob.id]);
    showChanged(state);
    askSweep();
    showAge();
    showTest();
  });
  store.watch(["followed", "knob", "networks"], showCurves);
  store.watch(["followed"], ({ followed }) => rows.show(read, followed));

  /** Dim what the last sweep tells while it is of other images. */
  function showAge() {
    const state = store.get();
    if (state === null) return;
    const wish = { ...state, knob: knobOf(state.knob) };
    const isOld = known !== null && !isSameSweep(wish, known.wish);
    root.classList.toggle("is-stale", isOld);
  }

  function showTest() {
    const state = store.get();
    if (state === null) return;
    const knob = knobOf(state.knob);
    const networks = state.networks.map((model) => ({
      title: model.title,
      test: measurementOf(model, knob.measured),
    }));
    setText(test, testWords(knob, state.settings[knob.id], networks));
  }

  function showCurves() {
    const state = store.get();
    if (state === null) return;
    const knob = knobOf(state.knob);
    for (const { model, extra } of rows.of(state.networks)) {
      const curve =
        curves.get(extra) ??
        mountCurve(extra, (value) => {
          const chosen = store.get()?.knob;
          if (chosen !== undefined) change({ [chosen]: value }, chosen);
        });
      curves.set(extra, curve);
      curve.show(curveData(model, knob, state.followed));
      curve.mark(state.settings[knob.id]);
    }
    showWords();
  }

  /**
   * @param {Model} model
   * @param {Knob} knob
   * @param {number | null} followed
   */
  function curveData(model, knob, followed) {
    const own = known?.wish.knob === knob ? known.swept.sweeps : [];
    const found = own.find((each) => each.model === model);
    const { one } = scoreWords(model);
    return {
      axis: axisOf(knob),
      score: followed === null ? one : `${one} of ${model.class_names[followed]}`,
      knobs: knob.sweep,
      shares: found && followed !== null ? scoresOver(found, followed) : null,
      test: measurementOf(model, knob.measured),
      command: knob.measured === null ? "" : measuringCommand(model, knob.measured),
    };
  }

  function showWords() {
    const state = store.get();
    if (state === null || state.followed === null || known === null) return;
    const { followed } = state;
    const { swept, wish } = known;
    if (wish.networks !== state.networks || wish.knob !== knobOf(state.knob)) return;
    const courses = swept.sweeps.map((each) => ({
      name: each.model.title,
      one: scoreWords(each.model).one,
      predictions: each.predictions,
      scores: scoresOver(each, followed),
    }));
    const name = state.model.class_names[followed];
    setText(words, sweepWords(wish.knob, wish.knob.sweep, name, followed, courses));
  }

  findElement(root, "[data-reset]").addEventListener("click", () => {
    const chosen = store.get()?.knob;
    if (chosen !== undefined) change(atStart(knobs), chosen);
  });

  return { picture, change, drag };
}

/**
 * Scores of one class over a sweep.
 * @param {Sweep} sweep
 * @param {number} digit
 */
export function scoresOver({ tensors }, digit) {
  const { shape, data } = tensors[SCORES];
  return Array.from({ length: shape[0] }, (_, i) => data[i * shape[1] + digit]);
}

/**
 * Whether two sweeps are of the same images and networks: wherever their own knob stands.
 * @param {SweepWish} a
 * @param {SweepWish} b
 */
export function isSameSweep(a, b) {
  return (
    a.pixels === b.pixels &&
    a.networks === b.networks &&
    a.knob === b.knob &&
    Object.keys(a.settings).every(
      (id) => id === a.knob.id || a.settings[id] === b.settings[id],
    )
  );
}
