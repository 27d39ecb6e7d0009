/**
 * Jumbled parts as they are drawn: the pieces under the hand, what they make, and what every
 * network reads in it.
 * @import { LabMount, LabServices, LabStore, Model, Pixels } from "../../types.js"
 * @import { ChangeWish, Reading } from "../shared/ask.js"
 * @import { Assembled, Move } from "./arrangement.js"
 * @import { CutName } from "./presets.js"
 * @import { PartsSlice } from "./experiment.js"
 * @import { Verdict } from "./words.js"
 */

import { readsWords, SCORES, saidOf, scoresOf } from "../../core/scores.js";
import { knownLabel } from "../../core/state.js";
import { memoize } from "../../lib/memoize.js";
import { inkOf, samePixels, toPixels } from "../../lib/pixels.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { answerAtRest, newestAnswer, pairReader, sweepBy } from "../shared/ask.js";
import { plotOf } from "../shared/courses.js";
import {
  aboutNetworks,
  candidatesIn,
  changedDigit,
  mountVerdicts,
} from "../shared/verdicts.js";
import { measurementOf } from "../shared/words.js";
import { assemble, encodeMoves } from "./arrangement.js";
import {
  placeOnPlot,
  shuffleOf,
  tileCourses,
  tileSweep,
  winnersOver,
} from "./curve.js";
import { CUTS, cutOf, movesIn, presets } from "./presets.js";
import { mountStage } from "./stage.js";
import { arrangementWords, verdictWords, wholeWords } from "./words.js";

/**
 * The digit as it is cut and arranged.
 * @typedef {object} Arranged
 * @property {import("./cut.js").Cut} cut
 * @property {Move[]} moves
 * @property {Assembled} image
 * @property {Pixels} pixels of the arrangement
 */

/** What every network reads. @typedef {{ before: readonly Reading[], after: readonly Reading[] }} Answer */

/** @type {LabMount<PartsSlice>} */
export function mount(root, store, services) {
  const picture = findElement(root, "[data-changed]");
  const digit = changedDigit(picture, "The image with its pieces as they are now");
  const inkWords = findElement(root, "[data-ink]");
  const arranging = mountArranging(root, picture, store);
  const answers = mountAnswers(root, store, services, arranging);
  const read = pairReader(services.server);
  const { ask } = newestAnswer(services, read, answers.show, (isBehind) => {
    root.classList.toggle("is-behind", isBehind);
  });

  store.watch(["pixels", "networks", "cut", "parts"], (state) => {
    const { pixels, networks } = state;
    const { pixels: changed, moves, image } = arranging.of(state);
    digit.show(changed, pixels);
    setText(inkWords, arrangementWords(moves, image));
    ask({ pixels, networks, changed });
  });
}

/**
 * Cut the digit and arrange its pieces: by hand, by keys and by buttons.
 * @param {HTMLElement} root
 * @param {HTMLElement} picture where they are moved by hand
 * @param {LabStore<PartsSlice>} store
 */
function mountArranging(root, picture, store) {
  const cuts = findElement(root, "[data-cuts]");
  const arrange = memoize(arrangeImage);
  /** @param {Pick<PartsSlice, "cut" | "parts"> & { pixels: Pixels }} state */
  const arrangedIn = ({ pixels, cut, parts }) => arrange(pixels, cut, parts);
  function now() {
    const state = store.get();
    return state && arrangedIn(state);
  }

  /** @param {readonly Move[]} moves @param {Partial<PartsSlice>} patch */
  function arrangeAs(moves, patch) {
    const arrangement = now();
    if (arrangement !== null)
      store.set({ ...patch, parts: encodeMoves(moves, arrangement.cut) });
  }
  const stage = mountStage(
    picture,
    findElement(root, "[data-piece]"),
    {
      put(piece, move) {
        const arrangement = now();
        if (arrangement !== null)
          arrangeAs(arrangement.moves.with(piece, move), { piece });
      },
      choose: (piece) => store.set({ piece }),
    },
    "lab-parts-keys",
  );
  listenToChoices(cuts, (value) => {
    const cut = CUTS.find((name) => name === value);
    if (cut !== undefined) store.set({ cut, parts: "", piece: 0 });
  });
  presets(root, { get: store.get, set: store.set, arranged: now });
  store.watch(["pixels", "cut", "parts", "piece"], (state) => {
    const { cut, moves } = arrangedIn(state);
    pressChoice(cuts, state.cut);
    stage(cut, moves, state.piece);
  });

  return {
    now,
    of: arrangedIn,

    /** @param {number} across tiles in a row, from 1 */
    shuffle(across) {
      const state = store.get();
      if (state === null) return;
      if (across === 1) return store.set({ parts: "", piece: 0 });
      const cut = /** @type {CutName} */ (String(across));
      arrangeAs(shuffleOf(cutOf(state.pixels, cut)), { cut, piece: 0 });
    },
  };
}

/**
 * What every network reads in the pieces: a verdict of each, the plot, and words.
 * @param {HTMLElement} root @param {LabStore<PartsSlice>} store
 * @param {LabServices} services @param {ReturnType<typeof mountArranging>} arranging
 */
function mountAnswers(root, store, services, arranging) {
  const [sentences, verdicts, heading, drawn, about] = [
    ...["words", "verdicts", "score", "plot", "about"],
  ].map((name) => findElement(root, `[data-${name}]`));
  setText(heading, "Highest score, shuffled");
  const showVerdicts = mountVerdicts(verdicts, {
    open(model) {
      const now = arranging.now();
      if (now !== null) services.openInExplore(model, now.pixels);
    },
    switchNetwork: services.switchNetwork,
  });
  /** The newest answer, and what it tells. @type {{ pixels: Pixels, after: readonly Reading[], verdicts: Verdict[] } | null} */
  let known = null;
  /** @type {readonly string[]} */
  let verdictSentences = [];
  // Of shuffled tiles, for the plot.
  const swept = answerAtRest(services, {
    wish: store.get,
    show: draw,
    ask: (
      /** @type {Pick<ChangeWish, "pixels" | "networks">} */ { pixels, networks },
    ) => sweepBy(services.server, networks, tileSweep(pixels)),
  });
  store.watch(["pixels", "networks"], swept.ask);
  store.watch(["networks", "cut", "parts", "pixels", "followed"], draw);

  function draw() {
    const state = store.get();
    if (state === null) return;
    const { pixels, followed } = state;
    const { cut, moves } = arranging.of(state);
    const { answer: sweeps = [], wish } = swept.known() ?? {};
    const all = candidatesIn(state);
    root.classList.toggle("is-unswept", known !== null && known.pixels !== pixels);
    showVerdicts(all, (model) => {
      const at = known?.after.findIndex((reading) => reading.model === model) ?? -1;
      return {
        trace: known?.after[at]?.trace,
        followed,
        isUnread: known !== null && known.pixels !== pixels,
        isKnown: knownLabel(state.source, model) !== null,
        remark: known?.verdicts[at] && wholeWords(known.verdicts[at]),
      };
    });
    const courses = tileCourses(all, (model) => {
      const sweep =
        wish?.pixels === pixels &&
        sweeps.find((candidate) => candidate.model === model);
      return sweep ? winnersOver(sweep.tensors[SCORES]) : null;
    });
    fill(
      drawn,
      plotOf(
        { ...courses, isAsked: swept.isAsked() },
        placeOnPlot(cut, moves),
        arranging.shuffle,
      ),
    );
    fill(about, aboutNetworks(all));
    fill(
      sentences,
      verdictSentences.map((sentence) => h("p", {}, sentence)),
    );
  }

  return {
    /** @param {Answer} answer @param {ChangeWish} wish */
    show({ before, after }, wish) {
      const verdicts = before.map((whole, i) => verdictOf(whole, after[i]));
      known = { pixels: wish.pixels, after, verdicts };
      const state = store.get();
      if (wish.networks === state?.networks && wish.pixels === state.pixels)
        verdictSentences = verdictWords(
          verdicts,
          !samePixels(wish.pixels, wish.changed),
        );
      draw();
    },
  };
}

/**
 * @param {Pixels} pixels @param {CutName} name
 * @param {string} text where the pieces are
 * @returns {Arranged}
 */
function arrangeImage(pixels, name, text) {
  const cut = cutOf(pixels, name);
  const moves = movesIn(cut, text);
  const image = assemble(inkOf(pixels), cut, moves);
  return { cut, moves, image, pixels: toPixels(image.ink, pixels) };
}

/**
 * @param {Reading} whole
 * @param {Reading} jumbled of the same model
 * @returns {Verdict}
 */
function verdictOf(whole, jumbled) {
  const { model } = whole;
  const of = (/** @type {Reading} */ { trace }) => {
    const { prediction } = trace;
    const scores = scoresOf(trace) ?? [];
    const reads = readsWords(saidOf(scores, model), model);
    return { reads, score: scores[prediction] };
  };
  return {
    name: model.title,
    whole: of(whole),
    jumbled: of(jumbled),
    passing: measurementOf(model, "tiles")?.passing_score ?? null,
  };
}
