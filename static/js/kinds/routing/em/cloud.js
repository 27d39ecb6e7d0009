/**
 * The votes as points in the plane in which they differ the most: those for the capsule in
 * focus large, all others as dust; and for each capsule above the mean of its votes with
 * the ellipse of one standard deviation.
 * @import { PlaneFrame } from "../../../geometry/plane.js"
 * @import { Stage } from "../../../ui/stage.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */
import { points } from "../../../draw/points.js";
import { ellipseOf, framePoints, spreadInPlane } from "../../../geometry/plane.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { principalPlane, projected } from "../../../lib/principal.js";
import {
  paintCluster,
  paintDust,
  paintPoints,
  paintWay,
} from "../../../paint/clusters.js";
import { h } from "../../../ui/h.js";
import { placeInWords } from "../../capsules/places.js";
import { POSE } from "../../matrices.js";
import { chooseChild, lookAtChild } from "./scene.js";
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
const CLUSTER = 5; // numbers of one cluster: its mean, and its spread

/** What the votes span: the same in every iteration. */
const spanOf = memoizeByObject(
  (/** @type {EmScene["routed"]} */ { votes }) => votes,
  ({ votes, parents, iterations, means, deviations, children }) => {
    const plane = principalPlane(votes, POSE);
    const places = projected(votes, plane);
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
      places,
      of: (/** @type {number} */ parent) =>
        places.subarray(parent * size, (parent + 1) * size),
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
 * @param {Pick<EmScene["routed"], "iterations" | "deviations">} routed
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

/** @type {Panel<EmScene>} */
export const cloud = {
  id: "cloud",
  look: "votes",
  title: ({ name, step, routed }) => [
    h("span", {}, `The votes, and who explains them: ${name}`),
    " ",
    h("small", { class: "fine" }, `iteration ${step + 1} of ${routed.iterations}`),
  ],
  line: sentences,
  picture(scene, /** @type {EmRoom} */ room) {
    const { routed, step, parent, name } = scene;
    const span = spanOf(routed);
    const distances = distancesOf(routed, step, parent);
    return points({
      label:
        "The votes for the capsule in focus as points, and the mean and ellipse of every capsule above. Arrow keys go to the next vote in that direction.",
      ...{ look: "em-cloud", colors: COLORS },
      points: span.of(parent),
      ...{ moving: span.clusters(step), of: routed, at: step },
      paint: (stage, clusters, pointed) => paint(stage, scene, clusters, pointed),
      chosen: scene.child,
      choose: (child) => chooseChild(room, scene, child),
      point: (child) => lookAtChild(room, scene, child),
      words(child) {
        if (child === null) return "";
        const share = routed.assignments(step)[child * routed.parents + parent];
        return `${placeInWords(routed.children[child])}: R to ${name} ${fixed(share, 4)}, active ${fixed(routed.presence[child], 3)}, vote ${fixed(distances[child], 2)} from the mean`;
      },
    });
  },
  words: [
    "Discs are the votes for the capsule in focus. A larger disc comes from a more active capsule; a stronger one has a larger weight R·a. Dust shows the votes for all others. Each name stands on the mean of its votes, in the ellipse of one standard deviation; the line shows how that mean has moved. The plane is that of the first two principal components of all votes; it is the same in all iterations.",
  ],
};

/**
 * @param {Stage<typeof COLORS[number]>} stage @param {EmScene} scene
 * @param {Float32Array} clusters (parents, 5)
 * @param {number} pointed child, or -1
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
  paintDust(context, span.places, frame, colors.muted);
  const each = Array.from({ length: routed.parents }, (_, i) => i);
  for (const other of each) {
    if (other === parent) continue;
    const look = { color: colors.muted, ground: colors.surface, font, isChosen: false };
    paintCluster(context, clusterOf(clusters, other, routed.names), frame, look);
  }
  const large = {
    places: span.of(parent),
    sizes: routed.presence,
    weights: weightsOf(routed, step, parent),
  };
  paintPoints(context, large, frame, colors, {
    chosen: child,
    pointed,
  });
  paintWay(context, span.ways[parent], frame, colors.accent);
  const look = { color: colors.accent, ground: colors.surface, font, isChosen: true };
  paintCluster(context, clusterOf(clusters, parent, routed.names), frame, look);
  return frame;
}

/**
 * @param {Float32Array} clusters @param {number} parent
 * @param {readonly string[]} names
 */
function clusterOf(clusters, parent, names) {
  const [x, y, xx, xy, yy] = clusters.subarray(
    parent * CLUSTER,
    (parent + 1) * CLUSTER,
  );
  return { x, y, ellipse: ellipseOf({ xx, xy, yy }), name: names[parent] };
}

/** @param {EmScene} scene */
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
  return `This plane holds ${held} of the variance of all votes. σ of ${name} is ${now} in the geometric mean of its 16 numbers${course}.`;
}

/** @param {Float32Array} values above 0 */
function geometricMean(values) {
  return Math.exp(
    values.reduce((sum, value) => sum + Math.log(value), 0) / values.length,
  );
}
