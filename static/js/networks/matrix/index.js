/**
 * Matrix capsules with EM routing (Hinton, Sabour & Frosst 2018) on the page: its views,
 * its slice of the state.
 * @import { Network, TraceOf, View } from "../../types.js"
 * @import { Matrix } from "./types.js"
 */
import { paintBars } from "../../paint/bars.js";

const BAR_SIZE = { width: 100, height: 64 };

/**
 * Check a view's types: its module may read what the view needs, and nothing else.
 * @template {string} Seen
 * @template {string} Need
 * @param {View<Matrix, Seen, Need>} given
 */
const view = (given) => given;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {TraceOf<"scores">} trace
 */
function paintScores(canvas, { tensors, prediction }) {
  paintBars(canvas, tensors.scores.data, { ...BAR_SIZE, emphasized: prediction });
}

const classes = view({
  id: "classes",
  title: "Classes",
  shape: ({ classes: count }) => `${count}×4×4`,
  thumbnail: { needs: ["scores"], paint: paintScores },
  needs: ["scores", "classes.poses"],
  script: "networks/matrix/classes/index.js",
  load: () => import("./classes/index.js"),
});

/** @type {Network<Matrix>} */
export const network = {
  views: [classes],
  slice: () => ({}),
  actions: () => ({}),
  link: { write() {}, read: () => ({}) },
};
