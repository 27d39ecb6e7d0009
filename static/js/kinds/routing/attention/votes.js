/**
 * All votes on one screen: a row for each capsule, a column for each class, and in each cell
 * a vote as an arrow.
 * @import { Stage } from "../../../ui/stage.js"
 * @import { AttentionPanel, AttentionScene } from "./types.js"
 */
import { reach } from "../../../lib/arithmetic.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintArrow } from "../../../paint/arrows.js";
import { shadesOf, tintOf } from "../../../paint/tints.js";
import { findCanvas, findElement, setText } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { createStage } from "../../../ui/stage.js";
import { choosing } from "../../capsules/places.js";
import { writeNames } from "../matrix.js";
import { describeVotes, lengthsIn, readVote } from "./story.js";
import { lengthOf, ofClass, sizesOf } from "./sums.js";

const COLORS = /** @type {const} */ ([
  "accent-ground",
  "line",
  "focus",
  "muted",
  "loss",
  "gain",
]);

/** How far the longest arrow reaches, of a cell's sides; most long ones lie flat. */
const ROOM = { across: 0.46, down: 0.62 };
const LEAST_WIDTH = 1.2;
const WIDTH = 2.4; // of the largest coupling, on top of that
const HEAD = { most: 6, share: 0.13 }; // of a cell's width, at the most

/** @type {AttentionPanel} */
export function mountVotes(root, { scenes, store }) {
  const panel = findElement(root, "[data-votes]");
  const canvas = findCanvas(panel, "canvas");
  const readout = findElement(panel, "[data-readout]");
  const words = findElement(panel, "[data-votes-text]");
  const rows = findElement(panel, "[data-row-names]");
  const columns = findElement(panel, "[data-column-names]");
  const [sums, lengths] = ["sums", "lengths"].map((name) =>
    findElement(panel, `[data-${name}]`),
  );
  /** @type {{ row: number, column: number } | null} */
  let pointed = null;

  const ask = createStage(canvas, COLORS, (stage) => {
    const scene = scenes.shown();
    if (scene !== null) paint(stage, scene);
  });
  const name = memoize(
    (/** @type {AttentionScene["model"]} */ model, /** @type {number} */ capsules) => {
      writeNames(columns, model.class_names);
      writeNames(
        rows,
        Array.from({ length: capsules }, (_, i) => String(i)),
      );
      canvas.style.setProperty("--rows", String(capsules));
    },
  );
  /** @param {AttentionScene} scene */
  function read(scene) {
    const { row, column } = pointed ?? { row: scene.capsule, column: scene.classIndex };
    setText(readout, readVote(scene, row, column));
  }
  scenes.watch((scene) => {
    const { tensors, figures, model, classIndex } = scene;
    name(model, sizesOf(tensors.votes).capsules);
    const classes = model.class_names.map((_, n) => n);
    writeNames(
      sums,
      classes.map((n) => fixed(lengthOf(figures.sums(n)), 1)),
    );
    writeNames(
      lengths,
      lengthsIn(scene).map((length) => fixed(length, 2)),
    );
    for (const line of [columns, sums, lengths])
      [...line.children].forEach((each, n) => {
        each.classList.toggle("is-focused", n === classIndex);
      });
    setText(words, describeVotes(scene));
    read(scene);
    ask();
  });

  pickFromGrid(canvas, {
    layout() {
      const scene = scenes.shown();
      if (scene === null) return null;
      const { capsules, classes } = sizesOf(scene.tensors.votes);
      return { count: 1, across: 1, rows: capsules, columns: classes, gap: 0 };
    },
    step: "cell",
    chosen() {
      const scene = scenes.shown();
      return { place: 0, row: scene?.capsule ?? 0, column: scene?.classIndex ?? 0 };
    },
    choose: ({ row, column }) => store.set({ ...choosing(row), classIndex: column }),
    hover(cell) {
      pointed = cell;
      const scene = scenes.shown();
      if (scene !== null) read(scene);
    },
  });
}

/**
 * @param {Stage<typeof COLORS[number]>} stage @param {AttentionScene} scene
 */
function paint({ context, width, height, colors }, scene) {
  const { tensors, figures, classIndex, capsule } = scene;
  const { capsules, classes } = sizesOf(tensors.votes);
  const [across, down] = [width / classes, height / capsules];
  context.fillStyle = colors["accent-ground"];
  context.fillRect(classIndex * across, 0, across, height);
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let i = 0; i <= capsules; i++) {
    context.moveTo(0, i * down);
    context.lineTo(width, i * down);
  }
  for (let n = 0; n <= classes; n++) {
    context.moveTo(n * across, 0);
    context.lineTo(n * across, height);
  }
  context.stroke();
  const shades = shadesOf(colors.loss, colors.muted, colors.gain);
  const most = reach(tensors.couplings.data) || 1;
  const room = Math.min(ROOM.across * across, ROOM.down * down);
  const unit = room / longestOf(scene);
  const head = Math.min(HEAD.most, HEAD.share * across);
  for (let n = 0; n < classes; n++) {
    const { x, y } = figures.arrows(n);
    const couplings = ofClass(tensors.couplings, n);
    for (let i = 0; i < capsules; i++) {
      const from = { x: (n + 0.5) * across, y: (i + 0.5) * down };
      const share = couplings[i] / most;
      context.strokeStyle = tintOf(shades, share);
      context.fillStyle = context.strokeStyle;
      const tip = { x: from.x + unit * x[i], y: from.y - unit * y[i] };
      paintArrow(context, from, tip, LEAST_WIDTH + WIDTH * Math.abs(share), head);
    }
  }
  context.strokeStyle = colors.focus;
  context.lineWidth = 2;
  context.strokeRect(classIndex * across + 1, capsule * down + 1, across - 2, down - 2);
}

/** The length of the longest vote. @param {AttentionScene} scene */
function longestOf({ tensors: { votes } }) {
  const { dim } = sizesOf(votes);
  let longest = 0;
  for (let at = 0; at < votes.data.length; at += dim)
    longest = Math.max(longest, lengthOf(votes.data.subarray(at, at + dim)));
  return longest || 1;
}
