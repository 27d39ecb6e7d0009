/**
 * The sweep sheet: each number of the pose moved from end to end of its range, the others
 * left as they are.
 * @import { Actions, ImageShape, Services, Tensor } from "../../types.js"
 * @import { Bench, EditRange } from "./pose.js"
 * @import { DecoderStore } from "./types.js"
 */
import { fixed, messageOf, signed } from "../../lib/format.js";
import { shapeOf } from "../../lib/pixels.js";
import { nameOf } from "../../lib/properties.js";
import { debounce, latest } from "../../lib/timing.js";
import { paintImage, paintImages } from "../../paint/heatmap.js";
import { find, findCanvas, findElement, make } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { meaningInShort, meaningOf } from "./meanings.js";
import { benchOf, editing, roundedEdit, shareOf } from "./pose.js";

const STEPS = 11;
const QUIET_MS = 150;
const MOST_POSES = 256; // in one request

/**
 * @typedef {object} Sheet
 * @property {Bench} bench that was swept
 * @property {number[][]} steps [dimension] differences
 * @property {ImageShape} shape of one picture
 * @property {Float32Array} data (dimensions, steps, channels, rows, columns)
 */

/**
 * @param {HTMLElement} root @param {DecoderStore} store @param {Actions} actions
 * @param {Pick<Services["server"], "computeTensors">} server
 */
export function mountSweep(root, store, actions, { computeTensors }) {
  const { edit } = editing(store);
  const folder = find(root, "details", HTMLDetailsElement);
  const picture = mountSheet(root, (place) => {
    const { bench } = place.sheet;
    if (wanted?.classIndex === bench.classIndex)
      edit(bench.classIndex, place.dimension, place.difference);
  });
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Bench | null} what the sheet on show was swept from, or is to be */
  let wanted = null;

  const ask = latest(async (/** @type {Bench} */ bench) => {
    try {
      sheet = await sweep(bench, computeTensors);
      picture.show(sheet);
      if (wanted !== null) want(wanted);
    } catch (error) {
      actions.report(messageOf(error));
    }
  });
  const refresh = debounce(() => {
    if (folder.open && store.get() !== null && wanted !== null) ask(wanted);
  }, QUIET_MS);

  store.watch(["trace", "classIndex", "edits", "model", "layer"], (state) =>
    want(benchOf(state)),
  );
  folder.addEventListener("toggle", () => {
    const state = store.shown();
    if (state !== null) want(benchOf(state));
  });

  /** @param {Bench} bench */
  function want(bench) {
    wanted = bench;
    if (!folder.open) return;
    const isShown = sheet !== null && isSame(sheet.bench, bench);
    const isOther = bench.classIndex !== sheet?.bench.classIndex;
    root.classList.toggle("is-late", sheet !== null && !isShown);
    root.classList.toggle("is-empty", isOther);
    if (sheet !== null && !isOther) showMarks(root, sheet, bench);
    if (!isShown) refresh();
  }
}

/**
 * The sheet as a picture to walk on.
 * @param {HTMLElement} root
 * @param {(place: { sheet: Sheet, dimension: number, difference: number }) => void} apply
 *   called with the value that a number is to be moved to
 */
function mountSheet(root, apply) {
  const canvas = findCanvas(root, "[data-sheet]");
  const near = findCanvas(root, "[data-near]");
  const readout = findElement(root, "[data-readout]");
  const frame = findElement(root, "[data-cursor]");
  /** @type {Sheet | null} */
  let sheet = null;
  let cursor = 0; // dimension * STEPS + step
  /** @type {number | null} */
  let pointed = null;

  pickFromGrid(canvas, {
    layout: () => sheet && layoutOf(sheet),
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
  const move = () => sheet && apply({ sheet, ...placeOf(sheet, cursor) });
  canvas.addEventListener("click", move);
  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    move();
  });

  function read() {
    if (sheet === null) return;
    const place = pointed ?? cursor;
    readout.textContent = inWords(sheet, place);
    const { shape, data } = sheet;
    const size = shape.channels * shape.rows * shape.columns;
    paintImage(near, data.subarray(place * size, (place + 1) * size), shape);
    frame.style.setProperty("--row", String(Math.floor(place / STEPS)));
    frame.style.setProperty("--column", String(place % STEPS));
  }

  return {
    /** @param {Sheet} answer */
    show(answer) {
      sheet = answer;
      const layout = layoutOf(sheet);
      paintImages(canvas, sheet.data, sheet.shape, layout);
      cursor = Math.min(cursor, layout.count - 1);
      read();
    },
  };
}

/** @param {Sheet} sheet */
const layoutOf = ({ steps, shape: { rows, columns } }) => ({
  count: STEPS * steps.length,
  across: STEPS,
  rows,
  columns,
  gap: 0,
});

/**
 * Have every number of a capsule moved from end to end, and decoded.
 * @param {Bench} bench @param {Services["server"]["computeTensors"]} computeTensors
 * @returns {Promise<Sheet>}
 */
async function sweep(bench, computeTensors) {
  const { model, classIndex, original, pose, ranges } = bench;
  const steps = ranges.map((range) => sweepSteps(range, STEPS));
  const poses = sweepPoses(original, pose, steps);
  /** @type {Tensor[]} */
  const parts = [];
  for (let from = 0; from < poses.length; from += MOST_POSES) {
    const body = { digit: classIndex, poses: poses.slice(from, from + MOST_POSES) };
    const { images } = await computeTensors(model, "reconstruct", body);
    parts.push(images);
  }
  const shape = shapeOf(model);
  const { channels, rows, columns } = shape;
  const size = channels * rows * columns;
  const data = new Float32Array(poses.length * size);
  parts.forEach((part, i) => {
    data.set(part.data, i * MOST_POSES * size);
  });
  return { bench, steps, shape, data };
}

/** @param {Sheet} sheet @param {number} place */
function inWords(sheet, place) {
  const { dimension, difference } = placeOf(sheet, place);
  const value = sheet.bench.original[dimension] + difference;
  const { model, classIndex } = sheet.bench;
  const meaning = meaningOf(model, classIndex, dimension);
  const means = meaning === null ? "" : `: ${meaningInShort(meaning)}`;
  return `dimension ${dimension + 1} at ${fixed(value)} (${signed(difference)})${means}`;
}

/** @param {Sheet} sheet @param {number} place */
function placeOf({ steps }, place) {
  const dimension = Math.floor(place / STEPS);
  return { dimension, difference: steps[dimension][place % STEPS] };
}

/** @param {Bench} a @param {Bench} b */
function isSame(a, b) {
  return (
    a.model === b.model &&
    a.classIndex === b.classIndex &&
    a.pose.every((value, i) => value === b.pose[i]) &&
    a.original.every((value, i) => value === b.original[i])
  );
}

/**
 * Equal steps from end to end.
 * @param {EditRange} range
 * @param {number} count at least 2
 * @returns {number[]} differences
 */
function sweepSteps({ low, high }, count) {
  return Array.from({ length: count }, (_, i) =>
    roundedEdit(low + (i / (count - 1)) * (high - low)),
  );
}

/**
 * The capsules of a sweep sheet: each moves one number only, the others stay as edited.
 * @param {readonly number[]} original
 * @param {readonly number[]} pose with its edits
 * @param {readonly (readonly number[])[]} steps [dimension] differences
 * @returns {number[][]} dimension by dimension, each step by step
 */
export function sweepPoses(original, pose, steps) {
  return steps.flatMap((differences, dimension) =>
    differences.map((difference) =>
      pose.with(dimension, original[dimension] + difference),
    ),
  );
}

/**
 * What stands around and on the sheet: dimensions, values at the ends, and where each
 * number stands now.
 * @param {HTMLElement} root @param {Sheet} sheet
 * @param {Bench} now the same pose with its present edits
 */
function showMarks(root, { bench, steps }, now) {
  root.style.setProperty("--rows", String(steps.length));
  root.style.setProperty("--steps", String(steps[0].length));
  const ends = steps.map((differences, i) => {
    const values = differences.map((difference) => bench.original[i] + difference);
    return { low: values[0], high: values[values.length - 1] };
  });
  findElement(root, "[data-lows]").replaceChildren(
    ...ends.map(({ low }, i) => row(String(i + 1), fixed(low, 2), meaningAt(now, i))),
  );
  findElement(root, "[data-highs]").replaceChildren(
    ...ends.map(({ high }) => row("", fixed(high, 2))),
  );
  findElement(root, "[data-places]").replaceChildren(
    ...steps.map((differences, i) => {
      const range = { low: differences[0], high: differences[differences.length - 1] };
      const line = make("span", "sweep-line", mark("sweep-own", shareOf(range, 0)));
      if (now.edits[i] !== 0)
        line.append(mark("sweep-now", shareOf(range, now.edits[i])));
      return line;
    }),
  );
}

/** @param {string} name @param {string} end @param {string} [meaning] */
function row(name, end, meaning = "") {
  const line = make("span");
  if (name !== "") line.append(make("b", "", name));
  line.append(make("span", "", end));
  if (meaning !== "") line.append(make("small", "", meaning));
  return line;
}

/**
 * The property that a number moves most.
 * @param {Bench} bench @param {number} dimension
 */
function meaningAt({ model, classIndex }, dimension) {
  const meaning = meaningOf(model, classIndex, dimension);
  return meaning?.change ? nameOf(meaning.strongest) : "";
}

/**
 * @param {string} name
 * @param {number} share of the way from the first picture to the last
 */
function mark(name, share) {
  const made = make("i", name);
  made.style.setProperty("--at", String(share));
  return made;
}
