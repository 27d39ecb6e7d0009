/**
 * A path in a plane: a dot for each value of the knob, from dark to light, hollow where
 * another class is read; a ring at the value nearest to the knob's.
 */
import { framePoints, nearestPoint } from "../../geometry/plane.js";
import { cssColor, sequential } from "../../lib/color.js";
import { setAll, svg } from "../../ui/dom.js";

const SIZE = { width: 240, height: 170, margin: 14 };

/**
 * @param {HTMLElement} root filled
 * @param {string} label
 * @param {(index: number) => void} choose
 */
export function pathPicture(root, label, choose) {
  const picture = svg("svg", {
    viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
    class: "pose-path",
    role: "img",
    "aria-label": label,
  });
  const line = svg("polyline");
  const dots = svg("g");
  const ring = svg("circle", { r: 8, class: "pose-ring" });
  picture.append(line, dots, ring);
  root.append(picture);
  /** @type {Float32Array} */
  let places = new Float32Array(0);
  let frame = framePoints([], SIZE);

  /** @param {number} i */
  const at = (i) => ({
    x: frame.x + places[2 * i] * frame.unit,
    y: frame.y - places[2 * i + 1] * frame.unit,
  });

  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * SIZE.width;
    const y = ((event.clientY - box.top) / box.height) * SIZE.height;
    const found = nearestPoint(places, frame, x, y, SIZE.width);
    if (found >= 0) choose(found);
  });

  return {
    /**
     * @param {Float32Array} next (count, 2)
     * @param {readonly boolean[]} isRight whether the class is read there
     */
    show(next, isRight) {
      places = next;
      frame = framePoints([next], SIZE);
      const count = isRight.length;
      const scale = sequential(0, Math.max(1, count - 1));
      const all = isRight.map((_, i) => at(i));
      setAll(line, {
        points: all.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
      });
      dots.replaceChildren(
        ...all.map(({ x, y }, i) =>
          svg("circle", {
            ...{ cx: x.toFixed(1), cy: y.toFixed(1), r: 4 },
            ...{ fill: isRight[i] ? cssColor(scale, i) : "none" },
            stroke: isRight[i] ? "var(--text)" : cssColor(scale, i),
            "stroke-width": isRight[i] ? 0.7 : 1.6,
          }),
        ),
      );
    },

    /** @param {number} i */
    mark(i) {
      if (2 * i >= places.length) return;
      const { x, y } = at(i);
      setAll(ring, { cx: x.toFixed(1), cy: y.toFixed(1) });
    },
  };
}
