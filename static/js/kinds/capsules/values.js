/**
 * The chosen capsule's numbers before and after squash, as pairs of bars from zero, squash's
 * formula with its numbers, and its place on squash's curve.
 * @import { Layer, Tensor } from "../types.js"
 * @import { CapsulesState, CapsulesStore } from "./types.js"
 */
import { reach } from "../../lib/arithmetic.js";
import { ticksTo } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { differenceWords, HALF } from "../../lib/precision.js";
import { signedAxis, signedBar } from "../../ui/bars.js";
import { find, findElement, make } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";
import { lengthsOf, squashCurve, squashOf } from "./squash.js";

/** @param {HTMLElement} view @param {CapsulesStore} store @param {Layer} layer */
export function mountValues(view, store, layer) {
  const squashed = squashOf(layer);
  const root = findElement(view, "[data-values]");
  const axis = findElement(root, "[data-bar-axis]");
  const body = findElement(root, "[data-bars]");
  const check = findElement(root, "[data-check]");

  const choose = (/** @type {number} */ dimension) => store.set({ dimension });
  const showCapsule = memoize(
    (
      /** @type {CapsulesState["trace"]} */ { tensors },
      /** @type {number} */ capsule,
    ) => {
      const { before: pre, poses, activation } = tensors;
      const [dim] = poses.shape.slice(-1);
      const own = (/** @type {Tensor} */ { data }) =>
        data.subarray(capsule * dim, (capsule + 1) * dim);
      const after = own(poses);
      const stages = pre ? [own(pre), after] : [after];
      const ticks = ticksTo(Math.max(...stages.map(reach)), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...signedAxis(ticks));
      body.replaceChildren(
        ...Array.from({ length: dim }, (_, i) =>
          rowOfBars(
            i,
            stages.map((stage) => stage[i]),
            end,
            () => choose(i),
          ),
        ),
      );
      const length = Math.hypot(...stages[0]);
      if (pre) fillFormula(findElement(root, "[data-formula]"), length, squashed);
      check.textContent = lengthWords(
        { dim, length: pre ? squashed(length) : length, isBefore: Boolean(pre) },
        activation.data[capsule],
      );
    },
  );
  const show = showSeenFirst(
    root,
    (
      /** @type {CapsulesState["trace"]} */ trace,
      /** @type {number} */ capsule,
      /** @type {number} */ dimension,
    ) => {
      showCapsule(trace, capsule);
      [...body.querySelectorAll("button")].forEach((button, i) => {
        button.setAttribute("aria-pressed", String(i === dimension));
      });
    },
  );
  store.watch(["trace", "capsule", "dimension"], (state) =>
    show(state.trace, state.capsule, state.dimension),
  );
}

/**
 * How long a capsule is by its numbers, and what the trace says.
 * @param {{ dim: number, length: number, isBefore: boolean }} worked isBefore: whether its
 *   length follows from the numbers before squash
 * @param {number} traced
 */
export function lengthWords({ dim, length, isBefore }, traced) {
  const from = isBefore ? `the ${dim} numbers before squash` : `its ${dim} numbers`;
  // Rounding moves each number, and so the length, by up to this share; squash less.
  const most = 2 * HALF * (length + traced) + HALF / 16;
  const why =
    fixed(length, 5) === fixed(traced, 5)
      ? "the same"
      : differenceWords(traced - length, most, "its numbers come in half precision");
  return `Worked out here from ${from}, its length is ${fixed(length, 5)}; the network's own is ${fixed(traced, 5)}: ${why}.`;
}

/**
 * @param {number} index @param {readonly number[]} values before squash, where that is known,
 *   and after
 * @param {number} end of the axis, on either side of zero
 * @param {() => void} choose this number
 */
function rowOfBars(index, values, end, choose) {
  const title = `Choose number ${index + 1}`;
  const button = make("button", { title }, String(index + 1));
  button.addEventListener("click", choose);
  const row = make("tr", "", make("th", { scope: "row" }, button));
  const bars = row.insertCell();
  bars.className = "signed-bars";
  const looks = values.length === 1 ? ["is-after"] : ["is-before", "is-after"];
  bars.append(...values.map((value, i) => signedBar(looks[i], value / end)));
  for (const value of values) row.insertCell().textContent = fixed(value);
  return row;
}

/**
 * @param {HTMLElement} formula its `mn`s name the number that belongs there
 * @param {number} length before squash, ‖s‖
 * @param {(length: number) => number} squash
 */
function fillFormula(formula, length, squash) {
  const squashed = fixed(squash(length));
  /** @type {Record<string, string>} */
  const texts = {
    length: fixed(length),
    squared: fixed(length ** 2),
    below: fixed(1 + length ** 2),
    rest: fixed(1 - Number(squashed)), // so that what is written comes out
    squashed,
  };
  for (const number of formula.querySelectorAll("[data-number]")) {
    number.textContent = texts[number.getAttribute("data-number") ?? ""];
  }
}

/** @param {HTMLElement} view @param {CapsulesStore} store @param {Layer} layer */
export function mountCurve(view, store, layer) {
  const root = findElement(view, "[data-squash]");
  const curve = squashCurve(
    find(root, "[data-curve]", SVGSVGElement),
    findElement(root, "[data-curve-text]"),
    squashOf(layer),
  );
  const read = memoize((/** @type {CapsulesState["trace"]} */ { tensors }) => ({
    lengths: tensors.activation,
    lengthsBefore: lengthsOf(tensors.before.data, tensors.before.shape.slice(-1)[0]),
  }));
  const show = showSeenFirst(root, curve.show);
  store.watch(["trace", "capsule"], ({ trace, capsule }) => show(read(trace), capsule));
}
