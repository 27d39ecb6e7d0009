/**
 * The arrows of one digit: a picture in which votes can be pointed at and chosen.
 * @import { PlaneFrame } from "../../../../geometry/plane.js"
 * @import { Actions } from "../../types.js"
 * @import { Scene } from "../scene.js"
 * @import { Arrows } from "./arrows.js"
 * @import { Told } from "./words.js"
 */
import { framePoints, nearestPoint, nextPoint } from "../../../../geometry/plane.js";
import { reach } from "../../../../lib/arithmetic.js";
import { paintFan } from "../../../../paint/arrows.js";
import { paintPath, paintPlane } from "../../../../paint/cloud.js";
import { arrowOf } from "../../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../../ui/dom.js";
import { tween } from "../../../../ui/motion.js";
import { createStage, placeOn, pointOn } from "../../../../ui/stage.js";
import { valueTip } from "../../../../ui/value-tip.js";
import { capsulePlace } from "../../places.js";
import { sizesOf } from "../../state.js";
import { describeArrows, readArrow } from "./words.js";

const COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "line",
  "accent",
  "focus",
  "gain",
  "even",
  "loss",
  "surface",
]);
const MARGIN = 34; // for the figures beyond the tips
const REACH = 18; // how far from a tip the pointer may be

/** What moves from iteration to iteration: couplings, colours, and where two arrows end. */
/** @typedef {Record<"weights" | "tints" | "mean" | "pose", Float32Array>} Moving */

/** @typedef {{ scene: Scene, told: Told, both: Arrows[] }} Shown both: whose scale it is */

/**
 * @param {HTMLElement} figure
 * @param {Actions} actions
 */
export function mountFan(figure, actions) {
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
  let pointed = -1;

  const ask = createStage(
    canvas,
    COLORS,
    ({ context, width, height, colors, font }) => {
      if (shown === null || moving === null) return;
      const { told, both, scene } = shown;
      const size = { width, height };
      const clouds = both.flatMap(({ tips, poses, means }) => [tips, poses, means]);
      frame = framePoints(clouds, { ...size, margin: MARGIN });
      paintPlane(context, frame, size, colors, font);
      const { tips, capsules } = told.arrows;
      const chosen = capsules.indexOf(scene.capsule);
      const named = [moving.mean, moving.pose];
      const fan = { tips, ...moving, chosen, pointed, named };
      paintFan(context, fan, frame, colors, font);
      const look = { font, isArrow: true };
      if (capsules.length > 0) {
        const mean = { ...look, color: colors.text, name: "mean" };
        paintPath(context, moving.mean, 0, frame, mean);
      }
      const pose = { ...look, color: colors.accent, name: `v of ${told.name}` };
      paintPath(context, moving.pose, 0, frame, pose);
    },
  );
  const move = tween(
    (/** @type {Moving} */ now) => {
      moving = now;
      ask();
    },
    blend,
    () => shown?.scene.routed.pace === "slow",
  );

  function read() {
    if (shown === null) return;
    const { scene, told } = shown;
    const { capsules } = told.arrows;
    const i = pointed >= 0 ? pointed : Math.max(0, capsules.indexOf(scene.capsule));
    if (capsules.length === 0) return setText(readout, "");
    const { type, row, column } = capsulePlace(sizesOf(scene.model), capsules[i]);
    setText(
      readout,
      `type ${type}, row ${row}, column ${column}: ${readArrow(told, i)}`,
    );
  }
  /** @param {number} i which of the arrows; -1 for none */
  function point(i) {
    if (i === pointed) return;
    pointed = i;
    read();
    ask();
  }
  listen(canvas, {
    tips: () => shown?.told.arrows.tips ?? new Float32Array(0),
    frame: () => frame,
    chosen: () => shown?.told.arrows.capsules.indexOf(shown.scene.capsule) ?? -1,
    point,
    choose(i) {
      const capsule = shown?.told.arrows.capsules[i];
      if (capsule !== undefined) actions.chooseCapsule(capsule);
    },
  });

  return {
    /** @param {string} text */
    name: (text) => setText(title, text),

    /** @param {Shown} now */
    show(now) {
      const before = shown;
      shown = now;
      pointed = -1;
      const next = movingOf(now);
      const isSame = before?.told.arrows === now.told.arrows;
      if (!isSame || moving === null) move(next, next);
      else if (before?.told.step !== now.told.step) move(moving, next);
      else ask();
      setText(words, describeArrows(now.told));
      read();
    },
  };
}

/**
 * @param {Shown} shown
 * @returns {Moving}
 */
function movingOf({ told: { arrows, step }, both }) {
  const most = Math.max(...both.flatMap(({ agreement }) => agreement.map(reach))) || 1;
  return {
    weights: arrows.couplings[step],
    tints: arrows.agreement[step].map((value) => value / most),
    mean: arrows.means.subarray(2 * step, 2 * step + 2),
    pose: arrows.poses.subarray(2 * step, 2 * step + 2),
  };
}

/**
 * @param {Moving} from
 * @param {Moving} to
 * @param {number} share
 * @returns {Moving}
 */
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

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {() => Float32Array} picture.tips
 * @param {() => PlaneFrame} picture.frame
 * @param {() => number} picture.chosen which of the arrows; -1 for none
 * @param {(i: number) => void} picture.point -1 for none
 * @param {(i: number) => void} picture.choose
 */
function listen(canvas, { tips, frame, chosen, point, choose }) {
  const tip = valueTip(canvas, {
    place() {
      const { x, y, unit } = frame();
      const i = 2 * Math.max(0, chosen());
      const [across = 0, up = 0] = tips().subarray(i, i + 2);
      return placeOn(canvas, { x: x + across * unit, y: y - up * unit });
    },
  });
  /** @param {MouseEvent} event */
  const under = (event) => {
    const { x, y } = pointOn(event);
    return nearestPoint(tips(), frame(), x, y, REACH);
  };
  canvas.addEventListener("pointermove", (event) => {
    const found = under(event);
    point(found);
    if (found < 0) tip.end();
    else tip.point(event);
  });
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("click", (event) => choose(under(event)));
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    if (arrow === null || tips().length === 0) return;
    event.preventDefault();
    const from = chosen();
    choose(from < 0 ? 0 : nextPoint(tips(), from, arrow));
    tip.walk();
  });
}
