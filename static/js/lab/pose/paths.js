/**
 * For each network, the path of its code along the sweep, how far it moves while the
 * class stays, and which of its numbers follow the knob.
 * @import { Sweep } from "../shared/ask.js"
 * @import { Knob } from "../shared/knobs.js"
 * @import { SweepSlice, SweepWish, Swept } from "../shared/sweep.js"
 * @import { Code, LabServices, LabState, Model } from "../../types.js"
 */

import { signed } from "../../lib/format.js";
import { make, setText } from "../../ui/dom.js";
import { heldAround, nearestTo, shortNames } from "../shared/words.js";
import { correlations, pathPicture, pathPlane, reach } from "./path.js";
import {
  FEWEST,
  followWords,
  movedWords,
  planeWords,
  reachWords,
  readingEntry,
  readingWords,
} from "./words.js";

/**
 * @param {HTMLElement} root filled
 * @param {(knob: Knob, value: number) => void} turn
 * @param {HTMLElement} line says what is found, while they are folded
 */
export function mountPaths(root, turn, line) {
  /** @type {WeakMap<Model, ReturnType<typeof makeFigure>>} */
  const made = new WeakMap();
  /** @type {Knob | null} */
  let knob = null;
  const choose = (/** @type {number} */ i) => {
    if (knob !== null) turn(knob, knob.sweep[i]);
  };
  /** @type {ReturnType<typeof makeFigure>[]} */
  let shown = [];

  return {
    /**
     * @param {Swept} swept @param {SweepWish} wish
     * @param {ReadonlyMap<Model, Code | null>} codes
     * @param {LabState<SweepSlice>} state
     */
    show({ sweeps }, wish, codes, { followed, settings }) {
      if (followed === null) return;
      knob = wish.knob;
      shown = [];
      const moved = [];
      const names = shortNames(sweeps.map(({ model }) => model));
      for (const [i, sweep] of sweeps.entries()) {
        const code = codes.get(sweep.model) ?? null;
        if (code === null) continue;
        const figure = made.get(sweep.model) ?? makeFigure(sweep.model, code, choose);
        made.set(sweep.model, figure);
        moved.push({ name: names[i], reach: figure.show(sweep, wish.knob, followed) });
        shown.push(figure);
      }
      const [first] = sweeps;
      if (first) setText(line, movedWords(first.model.class_names[followed], moved));
      root.replaceChildren(...shown.map(({ element }) => element));
      this.mark(wish.knob, settings[wish.knob.id]);
    },

    /** @param {Knob} now @param {number} value */
    mark(now, value) {
      if (now !== knob) return;
      for (const figure of shown) figure.mark(nearestTo(now.sweep, value));
    },
  };
}

/** @param {Model} model @param {Code} code @param {(index: number) => void} choose */
function makeFigure(model, code, choose) {
  const element = make("section", "panel pose-code");
  const heading = make("h3", "", model.title);
  const what = make("p", "fine", `Path of the ${code.title}`);
  const holder = make("div");
  element.append(heading, what, holder);
  const picture = pathPicture(
    holder,
    `${model.title}: path of the ${code.title}`,
    choose,
  );
  const [moves, follows, plane, reads] = ["", "", "fine", "fine"].map((name) => {
    const words = make("p", name);
    element.append(words);
    return words;
  });
  const bars = code.isPose ? numberBars() : null;
  if (bars !== null) follows.after(bars.element);

  return {
    element,
    mark: picture.mark,

    /**
     * @param {Sweep} sweep @param {Knob} knob @param {number} followed
     * @returns {number | null} how far the vector moves; null where nothing can be followed
     */
    show(sweep, knob, followed) {
      const { points, dim } = codeOf(sweep, code, followed);
      const isRight = sweep.present.map((classes) => classes.includes(followed));
      const held = heldAround(knob.sweep, isRight, knob.start);
      const { places, shares } = pathPlane(points, dim);
      picture.show(places, isRight);
      const start = nearestTo(knob.sweep, knob.start);
      const [first, last] = held === null ? [start, start] : [held.first, held.last];
      const found = correlations(points, dim, knob.sweep, first, last);
      const name = model.class_names[followed];
      const far = reach(points, dim, start, first, last);
      setText(moves, reachWords({ title: code.title, name, knob, held, reach: far }));
      follows.hidden = knob.isRound === true; // an angle has no least and no most
      setText(
        follows,
        followWords({ knob, held, correlations: found, isPose: code.isPose }),
      );
      setText(plane, planeWords(shares));
      const told = readingWords(readingEntry(model), knob);
      reads.hidden = told === "";
      setText(reads, told);
      bars?.show(follows.hidden || last - first + 1 < FEWEST ? null : found);
      return first === last || !Number.isFinite(far) ? null : far;
    },
  };
}

/**
 * The vectors of a sweep.
 * @param {Pick<Sweep, "tensors">} sweep @param {Code} code
 * @param {number} classIndex the class whose vectors they are, where each has its own
 * @returns {{ points: Float32Array, dim: number }} points: (count, dim)
 */
export function codeOf({ tensors }, { tensor, isPose }, classIndex) {
  const { shape, data } = tensors[tensor];
  const [count, ...rest] = shape;
  const whole = rest.reduce((size, side) => size * side, 1);
  if (!isPose) return { points: data, dim: whole };
  const dim = whole / rest[0];
  const points = new Float32Array(count * dim);
  for (let i = 0; i < count; i++) {
    const from = i * whole + classIndex * dim;
    points.set(data.subarray(from, from + dim), i * dim);
  }
  return { points, dim };
}

/**
 * Which tensor to ask of each network, once its part of the page has come.
 * @param {Pick<LabServices, "loadNetwork">} services
 */
export function keepCodes({ loadNetwork }) {
  /** @type {Map<Model, Code | null>} */
  const codes = new Map();
  return {
    codes,
    /** @param {Model} model */
    async namesOf(model) {
      const code =
        codes.get(model) ?? (await loadNetwork(model).catch(() => null))?.code ?? null;
      codes.set(model, code);
      return code === null ? [] : [code.tensor];
    },
  };
}

/** The correlation of each number of a pose with the knob, as bars up and down from 0. */
function numberBars() {
  const element = make("ol", {
    class: "pose-numbers",
    "aria-label": "Correlation of each number with the knob",
  });

  return {
    element,
    /** @param {readonly (number | null)[] | null} correlations null: too few values */
    show(correlations) {
      element.hidden = correlations === null;
      element.replaceChildren(...(correlations ?? []).map(makeBar));
    },
  };
}

/** @param {number | null} value @param {number} i */
function makeBar(value, i) {
  const item = make("li");
  const track = make("span");
  const bar = make("i");
  const words = value === null ? "stays" : signed(value, 2);
  item.title = `number ${i + 1}: ${words}`;
  bar.style.height = `${50 * Math.abs(value ?? 0)}%`;
  bar.style.bottom = `${50 + 50 * Math.min(0, value ?? 0)}%`;
  track.append(bar);
  const name = make("span", "", String(i + 1));
  const said = make("span", "unseen", `: ${words}`);
  item.append(track, name, said);
  return item;
}
