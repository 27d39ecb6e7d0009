/**
 * Ribbons from the capsule types to the digits: what flows where in the iteration on
 * show, or what routing has moved since the first, even one.
 * @import { AppState } from "../types.js"
 * @import { Stage } from "../parts/stage.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 * @import { Scene } from "./routing-trace.js"
 */
import { emptyRibbons, layOutRibbons } from "../geometry/ribbons.js";
import { fixed } from "../lib/number.js";
import { reach } from "../lib/rank.js";
import { paintRibbons, roomForNames } from "../paint/ribbons.js";
import { listenToChoices, pressChoice } from "../parts/choices.js";
import { findCanvas, findElement } from "../parts/find.js";
import { say } from "../parts/say.js";
import { whileSeen } from "../parts/seen.js";
import { createStage } from "../parts/stage.js";
import { tintLegend } from "../parts/tint-legend.js";
import { tween } from "../parts/tween.js";
import { listenToFlow } from "./routing-flow-pointer.js";
import {
  describeFlow,
  describeMoved,
  ROUNDING,
  readRibbon,
} from "./routing-flow-words.js";
import { SCENE, sceneOf } from "./routing-trace.js";

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
const MARGIN = { left: 34, top: 17, bottom: 17 };
const GAP = 8; // so that the types' names find room
const NOTHING = "all even: nothing moved";

/**
 * @typedef {{ amounts: Float32Array, tints: Float32Array }} Shown what ribbons show
 */

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountFlow(root, store, actions) {
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

  /** @param {Stage<typeof COLORS[number]>} stage */
  function paint({ context, width, height, colors, font }) {
    const scene = sceneOf(store.get());
    if (scene === null || shown === null) return;
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
  const ask = createStage(canvas, COLORS, (stage) => {
    paint(stage);
    if (isMoved) sayNothingMoved(stage);
  });
  /** @param {Stage<typeof COLORS[number]>} stage */
  function sayNothingMoved({ context, height, colors, font }) {
    if (shown === null || reach(shown.amounts) > ROUNDING) return;
    context.fillStyle = colors.muted;
    context.font = `14px ${font}`;
    context.textAlign = "center";
    context.fillText(NOTHING, (ribbons.left + ribbons.right) / 2, height / 2);
  }
  const move = tween((/** @type {Shown} */ now) => {
    shown = now;
    ask();
  }, createBlend());

  /** Only from iteration to iteration does anything flow; all else is just drawn. */
  function update() {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const { flow } = store.get().routed;
    if (isMoved !== (flow === "moved")) {
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
    say(caption, `iteration ${scene.step + 1} of ${scene.trace.iterations}`);
    legend.show(
      scene.figures.mostShare(),
      `share of a type’s length that goes there, beyond an even 1/${classes}`,
    );
    shareLegend.hidden = isMoved;
    signLegend.hidden = !isMoved;
    say(words, isMoved ? describeMoved(scene) : describeFlow(scene));
    read();
  }
  const askUpdate = whileSeen(canvas, update);
  store.watch([...SCENE, "routed"], ({ routed }) => {
    pressChoice(modes, routed.flow);
    askUpdate();
  });
  listenToChoices(modes, (value) =>
    actions.lookAtRouting({ flow: value === "all" ? value : "moved" }),
  );

  function read() {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    const { classes } = scene.figures.flow(0);
    const at = pointed >= 0 ? pointed : scene.place.type * classes + scene.digit;
    say(readout, readRibbon(scene, Math.floor(at / classes), at % classes));
  }
  listenToFlow(canvas, store, actions, {
    ribbons: () => ribbons,
    point(index) {
      if (index === pointed) return;
      pointed = index;
      read();
      ask();
    },
  });
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
  return isMoved
    ? figures.mostMoved()
    : figures.flow(0).data.reduce((sum, amount) => sum + amount, 0);
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
