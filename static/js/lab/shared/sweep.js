/**
 * What experiments with knobs have in common: the changed image, the sliders, a verdict of
 * each network, one plot of all, and a sentence. The image follows every move; the sweep for
 * the plot is asked once the hand rests.
 * @import { LabServices, LabState, LabStore, Model, Pixels, Source } from "../../types.js"
 * @import { Candidate, Followed } from "./verdicts.js"
 * @import { Behind, Course } from "./courses.js"
 * @import { NamesOf, Reading, Sweep } from "./ask.js"
 * @import { Change } from "../../lib/changing.js"
 * @import { Knob, Settings } from "./knobs.js"
 * @import { Content } from "../../ui/h.js"
 * @import { Watched } from "../../ui/panel.js"
 */
import { toldScenes } from "../../core/scenes.js";
import { scoreText, scoreWords } from "../../core/scores.js";
import { knownLabels } from "../../core/state.js";
import { changedPixels } from "../../lib/changing.js";
import { capitalized, counted } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { inkOf, isColour } from "../../lib/pixels.js";
import { throttle } from "../../lib/timing.js";
import { findElement, setText } from "../../ui/dom.js";
import { fill } from "../../ui/h.js";
import { valuesTable } from "../../ui/values.js";
import { answerAtRest, newestAnswer, readBy, sweepBy, sweepOfChanges } from "./ask.js";
import { plotOf } from "./courses.js";
import { areRead, placeIn, scoresOver, withReading, withValue } from "./insertion.js";
import { atStart, axisOf, knobsFor, sliders } from "./knobs.js";
import {
  aboutNetworks,
  candidatesIn,
  changedDigit,
  mountVerdicts,
} from "./verdicts.js";
import { courseWords, measurementOf, shortNames } from "./words.js";

/** The slice of such an experiment: the knob of the curves, and where all stand. @typedef {{ knob: string, settings: Settings }} SweepSlice */

/** Turns knobs; the curves are drawn over `knob`. @typedef {(patch: Settings, knob: string) => void} Turn */

/**
 * @typedef {object} NowWish
 * @property {Pixels} pixels
 * @property {Source} source
 * @property {readonly Model[]} networks
 * @property {Settings} settings
 */

/** @typedef {NowWish & { knob: Knob }} SweepWish */

/**
 * @typedef {object} Swept
 * @property {readonly Pixels[]} images one for each of the knob's values, where they are
 *   others than the image on show
 * @property {readonly Sweep[]} sweeps one for each network
 */

/**
 * The least time between two pictures while the networks still read the one before: with
 * one in every frame, a slow processor would leave the networks a third less of its time.
 */
const GAP_MS = 30;

/** The newest answer to a sweep, and what it was asked for. @typedef {{ answer: Swept, wish: SweepWish }} Known */

/** What an experiment knows when it draws. @typedef {Omit<LabState<SweepSlice>, "knob"> & SweepWish} SweepState */

/** What panels are drawn from. @typedef {SweepState & { known: Known | null }} SweepScene */

/**
 * How answers are drawn and told.
 * @typedef {object} Telling
 * @property {(state: SweepState) => { score: string, rightWords?: string }} names what lines
 *   show, and what is marked below the axis
 * @property {(sweep: Sweep, state: SweepState) => Pick<Course, "scores" | "isRight">} course
 *   of a network, the knob's own image among the others
 * @property {Behind} [behind] what of the test set is shown
 * @property {(state: SweepState) => Followed} wanted the classes whose scores are
 *   followed; null for none
 * @property {(model: Model, state: SweepState, known: Known | null) => { remark?: Content, drawn?: Content }} more
 *   what a verdict says besides
 * @property {(taken: KnownSweeps, state: SweepState) => Content} words what the sweep tells
 */

/**
 * A sweep, and where it is of the image on show, what the networks read where the knob stands.
 * @typedef {object} KnownSweeps
 * @property {readonly number[]} knobs ascending
 * @property {readonly Sweep[]} sweeps one for each network
 */

/**
 * @typedef {object} Options
 * @property {readonly Knob[]} knobs
 * @property {(settings: Settings) => Change} [changeOf] of the image on show
 * @property {(wish: NowWish) => Pixels} [imageOf] another image in its place
 * @property {(canvas: HTMLCanvasElement, wish: NowWish) => void} [paint] what is shown of it
 * @property {(wish: NowWish) => Source} [sourceOf] what Explore is to know of it
 * @property {string} [title] what the changed image is called
 * @property {NamesOf} [namesOf] tensors of each image of a sweep besides scores
 * @property {(swept: Swept, wish: SweepWish) => Promise<void>} [study] ask what else is told
 *   of a sweep, before it is shown
 * @property {(state: SweepState) => boolean} [isKnown] whether the classes that are wanted are
 *   right; without it, where the image has a label
 * @property {(model: Model) => boolean} [suits] whether it can ask a network; all when absent
 * @property {Telling} [telling] other than the scores of the class in focus
 */

/**
 * @param {HTMLElement} root @param {LabStore<SweepSlice>} store
 * @param {LabServices} services @param {Options} options
 * @returns {{ picture: HTMLElement, change: Turn, drag: Turn, scenes: Watched<SweepScene> }}
 *   where the changed digit is; how to turn several knobs at once, by one step, or by a hand
 *   that drags; and what is known, for panels
 */
export function mountSweep(root, store, services, options) {
  const { knobs, title = "The changed image", telling = OF_ONE_CLASS } = options;
  const isKnown =
    options.isKnown ?? (({ source, model }) => knownLabels(source, model) !== null);
  const imageOf = imageMaker(options);
  /** @type {Pixels | null} */
  let changed = null;
  /** What networks read, and of what. @type {Read} */
  let read = { wish: null, readings: [] };
  const [picture, words, verdicts, holder, reset, heading, drawn, about] = [
    ...["changed", "words", "verdicts", "knobs", "reset", "score", "plot", "about"],
  ].map((name) => findElement(root, `[data-${name}]`));
  const digit = changedDigit(picture, title);
  /** @type {ReturnType<typeof toldScenes<SweepScene>>} */
  const { watch, tell } = toldScenes();

  const atRest = atStart(knobs.filter(({ isOfInk }) => isOfInk));
  const withoutInk = memoize((/** @type {Settings} */ settings) => ({
    ...settings,
    ...atRest,
  }));

  const showVerdicts = mountVerdicts(verdicts, {
    open(model) {
      const wish = wishNow();
      if (changed === null || wish === null) return;
      services.openInExplore(model, changed, options.sourceOf?.(wish));
    },
    switchNetwork: services.switchNetwork,
  });
  const reader = newestAnswer(
    services,
    (/** @type {NowWish & { image: Pixels }} */ { image, networks }) =>
      readBy(services.server, networks, image),
    (readings, wish) => {
      read = { wish, readings };
      draw();
    },
    (isBehind) => root.classList.toggle("is-behind", isBehind),
  );
  const curves = answerAtRest(services, {
    wish: wishNow,
    isSame: isSameSweep,
    show: draw,
    ask: (/** @type {SweepWish} */ wish) => sweepOver(services, options, wish),
  });
  const { change, drag } = createTurns(store, reader.isBusy);
  /** @type {Parameters<typeof sliders>[3]} */
  const does = {
    turn: ({ id }, value) => drag({ [id]: value }, id),
    choose: ({ id }) => store.set({ knob: id }),
  };
  /** @param {(knob: string) => Settings} patchOf */
  function turnChosen(patchOf) {
    const chosen = wishNow()?.knob.id;
    if (chosen !== undefined) change(patchOf(chosen), chosen);
  }
  const goTo = (/** @type {number} */ value) => turnChosen((id) => ({ [id]: value }));
  reset.addEventListener("click", () => turnChosen(() => atStart(knobs)));

  function wishNow() {
    const state = store.get();
    return state && { ...state, ...usedIn(state) };
  }
  /**
   * The knob of the curves, and where all stand: those that cannot change the image rest.
   * @param {{ pixels: Pixels, settings: Settings, knob: string }} state
   */
  function usedIn({ pixels, settings, knob: id }) {
    const usable = knobsFor(knobs, pixels);
    const knob = usable.find((candidate) => candidate.id === id) ?? usable[0];
    return {
      usable,
      knob,
      settings: isColour(pixels) ? withoutInk(settings) : settings,
    };
  }

  function draw() {
    const state = wishNow();
    if (state === null) return;
    const { networks, knob, settings, pixels } = state;
    const known = curves.known();
    // What the last sweep tells is dimmed while its images were changed otherwise.
    root.classList.toggle(
      "is-stale",
      known !== null && !isSameSweep(state, known.wish),
    );
    root.classList.toggle("is-unswept", known !== null && known.wish.pixels !== pixels);
    const followed = telling.wanted(state);
    const all = candidatesIn(state, options.suits);
    showVerdicts(all, (model) => ({
      trace: read.readings.find((reading) => reading.model === model)?.trace,
      followed,
      isKnown: isKnown({ ...state, model }),
      isUnread: read.wish !== null && read.wish.pixels !== pixels,
      ...telling.more(model, state, known),
    }));
    const { score, rightWords } = telling.names(state);
    const sweeps = takenIn(known, read, state);
    setText(heading, capitalized(score));
    fill(
      drawn,
      plotOf(
        {
          axis: axisOf(knob),
          score,
          rightWords,
          networks: coursesIn(all, state, sweeps, telling),
          behind: telling.behind,
          isAsked: curves.isAsked(),
        },
        settings[knob.id],
        goTo,
      ),
    );
    fill(about, aboutNetworks(all));
    if (known?.wish.networks === networks && known.wish.knob === knob)
      fill(words, telling.words(sweeps, state));
    tell({ ...state, known });
  }

  store.watch(["pixels", "source", "networks", "settings", "knob"], (state) => {
    const { pixels, source, networks } = state;
    const { usable, knob, settings } = usedIn(state);
    fill(holder, sliders(usable, settings, knob.id, does));
    // The digit follows the hand at once; the networks read as fast as they can.
    const wish = { pixels, source, networks, settings };
    changed = imageOf(wish);
    if (options.paint) options.paint(digit.canvas, wish);
    else digit.show(changed, options.imageOf === undefined ? pixels : changed);
    reader.ask({ ...wish, image: changed });
    curves.ask();
  });
  store.watch(["pixels", "source", "networks", "settings", "knob", "followed"], draw);

  return { picture, change, drag, scenes: { watch } };
}

/** The scores of the class in focus. @type {Telling} */
const OF_ONE_CLASS = {
  names({ followed, model }) {
    if (followed === null) return { score: "highest score" };
    const name = model.class_names[followed];
    return { score: `score of ${name}`, rightWords: `read as ${name}` };
  },
  course: (sweep, { followed }) => ({
    scores: scoresOver(sweep, followed),
    isRight: followed === null ? [] : areRead(sweep, followed),
  }),
  wanted: ({ followed }) => followed,
  more: () => ({}),
  words({ knobs, sweeps }, { model, knob, followed }) {
    if (followed === null) return "";
    if (sweeps.length === 0) return "No network takes part.";
    const courses = sweeps.map((sweep) =>
      courseWords(knob, knobs, {
        isRead: areRead(sweep, followed),
        scores: scoresOver(sweep, followed),
        text: (score) => scoreText(score, sweep.model.scores),
      }),
    );
    return valuesTable({
      look: "values lab-told",
      of: `${knob.title}: network`,
      names: shortNames(sweeps.map((sweep) => sweep.model)),
      columns: [
        [
          `reads ${model.class_names[followed]}, of ${counted(knobs.length, "value")} asked`,
          courses.map(([reads]) => reads),
        ],
        ["least score of these", courses.map(([, least]) => least)],
        ["of its kind", sweeps.map((sweep) => scoreWords(sweep.model).one)],
      ],
    });
  },
};

/**
 * How knobs are turned: by one step at once, by a hand that drags as often as the networks
 * can bear.
 * @param {LabStore<SweepSlice>} store
 * @param {() => boolean} isBusy whether networks are reading
 * @returns {{ change: Turn, drag: Turn }}
 */
function createTurns(store, isBusy) {
  /** @type {Turn} */
  function set(patch, knob) {
    const state = store.get();
    if (state !== null) store.set({ knob, settings: { ...state.settings, ...patch } });
  }
  const dragging = throttle(({ patch, knob }) => set(patch, knob), {
    isBusy,
    gap_ms: GAP_MS,
  });
  return {
    change(patch, knob) {
      dragging.forget();
      set(patch, knob);
    },
    drag: (patch, knob) => dragging.ask({ patch, knob }),
  };
}

/**
 * Ask every network about a knob's values, all others as they stand.
 * @param {LabServices} services @param {Options} options @param {SweepWish} wish
 * @returns {Promise<Swept>}
 */
async function sweepOver({ server }, options, wish) {
  const { networks, settings, knob, pixels } = wish;
  const { imageOf, changeOf = () => ({}), namesOf } = options;
  const all = knob.sweep.map((value) => ({ ...settings, [knob.id]: value }));
  const images = imageOf ? all.map((settings) => imageOf({ ...wish, settings })) : [];
  const sweeps = imageOf
    ? await sweepBy(server, networks, images.map(inkOf), namesOf)
    : await sweepOfChanges(server, networks, pixels, all.map(changeOf), namesOf);
  const swept = { images, sweeps };
  await options.study?.(swept, wish);
  return swept;
}

/**
 * How an experiment makes its image.
 * @param {Options} options
 * @returns {(wish: NowWish) => Pixels}
 */
function imageMaker({ changeOf = () => ({}), imageOf }) {
  return (
    imageOf ?? (({ pixels, settings }) => changedPixels(pixels, changeOf(settings)))
  );
}

/** What networks read of an image, and what it was made of; null before the first answer. @typedef {{ wish: NowWish | null, readings: readonly Reading[] }} Read */

/**
 * The newest sweep over the knob, with what the networks read where it stands, if both are of
 * what is on show.
 * @param {Known | null} known @param {Read} read @param {SweepState} state
 * @returns {KnownSweeps}
 */
function takenIn(known, { wish, readings }, state) {
  const { knob, settings, networks, pixels } = state;
  const sweeps = known?.wish.knob === knob ? known.answer.sweeps : [];
  const isOfBoth =
    known !== null &&
    wish !== null &&
    isSameSweep(state, known.wish) &&
    wish.pixels === pixels &&
    wish.networks === networks &&
    Object.entries(wish.settings).every(([id, value]) => settings[id] === value);
  if (!isOfBoth) return { knobs: knob.sweep, sweeps };
  const value = settings[knob.id];
  const index = placeIn(knob.sweep, value);
  return {
    knobs: withValue(knob.sweep, index, value),
    sweeps: sweeps.map((sweep, i) => withReading(sweep, index, readings[i])),
  };
}

/**
 * Networks that take part, over the knob.
 * @param {readonly Candidate[]} all @param {SweepState} state
 * @param {KnownSweeps} taken @param {Telling} telling
 * @returns {Course[]}
 */
function coursesIn(all, state, { knobs, sweeps }, telling) {
  return all
    .filter(({ isOn }) => isOn)
    .map(({ model, name, color }) => {
      const sweep = sweeps.find((candidate) => candidate.model === model);
      const course = sweep && telling.course(sweep, state);
      return {
        name,
        color,
        knobs,
        kind: model.scores,
        ...(course ?? { scores: null, isRight: [] }),
        test: measurementOf(model, state.knob.measured),
      };
    });
}

/**
 * Whether two sweeps are of the same images and networks: wherever their own knob stands.
 * @param {SweepWish} a @param {SweepWish} b
 */
function isSameSweep(a, b) {
  return (
    a.pixels === b.pixels &&
    a.networks === b.networks &&
    a.knob === b.knob &&
    Object.keys(a.settings).every(
      (id) => id === a.knob.id || a.settings[id] === b.settings[id],
    )
  );
}
