/**
 * Agreement: the longest votes for the class in focus as arrows, and beside them those for
 * the longest of the other classes in the end. Where arrows point the way of the capsule
 * that they make, couplings grow from iteration to iteration.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Arrows } from "./arrows.js"
 * @import { Told } from "./arrow-words.js"
 * @import { DynamicScene as Scene, PanelAct } from "./types.js"
 */

import { strokeKey } from "../../../draw/key.js";
import { reach } from "../../../lib/arithmetic.js";
import { memoize } from "../../../lib/memoize.js";
import { widthOf } from "../../../paint/arrows.js";
import { h } from "../../../ui/h.js";
import { indexOrNull } from "../../../ui/pointing.js";
import { capsuleInWords, choosing } from "../../capsules/places.js";
import { fan } from "../fan.js";
import { votesName } from "./answers.js";
import { readArrow, tellArrows } from "./arrow-words.js";
import { arrowsOf } from "./arrows.js";
import { lastingPairOf } from "./scene.js";

/** Worked out once for a run and a class: those in focus, and those beside them. */
const ARROWS = [memoize(arrowsOf), memoize(arrowsOf)];

/** @typedef {{ scene: Scene, told: Told[], titles: string[], both: Arrows[] }} Shown */

/** @type {Panel<Scene, Shown, PanelAct>} */
export const agreement = {
  id: "agreement",
  look: "agreement",
  title: "The longest votes as arrows",
  wait: "Loading the votes of this image …",
  numbers(scene) {
    const { tensors, ran, step, layer, more } = scene;
    const { own, rival, names, place } = lastingPairOf(scene);
    const [one, other] = [own, rival].map((classIndex, i) => {
      const votes = more[votesName(layer, classIndex)];
      return votes && ARROWS[i](tensors, votes, classIndex, ran.silenced);
    });
    if (!one || !other) return null;
    const both = [one, other];
    const told = both.map((arrows, i) => ({
      arrows,
      name: names[i],
      step,
    }));
    const titles = [`${names[0]}, in focus`, `${names[1]}, ${place}`];
    return { scene, told, both, titles: titles.map((title) => `Votes for ${title}`) };
  },
  picture(n, act) {
    const { nouns } = n.scene;
    return [
      h(
        "div",
        { class: "agreement-pair" },
        fanOf(n, 0, `The longest votes for the ${nouns.one} in focus`, act),
        fanOf(
          n,
          1,
          `The longest votes for the longest of the other ${nouns.many}`,
          act,
        ),
      ),
      strokeKey([
        ...[0.02, 0.1, 0.5].map(
          (c) => /** @type {const} */ (["", widthOf(c), `c = ${c}`]),
        ),
        ["is-loss", 3, "against"],
        ["is-gain", 3, "with the pose"],
        ["is-mean", 2.5, "weighted mean of all votes"],
        ["is-pose", 2.5, "v"],
      ]),
    ];
  },
  words: ({ scene }) => [HOW(scene.nouns.one)],
};

/** @param {string} end what a capsule above is called */
const HOW = (end) =>
  `An arrow is as wide as its coupling c, whose figure stands at its tip. Across: the direction of v after the last iteration. Up: the direction at right angles to it along which these votes, squared and summed, are longest. Every arrow is an exact projection of all its numbers onto this plane, and both pictures have one scale. After the last iteration, the agreement û·v is how far an arrow reaches across, times ‖v‖. From one iteration to the next, routing adds the agreement to the capsule’s logit for this ${end}. If the logit rises more than those for others, the coupling grows.`;

/**
 * The arrows of one class.
 * @param {Shown} n @param {number} which @param {string} label @param {PanelAct} act
 */
function fanOf({ scene, told: all, titles, both }, which, label, act) {
  const told = all[which];
  const { arrows, step } = told;
  const { capsules, tips } = arrows;
  const count = capsules.length;
  return fan({
    which: which === 0 ? "own" : "rival",
    label,
    title: titles[which],
    sentence: tellArrows(told),
    points: tips,
    clouds: both.flatMap(({ tips, poses, means }) => [tips, poses, means]),
    moving: movingOf(arrows, step, both),
    of: arrows,
    at: step,
    look(moving, colors) {
      const [weights, tints] = [0, 1].map((i) =>
        moving.subarray(i * count, (i + 1) * count),
      );
      const [mean, pose] = [4, 2].map((end) => moving.slice(-end).subarray(0, 2));
      const made = [
        ...(count > 0 ? [{ end: mean, name: "mean", color: colors.text }] : []),
        { end: pose, name: `v of ${told.name}`, color: colors.accent },
      ];
      return { weights, tints, made };
    },
    chosen: indexOrNull(capsules.indexOf(scene.capsule)),
    choose: (i) => act.set(choosing(capsules[i])),
    words(i) {
      const at = i ?? 0;
      if (at >= capsules.length) return "";
      return `${capsuleInWords(scene.grid, capsules[at])}: ${readArrow(told, at)}`;
    },
  });
}

/**
 * What moves from iteration to iteration: couplings, colours, and where two arrows end.
 * @param {Pick<Arrows, "couplings" | "agreement" | "means" | "poses">} arrows
 * @param {number} step @param {readonly Pick<Arrows, "agreement">[]} both
 */
export function movingOf({ couplings, agreement, means, poses }, step, both) {
  const most =
    Math.max(...both.flatMap((each) => each.agreement.map((all) => reach(all)))) || 1;
  const end = (/** @type {Float32Array} */ path) =>
    path.subarray(2 * step, 2 * step + 2);
  return Float32Array.of(
    ...couplings[step],
    ...agreement[step].map((value) => value / most),
    ...end(means),
    ...end(poses),
  );
}
