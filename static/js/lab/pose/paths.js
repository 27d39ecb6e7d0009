/**
 * For each network, the path of its code along the sweep, how far it moves while the
 * class stays, and which of its numbers follow the knob.
 * @import { Sweep } from "../shared/ask.js"
 * @import { Knob } from "../shared/knobs.js"
 * @import { SweepScene, Turn } from "../shared/sweep.js"
 * @import { Code, LabServices, Model } from "../../types.js"
 * @import { Panel } from "../../ui/panel.js"
 */

import { isReadAs } from "../../core/scores.js";
import { nearestTo, rowsOf } from "../../lib/arithmetic.js";
import { capitalized } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { h } from "../../ui/h.js";
import { heldAround, shortNames } from "../shared/words.js";
import { correlations, pathPicture, pathPlane, reach } from "./path.js";
import {
  correlationWords,
  FEWEST,
  followWords,
  movedWords,
  planeWords,
  reachWords,
  readingEntry,
  readingWords,
} from "./words.js";

/** @typedef {ReadonlyMap<Model, Code | null>} Codes null where there is none to follow */

/**
 * The path of each network's code along the sweep. What readers do in it turns a knob.
 * @param {Codes} codes
 * @param {string} words how to read it
 * @returns {Panel<SweepScene, any, Turn>}
 */
export const pathsPanel = (codes, words) => ({
  id: "paths",
  isFolded: true,
  title: "Does the pose follow?",
  words: [words],
  numbers({ known, followed, knob, settings }) {
    const sweeps = known?.answer.sweeps ?? [];
    if (known === null || followed === null || sweeps.length === 0) return null;
    const swept = known.wish.knob;
    const names = shortNames(sweeps.map(({ model }) => model));
    const paths = sweeps.flatMap((sweep, i) => {
      const code = codes.get(sweep.model);
      return code ? [{ name: names[i], ...pathsOf(sweep)(code, swept, followed) }] : [];
    });
    return {
      knob: swept,
      paths,
      followed: sweeps[0].model.class_names[followed],
      at: knob === swept ? nearestTo(knob.sweep, settings[knob.id]) : null,
    };
  },
  line: ({ followed, paths }) => movedWords(followed, paths),
  picture: ({ knob, paths, at }, turn) =>
    h(
      "div",
      { class: "pose-codes" },
      paths.map((/** @type {Path} */ path) =>
        pathCard(path, at, (i) => turn({ [knob.id]: knob.sweep[i] }, knob.id)),
      ),
    ),
});

/** Worked out once for each, since knobs move faster than sweeps come. */
const pathsOf = memoizeByObject(
  (/** @type {Sweep} */ sweep) => sweep,
  (sweep) =>
    memoize(
      (
        /** @type {Code} */ code,
        /** @type {Knob} */ knob,
        /** @type {number} */ followed,
      ) => pathOf(sweep, code, knob, followed),
    ),
);

/** @typedef {ReturnType<typeof pathOf>} Path */

/** @param {Sweep} sweep @param {Code} code @param {Knob} knob @param {number} followed */
function pathOf(sweep, code, knob, followed) {
  const { model } = sweep;
  const { title, isPose } = code;
  const { points, dim } = codeOf(sweep, code, followed);
  const isRight = sweep.readings.map((reading) => isReadAs(reading, followed));
  const held = heldAround(knob.sweep, isRight, knob.start);
  const start = nearestTo(knob.sweep, knob.start);
  const { first, last } = held ?? { first: start, last: start };
  const values = correlations(points, dim, knob.sweep, first, last);
  const far = reach(points, dim, start, first, last);
  const name = model.class_names[followed];
  const { places, shares } = pathPlane(points, dim);
  const hasEnds = !knob.isRound; // an angle has no least and no most
  return {
    title: model.title,
    what: `path of the ${title}`,
    places,
    isRight,
    moves: reachWords({ title, name, knob, held, reach: far }),
    follows: hasEnds && followWords({ knob, held, correlations: values, isPose }),
    numbers: isPose && hasEnds && last - first + 1 >= FEWEST && values,
    plane: planeWords(shares),
    reads: readingWords(readingEntry(model), knob),
    /** How far the vector moves; null where nothing can be followed. */
    reach: first === last || !Number.isFinite(far) ? null : far,
  };
}

/** @param {Path} path @param {number | null} at @param {(index: number) => void} choose */
const pathCard = ({ title, what, ...path }, at, choose) =>
  h(
    "section",
    { class: "panel pose-code" },
    h("h3", {}, title),
    h("p", { class: "fine" }, capitalized(what)),
    h("div", {}, pathPicture(`${title}: ${what}`, path, at, choose)),
    h("p", {}, path.moves),
    path.follows && h("p", {}, path.follows),
    path.numbers && numberBars(path.numbers),
    h("p", { class: "fine" }, path.plane),
    path.reads && h("p", { class: "fine" }, path.reads),
  );

/**
 * The vectors of a sweep.
 * @param {Pick<Sweep, "tensors">} sweep @param {Code} code
 * @param {number} classIndex the class whose vectors they are, where each has its own
 * @returns {{ points: Float32Array, dim: number }} points: (count, dim)
 */
export function codeOf({ tensors }, { tensor, isPose }, classIndex) {
  const { shape, data } = tensors[tensor];
  const [count, ...rest] = shape;
  const whole = data.length / count;
  if (!isPose) return { points: data, dim: whole };
  const dim = whole / rest[0];
  const poses = rowsOf(tensors[tensor]).flatMap((row) =>
    Array.from(row.subarray(classIndex * dim, (classIndex + 1) * dim)),
  );
  return { points: Float32Array.from(poses), dim };
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

/**
 * The correlation of each number of a pose with the knob, as bars up and down from 0.
 * @param {readonly (number | null)[]} correlations
 */
const numberBars = (correlations) =>
  h(
    "ol",
    { class: "pose-numbers", "aria-label": "Correlation of each number with the knob" },
    correlations.map((value, i) => {
      const words = value === null ? "stays" : correlationWords(value);
      const size = `${50 * Math.abs(value ?? 0)}%`;
      const from = `${50 + 50 * Math.min(0, value ?? 0)}%`;
      return h(
        "li",
        { title: `number ${i + 1}: ${words}` },
        h("span", {}, h("i", { "--size": size, "--from": from })),
        h("span", {}, String(i + 1)),
        h("span", { class: "unseen" }, `: ${words}`),
      );
    }),
  );
