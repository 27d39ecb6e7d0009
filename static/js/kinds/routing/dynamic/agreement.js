/**
 * Agreement: the longest votes for the class in focus as arrows, and beside them those for
 * the longest of the other classes in the end. Where arrows point the way of the capsule
 * that they make, couplings grow from iteration to iteration.
 * @import { PlaneFrame } from "../../../geometry/plane.js"
 * @import { Stage } from "../../../ui/stage.js"
 * @import { Arrows } from "./arrows.js"
 * @import { Told } from "./arrow-words.js"
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene } from "./types.js"
 */
import { framePoints } from "../../../geometry/plane.js";
import { reach } from "../../../lib/arithmetic.js";
import { memoize } from "../../../lib/memoize.js";
import { paintFan } from "../../../paint/arrows.js";
import { CLOUD_COLORS, paintPath, paintPlane } from "../../../paint/cloud.js";
import { find, findCanvas, findElement, setText } from "../../../ui/dom.js";
import { tween } from "../../../ui/motion.js";
import { indexOrNull, listenToPoints } from "../../../ui/pointing.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { createStage } from "../../../ui/stage.js";
import { capsuleInWords, choosing } from "../../capsules/places.js";
import { hasVotes, votesName } from "./answers.js";
import {
  compareArrows,
  describeArrows,
  readArrow,
  tableOfArrows,
} from "./arrow-words.js";
import { arrowsOf } from "./arrows.js";
import { askFor, lastingPairOf } from "./scene.js";
import { votesFor } from "./vote-plane.js";

const MARGIN = 34; // for the figures beyond the tips
const REACH = 18; // how far from a tip the pointer may be

/** @type {DynamicPanel} */
export function mountAgreement(root, room) {
  const { scenes, layer } = room;
  const panel = findElement(root, "[data-agreement]");
  const caption = findElement(panel, "[data-agreement-caption]");
  const words = findElement(panel, "[data-agreement-words]");
  const wait = findElement(panel, "[data-agreement-wait]");
  const pair = findElement(panel, ".agreement-pair");
  const fans = ["own", "rival"].map((which) => ({
    fan: mountFan(findElement(panel, `[data-fan="${which}"]`), room),
    arrows: memoize(arrowsOf), // worked out once for a run and a class
  }));
  const folder = find(panel, '[data-numbers="agreement"]', HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  /** @type {Told[]} */
  let shown = [];

  /** @param {Scene} scene */
  function draw(scene) {
    const { own, rival, names } = lastingPairOf(scene);
    const [first, second] = [own, rival].map((classIndex, i) => {
      const votes = votesFor(scene, layer, classIndex);
      return (
        votes && fans[i].arrows(scene.tensors, votes, classIndex, scene.ran.silenced)
      );
    });
    const isHere = first !== null && second !== null;
    pair.classList.toggle("is-old", !isHere && shown.length > 0);
    wait.hidden = isHere || shown.length > 0;
    if (!isHere) return;
    const { step, ends } = scene;
    const both = [first, second];
    shown = both.map((arrows, i) => {
      return { arrows, name: names[i], step, ends: ends.length };
    });
    shown.forEach((told, i) => {
      fans[i].fan.show({ scene, told, both });
    });
    setText(words, compareArrows(shown[0], shown[1]));
    fillTable();
  }
  function fillTable() {
    if (folder.open && shown.length > 0) table.replaceChildren(tableOfArrows(shown));
  }
  folder.addEventListener("toggle", fillTable);
  const ask = showSeenFirst(panel, draw);

  scenes.watch((scene) => {
    const { own, rival, names, place } = lastingPairOf(scene);
    setText(caption, `iteration ${scene.step + 1} of ${scene.iterations}`);
    fans[0].fan.name(`Votes for ${names[0]}, in focus`);
    fans[1].fan.name(`Votes for ${names[1]}, ${place}`);
    if (!hasVotes(layer)) return;
    askFor(
      room,
      "agreement",
      [...new Set([own, rival])].map((i) => votesName(layer, i)),
    );
    ask(scene);
  });
}

/** What moves from iteration to iteration: couplings, colours, and where two arrows end. */
/** @typedef {Record<"weights" | "tints" | "mean" | "pose", Float32Array>} Moving */

/** @typedef {{ scene: Scene, told: Told, both: Arrows[] }} Shown both: whose scale it is */

/**
 * The arrows of one class: a picture in which votes can be pointed at and chosen.
 * @param {HTMLElement} figure @param {DynamicRoom} room
 */
function mountFan(figure, { scenes, store }) {
  const canvas = findCanvas(figure, "canvas");
  const title = findElement(figure, "[data-fan-title]");
  const words = findElement(figure, "[data-fan-words]");
  const readout = findElement(figure, ".readout");
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Moving | null} */
  let moving = null;
  /** @type {PlaneFrame} */
  let frame = { x: 0, y: 0, unit: 0 };
  /** @type {number | null} */
  let pointed = null;

  // Keys may come faster than frames: the choice is newer than the picture.
  function chosen() {
    const scene = scenes.shown();
    return (
      shown && scene && indexOrNull(shown.told.arrows.capsules.indexOf(scene.capsule))
    );
  }
  const ask = createStage(canvas, CLOUD_COLORS, (stage) => {
    if (shown === null || moving === null) return;
    frame = paintArrows(stage, shown, moving, {
      chosen: chosen() ?? -1,
      pointed: pointed ?? -1,
    });
  });
  const move = tween(
    (/** @type {Moving} */ now) => {
      moving = now;
      ask();
    },
    blend,
    () => scenes.shown()?.look.pace === "slow",
  );

  function read() {
    if (shown === null) return;
    const { scene, told } = shown;
    const { capsules } = told.arrows;
    const i = pointed ?? chosen() ?? 0;
    if (capsules.length === 0) return setText(readout, "");
    const where = capsuleInWords(scene.grid, capsules[i]);
    setText(readout, `${where}: ${readArrow(told, i)}`);
  }
  listenToPoints(canvas, {
    points: () => shown?.told.arrows.tips ?? new Float32Array(0),
    frame: () => frame,
    reach: REACH,
    chosen,
    point(i) {
      if (i === pointed) return;
      pointed = i;
      read();
      ask();
    },
    choose(i) {
      const capsule = shown?.told.arrows.capsules[i];
      if (capsule !== undefined) store.set(choosing(capsule));
    },
  });

  return {
    /** @param {string} text */
    name: (text) => setText(title, text),

    /** @param {Shown} now */
    show(now) {
      const before = shown?.told;
      shown = now;
      pointed = null;
      const next = movingOf(now);
      if (before?.arrows !== now.told.arrows || moving === null) move(next, next);
      else if (before.step !== now.told.step) move(moving, next);
      else ask();
      setText(words, describeArrows(now.told));
      read();
    },
  };
}

/**
 * @param {Stage<typeof CLOUD_COLORS[number]>} stage @param {Shown} shown
 * @param {Moving} moving
 * @param {{ chosen: number, pointed: number }} marked arrows; -1 for none
 * @returns {PlaneFrame}
 */
function paintArrows(stage, { told, both }, moving, marked) {
  const { context, width, height, colors, font } = stage;
  const size = { width, height };
  const clouds = both.flatMap(({ tips, poses, means }) => [tips, poses, means]);
  const frame = framePoints(clouds, { ...size, margin: MARGIN });
  paintPlane(context, frame, size, colors, font);
  const { tips, capsules } = told.arrows;
  const { mean, pose } = moving;
  const fan = { tips, ...moving, ...marked, named: [mean, pose] };
  paintFan(context, fan, frame, colors, font);
  const look = { font, isArrow: true };
  if (capsules.length > 0)
    paintPath(context, mean, 0, frame, { ...look, color: colors.text, name: "mean" });
  const name = `v of ${told.name}`;
  paintPath(context, pose, 0, frame, { ...look, color: colors.accent, name });
  return frame;
}

/** @param {Shown} shown @returns {Moving} */
function movingOf({ told: { arrows, step }, both }) {
  const most = Math.max(...both.flatMap(({ agreement }) => agreement.map(reach))) || 1;
  return {
    weights: arrows.couplings[step],
    tints: arrows.agreement[step].map((value) => value / most),
    mean: arrows.means.subarray(2 * step, 2 * step + 2),
    pose: arrows.poses.subarray(2 * step, 2 * step + 2),
  };
}

/** @param {Moving} from @param {Moving} to @param {number} share @returns {Moving} */
export function blend(from, to, share) {
  const between = (/** @type {keyof Moving} */ key) =>
    to[key].map((end, i) => from[key][i] + share * (end - from[key][i]));
  return {
    weights: between("weights"),
    tints: between("tints"),
    mean: between("mean"),
    pose: between("pose"),
  };
}
