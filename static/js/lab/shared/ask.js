/**
 * Asking every network that takes part about the same changed pixels.
 * @import { LabServices, Model, Pixels, Services, Trace, Tensor } from "../../types.js"
 * @import { Said } from "../../core/scores.js"
 * @import { Change } from "../../lib/changing.js"
 */
import { SCORES, saidOf } from "../../core/scores.js";
import { rowsOf, sum } from "../../lib/arithmetic.js";
import { inkOf, samePixels, shapeOf, toRows } from "../../lib/pixels.js";
import { debounce, latest } from "../../lib/timing.js";

/** The tensor of what a network draws, if it can. */
const RECONSTRUCTION = "reconstruction";

/**
 * What one network says of one image.
 * @typedef {object} Reading
 * @property {Model} model
 * @property {Trace} trace
 */

/**
 * What one network says of a sweep of images.
 * @typedef {object} Sweep
 * @property {Model} model
 * @property {number[]} predictions one for each image: the class with the highest score
 * @property {Said[]} readings of each image
 * @property {Readonly<Record<string, Tensor>>} tensors their first axis counts the images
 * @property {Sweep} [original] as it was asked, before the knob's own image was taken in
 */

/** Which tensors to ask a network for besides its scores. @typedef {(model: Model) => string[] | Promise<string[]>} NamesOf */

/**
 * One image through every network, at the priority of what is on show.
 * @param {Services["server"]} server @param {readonly Model[]} networks
 * @param {Pixels} pixels
 * @returns {Promise<Reading[]>} in the order of the networks
 */
export async function readBy(server, networks, pixels) {
  if (networks.length === 0) return [];
  const wanted = networks.map((model) => {
    const drawn = model.can.reconstruct ? [RECONSTRUCTION] : [];
    return { model, names: [SCORES, ...drawn] };
  });
  const traces = await server.fetchTraces(wanted, pixels);
  return traces.map((trace, i) => ({ model: networks[i], trace }));
}

/** What is made of an image, for whom. @typedef {{ pixels: Pixels, networks: readonly Model[], changed: Pixels }} ChangeWish */

/**
 * An image before and after a change through every network; the unchanged one only once.
 * @param {Services["server"]} server
 */
export function pairReader(server) {
  /** @type {(Pick<ChangeWish, "pixels" | "networks"> & { before: Reading[] }) | null} */
  let known = null;
  return async (/** @type {ChangeWish} */ { pixels, networks, changed }) => {
    if (known?.pixels !== pixels || known.networks !== networks) {
      const before = await readBy(server, networks, pixels);
      known = { pixels, networks, before };
    }
    const { before } = known;
    const after = samePixels(changed, pixels)
      ? before
      : await readBy(server, networks, changed);
    return { before, after };
  };
}

/** Numbers of images that one request holds, written out in full: a few MB. */
const AT_ONCE = 250_000;

/**
 * Many images through every network, at a lower priority than what a reader waits for.
 * @param {Services["server"]} server @param {readonly Model[]} networks
 * @param {readonly (Float32Array | Float64Array)[]} images values in 0..1, channel by channel
 * @param {NamesOf} [namesOf]
 * @returns {Promise<Sweep[]>} in the order of the networks
 */
export function sweepBy(server, networks, images, namesOf = () => []) {
  return Promise.all(
    networks.map(async (model) => {
      const names = [...new Set([SCORES, ...(await namesOf(model))])];
      const some = Math.max(1, Math.floor(AT_ONCE / images[0].length));
      /** @type {Readonly<Record<string, Tensor>>[]} */
      const parts = [];
      for (let first = 0; first < images.length; first += some) {
        const rows = images
          .slice(first, first + some)
          .map((image) => toRows(image, shapeOf(model)));
        const body = { images: rows, tensors: names };
        parts.push(await server.computeTensors(model, "batch", body));
      }
      return sweepOf(model, parts.length === 1 ? parts[0] : joinTensors(parts));
    }),
  );
}

/**
 * One image under many changes through every network: the changes are sent, and not the
 * images that they make.
 * @param {Services["server"]} server @param {readonly Model[]} networks
 * @param {Pixels} pixels @param {readonly Change[]} changes
 * @param {NamesOf} [namesOf]
 * @returns {Promise<Sweep[]>} in the order of the networks
 */
export function sweepOfChanges(server, networks, pixels, changes, namesOf = () => []) {
  const image = toRows(inkOf(pixels), pixels);
  return Promise.all(
    networks.map(async (model) => {
      const names = [...new Set([SCORES, ...(await namesOf(model))])];
      const body = { image, changes, tensors: names };
      return sweepOf(model, await server.computeTensors(model, "sweep", body));
    }),
  );
}

/**
 * @param {Model} model @param {Readonly<Record<string, Tensor>>} tensors
 * @returns {Sweep}
 */
function sweepOf(model, tensors) {
  const readings = rowsOf(tensors[SCORES]).map((row) => saidOf(row, model));
  const predictions = Array.from(tensors.predictions.data);
  return { model, predictions, readings, tensors };
}

/**
 * The tensors of several answers, one after the other along the axis of images.
 * @param {readonly Readonly<Record<string, Tensor>>[]} parts
 * @returns {Record<string, Tensor>}
 */
function joinTensors(parts) {
  const tensors = Object.keys(parts[0]).map((name) => {
    const all = parts.map((part) => part[name]);
    const data = new Float32Array(sum(all.map((tensor) => tensor.data.length)));
    let at = 0;
    for (const tensor of all) {
      data.set(tensor.data, at);
      at += tensor.data.length;
    }
    const [, ...rest] = all[0].shape;
    return [name, { shape: [sum(all.map(({ shape }) => shape[0])), ...rest], data }];
  });
  return Object.fromEntries(tensors);
}

/**
 * Like `newestAnswer`, for answers that take seconds: a newer wish ends one that it
 * makes useless.
 * @template {object} Wish
 * @template Answer
 * @param {Pick<LabServices, "guarded">} services
 * @param {(wish: Wish & { signal: AbortSignal }) => Promise<Answer>} ask
 * @param {(answer: Answer, wish: Wish) => void} show
 * @param {(before: Wish, next: Wish) => boolean} isUseless
 */
export function newestAlone(services, ask, show, isUseless) {
  /** @type {{ wish: Wish, end: AbortController } | null} */
  let running = null;
  const newest = newestAnswer(
    services,
    async (/** @type {Wish | null} */ wish) => {
      if (wish === null) return null;
      const end = new AbortController();
      running = { wish, end };
      try {
        return { wish, answer: await ask({ ...wish, signal: end.signal }) };
      } catch (error) {
        if (!end.signal.aborted) throw error;
        return null;
      } finally {
        running = null;
      }
    },
    (answered) => {
      if (answered !== null) show(answered.answer, answered.wish);
    },
  );
  return {
    isBusy: newest.isBusy,

    /** @param {Wish} wish */
    ask(wish) {
      if (running !== null && isUseless(running.wish, wish)) running.end.abort();
      newest.ask(wish);
    },

    /** End what is under way, and forget what was to come next. */
    end() {
      running?.end.abort();
      newest.ask(null);
    },
  };
}

/**
 * Ask one question at a time, the newest wish next. It is asked before the previous
 * answer is shown.
 * @template Wish
 * @template Answer
 * @param {Pick<LabServices, "guarded">} services
 * @param {(wish: Wish) => Promise<Answer>} ask
 * @param {(answer: Answer, wish: Wish) => void} show
 * @param {(isBehind: boolean) => void} [tell] whether what is shown answers another wish
 * @returns {{ ask: (wish: Wish) => void, isBusy: () => boolean }} busy while it is asked
 */
export function newestAnswer({ guarded }, ask, show, tell = () => {}) {
  let asking = 0;
  const newest = latest((/** @type {Wish} */ wish, answered) =>
    guarded(async () => {
      asking += 1;
      const answer = await ask(wish).finally(() => {
        asking -= 1;
      });
      answered();
      show(answer, wish);
      if (asking === 0) tell(false);
    })(wish),
  );
  return {
    ask(wish) {
      tell(true);
      newest(wish);
    },
    isBusy: () => asking > 0,
  };
}

/** How long a hand must rest before slow questions are asked, in milliseconds. */
const REST_MS = 120;

/**
 * Ask for the newest wish once the hand rests, unless its answer is known already.
 * @template {Pick<ChangeWish, "pixels" | "networks">} Wish
 * @template Answer
 * @param {Pick<LabServices, "guarded">} services
 * @param {object} question
 * @param {() => Wish | null} question.wish what is wanted now
 * @param {(wish: Wish) => Promise<Answer>} question.ask
 * @param {(known: Wish, wish: Wish) => boolean} [question.isSame] whether one answers the
 *   other: where absent, for the same image and networks
 * @param {() => void} question.show called as a question is asked, and once there is another
 *   answer or none
 */
export function answerAtRest(services, { wish, ask, isSame = ofSameImage, show }) {
  /** @type {{ answer: Answer, wish: Wish } | null} */
  let known = null;
  let isAsked = false;
  /** @param {Wish} wish */
  async function askOnce(wish) {
    isAsked = true;
    show();
    try {
      return await ask(wish);
    } catch (error) {
      isAsked = false;
      show();
      throw error;
    } finally {
      isAsked = false;
    }
  }
  const newest = newestAnswer(services, askOnce, (answer, of) => {
    known = { answer, wish: of };
    show();
  });
  return {
    /** Whether an answer is on its way. */
    isAsked: () => isAsked,
    /** The newest answer, and what it was asked for. */
    known: () => known,
    ask: debounce(() => {
      const now = wish();
      if (now !== null && !(known && isSame(known.wish, now))) newest.ask(now);
    }, REST_MS),
  };
}

/** @param {Pick<ChangeWish, "pixels" | "networks">} a @param {typeof a} b */
const ofSameImage = (a, b) => a.pixels === b.pixels && a.networks === b.networks;
