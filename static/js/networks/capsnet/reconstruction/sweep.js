/**
 * The sweep sheet: each number of the capsule moved from end to end of its range, the
 * others left as they are.
 * @import { Capsule } from "./capsule.js"
 * @import { Services } from "../../../types.js"
 * @import { Actions, DecodingStore } from "../types.js"
 */

import { ink } from "../../../lib/color.js";
import { fixed, signed } from "../../../lib/format.js";
import { debounce, latest } from "../../../lib/timing.js";
import { paintHeatmap, paintTiles } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { meaningInShort, meaningOf } from "../meanings/words.js";
import { capsuleInFocus } from "./capsule.js";
import { sweepPoses, sweepSteps } from "./range.js";
import { showSweepMarks } from "./sweep-marks.js";

const STEPS = 11;
const QUIET_MS = 150;
const MOST_POSES = 256; // in one request

/**
 * @typedef {object} Sheet
 * @property {Capsule} capsule that was swept
 * @property {number[][]} steps [dimension] differences
 * @property {number} rows of one picture
 * @property {number} columns
 * @property {Float32Array} data (dimensions, steps, rows, columns)
 */

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 * @param {Pick<Services["server"], "computeTensors">} server
 */
export function mountSweep(root, store, actions, { computeTensors }) {
  const folder = find(root, "details", HTMLDetailsElement);
  const canvas = findCanvas(root, "[data-sheet]");
  const near = findCanvas(root, "[data-near]");
  const readout = findElement(root, "[data-readout]");
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Capsule | null} what the sheet on show was swept from, or is to be */
  let wanted = null;
  let cursor = 0; // dimension * STEPS + step
  /** @type {number | null} */
  let pointed = null;

  const ask = latest(async (/** @type {Capsule} */ capsule) => {
    try {
      show(await sweep(capsule, computeTensors));
    } catch (error) {
      actions.report(error instanceof Error ? error.message : String(error));
    }
  });

  const refresh = debounce(() => {
    if (isOpen() && wanted !== null) ask(wanted);
  }, QUIET_MS);
  const isOpen = () => folder.open && store.get() !== null;

  store.watch(["trace", "digit", "edits", "model"], (state) =>
    want(capsuleInFocus(state)),
  );
  folder.addEventListener("toggle", () => {
    const state = store.shown();
    if (state !== null) want(capsuleInFocus(state));
  });

  /** @param {Capsule | null} capsule */
  function want(capsule) {
    wanted = capsule;
    if (!folder.open) return;
    const isShown =
      sheet !== null && capsule !== null && isSame(sheet.capsule, capsule);
    const isOther = capsule?.digit !== sheet?.capsule.digit || capsule === null;
    root.classList.toggle("is-late", sheet !== null && !isShown);
    root.classList.toggle("is-empty", sheet === null || isOther);
    if (sheet !== null && capsule !== null && !isOther)
      showSweepMarks(root, sheet, capsule);
    if (!isShown) refresh();
  }

  /** @param {Sheet} answer */
  function show(answer) {
    sheet = answer;
    const { steps, rows, columns, data } = answer;
    const count = steps.length * STEPS;
    const layout = { count, across: STEPS, rows, columns, gap: 0 };
    paintTiles(canvas, data, layout, () => ink());
    cursor = Math.min(cursor, count - 1);
    want(wanted);
    read();
  }

  pickFromGrid(canvas, {
    layout: () =>
      sheet && {
        count: STEPS * sheet.steps.length,
        across: STEPS,
        rows: sheet.rows,
        columns: sheet.columns,
        gap: 0,
      },
    step: "place",
    chosen: () => ({ place: cursor, row: 0, column: 0 }),
    choose({ place }) {
      cursor = place;
      pointed = null;
      read();
    },
    hover(cell) {
      pointed = cell?.place ?? null;
      read();
    },
  });
  canvas.addEventListener("click", apply);
  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    apply();
  });

  /** Move the number to the cursor's value. */
  function apply() {
    if (sheet === null || wanted?.digit !== sheet.capsule.digit) return;
    const { dimension, difference } = placeOf(sheet, cursor);
    actions.edit(sheet.capsule.digit, dimension, difference);
  }

  function read() {
    if (sheet === null) return;
    const place = pointed ?? cursor;
    readout.textContent = inWords(sheet, place);
    const { rows, columns, data } = sheet;
    const size = rows * columns;
    const picture = data.subarray(place * size, (place + 1) * size);
    paintHeatmap(near, picture, { rows, columns, scale: ink() });
    const cell = findElement(root, "[data-cursor]");
    cell.style.setProperty("--row", String(Math.floor(place / STEPS)));
    cell.style.setProperty("--column", String(place % STEPS));
  }
}

/**
 * Have every number of a capsule moved from end to end, and decoded.
 * @param {Capsule} capsule
 * @param {Services["server"]["computeTensors"]} computeTensors
 * @returns {Promise<Sheet>}
 */
async function sweep(capsule, computeTensors) {
  const { model, digit, original, pose, ranges } = capsule;
  const steps = ranges.map((range) => sweepSteps(range, STEPS));
  const poses = sweepPoses(original, pose, steps);
  const parts = [];
  for (let from = 0; from < poses.length; from += MOST_POSES) {
    const body = { digit, poses: poses.slice(from, from + MOST_POSES) };
    const { images } = await computeTensors(model, "reconstruct", body);
    parts.push(images);
  }
  const [, rows, columns] = parts[0].shape;
  const data = new Float32Array(poses.length * rows * columns);
  parts.forEach((part, i) => {
    data.set(part.data, i * MOST_POSES * rows * columns);
  });
  return { capsule, steps, rows, columns, data };
}

/**
 * @param {Sheet} sheet
 * @param {number} place
 */
function inWords(sheet, place) {
  const { dimension, difference } = placeOf(sheet, place);
  const value = sheet.capsule.original[dimension] + difference;
  const { model, digit } = sheet.capsule;
  const meaning = meaningOf(model, digit, dimension);
  const means = meaning === null ? "" : `: ${meaningInShort(meaning)}`;
  return `dimension ${dimension + 1} at ${fixed(value)} (${signed(difference)})${means}`;
}

/**
 * @param {Sheet} sheet
 * @param {number} place
 */
function placeOf({ steps }, place) {
  const dimension = Math.floor(place / STEPS);
  return { dimension, difference: steps[dimension][place % STEPS] };
}

/**
 * @param {Capsule} a
 * @param {Capsule} b
 */
function isSame(a, b) {
  return (
    a.model === b.model &&
    a.digit === b.digit &&
    a.pose.every((value, i) => value === b.pose[i]) &&
    a.original.every((value, i) => value === b.original[i])
  );
}
