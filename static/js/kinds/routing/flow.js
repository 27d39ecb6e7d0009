/**
 * Ribbons from the types of capsules below to the capsules above: who sends how much where
 * in the iteration on show.
 * @import { Ribbons } from "../../geometry/ribbons.js"
 * @import { Stage } from "../../ui/stage.js"
 * @import { Scenes } from "../../core/scenes.js"
 */
import {
  emptyRibbons,
  layOutRibbons,
  nodeAt,
  ribbonAt,
} from "../../geometry/ribbons.js";
import { paintRibbons, roomForNames } from "../../paint/ribbons.js";
import { findCanvas, findElement, setText } from "../../ui/dom.js";
import { tween } from "../../ui/motion.js";
import { sayFinding } from "../../ui/panel.js";
import { indexOrNull, listenToPicture } from "../../ui/pointing.js";
import { showSeenFirst } from "../../ui/seen.js";
import { createStage } from "../../ui/stage.js";

const COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "accent",
  "focus",
  "gain",
  "even",
  "loss",
]);
const LEFT = 34; // CSS pixels beside the ribbons: room for the types' names
const TOP = 17;
const SLACK = 2; // a hair can be pointed at

/** @typedef {Stage<typeof COLORS[number]>} FlowStage */

/**
 * What flows in one iteration.
 * @typedef {object} Flow
 * @property {number} types below
 * @property {number} targets above
 * @property {Float32Array} amounts (types, targets)
 * @property {Float32Array} tints (types, targets) -1..1: less than even, even, more
 * @property {number} full the amount that fills the picture's height: the same in every
 *   iteration, so that widths can be compared
 * @property {readonly [less: string, more: string]} [ends] colours, as CSS computes them,
 *   in place of those of less and more; all ribbons then stand out
 * @property {boolean} isEven whether most ribbons are near even, so that those out of focus
 *   may only be hinted at
 * @property {number} type the chosen one
 * @property {number} target the one in focus
 * @property {readonly string[]} names of the targets
 * @property {readonly string[]} notes beside their names
 * @property {object} group amounts of one group flow into each other, others are just drawn
 */

/** @typedef {Pick<Flow, "amounts" | "tints">} Amounts */

/**
 * @template {object} Scene
 * @param {HTMLElement} root
 * @param {Scenes<Scene>} scenes
 * @param {object} flow
 * @param {(scene: Scene) => Flow} flow.flowOf the same as long as what flows is
 * @param {{ bottom: number, gap: number }} flow.room below the ribbons, and between nodes
 * @param {(scene: Scene, flow: Flow) => string} flow.describe
 * @param {(scene: Scene) => string} flow.find what is said while it is folded
 * @param {(scene: Scene, type: number, target: number) => string} flow.read
 * @param {(scene: Scene, end: { type?: number, target?: number }) => void} flow.choose
 * @param {(stage: FlowStage, scene: Scene, ribbons: Ribbons, now: Amounts) => void} [flow.paintOver]
 */
export function mountFlow(
  root,
  scenes,
  { flowOf, room, describe, find, read, choose, paintOver },
) {
  const canvas = findCanvas(root, "[data-flow]");
  const readout = findElement(root, "[data-flow-readout]");
  const words = findElement(root, "[data-flow-text]");
  let ribbons = emptyRibbons(1, 1);
  /** @type {number | null} */
  let pointed = null;
  /** @type {Amounts | null} */
  let shown = null;
  /** @type {Flow | null} */
  let aim = null;

  const ask = createStage(canvas, COLORS, (stage) => {
    const scene = scenes.shown();
    if (scene === null || shown === null || aim === null) return;
    paintFlow(stage, aim, shown, { ribbons, room, pointed });
    paintOver?.(stage, scene, ribbons, shown);
  });
  const move = tween((/** @type {Amounts} */ now) => {
    shown = now;
    ask();
  }, createBlend());

  /** @param {Scene} scene */
  function draw(scene) {
    const next = flowOf(scene);
    const { types, targets } = next;
    if (ribbons.sources !== types || ribbons.targets !== targets)
      ribbons = emptyRibbons(types, targets);
    const isSame = aim?.group === next.group && shown !== null;
    if (aim?.amounts !== next.amounts) move(isSame && shown ? shown : next, next);
    aim = next;
    ask();
    setText(words, describe(scene, next));
    tell(scene, next);
  }
  /** @param {Scene} scene @param {Flow} flow */
  function tell(scene, { type, target, targets }) {
    const at = pointed ?? type * targets + target;
    setText(readout, read(scene, Math.floor(at / targets), at % targets));
  }
  listenToFlow(canvas, {
    ribbons: () => ribbons,
    flow: () => aim,
    newest() {
      const scene = scenes.shown();
      return scene && flowOf(scene);
    },
    point(index) {
      const scene = scenes.shown();
      if (index === pointed || scene === null || aim === null) return;
      pointed = index;
      tell(scene, aim);
      ask();
    },
    choose(end) {
      const scene = scenes.shown();
      if (scene !== null) choose(scene, end);
    },
  });
  scenes.watch(showSeenFirst(canvas, draw));
  sayFinding(findElement(root, '[data-panel="flow"]'), scenes, find);
}

/**
 * @param {FlowStage} stage @param {Flow} flow
 * @param {Amounts} shown on their way from one iteration to the next
 * @param {object} picture
 * @param {Ribbons} picture.ribbons laid out by this
 * @param {{ bottom: number, gap: number }} picture.room
 * @param {number | null} picture.pointed
 */
function paintFlow(stage, flow, { amounts, tints }, { ribbons, room, pointed }) {
  const { context, width, height, colors, font } = stage;
  const { names, notes, ends, isEven, target, type: source } = flow;
  layOutRibbons(ribbons, amounts, {
    left: LEFT,
    right: width - roomForNames(context, { names, font }),
    top: TOP,
    height: height - TOP - room.bottom,
    gap: room.gap,
    full: flow.full,
  });
  const look = {
    ends,
    isEven,
    target,
    source,
    pointed: pointed ?? -1,
    names,
    notes,
    font,
  };
  paintRibbons(context, { ribbons, tints, ...look }, colors);
}

/**
 * @param {HTMLCanvasElement} canvas @param {object} picture
 * @param {() => Ribbons} picture.ribbons as laid out
 * @param {() => Flow | null} picture.flow as drawn
 * @param {() => Flow | null} picture.newest keys may come faster than frames
 * @param {(index: number | null) => void} picture.point at a ribbon
 * @param {(end: { type?: number, target?: number }) => void} picture.choose
 */
function listenToFlow(canvas, { ribbons, flow, newest, point, choose }) {
  const chosenEnds = (now = flow()) => ({
    type: now?.type ?? 0,
    target: now?.target ?? 0,
  });
  listenToPicture(canvas, {
    under({ x, y }) {
      const { type, target } = chosenEnds();
      const { targets } = ribbons();
      const found = ribbonAt(ribbons(), x, y, {
        slack: SLACK,
        // What stands out is what is meant.
        rank: (k) =>
          2 * Number(k % targets === target) + Number(Math.floor(k / targets) === type),
      });
      return indexOrNull(found);
    },
    point,
    choose(found, { x, y }) {
      const { left, right, targets, ...nodes } = ribbons();
      if (x < left) choose({ type: nodeAt(nodes.sourceY, nodes.sourceHeight, y) });
      else if (x > right)
        choose({ target: nodeAt(nodes.targetY, nodes.targetHeight, y) });
      else if (found !== null)
        choose({ type: Math.floor(found / targets), target: found % targets });
    },
    walk([down, right]) {
      const { type, target } = chosenEnds(newest());
      choose(down !== 0 ? { type: type + down } : { target: target + right });
    },
    chosen() {
      const { type, target } = chosenEnds();
      const { left, right, targets, from, to, width } = ribbons();
      const k = type * targets + target;
      return { x: (left + right) / 2, y: (from[k] + to[k] + width[k]) / 2 };
    },
  });
}

/**
 * Blending without allocating while a picture moves.
 * @returns {(from: Amounts, to: Amounts, share: number) => Amounts}
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
