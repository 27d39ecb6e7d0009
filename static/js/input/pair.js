/**
 * The bench for two digits, where a network reads them on one canvas: examples or one's own
 * strokes, one dragged over the other.
 * @import { Point } from "../paint/pad.js"
 * @import { Actions, AppState, ImageShape, Laid, Pair, Pixels, Sample, Store } from "../types.js"
 */

import { pairSource } from "../core/links/pairs.js";
import { LEAP, laid, withAnother } from "../core/pair.js";
import { readsPairs } from "../core/state.js";
import { oneTile } from "../geometry/tiles.js";
import { counted, percent, sentences } from "../lib/format.js";
import { apart, inkShared, merged, movedTo } from "../lib/overlap.js";
import {
  DIGIT,
  inkOf,
  isSameShape,
  pixelsOf,
  samePixels,
  shapeOf,
} from "../lib/pixels.js";
import { strokeRaster } from "../paint/pad.js";
import { paintOwners } from "../paint/pictures.js";
import {
  arrowOf,
  listenToChoices,
  listenToClicks,
  listenToDrag,
} from "../ui/controls.js";
import { find, findCanvas, findElement, setAll, writer } from "../ui/dom.js";
import { cellUnder } from "../ui/grid-picker.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";
import { listenToArrows, listenToPointer } from "../ui/pens.js";
import { inkIn } from "./facts.js";

/** @typedef {Pair["digits"]} Digits */
/** @typedef {0 | 1} Which of two digits */

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {Pick<Actions, "showImage">} actions
 */
export function mountPair(root, store, actions) {
  const write = writer(root);
  const stage = findCanvas(root, "[data-pair-stage]");
  const frame = find(root, "[data-pair-frame]", SVGRectElement);
  /** @type {Which} */
  let active = 1;

  /** What is on the bench; null where there is none. */
  function now() {
    const { source, model } = store.get();
    return source.kind === "pair" && model !== null && readsPairs(model)
      ? { ...source, canvas: shapeOf(model) }
      : null;
  }

  /** @param {Digits} digits @param {number} [turn] that one hand goes on with */
  function show(digits, turn) {
    const { model } = store.get();
    if (model === null) return;
    const source = pairSource(digits, turn);
    actions.showImage(merged(apart(digits, shapeOf(model))), source);
  }

  /** @param {Which} which @param {Laid | null} digit @param {number} [turn] */
  function change(which, digit, turn) {
    const pair = now();
    if (pair !== null) show(withDigit(pair.digits, which, digit), turn);
  }

  /** @param {Which} which */
  function choose(which) {
    active = which;
    draw();
  }

  function draw() {
    const pair = now();
    const { samples } = store.get();
    findElement(root, "[data-pair-bench]").hidden = pair === null;
    findElement(root, "[data-pair-start]").hidden = pair !== null;
    findElement(root, "[data-pair-add]").hidden = store.get().pixels === null;
    if (pair === null) return;
    const alone = apart(pair.digits, pair.canvas);
    paintOwners(stage, alone.map(inkOf), pair.canvas);
    frameInk(frame, alone[active]);
    fill(
      findElement(root, "[data-pair-digits]"),
      pair.digits.map((digit, i) => rowOf(/** @type {Which} */ (i), digit, samples)),
    );
    write("pair-words", pairWords(pair.digits, pair.canvas));
  }
  store.watch(["pixels", "source", "model", "samples"], ({ model, samples }) => {
    root.hidden = model === null || !readsPairs(model) || samples.length === 0;
    if (!root.hidden) draw();
  });

  /**
   * A digit's line: which example it is, and where it lies.
   * @param {Which} which @param {Laid | null} digit @param {readonly Sample[]} samples
   */
  function rowOf(which, digit, samples) {
    const name = ["First", "Second"][which];
    const sample = samples.find(
      (sample) => digit !== null && samePixels(sample.pixels, digit.pixels),
    );
    const other = digit === null ? "none" : "your own";
    const options = samples.map(({ id, title }) => h("option", { value: id }, title));
    const onchange = (/** @type {any} */ { target }) => {
      const sample = samples.find(({ id }) => id === target.value);
      const { right = 0, down = 0 } = digit ?? {};
      active = which;
      if (sample) change(which, { ...laid(sample), right, down });
    };
    const menu = { value: sample?.id ?? "", "aria-label": `${name} digit`, onchange };
    const look = { class: `pair-choice owner-${which + 1}`, pressed: which === active };
    const erase = {
      class: "quiet",
      "aria-label": `Erase the ${name.toLowerCase()} digit`,
    };
    return h(
      "li",
      {},
      button(name, () => choose(which), look),
      h("select", menu, !sample && h("option", { value: "" }, other), options),
      h("span", { class: "fine", "data-pair-place": "" }, digit && placeWords(digit)),
      button("Erase", () => change(which, null), erase),
    );
  }

  const useExamples = () => show(randomPair(store.get().samples, Math.random));
  listenToClicks(root, {
    "pair-random": useExamples,
    "pair-others": useExamples,
    "pair-add"() {
      const { pixels, source, model, samples } = store.get();
      if (pixels !== null && model !== null)
        show(withAnother(pixels, source, model, samples));
    },
  });

  // Drag a digit, or move the chosen one by arrow keys.
  listenToDrag(stage, (event) => {
    const pair = now();
    const from = pair && cellUnder(stage, oneTile(pair.canvas), event);
    if (pair === null || from === null) return null;
    const { canvas } = pair;
    const which = digitAt(apart(pair.digits, canvas), from, active);
    choose(which);
    const digit = pair.digits[which];
    if (digit === null) return null;
    const { turn } = pairSource(pair.digits); // all of this drag is one
    return ({ clientX, clientY }) => {
      // Beyond the stage, too: a digit follows as far as its ink stays on the canvas.
      const { left, top, width, height } = stage.getBoundingClientRect();
      const column = Math.floor(((clientX - left) / width) * canvas.columns);
      const row = Math.floor(((clientY - top) / height) * canvas.rows);
      const move = movedBy(digit, canvas, column - from.column, row - from.row);
      const before = now()?.digits[which];
      if (move.right !== before?.right || move.down !== before?.down)
        change(which, move, turn);
    };
  });
  stage.addEventListener("keydown", (event) => {
    const pair = now();
    const arrow = arrowOf(event);
    const digit = pair?.digits[active] ?? null;
    if (event.key === " ") choose(active === 0 ? 1 : 0);
    else if (event.key === "Delete" || event.key === "Backspace") change(active, null);
    else if (arrow !== null && pair !== null) {
      const [down, right] = arrow.map((way) => way * (event.shiftKey ? LEAP : 1));
      if (digit !== null) change(active, movedBy(digit, pair.canvas, right, down));
    } else return;
    event.preventDefault();
  });

  // Draw the chosen digit, by mouse, pen, finger or arrow keys.
  const pad = findCanvas(root, "[data-pair-pad]");
  const raster = strokeRaster(pad.width);
  /** @type {{ which: Which, base: Pixels, turn: number, stroke: Point[] } | null} */
  let drawn = null;
  const hand = {
    begin(/** @type {Point} */ point) {
      const pair = now();
      if (pair === null) return;
      const { turn } = pairSource(pair.digits);
      const base = apart(pair.digits, pair.canvas)[active];
      drawn = { which: active, base, turn, stroke: [] };
      hand.extend([point]);
    },
    extend(/** @type {Point[]} */ points) {
      if (drawn === null) return;
      const { which, base, turn, stroke } = drawn;
      stroke.push(...points);
      const ink = raster([stroke], base);
      const bytes = base.bytes.map((byte, i) => Math.max(byte, ink.bytes[i]));
      const pixels = pixelsOf(base, bytes);
      change(which, { pixels, label: null, right: 0, down: 0 }, turn);
    },
    lift() {
      drawn = null;
    },
  };
  listenToPointer(pad, hand);
  listenToArrows(pad, findElement(root, "[data-pair-pen]"), hand);
  listenToChoices(findElement(root, "[data-pair-modes]"), (value) => {
    pad.hidden = value !== "draw";
  });
}

/** @param {Laid} digit @param {ImageShape} canvas @param {number} right @param {number} down */
const movedBy = (digit, canvas, right, down) =>
  movedTo(digit, canvas, { right: digit.right + right, down: digit.down + down });

/** @param {SVGRectElement} frame @param {Pixels} alone */
function frameInk(frame, alone) {
  const viewBox = `0 0 ${alone.columns} ${alone.rows}`;
  frame.ownerSVGElement?.setAttribute("viewBox", viewBox);
  const extent = inkIn(alone);
  frame.style.visibility = extent === null ? "hidden" : "";
  if (extent !== null) setAll(frame, extent.box);
}

/** @param {Digits} digits @param {Which} which @param {Laid | null} digit @returns {Digits} */
export const withDigit = ([first, second], which, digit) =>
  which === 0 ? [digit, second] : [first, digit];

/**
 * Two examples of different labels, each moved by up to as much as training moves digits.
 * @param {readonly Sample[]} samples of at least two labels
 * @param {() => number} random from 0 up to 1
 * @returns {Digits}
 */
export function randomPair(samples, random) {
  const first = samples[Math.floor(random() * samples.length)];
  const others = samples.filter(({ label }) => label !== first.label);
  const other = others[Math.floor(random() * others.length)];
  const leap = () => Math.floor(random() * (2 * LEAP + 1)) - LEAP;
  const moved = (/** @type {Sample} */ sample) => ({
    ...laid(sample),
    right: leap(),
    down: leap(),
  });
  return [moved(first), moved(other)];
}

/**
 * Which digit has ink at a pixel: the chosen one, where it or neither has.
 * @param {readonly Pixels[]} alone @param {{ row: number, column: number }} at
 * @param {Which} active
 * @returns {Which}
 */
export function digitAt(alone, { row, column }, active) {
  const hasInk = (/** @type {Which} */ which) =>
    alone[which].bytes[row * alone[which].columns + column] > 0;
  const other = active === 0 ? 1 : 0;
  return !hasInk(active) && hasInk(other) ? other : active;
}

/** Such as "2 right, 1 up". @param {Laid} digit */
function placeWords({ right, down }) {
  const words = [
    ...(right === 0 ? [] : [`${Math.abs(right)} ${right > 0 ? "right" : "left"}`]),
    ...(down === 0 ? [] : [`${Math.abs(down)} ${down > 0 ? "down" : "up"}`]),
  ];
  return words.join(", ") || "in the middle";
}

/**
 * How much ink two digits share, and what training never showed.
 * @param {Digits} digits @param {ImageShape} canvas
 */
function pairWords(digits, canvas) {
  const [first, second] = digits;
  const { one: firstInk, other: secondInk, both } = inkShared(apart(digits, canvas));
  if (first === null && second === null)
    return "Nothing lies here. Choose an example, or draw.";
  if (first === null || second === null)
    return `One digit alone, with ink on ${counted(firstInk + secondInk, "pixel")}. The network decides how many it names: one, two or none.`;
  const least = Math.min(firstInk, secondInk);
  const of = least > 0 && `${percent(both / least, 0)} of the inked pixels`;
  const share = of ? `, ${of} of the smaller digit` : "";
  const reach = Math.floor((canvas.rows - DIGIT.rows) / 2);
  const isFar = [first, second].some(
    ({ pixels, right, down }) =>
      isSameShape(pixels, DIGIT) && Math.max(Math.abs(right), Math.abs(down)) > reach,
  );
  return sentences([
    `Ink on ${firstInk} and on ${counted(secondInk, "pixel")}. Both have ink on ${counted(both, "pixel")}${share}.`,
    first.label !== null && first.label === second.label && SAME_CLASS,
    isFar &&
      `Training moves no digit by more than ${reach} pixels in either direction.`,
  ]);
}

const SAME_CLASS =
  "Both are of the same class, which training never shows. There is one capsule for each class, so the network can name it only once.";
