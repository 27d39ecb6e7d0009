/**
 * Squash shortens a vector to less than 1: that of Sabour, Frosst & Hinton 2017 (eq. 1), and
 * that of Mazzia, Salvetti & Chiaberge 2021 (eq. 2). And what it does to a length as a curve,
 * with one capsule and the others of its type on it.
 * @import { Axes } from "../../geometry/curves.js"
 * @import { Layer, Tensor } from "../types.js"
 */
import { axesIn, linePoints, placeOn } from "../../geometry/curves.js";
import { reach } from "../../lib/arithmetic.js";
import { exactShare, tickDecimals, ticksTo } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { setAll, svg } from "../../ui/dom.js";

const SIZE = { width: 420, height: 300 };
const FRAME = { left: 46, right: 408, top: 26, bottom: 252 };
const Y_TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The length after squash, ‖s‖² ∕ (1 + ‖s‖²). @param {number} length before, ‖s‖ */
export function squashedLength(length) {
  return length ** 2 / (1 + length ** 2);
}

/** The same by the later paper, 1 − e^−‖s‖. @param {number} length before, ‖s‖ */
export function saturatedLength(length) {
  return -Math.expm1(-length);
}

/** How a layer's squash changes lengths. @param {Pick<Layer, "words">} layer */
export const squashOf = ({ words }) =>
  words?.squash === "exponential" ? saturatedLength : squashedLength;

/**
 * Whether a layer's squash shortens each capsule by its own length, in one of two known ways.
 * @param {Pick<Layer, "words">} layer
 */
export const isKnownSquash = ({ words }) => words?.squash !== "other";

/** The length before squash, the first paper's. @param {number} length after it */
export function lengthBefore(length) {
  return Math.sqrt(length / (1 - length));
}

/**
 * The lengths of the primary capsules of one image.
 * @typedef {object} Lengths
 * @property {Tensor} lengths ‖u‖ (types, rows, columns), or of capsules alone (capsules),
 *   after squash
 * @property {ArrayLike<number>} lengthsBefore ‖s‖, as many
 */

/**
 * @param {SVGSVGElement} picture filled
 * @param {HTMLElement} caption
 * @param {(length: number) => number} [squashed]
 */
export function squashCurve(picture, caption, squashed = squashedLength) {
  const frame = svg("g");
  const others = svg("g", { class: "others" });
  const guides = svg("path", { class: "guides" });
  const point = svg("circle", { class: "point", r: 6 });
  setAll(picture, { viewBox: `0 0 ${SIZE.width} ${SIZE.height}` });
  picture.append(frame, others, guides, point);
  let axes = axesTo(1);

  // One axis for all capsules of an image, so that a choice moves the point only.
  const drawAxes = memoize((/** @type {ArrayLike<number>} */ lengthsBefore) => {
    const ticks = ticksTo(reach(lengthsBefore), 5);
    axes = axesTo(ticks[ticks.length - 1]);
    frame.replaceChildren(...axesAndCurve(axes, ticks, squashed));
  });
  const drawOthers = memoize(
    (
      /** @type {Tensor} */ lengths,
      /** @type {ArrayLike<number>} */ lengthsBefore,
      /** @type {number} */ from,
      /** @type {number} */ count,
    ) => {
      others.replaceChildren(
        ...Array.from({ length: count }, (_, cell) =>
          svg("circle", {
            r: 3.5,
            cx: placeOn(axes.x, lengthsBefore[from + cell]),
            cy: placeOn(axes.y, lengths.data[from + cell]),
          }),
        ),
      );
    },
  );

  return {
    /** @param {Lengths} layer @param {number} capsule */
    show({ lengths, lengthsBefore }, capsule) {
      const [types, rows = types, columns = 1] = lengths.shape;
      const alike = rows * columns; // of its type; those alone are all drawn
      drawAxes(lengthsBefore);
      drawOthers(lengths, lengthsBefore, capsule - (capsule % alike), alike);
      const before = lengthsBefore[capsule];
      const after = lengths.data[capsule];
      const [x, y] = [placeOn(axes.x, before), placeOn(axes.y, after)];
      setAll(point, { cx: x, cy: y });
      setAll(guides, { d: `M${x} ${FRAME.bottom}V${y}H${FRAME.left}` });
      const words = `‖s‖ ${fixed(before)} → ‖u‖ ${exactShare(after, 3)}`;
      caption.textContent = words;
      picture.setAttribute("aria-label", `The squash curve. This capsule: ${words}`);
    },
  };
}

/** @param {number} most the longest before squash */
const axesTo = (most) => axesIn(FRAME, { low: 0, high: most }, { low: 0, high: 1 });

/**
 * @param {Axes} axes
 * @param {number[]} ticks of the x axis
 * @param {(length: number) => number} squashed
 * @returns {SVGElement[]}
 */
function axesAndCurve(axes, ticks, squashed) {
  const { left, right, top, bottom } = FRAME;
  const lengths = Array.from({ length: 97 }, (_, i) => (i / 96) * axes.x.high);
  const decimals = tickDecimals(ticks);
  return [
    ...ticks.flatMap((tick) => [
      svg("path", { class: "grid", d: `M${placeOn(axes.x, tick)} ${top}V${bottom}` }),
      svg(
        "text",
        { x: placeOn(axes.x, tick), y: bottom + 18, "text-anchor": "middle" },
        fixed(tick, decimals),
      ),
    ]),
    ...Y_TICKS.flatMap((tick) => [
      svg("path", { class: "grid", d: `M${left} ${placeOn(axes.y, tick)}H${right}` }),
      svg(
        "text",
        { x: left - 7, y: placeOn(axes.y, tick) + 4, "text-anchor": "end" },
        String(tick),
      ),
    ]),
    svg("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` }),
    svg(
      "text",
      { class: "name", x: (left + right) / 2, y: bottom + 40, "text-anchor": "middle" },
      "before squash, ‖s‖",
    ),
    svg("text", { class: "name", x: left, y: top - 11 }, "after squash, ‖u‖"),
    svg("polyline", {
      class: "graph",
      points: linePoints(axes, lengths, lengths.map(squashed), 2),
    }),
  ];
}
