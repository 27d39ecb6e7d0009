/**
 * What the routing view's pictures are drawn from: each sum is computed from a trace
 * once, when a picture that is on the screen first asks for it.
 * @import { RoutedTrace, Surgery } from "../types.js"
 */
import { reach, sum } from "../../../lib/arithmetic.js";

import { memoize, memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import {
  agreementOverIterations,
  couplingMoves,
  couplingSpread,
  decidedness,
  mostCoupled,
  unevenCapsules,
} from "./course.js";
import { evidenceByPlace, evidenceOfCapsules, sharersOf } from "./evidence.js";
import {
  beyondEven,
  couplingsByType,
  flowByType,
  lengthsOverIterations,
  movedByType,
  sharesBeyondEven,
} from "./sums.js";
import { countedLengths } from "./surgery/changes.js";

/** What counts as something, in shares as in lengths: rounding is below it. */
const LEAST = 0.001;

/** @typedef {{ trace: RoutedTrace, ran: Surgery }} Run and what it was run under */

/** The pass that a trace tells of; more of its tensors may come later. */
const passOf = (/** @type {Run} */ { trace }) => trace.tensors["routing.couplings"];

export const figuresOf = memoizeByObject(passOf, ({ trace: { tensors }, ran }) => {
  const couplings = tensors["routing.couplings"];
  const agreement = tensors["routing.agreement"];
  const capsules = tensors["routing.capsules"];
  const lengths = countedLengths(tensors["primary.lengths"], ran.silenced);
  const routing = { couplings, agreement, capsules };
  const [iterations] = couplings.shape;

  const byType = memoizeByIndex((step) => couplingsByType(couplings, step));
  const flow = memoizeByIndex((step) => flowByType(couplings, lengths, step));
  const moved = memoizeByIndex((step) => movedByType(flow(step)));
  const shares = memoizeByIndex((step) => sharesBeyondEven(flow(step)));
  const evidence = memoizeByIndex((step) => evidenceByPlace(routing, step));

  /** @param {(step: number) => number} amountIn an iteration */
  const most = (amountIn) =>
    Math.max(LEAST, ...Array.from({ length: iterations }, (_, step) => amountIn(step)));

  return {
    /** Mean couplings, type by digit. */
    couplings: byType,
    /** Σ c·‖u‖, type by digit. */
    flow,
    /** The same, less what even couplings would send. */
    moved,
    /** Shares of each type's length, beyond even. */
    shares,
    /** What each place gives to each digit's ‖s‖: (classes, rows, columns). */
    evidence,
    /** What each capsule gives to one digit's ‖s‖. */
    evidenceOf: (/** @type {number} */ step, /** @type {number} */ digit) =>
      evidenceOfCapsules(routing, step, digit),
    /** How many capsules share in one digit, and the largest share. */
    sharers: (/** @type {number} */ step, /** @type {number} */ digit) =>
      sharersOf(evidenceOfCapsules(routing, step, digit)),

    // The most in any iteration, so that scales stay while iterations go by; never so
    // little that rounding would show where all is even.
    mostCoupling: memoize(() =>
      most((step) => reach(beyondEven(byType(step).data, byType(step).classes))),
    ),
    mostShare: memoize(() => most((step) => reach(shares(step).data))),
    mostMoved: memoize(() => most((step) => sum(moved(step).data.map(Math.abs)))),
    mostEvidence: memoize(() => most((step) => reach(evidence(step)))),

    // Over the iterations.
    lengths: memoize(() => lengthsOverIterations(capsules)),
    agreement: memoize(() => agreementOverIterations(agreement)),
    decided: memoize(() => decidedness(couplings)),
    spread: memoizeByIndex((digit) => couplingSpread(couplings, digit)),
    /** The capsule with the largest coupling to one digit. */
    mostCoupled: (/** @type {number} */ step, /** @type {number} */ digit) =>
      mostCoupled(couplings, digit, step),
    /** How many capsules do not split evenly. */
    uneven: memoizeByIndex((step) => unevenCapsules(couplings, step)),
    /** How many capsules send one digit more, or less, than in the iteration before. */
    moves: (/** @type {number} */ step, /** @type {number} */ digit) =>
      couplingMoves(couplings, digit, step),
  };
});

/** @typedef {ReturnType<typeof figuresOf>} Figures */
