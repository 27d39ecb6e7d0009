/**
 * The votes for the digit in focus: all of them as points in the plane where they differ
 * the most, and what routing makes of them from iteration to iteration.
 * @import { PlaneFrame } from "../../../../geometry/plane.js"
 * @import { Stage } from "../../../../ui/stage.js"
 * @import { Laid } from "./cloud.js"
 * @import { Scene, Scenes } from "../scene.js"
 * @import { Pixels } from "../../../../types.js"
 * @import { Actions } from "../../types.js"
 */

import { framePoints, nearestPoint, nextPoint } from "../../../../geometry/plane.js";
import { ink } from "../../../../lib/color.js";
import { fixed, percent, signed } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { paintCloud, paintPath, paintPlane } from "../../../../paint/cloud.js";
import { arrowOf } from "../../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../../ui/dom.js";
import { framedPicture } from "../../../../ui/pictures.js";
import { createStage, placeOn, pointOn } from "../../../../ui/stage.js";
import { valueTip } from "../../../../ui/value-tip.js";
import { capsulePlace, fieldOfCapsule } from "../../places.js";
import { sizesOf } from "../../state.js";
import { layOutVotes } from "./cloud.js";
import { mountStrongest } from "./table.js";

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
/** Pixels are bytes. */
const INK = { ...ink(), high: 255 };
const MARGIN = 26;
const NEAR_MARGIN = 34;
const REACH = 14; // how far from a point the pointer may be

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountVotes(root, scenes, actions) {
  const panel = findElement(root, "[data-votes]");
  const canvas = findCanvas(panel, "[data-votes-picture]");
  const near = findCanvas(panel, "[data-votes-near]");
  const title = findElement(panel, "[data-votes-name]");
  const caption = findElement(panel, "[data-votes-caption]");
  const readout = findElement(panel, "[data-votes-readout]");
  const words = findElement(panel, "[data-votes-text]");
  const field = framedPicture(findElement(panel, ".votes-field"));
  const strongest = mountStrongest(findElement(panel, "[data-votes-rows]"), actions);
  /** @type {PlaneFrame} */
  let frame = { x: 0, y: 0, unit: 0 };
  let pointed = -1;

  function laid() {
    const scene = scenes.shown();
    const votes = scene && layOutVotes(scene);
    return scene && votes ? { scene, votes } : null;
  }
  /** @param {VotesStage} stage */
  function paint(stage) {
    const found = laid();
    if (found === null) return;
    frame = paintVotes(stage, found.scene, found.votes, pointed);
    describe(found.scene, found.votes);
  }
  /** @param {VotesStage} stage */
  function paintNear(stage) {
    const found = laid();
    if (found !== null) paintMeans(stage, found.scene, found.votes, pointed);
  }
  const askNear = createStage(near, COLORS, paintNear);
  const askPicture = createStage(canvas, COLORS, paint, (isSeen) =>
    actions.seeVotes(isSeen),
  );
  const ask = () => {
    askPicture();
    askNear();
  };
  scenes.watch((scene) => {
    setText(title, scene.name); // headings are read before they are seen
    setText(caption, `iteration ${scene.step + 1} of ${scene.iterations}`);
    ask();
  });

  const showInput = memoize(
    (/** @type {Pixels} */ pixels, /** @type {number} */ side) =>
      field.show(pixels.bytes, side, INK),
  );
  /** @param {Scene} scene @param {Laid} votes */
  function describe(scene, votes) {
    const sizes = sizesOf(scene.model);
    setText(words, sentences(scene, votes));
    showInput(scene.trace.pixels, sizes.image_size);
    field.frame(fieldOfCapsule(sizes, scene.place.row, scene.place.column));
    strongest.show(scene);
    read(scene, votes);
  }
  /** @param {Scene} scene @param {Laid} votes */
  function read(scene, votes) {
    const capsule = pointed >= 0 ? pointed : scene.capsule;
    const { type, row, column } = capsulePlace(sizesOf(scene.model), capsule);
    const length = scene.trace.tensors["primary.lengths"].data[capsule];
    setText(
      readout,
      `type ${type}, row ${row}, column ${column}: ‖u‖ ${fixed(length, 3)}, c ${fixed(votes.couplings[capsule], 4)}, û·v ${signed(votes.agreement[capsule], 3)}`,
    );
  }

  /** @param {number} capsule -1 for none */
  function point(capsule) {
    const scene = scenes.shown();
    if (capsule === pointed || scene === null) return;
    pointed = capsule;
    const sizes = sizesOf(scene.model);
    const place = capsulePlace(sizes, Math.max(capsule, 0));
    const seen = fieldOfCapsule(sizes, place.row, place.column);
    field.point(capsule < 0 ? null : seen);
    actions.lookAt(capsule < 0 ? null : seen);
    ask();
  }
  /** @param {MouseEvent} event */
  const under = (event) => {
    const found = laid();
    const { x, y } = pointOn(event);
    return found ? nearestPoint(found.votes.course.points, frame, x, y, REACH) : -1;
  };
  const tip = valueTip(canvas, {
    place() {
      const found = laid();
      const { points } = found?.votes.course ?? { points: [0, 0] };
      const i = 2 * (found?.scene.capsule ?? 0);
      return placeOn(canvas, {
        x: frame.x + points[i] * frame.unit,
        y: frame.y - points[i + 1] * frame.unit,
      });
    },
  });
  canvas.addEventListener("pointermove", (event) => {
    const found = under(event);
    point(found);
    if (found < 0) tip.end();
    else tip.point(event);
  });
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("click", (event) => {
    const capsule = under(event);
    if (capsule >= 0) actions.chooseCapsule(capsule);
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    const found = laid();
    if (arrow === null || found === null) return;
    event.preventDefault();
    actions.chooseCapsule(
      nextPoint(found.votes.course.points, found.scene.capsule, arrow),
    );
    tip.walk();
  });
}

/** @typedef {Stage<typeof COLORS[number]>} VotesStage */

/**
 * All votes, and the way of v.
 * @param {VotesStage} stage
 * @param {Scene} scene
 * @param {Laid} votes
 * @param {number} pointed capsule, -1 for none
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
 * @param {VotesStage} stage
 * @param {Scene} scene
 * @param {Laid} votes
 * @param {number} pointed capsule, -1 for none
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
 * @param {Scene} scene
 * @param {Laid} votes
 * @param {number} pointed
 * @returns {import("../../../../paint/cloud.js").Cloud}
 */
function cloudOf({ trace, capsule, place }, { course, couplings, tints }, pointed) {
  const [types] = trace.tensors["primary.lengths"].shape;
  const cells = couplings.length / types;
  return {
    points: course.points,
    sizes: trace.tensors["primary.lengths"].data,
    weights: couplings,
    tints,
    first: place.type * cells,
    last: (place.type + 1) * cells,
    chosen: capsule,
    pointed,
  };
}

/**
 * @param {Scene} scene
 * @param {Laid} votes
 */
function sentences({ figures, digit, step }, { course }) {
  const { plane, sums, meanVotes } = course;
  const sumLength = Math.hypot(...sums[step]);
  const wayLength = Math.hypot(...meanVotes[step].map((x, d) => x - meanVotes[0][d]));
  const held = percent(plane.rightShare + plane.upShare, 0);
  const length = fixed(figures.lengths()[digit][step], 3);
  const moved =
    step === 0
      ? "All votes have the same weight."
      : `Their weighted mean has moved by ${fixed(wayLength, 4)} since the first iteration.`;
  return `This plane holds ${held} of the votes’ variance (${percent(plane.rightShare, 0)} across, ${percent(plane.upShare, 0)} up). ${moved} The sum s is ${fixed(sumLength, 2)} long, so v is ${length}.`;
}
