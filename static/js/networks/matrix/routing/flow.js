/**
 * Ribbons from the capsule types below to the capsules above: what each type assigns to
 * whom in the iteration on show.
 * @import { Stage } from "../../../ui/stage.js"
 * @import { Actions } from "../types.js"
 * @import { Scene, Scenes } from "./scene.js"
 * @import { Flow } from "./sums.js"
 */

import {
  emptyRibbons,
  layOutRibbons,
  nodeAt,
  ribbonAt,
} from "../../../geometry/ribbons.js";
import { sum } from "../../../lib/arithmetic.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintRibbons, roomForNames } from "../../../paint/ribbons.js";
import { arrowOf } from "../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../ui/dom.js";
import { tween } from "../../../ui/motion.js";
import { createStage } from "../../../ui/stage.js";
import { chooseChild, chooseParent } from "./choose.js";
import { flowOf } from "./sums.js";

const COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "accent",
  "focus",
  "gain",
  "even",
  "loss",
]);
const MARGIN = { left: 34, top: 17, bottom: 17 };
const GAP = 26; // so that names find room beside capsules that get next to nothing
const SLACK = 2; // a hair can be pointed at
const ELSEWHERE = "else";

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountFlow(root, scenes, actions) {
  const canvas = findCanvas(root, "[data-flow]");
  const readout = findElement(root, "[data-flow-readout]");
  const words = findElement(root, "[data-flow-text]");
  let ribbons = emptyRibbons(1, 1);
  let pointed = -1;
  /** @type {Float32Array | null} */
  let shown = null;
  /** @type {Flow | null} */
  let flow = null;
  const flowNow = memoize(flowOf);
  const firstFlow = memoize(flowOf);

  const ask = createStage(canvas, COLORS, (stage) => {
    const scene = scenes.shown();
    if (scene === null || shown === null || flow === null) return;
    paintFlow(stage, scene, {
      ribbons,
      flow,
      amounts: shown,
      pointed,
      first: firstFlow(scene.routed, 0),
    });
  });
  const move = tween((/** @type {Float32Array} */ now) => {
    shown = now;
    ask();
  }, blend);

  scenes.watch((scene) => {
    const before = flow;
    flow = flowNow(scene.routed, scene.step);
    if (ribbons.sources !== flow.types || ribbons.targets !== flow.targets)
      ribbons = emptyRibbons(flow.types, flow.targets);
    const isAlike = shown !== null && shown.length === flow.amounts.length;
    if (before !== flow) move(isAlike && shown ? shown : flow.amounts, flow.amounts);
    setText(words, describe(scene, flow));
    read(scene);
    ask();
  });

  /** @param {Scene} scene */
  function read(scene) {
    if (flow === null) return;
    const at = pointed >= 0 ? pointed : scene.place.type * flow.targets + scene.parent;
    const type = Math.floor(at / flow.targets);
    const target = at % flow.targets;
    const name = scene.routed.names[target] ?? "capsules at other places";
    setText(
      readout,
      `type ${type} → ${name}: Σ R·a = ${fixed(flow.amounts[at], 3)}, ${percent(flow.shares[at], 1)} of the type`,
    );
  }

  /** @param {MouseEvent} event */
  const under = ({ offsetX, offsetY }) =>
    ribbonAt(ribbons, offsetX, offsetY, { slack: SLACK, rank: () => 0 });
  /** @param {number} index */
  function point(index) {
    const scene = scenes.shown();
    if (index === pointed || scene === null) return;
    pointed = index;
    read(scene);
    ask();
  }
  canvas.addEventListener("pointermove", (event) => point(under(event)));
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("click", (event) => {
    const scene = scenes.shown();
    if (scene === null) return;
    const found = under(event);
    const { left, right, targets, sourceY, sourceHeight, targetY, targetHeight } =
      ribbons;
    if (event.offsetX < left)
      chooseType(scene, actions, nodeAt(sourceY, sourceHeight, event.offsetY));
    else if (event.offsetX > right)
      chooseParent(scene, actions, nodeAt(targetY, targetHeight, event.offsetY));
    else if (found >= 0) {
      chooseType(scene, actions, Math.floor(found / targets));
      chooseParent(scene, actions, found % targets);
    }
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    const scene = scenes.shown();
    if (arrow === null || scene === null) return;
    event.preventDefault();
    const [down, right] = arrow;
    if (down !== 0) chooseType(scene, actions, scene.place.type + down);
    else chooseParent(scene, actions, scene.parent + right);
  });
}

/**
 * The child of another type that stands where the chosen one does.
 * @param {Scene} scene
 * @param {Actions} actions
 * @param {number} type
 */
function chooseType(scene, actions, type) {
  const { place, routed } = scene;
  const child = routed.children.findIndex(
    (each) =>
      each.type === type && each.row === place.row && each.column === place.column,
  );
  if (child >= 0) chooseChild(scene, actions, child);
}

/**
 * @param {Stage<typeof COLORS[number]>} stage
 * @param {Scene} scene
 * @param {object} picture
 * @param {ReturnType<typeof emptyRibbons>} picture.ribbons laid out by this
 * @param {Flow} picture.flow
 * @param {Flow} picture.first that of the first iteration, which is even
 * @param {Float32Array} picture.amounts on the way from one iteration to the next
 * @param {number} picture.pointed -1 for none
 */
function paintFlow(stage, scene, { ribbons, flow, first, amounts, pointed }) {
  const { context, width, height, colors, font } = stage;
  const { routed, step, parent, place } = scene;
  const names =
    flow.targets > routed.parents ? [...routed.names, ELSEWHERE] : routed.names;
  layOutRibbons(ribbons, amounts, {
    left: MARGIN.left,
    right: width - roomForNames(context, { names, font }),
    top: MARGIN.top,
    height: height - MARGIN.top - MARGIN.bottom,
    gap: GAP,
    full: sum(routed.presence),
  });
  const activations = routed.names.map((_, each) =>
    fixed(routed.activation(step, each), 3),
  );
  const picture = {
    ribbons,
    tints: flow.shares.map((share, i) =>
      Math.max(-1, Math.min(1, (share - first.shares[i]) / (1 - first.shares[i] || 1))),
    ),
    isEven: false,
    target: parent,
    source: place.type,
    pointed,
    names,
    notes: [...activations, ""],
    font,
  };
  paintRibbons(context, picture, colors);
}

/**
 * @param {Scene} scene
 * @param {Flow} flow
 */
function describe({ routed, parent, name }, { amounts, targets, types }) {
  const total = sum(amounts);
  if (total === 0) return "No capsule below is active: nothing flows.";
  let mine = 0;
  let strongest = 0;
  for (let type = 0; type < types; type++) {
    const amount = amounts[type * targets + parent];
    mine += amount;
    if (amount > amounts[strongest * targets + parent]) strongest = type;
  }
  const above = routed.above === "classes" ? "" : " here";
  return `${percent(mine / total, 1)} of all activation below goes to ${name}${above}, the most from type ${strongest}.`;
}

/**
 * @param {Float32Array} from
 * @param {Float32Array} to
 * @param {number} share
 * @returns {Float32Array}
 */
function blend(from, to, share) {
  return to.map((value, i) => from[i] + share * (value - from[i]));
}
