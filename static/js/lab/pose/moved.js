/**
 * What a change of the image moved in each network, and what it left as it was: the direction
 * of a capsule's pose and its length; of a network without poses, its pooled maps.
 * @import { Sweep } from "../shared/ask.js"
 * @import { SweepScene } from "../shared/sweep.js"
 * @import { Code, Model } from "../../types.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { Codes } from "./paths.js"
 */
import { scoreText, scoreWords } from "../../core/scores.js";
import { nearestTo } from "../../lib/arithmetic.js";
import { fixed } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { scoresOver } from "../shared/insertion.js";
import { knobWords } from "../shared/knobs.js";
import { shortNames } from "../shared/words.js";
import { angleBetween } from "./path.js";
import { codeOf } from "./paths.js";

const MOST = 90; // degrees: vectors without negative numbers do not differ by more

/** The maps of the last pooling, where a network has one. @param {Model} model @returns {Code | null} */
export function pooledOf({ layers }) {
  const last = layers.findLast(
    ({ kind, tensors }) => kind === "pooling" && tensors.values,
  );
  if (last === undefined) return null;
  return { tensor: last.tensors.values, isPose: false, title: `maps of ${last.title}` };
}

/** Whichever is compared. @param {Codes} codes @param {Model} model */
function comparedIn(codes, model) {
  const code = codes.get(model) ?? null;
  return code?.isPose ? code : pooledOf(model);
}

/**
 * @typedef {{ name: string, what: string, turned: number, stayed: string }} Row
 * @typedef {{ title: string, from: string, to: string, isNear: boolean, rows: Row[] }} Moved isNear: the knob stands between two values of the sweep
 */

/** @param {Codes} codes @returns {Panel<SweepScene, Moved>} */
export const movedPanel = (codes) => ({
  id: "moved",
  hook: "equivariance",
  title: "What moved, and what stayed",
  words: [
    "A capsule is equivariant where its pose moves as the object does, and its length stays: the object is still there, elsewhere. Maps that stayed as they were would be invariant: they would not know that anything moved. The angle is that between the vectors of the unmoved and of the moved image.",
  ],
  numbers({ known, followed, knob, settings }) {
    const sweeps = known?.answer.sweeps ?? [];
    if (known === null || followed === null || known.wish.knob !== knob) return null;
    const names = shortNames(sweeps.map(({ model }) => model));
    const [start, now] = [knob.start, settings[knob.id]].map((value) =>
      nearestTo(knob.sweep, value),
    );
    const rows = sweeps.flatMap((sweep, i) => {
      const code = comparedIn(codes, sweep.model);
      if (code === null || !(code.tensor in sweep.tensors)) return [];
      return [{ name: names[i], ...changeIn(sweep, code, followed, start, now) }];
    });
    return {
      rows,
      from: knobWords(knob, knob.sweep[start]),
      to: knobWords(knob, knob.sweep[now]),
      isNear: knob.sweep[now] !== settings[knob.id],
      title: knob.title,
    };
  },
  line: ({ title, from, to, isNear }) =>
    from === to
      ? `${title} stands at ${from}: move it, and see what goes along.`
      : `From ${from} to ${to}${isNear ? ", the nearest value of the sweep," : ""} of ${title}. Equivariant is what moves along and stays as long as it was.`,
  picture: ({ rows }) =>
    h(
      "ul",
      { class: "moved-rows" },
      rows.map(({ name, what, turned, stayed }) =>
        h(
          "li",
          {},
          h("b", {}, name),
          h("label", {}, `${what} moved by ${fixed(turned, 0)}° `, meter(turned)),
          h("span", {}, stayed),
        ),
      ),
    ),
});

/** @param {number} turned degrees */
const meter = (turned) => h("meter", { min: "0", max: String(MOST), value: turned });

/**
 * @param {Sweep} sweep @param {Code} code @param {number} followed
 * @param {number} start where the knob changes nothing @param {number} now
 */
function changeIn(sweep, code, followed, start, now) {
  const { points, dim } = codeOf(sweep, code, followed);
  const at = (/** @type {number} */ i) => points.subarray(i * dim, (i + 1) * dim);
  const [before, after] = [at(start), at(now)];
  const turned = angleBetween(before, after);
  const what = code.isPose ? "pose" : code.title;
  if (!code.isPose) {
    const [long, longNow] = [before, after].map((move) => Math.hypot(...move));
    return { what, turned, stayed: `size ${fixed(long, 1)} → ${fixed(longNow, 1)}` };
  }
  const { model } = sweep;
  const scores = scoresOver(sweep, followed);
  const [score, scoreNow] = [start, now].map((i) => scoreText(scores[i], model.scores));
  return { what, turned, stayed: `${scoreWords(model).one} ${score} → ${scoreNow}` };
}
