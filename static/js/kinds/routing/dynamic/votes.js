/**
 * The votes for the class in focus: all of them as points in the plane where they differ the
 * most, what routing makes of them from iteration to iteration, and the strongest as a table.
 * @import { PlaneFrame } from "../../../geometry/plane.js"
 * @import { Cloud } from "../../../paint/cloud.js"
 * @import { Stage } from "../../../ui/stage.js"
 * @import { DynamicPanel, DynamicScene as Scene } from "./types.js"
 * @import { Laid } from "./vote-plane.js"
 */
import { framePoints } from "../../../geometry/plane.js";
import { ranked, sum } from "../../../lib/arithmetic.js";
import { fixed, percent, signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import {
  CLOUD_COLORS,
  paintCloud,
  paintPath,
  paintPlane,
} from "../../../paint/cloud.js";
import { find, findCanvas, findElement, make, setText } from "../../../ui/dom.js";
import { sayFinding } from "../../../ui/panel.js";
import { framedPicture } from "../../../ui/pictures.js";
import { listenToPoints, onRow } from "../../../ui/pointing.js";
import { createStage } from "../../../ui/stage.js";
import { capsuleInBrief, capsuleInWords, choosing } from "../../capsules/places.js";
import { belowOf, fieldOf } from "../../capsules/source.js";
import { tellSeen } from "./answers.js";
import { ofCapsule } from "./sums.js";
import { layOutVotes } from "./vote-plane.js";

const MARGIN = 26;
const NEAR_MARGIN = 34;
const REACH = 14; // how far from a point the pointer may be
const STRONGEST = 8; // votes in the table

/** @typedef {Stage<typeof CLOUD_COLORS[number]>} VotesStage */

/** @type {DynamicPanel} */
export function mountVotes(root, { store, scenes, layer, actions }) {
  const choose = (/** @type {number} */ capsule) => store.set(choosing(capsule));
  const panel = findElement(root, "[data-votes]");
  const canvas = findCanvas(panel, "[data-votes-picture]");
  const near = findCanvas(panel, "[data-votes-near]");
  const title = findElement(panel, "[data-votes-name]");
  const readout = findElement(panel, "[data-votes-readout]");
  const words = findElement(panel, "[data-votes-text]");
  const field = framedPicture(findElement(panel, ".votes-field"));
  const strongest = mountStrongest(
    find(panel, "[data-votes-rows]", HTMLTableSectionElement),
    choose,
  );
  /** @type {PlaneFrame} */
  let frame = { x: 0, y: 0, unit: 0 };
  /** @type {number | null} */
  let pointed = null;

  function laid() {
    const scene = scenes.shown();
    const votes = scene && layOutVotes(scene, layer);
    return scene && votes ? { scene, votes } : null;
  }
  const askNear = createStage(near, CLOUD_COLORS, (stage) => {
    const found = laid();
    if (found !== null) paintMeans(stage, found.scene, found.votes, pointed);
  });
  const askPicture = createStage(
    canvas,
    CLOUD_COLORS,
    (stage) => {
      const found = laid();
      if (found === null) return;
      frame = paintVotes(stage, found.scene, found.votes, pointed);
      describe(found.scene, found.votes);
    },
    tellSeen(store, "seesVotes"),
  );
  const ask = () => {
    askPicture();
    askNear();
  };
  scenes.watch((scene) => {
    setText(title, scene.name); // headings are read before they are seen
    ask();
  });
  sayFinding(panel, scenes, findSums);

  const showInput = memoize(field.showInput);
  const below = belowOf(layer);
  /** What a capsule sees. @param {Scene} scene @param {number} capsule */
  const seenIn = ({ model }, capsule) =>
    below ? fieldOf(below, model, capsule) : null;
  /** @param {Scene} scene @param {Laid} votes */
  function describe(scene, votes) {
    setText(words, sentences(scene, votes));
    showInput(scene.pixels);
    const seen = seenIn(scene, scene.capsule);
    if (seen !== null) field.frame(seen);
    strongest(scene);
    setText(readout, voteWords(scene, votes, pointed ?? scene.capsule));
  }
  listenToPoints(canvas, {
    points: () => laid()?.votes.course.points ?? new Float32Array(0),
    frame: () => frame,
    reach: REACH,
    chosen: () => scenes.shown()?.capsule ?? null,
    point(capsule) {
      const scene = scenes.shown();
      if (capsule === pointed || scene === null) return;
      pointed = capsule;
      const seen = capsule === null ? null : seenIn(scene, capsule);
      field.point(seen);
      actions.lookAt(seen);
      ask();
    },
    choose,
  });
}

/** @param {Scene} scene @param {Laid} votes @param {number} capsule */
function voteWords({ tensors, grid }, { couplings, agreement }, capsule) {
  const length = fixed(tensors.lengths.data[capsule], 3);
  return `${capsuleInWords(grid, capsule)}: ‖u‖ ${length}, c ${fixed(couplings[capsule], 4)}, û·v ${signed(agreement[capsule], 3)}`;
}

/**
 * All votes, and the way of v.
 * @param {VotesStage} stage @param {Scene} scene @param {Laid} votes
 * @param {number | null} pointed capsule
 * @returns {PlaneFrame}
 */
function paintVotes({ context, width, height, colors, font }, scene, votes, pointed) {
  const size = { width, height };
  const { points, poses } = votes.course;
  const frame = framePoints([points, poses], { ...size, margin: MARGIN });
  paintPlane(context, frame, size, colors, font);
  paintCloud(context, cloudOf(scene, votes, pointed), frame, colors);
  const look = { font, isArrow: true, color: colors.accent, name: `v${scene.name}` };
  paintPath(context, poses, scene.step, frame, look);
  return frame;
}

/**
 * The way of the weighted mean, close up.
 * @param {VotesStage} stage @param {Scene} scene @param {Laid} votes
 * @param {number | null} pointed capsule
 */
function paintMeans({ context, width, height, colors, font }, scene, votes, pointed) {
  const size = { width, height };
  const { means } = votes.course;
  const frame = framePoints([means], { ...size, margin: NEAR_MARGIN });
  paintPlane(context, frame, size, colors, font);
  paintCloud(context, cloudOf(scene, votes, pointed), frame, colors);
  const look = { font, isArrow: false, color: colors.text, name: "mean" };
  paintPath(context, means, scene.step, frame, look);
}

/**
 * @param {Scene} scene @param {Laid} votes @param {number | null} pointed
 * @returns {Cloud}
 */
function cloudOf(scene, { course, couplings, tints }, pointed) {
  const { tensors, capsule, place, grid } = scene;
  const cells = grid.rows * grid.columns;
  return {
    points: course.points,
    sizes: tensors.lengths.data,
    weights: couplings,
    tints,
    first: place.type * cells,
    last: (place.type + 1) * cells,
    chosen: capsule,
    pointed: pointed ?? -1,
  };
}

/** @param {Scene} scene @param {Laid} votes */
function sentences({ figures, classIndex, step }, { course }) {
  const { plane, meanVotes } = course;
  const sumLength = figures.before(step, classIndex);
  const wayLength = Math.hypot(...meanVotes[step].map((x, d) => x - meanVotes[0][d]));
  const held = percent(plane.rightShare + plane.upShare, 0);
  const length = fixed(figures.lengths()[classIndex][step], 3);
  const moved =
    step === 0
      ? "All votes have the same weight."
      : `Their weighted mean has moved by ${fixed(wayLength, 4)} since the first iteration.`;
  return `This plane holds ${held} of the votes’ variance (${percent(plane.rightShare, 0)} across, ${percent(plane.upShare, 0)} up). ${moved} The sum s is ${fixed(sumLength, 2)} long, so v is ${length}.`;
}

/**
 * @param {Pick<Scene, "figures" | "step" | "classIndex" | "name">} scene
 * @returns {string} what all votes give to the class in focus
 */
export function findSums({ figures, step, classIndex, name }) {
  const evidence = figures.evidenceOf(step, classIndex);
  const [adds, takes] = [1, -1].map((sign) =>
    fixed(sum(evidence.map((each) => Math.max(0, sign * each))), 2),
  );
  return `Votes that agree with ${name} add ${adds} to its length before squash; others take ${takes}.`;
}

/**
 * The votes that give, or take, the most: each can be chosen.
 * @param {HTMLTableSectionElement} body of the table
 * @param {(capsule: number) => void} choose
 * @returns {(scene: Scene) => void}
 */
function mountStrongest(body, choose) {
  const rows = Array.from({ length: STRONGEST }, () => {
    const button = make("button");
    const row = make("tr", "", make("th", { scope: "row" }, button));
    const cells = Array.from({ length: 4 }, () => row.insertCell());
    return { row, button, cells, capsule: 0 };
  });
  onRow(body, (i) => choose(rows[i].capsule));

  return ({ figures, tensors, grid, step, classIndex, capsule: chosen }) => {
    const evidence = figures.evidenceOf(step, classIndex);
    const { couplings, agreement, lengths } = tensors;
    const shown = ranked(evidence.map(Math.abs)).slice(0, STRONGEST);
    // Not before there is something to choose, and never more than there is.
    if (body.children.length !== shown.length)
      body.replaceChildren(...rows.slice(0, shown.length).map(({ row }) => row));
    shown.forEach((capsule, i) => {
      const { row, button, cells } = rows[i];
      rows[i].capsule = capsule;
      row.classList.toggle("is-focused", capsule === chosen);
      setText(button, capsuleInBrief(grid, capsule));
      [
        fixed(lengths.data[capsule], 3),
        fixed(ofCapsule(couplings, step, capsule)[classIndex], 3),
        signed(ofCapsule(agreement, step, capsule)[classIndex], 3),
        signed(evidence[capsule], 3),
      ].forEach((text, cell) => {
        setText(cells[cell], text);
      });
    });
  };
}
