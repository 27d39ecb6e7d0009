/**
 * Ribbons from the sources at the left to the targets at the right, as wide as what flows:
 * the chosen one stands out, the one at the pointer is read. Amounts glide to the next ones.
 * @import { Ribbons } from "../geometry/ribbons.js"
 * @import { Part } from "../ui/h.js"
 * @import { Stage } from "../ui/stage.js"
 */
import { emptyRibbons, layOutRibbons, nodeAt, ribbonAt } from "../geometry/ribbons.js";
import { clamp } from "../lib/arithmetic.js";
import { paintRibbons, roomForNames } from "../paint/ribbons.js";
import { make, setAria, setText, uniqueId } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { tween } from "../ui/motion.js";
import { indexOrNull, listenToPicture } from "../ui/pointing.js";
import { createStage } from "../ui/stage.js";

const COLORS = /** @type {const} */ ([
  ...["text", "muted", "accent", "focus", "gain", "even", "loss"],
]);
const LEFT = 34; // CSS pixels beside the ribbons: room for the sources' names
const TOP = 17;
const SLACK = 2; // a hair can be pointed at

/** @typedef {Stage<typeof COLORS[number]>} RibbonsStage */

/**
 * What flows.
 * @typedef {object} Flow
 * @property {number} types the sources
 * @property {number} targets
 * @property {Float32Array} amounts (types, targets)
 * @property {Float32Array} tints (types, targets) -1..1: less than even, even, more
 * @property {number} full the amount that fills the picture's height: the same in every
 *   iteration, so that widths can be compared
 * @property {readonly [less: string, more: string]} [ends] colours, as CSS computes them,
 *   in place of those of less and more; all ribbons then stand out
 * @property {object} group amounts of one group flow into each other, others are just drawn
 */

/** @typedef {Pick<Flow, "amounts" | "tints">} Amounts */

/**
 * @typedef {object} Shown
 * @property {string} label accessible name
 * @property {string} look class of the canvas
 * @property {{ bottom: number, gap: number }} room below the ribbons, and between nodes
 * @property {boolean} isEven whether most ribbons are near even, so that those out of focus
 *   may only be hinted at
 * @property {number} type the chosen source
 * @property {number} target the one in focus
 * @property {number} [choosable] how many of the targets can be chosen; all when absent
 * @property {readonly string[]} names of the targets
 * @property {readonly string[]} notes beside their names
 * @property {(type: number, target: number) => string} words
 * @property {(end: { type?: number, target?: number }) => void} choose
 * @property {(stage: RibbonsStage, ribbons: Ribbons, now: Amounts) => void} [paintOver]
 */

/** @param {Flow & Shown} options */
export const ribbons = (options) => h(ribbonsPart, options);

/** @type {Part<Flow & Shown>} */
function ribbonsPart() {
  const canvas = make("canvas", { role: "application", tabindex: "0" });
  const readout = make("output", {
    ...{ class: "readout", id: uniqueId("readout"), "data-flow-readout": "" },
  });
  let laid = emptyRibbons(1, 1);
  /** @type {(Flow & Shown) | null} */
  let now = null;
  /** On their way from one iteration to the next. @type {Amounts | null} */
  let moving = null;
  /** @type {number | null} */
  let pointed = null;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {{ type: number, target: number }} */
  let aimed = { type: 0, target: 0 };
  /** @type {(() => void) | null} */
  let ask = null;

  const move = tween((/** @type {Amounts} */ amounts) => {
    moving = amounts;
    ask?.();
  }, createBlend());
  function tell() {
    if (now === null) return;
    const at = pointed ?? now.type * now.targets + now.target;
    setText(readout, now.words(Math.floor(at / now.targets), at % now.targets));
  }
  /** @param {{ type?: number, target?: number }} end */
  function choose({ type, target }) {
    if (now === null) return;
    const { types, targets, choosable = targets } = now;
    const end = {
      ...(type !== undefined && { type: clamp(type, 0, types - 1) }),
      ...(target !== undefined && { target: clamp(target, 0, choosable - 1) }),
    };
    aimed = { ...aimed, ...end };
    now.choose(end);
  }
  listenToPicture(canvas, {
    under: ({ x, y }) =>
      indexOrNull(
        ribbonAt(laid, x, y, {
          slack: SLACK,
          // What stands out is what is meant.
          rank: (k) =>
            2 * Number(k % laid.targets === now?.target) +
            Number(Math.floor(k / laid.targets) === now?.type),
        }),
      ),
    point(index) {
      if (index === pointed) return;
      pointed = index;
      tell();
      ask?.();
    },
    choose(found, { x, y }) {
      const { left, right, targets, ...nodes } = laid;
      if (x < left) choose({ type: nodeAt(nodes.sourceY, nodes.sourceHeight, y) });
      else if (x > right)
        choose({ target: nodeAt(nodes.targetY, nodes.targetHeight, y) });
      else if (found !== null)
        choose({ type: Math.floor(found / targets), target: found % targets });
    },
    walk([down, right]) {
      choose(
        down !== 0 ? { type: aimed.type + down } : { target: aimed.target + right },
      );
    },
    chosen() {
      const { left, right, targets, from, to, width } = laid;
      const k = (now?.type ?? 0) * targets + (now?.target ?? 0);
      return { x: (left + right) / 2, y: (from[k] + to[k] + width[k]) / 2 };
    },
  });

  return {
    element: make("div", "", canvas, readout),
    /** @param {Flow & Shown} next */
    show(next) {
      const { types, targets } = next;
      if (laid.sources !== types || laid.targets !== targets) {
        laid = emptyRibbons(types, targets);
        pointed = null;
      }
      const isAlike = now?.group === next.group && moving !== null;
      const isMoved = now?.amounts !== next.amounts;
      now = next;
      aimed = { type: next.type, target: next.target };
      canvas.classList.add("drawn", next.look); // beside what others mark it with
      setAria(canvas, { "aria-label": next.label, "aria-describedby": readout.id });
      ask ??= createStage(canvas, COLORS, (stage) => {
        if (now === null || moving === null) return;
        paintFlow(stage, now, moving, laid, pointed ?? -1);
        now.paintOver?.(stage, laid, moving);
      });
      if (isMoved) move(isAlike && moving ? moving : next, next);
      tell();
      ask();
    },
  };
}

/**
 * @param {RibbonsStage} stage @param {Flow & Shown} flow @param {Amounts} moving
 * @param {Ribbons} laid out by this
 * @param {number} pointed -1 for none
 */
function paintFlow(stage, flow, { amounts, tints }, laid, pointed) {
  const { context, width, height, colors, font } = stage;
  const { names, notes, ends, isEven, target, type: source, room, full } = flow;
  layOutRibbons(laid, amounts, {
    left: LEFT,
    right: width - roomForNames(context, { names, font }),
    top: TOP,
    height: height - TOP - room.bottom,
    gap: room.gap,
    full,
  });
  const look = { ends, isEven, target, source, pointed, names, notes, font };
  paintRibbons(context, { ribbons: laid, tints, ...look }, colors);
}

/**
 * Blending without allocating while a picture moves.
 * @returns {(from: Amounts, to: Amounts, share: number) => Amounts}
 */
function createBlend() {
  let between = { amounts: new Float32Array(0), tints: new Float32Array(0) };
  return (from, to, share) => {
    const size = to.amounts.length;
    // Not into what is blended from, which may be the last blend.
    if (from === between || between.amounts.length !== size)
      between = { amounts: new Float32Array(size), tints: new Float32Array(size) };
    for (let i = 0; i < size; i++) {
      between.amounts[i] = from.amounts[i] + share * (to.amounts[i] - from.amounts[i]);
      between.tints[i] = from.tints[i] + share * (to.tints[i] - from.tints[i]);
    }
    return between;
  };
}
