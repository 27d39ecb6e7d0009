/**
 * The chosen capsule's numbers before and after squash, as pairs of bars from zero, squash's
 * formula with its numbers, and its place on squash's curve.
 * @import { Layer } from "../types.js"
 * @import { CapsulesState, CapsulesStore } from "./types.js"
 */
import { reach } from "../../lib/arithmetic.js";
import { ticksTo } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { signedAxis, signedBar } from "../../ui/bars.js";
import { find, findElement, make } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";
import { isAlone } from "./index.js";
import { lengthsOf, squashCurve, squashOf } from "./squash.js";

/** @param {HTMLElement} view @param {CapsulesStore} store @param {Layer} layer */
export function mountValues(view, store, layer) {
  const squashed = squashOf(layer);
  const root = findElement(view, "[data-values]");
  const axis = findElement(root, "[data-bar-axis]");
  const body = findElement(root, "[data-bars]");
  const formula = findElement(root, "[data-formula]");
  const check = findElement(root, "[data-check]");

  const choose = (/** @type {number} */ dimension) => store.set({ dimension });
  const showCapsule = memoize(
    (
      /** @type {CapsulesState["trace"]} */ { tensors },
      /** @type {number} */ capsule,
    ) => {
      const { before: pre, poses, activation } = tensors;
      const [dim] = pre.shape.slice(-1);
      const [from, to] = [capsule * dim, (capsule + 1) * dim];
      const before = pre.data.subarray(from, to);
      const after = poses.data.subarray(from, to);
      const ticks = ticksTo(Math.max(reach(before), reach(after)), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...signedAxis(ticks));
      body.replaceChildren(
        ...Array.from(before, (value, i) =>
          pairOfBars(i, value, after[i], end, () => choose(i)),
        ),
      );
      fillFormula(formula, Math.hypot(...before), squashed);
      // What has thousands of numbers comes in half precision.
      const precision = isAlone(layer)
        ? ""
        : "; its numbers come in half precision, which keeps about three digits";
      check.textContent = `Worked out on this page from the ${dim} numbers before squash. The network's own length is ${fixed(activation.data[capsule], 5)}${precision}.`;
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
 * @param {number} index @param {number} before @param {number} after
 * @param {number} end of the axis, on either side of zero
 * @param {() => void} choose this number
 */
function pairOfBars(index, before, after, end, choose) {
  const title = `See where number ${index + 1} comes from`;
  const button = make("button", { title }, String(index + 1));
  button.addEventListener("click", choose);
  const row = make("tr", "", make("th", { scope: "row" }, button));
  const bars = row.insertCell();
  bars.className = "signed-bars";
  bars.append(signedBar("is-before", before / end), signedBar("is-after", after / end));
  row.insertCell().textContent = fixed(before);
  row.insertCell().textContent = fixed(after);
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
