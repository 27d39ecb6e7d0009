/**
 * Two digits as it is drawn: both in their colours, the second to be dragged; for each network
 * what both capsules draw and the share of ink given right, and over the shift the score of
 * the digit that it sees less of.
 * @import { Sweep } from "../shared/ask.js"
 * @import { NowWish, SweepSlice, Telling, Turn } from "../shared/sweep.js"
 * @import { Claims } from "./ink.js"
 * @import { Said } from "../../core/scores.js"
 * @import { ImageShape, Laid, LabMount, LabServices, Model, Pixels } from "../../types.js"
 */
import { pairSource } from "../../core/links/pairs.js";
import { pairIn } from "../../core/pair.js";
import { readsWords, SCORES, scoreText, scoreWords } from "../../core/scores.js";
import { readsPairs } from "../../core/state.js";
import { selector } from "../../core/store.js";
import { clamp, nearestTo, ranked, rowsOf } from "../../lib/arithmetic.js";
import { listed, percent } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { apart, merged } from "../../lib/overlap.js";
import { ownOf } from "../../lib/own.js";
import { inkOf, shapeOf } from "../../lib/pixels.js";
import { paintOwners } from "../../paint/pictures.js";
import { listenToDrag } from "../../ui/controls.js";
import { findCanvas } from "../../ui/dom.js";
import { keepCodes } from "../pose/paths.js";
import { sweepBy } from "../shared/ask.js";
import { scoresOver } from "../shared/insertion.js";
import { mountSweep } from "../shared/sweep.js";
import { measurementOf } from "../shared/words.js";
import { claimParts } from "./claims.js";
import { answersIn, claimsIn, decodeAnswers } from "./ink.js";
import { KNOBS, laidOut } from "./knobs.js";
import { courseWords, digitsWords, testWords } from "./words.js";

/** What the two digits are made from. @typedef {Pick<NowWish, "pixels" | "source" | "settings">} Wish */

/**
 * The two digits, wherever the knobs lay them.
 * @typedef {object} Facts
 * @property {(wish: Wish) => [Laid, Laid]} digitsIn
 * @property {(wish: Wish) => Pixels[]} aloneIn each on the canvas
 * @property {(wish: Wish) => (number | null)[]} labelsIn null where nobody knows it
 * @property {(wish: Wish) => (Said | null)[]} saidIn what the chosen network says of what has
 *   no label; null of others
 * @property {(model: Model, wish: Wish) => Promise<void>} learn read what has no label
 */

/** What answers claim along a sweep, of networks that draw. @typedef {WeakMap<Sweep, Claims[]>} AllClaims */

const readers = memoizeByObject(
  (/** @type {readonly Model[]} */ networks) => networks,
  (networks) => networks.filter(readsPairs),
);

/** @param {{ model: Model, samples: readonly unknown[] }} state */
const hasPairs = ({ model, samples }) => readsPairs(model) && samples.length > 0;

/** @type {LabMount<SweepSlice>} */
export function mount(root, page, services) {
  const readerStore = selector(page, (state) =>
    hasPairs(state) ? { ...state, networks: readers(state.networks) } : null,
  );
  const store = { ...readerStore, set: page.set };
  const facts = createFacts(readerStore.shown, services);
  const { codes, namesOf } = keepCodes(services);
  /** @type {AllClaims} */
  const claims = new WeakMap();

  /** @param {Sweep} sweep @param {Wish & { knob: { id: string, sweep: readonly number[] } }} wish */
  async function decode(sweep, { knob, ...wish }) {
    const code = codes.get(sweep.model) ?? null;
    if (!sweep.model.can.reconstruct || !code?.isPose) return;
    const answers = answersIn(sweep, code);
    const drawn = await decodeAnswers(services.server, sweep.model, answers);
    const labels = facts.labelsIn(wish);
    const truths = knob.sweep.map((value) => {
      const settings = { ...wish.settings, [knob.id]: value };
      return { labels, alone: facts.aloneIn({ ...wish, settings }).map(inkOf) };
    });
    claims.set(sweep, claimsIn(answers, drawn, truths));
  }

  let isMounted = false;
  store.watch(["model"], () => {
    if (isMounted) return;
    isMounted = true;
    const { picture, drag } = mountSweep(root, store, services, {
      isKnown: (state) => facts.digitsIn(state).every(({ label }) => label !== null),
      suits: readsPairs,
      knobs: KNOBS,
      namesOf,
      title: "Both digits on one canvas",
      imageOf: (wish) => merged(facts.aloneIn(wish)),
      sourceOf: (wish) => pairSource(facts.digitsIn(wish)),
      paint(canvas, wish) {
        const alone = facts.aloneIn(wish);
        paintOwners(canvas, alone.map(inkOf), alone[0]);
      },
      async study({ sweeps }, wish) {
        const model = readerStore.shown()?.model;
        if (model !== undefined) await facts.learn(model, wish);
        await Promise.all(sweeps.map((sweep) => decode(sweep, wish)));
      },
      telling: tellingOf(facts, claims),
    });
    listenToMoves(findCanvas(picture, "canvas"), store.get, drag);
  });
}

/**
 * @param {() => { model: Model, samples: import("../../types.js").LabState<SweepSlice>["samples"] } | null} get
 * @param {LabServices} services
 * @returns {Facts}
 */
function createFacts(get, { server }) {
  const pairOf = memoize(pairIn);
  /** What networks say of digits without labels, by their ids. @type {WeakMap<Pixels, Record<string, Said>>} */
  const reads = new WeakMap();

  function now() {
    const state = get();
    if (state === null) throw new Error("no network that reads two digits is chosen");
    return state;
  }
  /** @param {Wish} wish @returns {[Laid, Laid]} */
  function digitsIn({ pixels, source, settings }) {
    const { model, samples } = now();
    return laidOut(pairOf(pixels, source, model, samples), settings);
  }
  /** @param {Laid} digit @returns {Said | null} */
  const saidOfIt = ({ label, pixels }) =>
    (label === null ? ownOf(reads.get(pixels) ?? {}, now().model.id) : null) ?? null;
  /** @param {Wish} wish */
  const aloneIn = (wish) => apart(digitsIn(wish), shapeOf(now().model));

  return {
    digitsIn,
    aloneIn,
    labelsIn: (wish) =>
      digitsIn(wish).map((digit) => digit.label ?? saidOfIt(digit)?.order[0] ?? null),
    saidIn: (wish) => digitsIn(wish).map(saidOfIt),
    async learn(model, wish) {
      const unknown = digitsIn(wish).filter(
        ({ label, pixels }) =>
          label === null && ownOf(reads.get(pixels) ?? {}, model.id) === undefined,
      );
      if (unknown.length === 0) return;
      const images = apart(unknown, shapeOf(model)).map(inkOf);
      const [{ readings: said }] = await sweepBy(server, [model], images);
      unknown.forEach(({ pixels }, i) => {
        reads.set(pixels, { ...reads.get(pixels), [model.id]: said[i] });
      });
    },
  };
}

/** @param {Facts} facts @param {AllClaims} claims @returns {Telling} */
function tellingOf(facts, claims) {
  return {
    names(state) {
      const names = namesIn(facts.labelsIn(state), state.model);
      return {
        score: `lower score of ${listed(names)}`,
        rightWords: "both have the highest scores",
      };
    },

    course(sweep, state) {
      const labels = facts.labelsIn(state);
      if (labels.some((label) => label === null)) return { scores: null, isRight: [] };
      const classes = /** @type {number[]} */ (labels);
      const [first, second] = classes.map((classIndex) =>
        scoresOver(sweep, classIndex),
      );
      return {
        scores: first.map((score, i) => Math.min(score, second[i])),
        isRight: areRight(sweep, classes),
      };
    },

    behind: {
      title: (pairs) =>
        `share of ${pairs} test pairs whose digits have the highest scores`,
      of: ({ accuracy }) => accuracy,
      words: (share) => percent(share, 1),
    },

    more(model, { knob, settings }, known) {
      const sweep = known?.answer.sweeps.find((candidate) => candidate.model === model);
      const at = nearestTo(knob.sweep, settings[knob.id]);
      const isOfKnob = known !== null && known.wish.knob === knob;
      const claim = isOfKnob && sweep ? claims.get(sweep)?.[at] : undefined;
      return claim && known
        ? claimParts(model, claim, known.answer.images[at])
        : { drawn: model.can.reconstruct && claimParts(model, null, null).drawn };
    },

    wanted(state) {
      const labels = facts.labelsIn(state);
      return labels.every((label) => label !== null) ? labels : null;
    },

    words({ sweeps }, state) {
      const { model, knob } = state;
      const labels = facts.labelsIn(state);
      if (labels.some((label) => label === null)) return "";
      if (sweeps.length === 0) return "No network takes part.";
      const classes = /** @type {number[]} */ (labels);
      const names = classes.map((classIndex) => model.class_names[classIndex]);
      const readings = facts.saidIn(state);
      const digits = names.map((name, i) => {
        const reading = readings[i];
        return { name, reads: reading && readsWords(reading, model) };
      });
      const courses = sweeps.map((sweep) => ({
        name: sweep.model.title,
        one: scoreWords(sweep.model).one,
        text: (/** @type {number} */ score) => scoreText(score, sweep.model.scores),
        areRight: areRight(sweep, classes),
        scores: classes.map((classIndex) => scoresOver(sweep, classIndex)),
        ink: claims.get(sweep.original ?? sweep)?.map(({ share }) => share) ?? null,
      }));
      const tests = state.networks.map((network) => ({
        title: network.title,
        test: measurementOf(network, knob.measured),
      }));
      const elsewhere = KNOBS.filter(({ id }) => id !== knob.id);
      const others = elsewhere.map(({ id }) => state.settings[id]);
      return [
        digitsWords(digits, model.title),
        ...courses.map((course) => courseWords(knob, names, course)),
        testWords(knob, state.settings[knob.id], tests, others),
      ].join("\n");
    },
  };
}

/** @param {readonly (number | null)[]} labels @param {Model} model */
const namesIn = (labels, { class_names }) =>
  labels.map((label, i) =>
    label === null ? ["the first digit", "the second"][i] : class_names[label],
  );

/**
 * Whether two classes have the highest scores, in each image of a sweep.
 * @param {Pick<Sweep, "tensors">} sweep @param {readonly number[]} classes
 */
function areRight({ tensors }, classes) {
  return rowsOf(tensors[SCORES]).map((row) => {
    const best = ranked(row).slice(0, 2);
    return (
      best.every((classIndex) => classes.includes(classIndex)) &&
      classes[0] !== classes[1]
    );
  });
}

/**
 * Drag the second digit, by mouse or finger.
 * @param {HTMLCanvasElement} canvas
 * @param {() => { settings: import("../shared/knobs.js").Settings, knob: string, model: Model } | null} now
 * @param {Turn} drag
 */
function listenToMoves(canvas, now, drag) {
  canvas.classList.add("crossing-stage");
  listenToDrag(canvas, (event) => {
    const state = now();
    if (state === null) return null;
    const { settings } = state;
    const { rows, columns } = /** @type {ImageShape} */ (shapeOf(state.model));
    const box = canvas.getBoundingClientRect();
    return (move) => {
      const patch = {
        right: moveKnob(
          KNOBS[0],
          settings,
          (move.clientX - event.clientX) / box.width,
          columns,
        ),
        down: moveKnob(
          KNOBS[1],
          settings,
          (move.clientY - event.clientY) / box.height,
          rows,
        ),
      };
      const across = Math.abs(patch.right - settings.right);
      const along = Math.abs(patch.down - settings.down);
      if (across === along) return drag(patch, state.knob);
      drag(patch, across > along ? "right" : "down");
    };
  });
}

/**
 * @param {import("../shared/knobs.js").Knob} knob
 * @param {import("../shared/knobs.js").Settings} settings where it stood
 * @param {number} share of the canvas's side @param {number} side in pixels
 */
const moveKnob = ({ id, low, high }, settings, share, side) =>
  clamp(settings[id] + Math.round(share * side), low, high);
