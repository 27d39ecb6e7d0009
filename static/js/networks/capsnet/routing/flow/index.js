/**
 * Ribbons from the capsule types to the digits: what flows where in the iteration on
 * show, or what routing has moved since the first, even one.
 * @import { Ribbons } from "../../../../geometry/ribbons.js"
 * @import { Stage } from "../../../../ui/stage.js"
 * @import { Scene, Scenes } from "../scene.js"
 * @import { Actions } from "../../types.js"
 */

import { emptyRibbons, layOutRibbons } from "../../../../geometry/ribbons.js";
import { reach, sum } from "../../../../lib/arithmetic.js";
import { fixed } from "../../../../lib/format.js";
import { paintRibbons, roomForNames } from "../../../../paint/ribbons.js";
import { listenToChoices, pressChoice } from "../../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../../ui/dom.js";
import { tween } from "../../../../ui/motion.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { createStage } from "../../../../ui/stage.js";
import { listenToFlow } from "./pointer.js";
import { tintLegend } from "./tint-legend.js";
import {
  describeFlow,
  describeMoved,
  enlargement,
  ROUNDING,
  readRibbon,
} from "./words.js";

const COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "accent",
  "focus",
  "gain",
  "even",
  "loss",
]);

/** Around the ribbons, in CSS pixels: room for the nodes' names. */
const MARGIN = { left: 34, top: 17, bottom: 34 };
const GAP = 8; // so that the types' names find room
const NOTHING = "all even: nothing moved";

/**
 * @typedef {{ amounts: Float32Array, tints: Float32Array }} Shown what ribbons show
 */

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountFlow(root, scenes, actions) {
  const canvas = findCanvas(root, "[data-flow]");
  const caption = findElement(root, "[data-flow-caption]");
  const readout = findElement(root, "[data-flow-readout]");
  const words = findElement(root, "[data-flow-text]");
  const modes = findElement(root, "[data-flow-modes]");
  const shareLegend = findElement(root, "[data-flow-shares]");
  const signLegend = findElement(root, "[data-flow-signs]");
  const legend = tintLegend(shareLegend, {
    format: (most) => `${(100 * most).toFixed(1)} pp`,
  });
  let ribbons = emptyRibbons(1, 1);
  let isMoved = true;
  let pointed = -1;
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Scene["figures"] | null} */
  let figures = null;
  /** @type {Shown | null} */
  let aim = null;

  const ask = createStage(canvas, COLORS, (stage) => {
    const scene = scenes.shown();
    if (scene === null || shown === null) return;
    paintFlow(stage, scene, { ribbons, shown, isMoved, pointed });
    if (!isMoved) return;
    if (reach(shown.amounts) <= ROUNDING) sayNothingMoved(stage, ribbons);
    else sayEnlarged(stage, ribbons, enlargement(scene));
  });
  const move = tween((/** @type {Shown} */ now) => {
    shown = now;
    ask();
  }, createBlend());

  /** Only from iteration to iteration does anything flow; all else is just drawn. */
  /** @param {Scene} scene */
  function update(scene) {
    if (isMoved !== (scene.routed.flow === "moved")) {
      isMoved = !isMoved;
      figures = null; // widths of two kinds do not flow into each other
    }
    const { types, classes } = scene.figures.flow(0);
    if (ribbons.sources !== types || ribbons.targets !== classes)
      ribbons = emptyRibbons(types, classes);
    const next = whatToShow(scene, isMoved);
    const isSamePass = figures === scene.figures && shown !== null;
    if (aim?.amounts !== next.amounts) move(isSamePass && shown ? shown : next, next);
    figures = scene.figures;
    aim = next;
    ask();
    setText(caption, `iteration ${scene.step + 1} of ${scene.iterations}`);
    legend.show(
      scene.figures.mostShare(),
      `share of a type’s length that goes there, beyond an even 1/${classes}`,
    );
    shareLegend.hidden = isMoved;
    signLegend.hidden = !isMoved;
    setText(words, isMoved ? describeMoved(scene) : describeFlow(scene));
    read(scene);
  }
  const askUpdate = showSeenFirst(canvas, update);
  scenes.watch((scene) => {
    pressChoice(modes, scene.routed.flow);
    askUpdate(scene);
  });
  listenToChoices(modes, (value) =>
    actions.lookAtRouting({ flow: value === "all" ? value : "moved" }),
  );

  /** @param {Scene} scene */
  function read(scene) {
    const { classes } = scene.figures.flow(0);
    const at = pointed >= 0 ? pointed : scene.place.type * classes + scene.digit;
    setText(readout, readRibbon(scene, Math.floor(at / classes), at % classes));
  }
  listenToFlow(canvas, scenes, actions, {
    ribbons: () => ribbons,
    point(index) {
      if (index === pointed) return;
      pointed = index;
      const scene = scenes.shown();
      if (scene !== null) read(scene);
      ask();
    },
  });
}

/** @typedef {Stage<typeof COLORS[number]>} FlowStage */

/**
 * @param {FlowStage} stage
 * @param {Scene} scene
 * @param {object} flow
 * @param {Ribbons} flow.ribbons laid out by this
 * @param {Shown} flow.shown
 * @param {boolean} flow.isMoved
 * @param {number} flow.pointed -1 for none
 */
function paintFlow(stage, scene, { ribbons, shown, isMoved, pointed }) {
  const { context, width, height, colors, font } = stage;
  const { class_names: names } = scene.model;
  layOutRibbons(ribbons, shown.amounts, {
    left: MARGIN.left,
    right: width - roomForNames(context, { names, font }),
    top: MARGIN.top,
    height: height - MARGIN.top - MARGIN.bottom,
    gap: GAP,
    full: fullOf(scene, isMoved),
  });
  const lengths = scene.figures.lengths();
  paintRibbons(
    context,
    {
      ribbons,
      tints: shown.tints,
      isEven: !isMoved,
      target: scene.digit,
      source: scene.place.type,
      pointed,
      names,
      notes: lengths.map((values) => fixed(values[scene.step], 3)),
      font,
    },
    colors,
  );
}

/**
 * @param {FlowStage} stage
 * @param {Ribbons} ribbons
 */
function sayNothingMoved({ context, height, colors, font }, ribbons) {
  context.fillStyle = colors.muted;
  context.font = `14px ${font}`;
  context.textAlign = "center";
  context.fillText(NOTHING, (ribbons.left + ribbons.right) / 2, height / 2);
}

/**
 * @param {FlowStage} stage
 * @param {Ribbons} ribbons
 * @param {number} times
 */
function sayEnlarged({ context, height, colors, font }, ribbons, times) {
  context.fillStyle = colors.text;
  context.font = `13px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const middle = (ribbons.left + ribbons.right) / 2;
  context.fillText(`widths ×${times} against “all that flows”`, middle, height - 6);
}

/**
 * @param {Scene} scene
 * @param {boolean} isMoved
 * @returns {Shown}
 */
function whatToShow({ figures, step }, isMoved) {
  if (isMoved) {
    const { data: amounts } = figures.moved(step);
    return { amounts, tints: amounts.map(Math.sign) };
  }
  const { data: amounts } = figures.flow(step);
  const { data: shares } = figures.shares(step);
  const most = figures.mostShare();
  return { amounts, tints: shares.map((share) => share / most) };
}

/**
 * The amount that fills the picture's height: the same in every iteration, so that
 * widths can be compared.
 * @param {Scene} scene
 * @param {boolean} isMoved
 */
function fullOf({ figures }, isMoved) {
  return isMoved ? figures.mostMoved() : sum(figures.flow(0).data);
}

/**
 * Blending without allocating while a picture moves.
 * @returns {(from: Shown, to: Shown, share: number) => Shown}
 */
function createBlend() {
  let between = { amounts: new Float32Array(0), tints: new Float32Array(0) };
  return (from, to, share) => {
    const size = to.amounts.length;
    // Not into what is blended from, which may be the last blend.
    if (from === between || between.amounts.length !== size)
      between = { amounts: new Float32Array(size), tints: new Float32Array(size) };
    for (let i = 0; i < size; i++) {
      between.amounts[i] = from.amounts[i] + share * (to.amounts[i] - from.amounts[i]);
      between.tints[i] = from.tints[i] + share * (to.tints[i] - from.tints[i]);
    }
    return between;
  };
}
