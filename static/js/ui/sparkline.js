/** A line the size of a word: how one value went from step to step. */
import { linePoints, stepX, valueY } from "../geometry/polyline.js";
import { svg } from "./svg.js";

/** Sizes in the picture's own units; CSS gives it its extent. */
const WIDTH = 96;
const HEIGHT = 24;
const FRAME = {
  left: 4,
  right: WIDTH - 4,
  top: 3,
  bottom: HEIGHT - 3,
  low: 0,
  high: 1,
};

/**
 * @param {readonly number[]} values in 0..1, at least one
 * @returns {SVGSVGElement}
 */
export function sparkline(values) {
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "sparkline",
    "aria-hidden": "true",
  });
  const line = svg("polyline", { points: linePoints(values, FRAME) });
  const base = svg("line", {
    x1: FRAME.left,
    x2: FRAME.right,
    y1: FRAME.bottom,
    y2: FRAME.bottom,
  });
  const dots = values.map((value, i) => {
    const isLast = i === values.length - 1;
    return svg("circle", {
      cx: stepX(i, values.length, FRAME),
      cy: valueY(value, FRAME),
      r: isLast ? 2.6 : 1.6,
    });
  });
  picture.append(base, line, ...dots);
  return picture;
}
