/**
 * The votes for the class in focus: all of them as points in the plane where they differ the
 * most, what routing makes of them from iteration to iteration, and the strongest as a table.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Stage } from "../../../ui/stage.js"
 * @import { DynamicScene, PanelAct } from "./types.js"
 * @import { Laid } from "./vote-plane.js"
 */
import { key } from "../../../draw/key.js";
import { seen } from "../../../draw/maps.js";
import { painted } from "../../../draw/painted.js";
import { points } from "../../../draw/points.js";
import { framePoints } from "../../../geometry/plane.js";
import { ranked } from "../../../lib/arithmetic.js";
import { exactShare } from "../../../lib/decimals.js";
import { fixed, percentParts, signed } from "../../../lib/format.js";
import {
  CLOUD_COLORS,
  paintCloud,
  paintPath,
  paintPlane,
  paintUnit,
} from "../../../paint/cloud.js";
import { h } from "../../../ui/h.js";
import { valuesTable } from "../../../ui/values.js";
import { capsuleInBrief, capsuleInWords, choosing } from "../../capsules/places.js";
import { belowOf, fieldOf } from "../../capsules/source.js";
import { voterOf } from "../index.js";
import { tellSeen } from "./answers.js";
import { addsAndTakes, ofCapsule } from "./sums.js";
import { layOutVotes } from "./vote-plane.js";

const STRONGEST = 8; // votes in the table

/** With the vote that the pointer is on. @typedef {DynamicScene & { pointed?: number | null }} Scene */
/** @typedef {Laid & { scene: Scene }} Shown */

/** @type {Panel<Scene, Shown, PanelAct>} */
export const votes = {
  id: "votes",
  look: "votes",
  isFolded: true,
  title: ({ name }) => `The votes for ${name}`,
  wait: "Loading the votes of this image …",
  numbers: (scene) => ({
    ...{ scene, .../** @type {Laid} */ (layOutVotes(scene, scene.layer)) },
  }),
  isLate: ({ course }) => course === undefined,
  tellSeen: ({ store }) => tellSeen(store, "seesVotes"),
  line: ({ scene }) => findSums(scene),
  picture(n, act) {
    const { nouns, capsule } = n.scene;
    const all = {
      label: `All votes for the ${nouns.one} in focus as points. Arrow keys go to the next vote in that direction.`,
      ...{ look: "votes-picture", colors: CLOUD_COLORS, points: n.course.points },
      paint: (/** @type {VotesStage} */ stage) => paintVotes(stage, n),
      chosen: capsule,
      choose: (/** @type {number} */ i) => act.set(choosing(i)),
      point(/** @type {number | null} */ i) {
        act.point(i);
        act.lookAt(seenIn(n.scene, i));
      },
      words: (/** @type {number | null} */ i) => voteWords(n, i ?? capsule),
    };
    const near = {
      label: "The weighted mean of the votes, iteration by iteration",
      ...{ look: { "data-votes-near": "" }, colors: CLOUD_COLORS },
      paint: (/** @type {VotesStage} */ stage) => paintMeans(stage, n),
    };
    return h(
      "div",
      { class: "votes-layout" },
      h("figure", {}, points(all), key(meaningsOf(nouns.one))),
      h(
        "div",
        {},
        h(
          "figure",
          {},
          h("h4", {}, "Their mean, weighted by c, close up"),
          painted(near),
        ),
        h("p", { "data-votes-text": "" }, sentences(n)),
      ),
      strongestOf(n.scene, all.choose),
    );
  },
  words: ({ scene: { layer, nouns } }) => [
    `Every ${voterOf(layer).voter}’s vote û is a whole pose for the ${nouns.one}. The picture shows the plane of the votes’ first two principal components, in which they differ most; it is the same in all iterations. Most votes are short and cancel out. Routing gives votes that agree more weight, so the mean moves towards them. The weighted sum of all votes, s = Σ c·û, becomes v through squash.`,
  ],
};

/** What a capsule sees. @param {Scene} scene @param {number | null} [capsule] */
function seenIn({ layer, model }, capsule = null) {
  const below = belowOf(layer);
  return capsule === null || !below ? null : fieldOf(below, model, capsule);
}

/** @param {string} end what a capsule above is called @returns {Parameters<typeof key>[0]} */
function meaningsOf(end) {
  const dot = (/** @type {number} */ cx, /** @type {object} */ look) =>
    h("circle", { cx, cy: 7, r: 5, ...look });
  return [
    [40, [dot(7, { r: 2 }), dot(24, { r: 6 })], "size: capsule length ‖u‖"],
    [
      52,
      [0.14, 0.32, 1].map((opacity, i) => dot(7 + 15 * i, { opacity })),
      "strength: coupling c = 0.02, 0.1, 1",
    ],
    [
      40,
      [dot(7, { class: "is-loss" }), dot(24, { class: "is-gain" })],
      `vote against the ${end}’s pose, vote with it`,
    ],
    [26, dot(12, { class: "is-ring" }), "the chosen type"],
  ];
}

/** @param {Shown} n @param {number} capsule */
function voteWords({ scene: { tensors, grid }, couplings, agreement }, capsule) {
  const length = exactShare(tensors.lengths.data[capsule], 3);
  return `${capsuleInWords(grid, capsule)}: ‖u‖ ${length}, c ${fixed(couplings[capsule], 4)}, û·v ${signed(agreement[capsule], 3)}`;
}

/** @typedef {Stage<typeof CLOUD_COLORS[number]>} VotesStage */

/** All votes, and the way of v. @param {VotesStage} stage @param {Shown} n */
function paintVotes(stage, n) {
  const { points, poses } = n.course;
  const way = { isArrow: true, color: stage.colors.accent, name: `v${n.scene.name}` };
  return paintAround(stage, n, [points, poses], 26, poses, way);
}

/** The way of the weighted mean, close up. @param {VotesStage} stage @param {Shown} n */
function paintMeans(stage, n) {
  const { means } = n.course;
  const way = { isArrow: false, color: stage.colors.text, name: "mean" };
  return paintAround(stage, n, [means], 34, means, way);
}

/**
 * The votes, as far as they lie around what fills the picture, and a way among them.
 * @param {VotesStage} stage @param {Shown} n
 * @param {Float32Array[]} framed @param {number} margin
 * @param {Float32Array} path @param {{ isArrow: boolean, color: string, name: string }} look
 */
function paintAround(
  { context, width, height, colors, font },
  n,
  framed,
  margin,
  path,
  look,
) {
  const { tensors, capsule, place, grid, step, pointed } = n.scene;
  const cells = grid.rows * grid.columns;
  const frame = framePoints(framed, { width, height, margin });
  const cloud = {
    ...{ points: n.course.points, sizes: tensors.lengths.data },
    ...{
      weights: n.couplings,
      tints: n.tints,
      chosen: capsule,
      pointed: pointed ?? -1,
    },
    ...{ first: place.type * cells, last: (place.type + 1) * cells },
  };
  paintPlane(context, frame, { width, height }, colors);
  paintUnit(context, frame, { width, height }, colors.muted, font);
  paintCloud(context, cloud, frame, colors);
  paintPath(context, path, step, frame, { ...look, font, ground: colors.surface });
  return frame;
}

/** @param {Shown} n */
function sentences({ scene: { figures, classIndex, step }, course }) {
  const { plane, meanVotes } = course;
  const sumLength = figures.before(step, classIndex);
  const wayLength = Math.hypot(...meanVotes[step].map((x, d) => x - meanVotes[0][d]));
  const { rightShare, upShare } = plane;
  const [across, up, held] = percentParts([rightShare, upShare]);
  const length = exactShare(figures.lengths()[classIndex][step], 3);
  const moved =
    step === 0
      ? "All votes have the same weight."
      : `Their weighted mean has moved by ${fixed(wayLength, 4)} since the first iteration.`;
  return `This plane holds ${held} of the votes’ variance (${across} across, ${up} up). ${moved} The sum s is ${fixed(sumLength, 2)} long, so v is ${length}.`;
}

/**
 * @param {Pick<DynamicScene, "figures" | "step" | "classIndex" | "name">} scene
 * @returns {string} what all votes give to the class in focus
 */
export function findSums({ figures, step, classIndex, name }) {
  const evidence = figures.evidenceOf(step, classIndex);
  const [adds, takes] = addsAndTakes(evidence);
  return `Votes that agree with ${name} add ${adds} to its length before squash; others take ${takes}.`;
}

/**
 * The votes that give, or take, the most, beside what the chosen capsule sees.
 * @param {Scene} scene @param {(capsule: number) => void} choose
 */
function strongestOf(scene, choose) {
  const { figures, tensors, grid, step, classIndex, capsule, pixels, pointed } = scene;
  const evidence = figures.evidenceOf(step, classIndex);
  const shown = ranked(evidence.map(Math.abs)).slice(0, STRONGEST);
  const withSign = (/** @type {number} */ value) => signed(value, 3);
  const [couplings, agreement] = [tensors.couplings, tensors.agreement].map((each) =>
    shown.map((i) => ofCapsule(each, step, i)[classIndex]),
  );
  const field = seenIn(scene, capsule);
  const label = "The input, with a frame around what the chosen capsule sees";
  return h(
    "div",
    { class: "votes-strongest" },
    h(
      "div",
      {},
      field && seen({ label, pixels, field, pointed: seenIn(scene, pointed) }),
    ),
    h(
      "div",
      {
        ...{ class: "scroll", tabindex: "0", role: "region" },
        "aria-label": "The strongest votes",
      },
      valuesTable({
        caption: "The strongest votes; a capsule is named type: row, column",
        of: "capsule",
        names: shown.map((i) => capsuleInBrief(grid, i)),
        columns: [
          ["‖u‖", shown.map((i) => tensors.lengths.data[i])],
          ["c", couplings],
          ["û·v", agreement, withSign],
          ["gives to ‖s‖", shown.map((i) => evidence[i]), withSign],
        ],
        focused: shown.indexOf(capsule),
        choose: (row) => choose(shown[row]),
      }),
    ),
  );
}
