/**
 * The votes as points in the plane in which they differ the most: those for the capsule in
 * focus large, all others as dust; and for each capsule above the mean of its votes with
 * the ellipse of one standard deviation.
 * @import { PlaneFrame } from "../../../geometry/plane.js"
 * @import { Stage } from "../../../ui/stage.js"
 * @import { Actions } from "../types.js"
 * @import { Scene, Scenes } from "./scene.js"
 */
import {
  ellipseOf,
  framePoints,
  nearestPoint,
  nextPoint,
  spreadInPlane,
} from "../../../geometry/plane.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { principalPlane, projected } from "../../../lib/principal.js";
import {
  paintCluster,
  paintDust,
  paintPoints,
  paintWay,
} from "../../../paint/clusters.js";
import { arrowOf } from "../../../ui/controls.js";
import { findCanvas, findElement, setText } from "../../../ui/dom.js";
import { tween } from "../../../ui/motion.js";
import { createStage } from "../../../ui/stage.js";
import { BELOW, fieldOf, POSE } from "../places.js";
import { chooseChild } from "./choose.js";
import { distancesOf, weightsOf } from "./sums.js";

const COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "line",
  "accent",
  "focus",
  "surface",
]);
const MARGIN = 30;
const REACH = 14; // how far from a point the pointer may be
const CLUSTER = 5; // numbers of one cluster: its mean, and its spread

/** What the votes span: the same in every iteration. */
const spanOf = memoizeByObject(
  (/** @type {Scene["routed"]} */ { votes }) => votes,
  ({ votes, parents, iterations, means, deviations, children }) => {
    const plane = principalPlane(votes, POSE);
    const points = projected(votes, plane);
    const size = 2 * children.length;
    const steps = Array.from({ length: iterations }, (_, step) => step);
    const ways = Array.from({ length: parents }, (_, parent) =>
      projected(
        steps.flatMap((step) => Array.from(means(step, parent))),
        plane,
      ),
    );
    return {
      plane,
      points,
      of: (/** @type {number} */ parent) =>
        points.subarray(parent * size, (parent + 1) * size),
      ways,
      reach: reachOf(ways, plane, { iterations, deviations }),
      /** @param {number} step @returns {Float32Array} (parents, 5) */
      clusters: (step) =>
        Float32Array.from(
          Array.from({ length: parents }, (_, parent) => {
            const { xx, xy, yy } = spreadInPlane(
              deviations(step, parent),
              plane.right,
              plane.up,
            );
            const [x, y] = ways[parent].subarray(2 * step, 2 * step + 2);
            return [x, y, xx, xy, yy];
          }).flat(),
        ),
    };
  },
);

/**
 * The corners of what the ellipses reach in any iteration, so that the picture's scale
 * stays while iterations go by.
 * @param {readonly Float32Array[]} ways [parent] (iterations, 2)
 * @param {import("../../../lib/principal.js").Plane} plane
 * @param {Pick<Scene["routed"], "iterations" | "deviations">} routed
 * @returns {Float32Array} (count, 2)
 */
function reachOf(ways, { right, up }, { iterations, deviations }) {
  const corners = ways.flatMap((way, parent) =>
    Array.from({ length: iterations }, (_, step) => {
      const { xx, yy } = spreadInPlane(deviations(step, parent), right, up);
      const [x, y] = way.subarray(2 * step, 2 * step + 2);
      const [across, upright] = [Math.sqrt(xx), Math.sqrt(yy)];
      return [x - across, y - upright, x + across, y + upright];
    }).flat(),
  );
  return Float32Array.from(corners);
}

/**
 * @param {HTMLElement} root
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountCloud(root, scenes, actions) {
  const panel = findElement(root, "[data-cloud]");
  const canvas = findCanvas(panel, "canvas");
  const readout = findElement(panel, "[data-readout]");
  const words = findElement(panel, "[data-cloud-text]");
  /** @type {PlaneFrame} */
  let frame = { x: 0, y: 0, unit: 0 };
  let pointed = -1;
  /** @type {Float32Array | null} */
  let clusters = null;
  /** @type {{ routed: Scene["routed"], step: number } | null} */
  let aim = null;

  const ask = createStage(canvas, COLORS, (stage) => {
    const scene = scenes.shown();
    if (scene !== null && clusters !== null)
      frame = paint(stage, scene, clusters, pointed);
  });
  const move = tween((/** @type {Float32Array} */ now) => {
    clusters = now;
    ask();
  }, blend);

  scenes.watch((scene) => {
    const { routed, step } = scene;
    setText(findElement(panel, "[data-cloud-name]"), scene.name);
    setText(
      findElement(panel, "[data-cloud-step]"),
      `iteration ${step + 1} of ${routed.iterations}`,
    );
    const next = spanOf(routed).clusters(step);
    const isAlike = aim?.routed === routed && clusters !== null;
    if (aim?.routed !== routed || aim.step !== step)
      move(isAlike && clusters ? clusters : next, next);
    aim = { routed, step };
    setText(words, sentences(scene));
    read(scene);
    ask();
  });

  /** @param {Scene} scene */
  function read(scene) {
    const { routed, step, parent, name } = scene;
    const child = pointed >= 0 ? pointed : scene.child;
    const { type, row, column } = routed.children[child];
    const distance = distancesOf(routed, step, parent)[child];
    const share = routed.assignments(step)[child * routed.parents + parent];
    setText(
      readout,
      `type ${type}, row ${row}, column ${column}: R to ${name} ${fixed(share, 4)}, active ${fixed(routed.presence[child], 3)}, vote ${fixed(distance, 2)} from the mean`,
    );
  }
  /** @param {number} child -1 for none */
  function point(child) {
    const scene = scenes.shown();
    if (child === pointed || scene === null) return;
    pointed = child;
    const sizes = scene.model.card.config;
    const below = BELOW[scene.routed.above];
    const place = scene.routed.children[child];
    actions.lookAt(child < 0 ? null : fieldOf(sizes, below, place));
    read(scene);
    ask();
  }
  /** @param {MouseEvent} event */
  function under({ offsetX, offsetY }) {
    const scene = scenes.shown();
    if (scene === null) return -1;
    const points = spanOf(scene.routed).of(scene.parent);
    return nearestPoint(points, frame, offsetX, offsetY, REACH);
  }
  canvas.addEventListener("pointermove", (event) => point(under(event)));
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("click", (event) => {
    const [scene, child] = [scenes.shown(), under(event)];
    if (scene !== null) chooseChild(scene, actions, child);
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    const scene = scenes.shown();
    if (arrow === null || scene === null) return;
    event.preventDefault();
    const points = spanOf(scene.routed).of(scene.parent);
    chooseChild(scene, actions, nextPoint(points, scene.child, arrow));
  });
}

/**
 * @param {Stage<typeof COLORS[number]>} stage
 * @param {Scene} scene
 * @param {Float32Array} clusters (parents, 5)
 * @param {number} pointed child; -1 for none
 * @returns {PlaneFrame}
 */
function paint({ context, width, height, colors, font }, scene, clusters, pointed) {
  const { routed, step, parent, child } = scene;
  const span = spanOf(routed);
  const frame = framePoints([span.of(parent), span.reach], {
    width,
    height,
    margin: MARGIN,
  });
  paintDust(context, span.points, frame, colors.muted);
  const each = Array.from({ length: routed.parents }, (_, i) => i);
  for (const other of each) {
    if (other === parent) continue;
    const look = { color: colors.muted, ground: colors.surface, font, isChosen: false };
    paintCluster(context, clusterOf(clusters, other, routed.names), frame, look);
  }
  const points = {
    places: span.of(parent),
    sizes: routed.presence,
    weights: weightsOf(routed, step, parent),
  };
  paintPoints(context, points, frame, colors, { chosen: child, pointed });
  paintWay(context, span.ways[parent], frame, colors.accent);
  const look = { color: colors.accent, ground: colors.surface, font, isChosen: true };
  paintCluster(context, clusterOf(clusters, parent, routed.names), frame, look);
  return frame;
}

/**
 * @param {Float32Array} clusters
 * @param {number} parent
 * @param {readonly string[]} names
 */
function clusterOf(clusters, parent, names) {
  const [x, y, xx, xy, yy] = clusters.subarray(
    parent * CLUSTER,
    (parent + 1) * CLUSTER,
  );
  return { x, y, ellipse: ellipseOf({ xx, xy, yy }), name: names[parent] };
}

/** @param {Scene} scene */
function sentences({ routed, step, parent, name }) {
  const { plane } = spanOf(routed);
  const held = percent(plane.rightShare + plane.upShare, 0);
  const sigma = geometricMean(routed.deviations(step, parent));
  const first = geometricMean(routed.deviations(0, parent));
  const [now, before] = [fixed(sigma, 2), fixed(first, 2)];
  const course =
    step === 0
      ? ""
      : now === before
        ? ", as in the first iteration"
        : ` (in the first iteration: ${before})`;
  return `This plane holds ${held} of the variance of all votes. The ellipse of ${name} has a standard deviation of ${now} in the geometric mean of its 16 numbers${course}; the floor keeps each at ${fixed(Math.sqrt(routed.floor), 2)} or more.`;
}

/** @param {Float32Array} values above 0 */
function geometricMean(values) {
  return Math.exp(
    values.reduce((sum, value) => sum + Math.log(value), 0) / values.length,
  );
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
