/**
 * Jumbled parts as they are drawn: the pieces under the hand, what they make, and what every
 * network reads in it.
 * @import { LabServices, LabStore, Model, Pixels } from "../../types.js"
 * @import { Reading, Sweep } from "../shared/ask.js"
 * @import { Assembled, Move } from "./arrangement.js"
 * @import { CutName } from "./presets.js"
 * @import { PartsSlice } from "./experiment.js"
 * @import { Verdict } from "./words.js"
 */

import { SCORES } from "../../core/scores.js";
import { differenceOf, meanSquare } from "../../lib/arithmetic.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { inkOf, samePixels, toPixels } from "../../lib/pixels.js";
import { debounce } from "../../lib/timing.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, make, setText } from "../../ui/dom.js";
import { newestAnswer, readBy, sweepBy } from "../shared/ask.js";
import { changedDigit, mountRows } from "../shared/rows.js";
import { measurementOf } from "../shared/words.js";
import { assembled, encodeMoves, isStill } from "./arrangement.js";
import { mountTileCurve, tileSweep, winnersOver } from "./curve.js";
import { CUTS, cutOf, movesIn, presets, shuffled } from "./presets.js";
import { mountPair, mountStage } from "./stage.js";
import { arrangementWords, verdictWords } from "./words.js";

/** How long a hand must rest before curves are asked for, in milliseconds. */
const REST_MS = 120;

/**
 * The digit as it is cut and arranged.
 * @typedef {object} Arranged
 * @property {import("./cut.js").Cut} cut
 * @property {Move[]} moves
 * @property {Assembled} made
 * @property {Pixels} pixels of the arrangement
 */

/** @typedef {{ pixels: Pixels, networks: readonly Model[], changed: Pixels }} Wish */

/** @typedef {Pick<Wish, "pixels" | "networks">} SweepWish */

/** @typedef {{ whole: readonly Reading[], jumbled: readonly Reading[] }} Answer */

/** The newest answer, and what it was asked for. @typedef {{ answer: Answer, wish: Wish }} Known */

/**
 * @param {HTMLElement} root
 * @param {LabStore<PartsSlice>} store
 * @param {LabServices} services
 */
export function mount(root, store, services) {
  const picture = findElement(root, "[data-changed]");
  const digit = changedDigit(picture, "The digit with its pieces as they are now");
  const sentences = findElement(root, "[data-words]");
  const inkWords = findElement(root, "[data-ink]");
  const cuts = findElement(root, "[data-cuts]");
  const rows = mountRows(findElement(root, "[data-rows]"), (model) => {
    const now = arrangedNow();
    if (now !== null) services.openInExplore(model, now.pixels);
  });
  const extraOf = memoizeByObject(
    (/** @type {HTMLElement} */ extra) => extra,
    (extra) => makeExtra(extra, choose),
  );
  /** @type {Known | null} */
  let known = null;

  const arrange = memoize(arranged);
  function arrangedNow() {
    const state = store.get();
    return state === null ? null : arrange(state.pixels, state.cut, state.parts);
  }

  /** @param {readonly Move[]} moves @param {Partial<PartsSlice>} [patch] */
  function place(moves, patch = {}) {
    const now = arrangedNow();
    if (now !== null) store.set({ ...patch, parts: encodeMoves(moves, now.cut) });
  }
  const stage = mountStage(
    picture,
    findElement(root, "[data-piece]"),
    {
      put(piece, move) {
        const now = arrangedNow();
        if (now !== null) place(now.moves.with(piece, move), { piece });
      },
      choose: (piece) => store.set({ piece }),
    },
    "lab-parts-keys",
  );
  listenToChoices(cuts, (value) => {
    const cut = CUTS.find((each) => each === value);
    if (cut !== undefined) store.set({ cut, parts: "", piece: 0 });
  });
  presets(root, { get: store.get, set: store.set, arranged: arrangedNow });

  const reader = createReader(services, (answer, wish) => {
    known = { answer, wish };
    rows.show(answer.jumbled, store.get()?.followed ?? null);
    tell();
  });
  const sweeper = createSweeper(services, store, showCurves);

  store.watch(["pixels", "networks", "cut", "parts"], (state) => {
    const { pixels, networks, cut, parts } = state;
    const arrangement = arrange(pixels, cut, parts);
    digit.show(arrangement.pixels, pixels);
    pressChoice(cuts, cut);
    setText(inkWords, arrangementWords(arrangement.moves, arrangement.made));
    reader.ask({ pixels, networks, changed: arrangement.pixels });
  });
  store.watch(["pixels", "cut", "parts", "piece"], ({ pixels, cut, parts, piece }) => {
    const arrangement = arrange(pixels, cut, parts);
    stage.show(arrangement.cut, arrangement.moves, piece);
  });
  store.watch(["pixels", "networks"], sweeper.ask);
  store.watch(["networks", "cut", "parts", "pixels"], showCurves);
  store.watch(["followed"], ({ followed }) => {
    if (known !== null) rows.show(known.answer.jumbled, followed);
  });

  /** @param {number} across tiles in a row, from 1 */
  function choose(across) {
    const state = store.get();
    if (state === null) return;
    if (across === 1) return store.set({ parts: "", piece: 0 });
    const cut = /** @type {CutName} */ (String(across));
    const moves = shuffled(cutOf(state.pixels, cut), 0);
    place(moves, { cut, piece: 0 });
  }

  function showCurves() {
    const state = store.get();
    if (state === null) return;
    const { networks, pixels, cut, parts } = state;
    const isMoved = arrange(pixels, cut, parts).moves.some((move) => !isStill(move));
    for (const { model, extra } of rows.of(networks)) {
      const at = isMoved ? (cut === "strokes" ? null : Number(cut)) : 1;
      extraOf(extra).curve.show(model, sweeper.winnersOf(model, pixels), at);
    }
  }

  function tell() {
    const state = store.get();
    if (state === null || known === null) return;
    const { answer, wish } = known;
    if (wish.networks !== state.networks || wish.pixels !== state.pixels) return;
    const verdicts = answer.whole.map((whole, i) =>
      verdictOf(whole, answer.jumbled[i], wish),
    );
    rows.of(state.networks).forEach(({ extra }, i) => {
      extraOf(extra).pair.show(verdicts[i]);
    });
    const isMoved = !samePixels(wish.pixels, wish.changed);
    sentences.replaceChildren(
      ...verdictWords(verdicts, isMoved).map((sentence) => make("p", "", sentence)),
    );
  }
}

/**
 * Ask every network about the whole digit, once, and about the jumbled one.
 * @param {LabServices} services
 * @param {(answer: Answer, wish: Wish) => void} show
 */
function createReader(services, show) {
  const { server } = services;
  /** @type {Known | null} */
  let known = null;
  return newestAnswer(
    services,
    async (/** @type {Wish} */ { pixels, networks, changed }) => {
      const before = known?.wish;
      const isSame = before?.pixels === pixels && before.networks === networks;
      const whole =
        isSame && known !== null
          ? known.answer.whole
          : await readBy(server, networks, pixels);
      const jumbled = samePixels(changed, pixels)
        ? whole
        : await readBy(server, networks, changed);
      return { whole, jumbled };
    },
    (answer, wish) => {
      known = { answer, wish };
      show(answer, wish);
    },
  );
}

/**
 * Ask every network about shuffled tiles, for the curves, once the hand rests.
 * @param {LabServices} services
 * @param {LabStore<PartsSlice>} store
 * @param {() => void} show
 */
function createSweeper(services, store, show) {
  /** @type {{ sweeps: readonly Sweep[], wish: SweepWish } | null} */
  let swept = null;
  const sweep = newestAnswer(
    services,
    (/** @type {SweepWish} */ { pixels, networks }) =>
      sweepBy(services.server, networks, tileSweep(pixels)),
    (sweeps, wish) => {
      swept = { sweeps, wish };
      show();
    },
  );
  return {
    ask: debounce(() => {
      const state = store.get();
      if (state === null) return;
      const { pixels, networks } = state;
      const isSame = swept?.wish.pixels === pixels && swept.wish.networks === networks;
      if (!isSame) sweep.ask({ pixels, networks });
    }, REST_MS),

    /** @param {Model} model @param {Pixels} pixels */
    winnersOf(model, pixels) {
      const own = swept?.wish.pixels === pixels ? swept.sweeps : [];
      const found = own.find((each) => each.model === model);
      return found ? winnersOver(found.tensors[SCORES]) : null;
    },
  };
}

/**
 * What one row shows besides its reading.
 * @param {HTMLElement} extra filled
 * @param {(across: number) => void} choose
 */
function makeExtra(extra, choose) {
  const [pair, curve] = [make("div", "parts-pair"), make("div", "parts-curve")];
  extra.append(pair, curve);
  return { pair: mountPair(pair), curve: mountTileCurve(curve, choose) };
}

/**
 * @param {Pixels} pixels
 * @param {CutName} name
 * @param {string} text where the pieces are
 * @returns {Arranged}
 */
function arranged(pixels, name, text) {
  const cut = cutOf(pixels, name);
  const moves = movesIn(cut, text);
  const made = assembled(inkOf(pixels), cut, moves);
  return { cut, moves, made, pixels: toPixels(made.ink, pixels) };
}

/**
 * @param {Reading} whole
 * @param {Reading} jumbled of the same model
 * @param {Wish} wish
 * @returns {Verdict}
 */
function verdictOf(whole, jumbled, { pixels, changed }) {
  const { model } = whole;
  const of = (/** @type {Reading} */ { trace: { prediction, tensors } }) => ({
    read: model.class_names[prediction],
    score: tensors[SCORES]?.data[prediction] ?? 0,
  });
  const drawn = [whole, jumbled].map(({ trace }) => trace.tensors.reconstruction);
  const errors = drawn.map((image, i) =>
    image === undefined
      ? null
      : meanSquare(differenceOf(image.data, inkOf([pixels, changed][i]))),
  );
  return {
    name: model.title,
    kind: model.scores,
    whole: of(whole),
    jumbled: of(jumbled),
    passing: measurementOf(model, "tiles")?.passing_score ?? null,
    errors:
      errors[0] === null || errors[1] === null
        ? null
        : { whole: errors[0], jumbled: errors[1] },
  };
}
