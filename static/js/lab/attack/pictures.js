/**
 * Pictures of an attack: the attacked digit, what was added to it, and the steps.
 * @import { Attacked, Path } from "./ask.js"
 */
import { diverging, ink } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { paintHeatmap } from "../../paint/heatmap.js";
import { setText } from "../../ui/dom.js";
import { stepWords } from "./words.js";

/** The scale's reach where nothing may change. */
const LEAST = 0.01;

/** @param {number} eps */
export function changeScale(eps) {
  return diverging(Math.max(eps, LEAST));
}

/**
 * @param {ArrayLike<number>} after
 * @param {ArrayLike<number>} before
 */
export function differenceOf(after, before) {
  return Float64Array.from(after, (value, i) => value - before[i]);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values a square
 * @param {ReturnType<typeof ink>} scale
 */
function paintSquare(canvas, values, scale) {
  const side = Math.sqrt(values.length);
  paintHeatmap(canvas, values, { rows: side, columns: side, scale });
}

/**
 * The attacked digit and what was added, side by side.
 * @param {HTMLElement} root filled
 */
export function mountPair(root) {
  const pictures = ["attacked", "added"].map((words) => {
    const figure = document.createElement("figure");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    const caption = document.createElement("figcaption");
    caption.className = "fine";
    setText(caption, words);
    figure.append(canvas, caption);
    return { figure, canvas };
  });
  root.append(...pictures.map(({ figure }) => figure));
  const [image, added] = pictures.map(({ canvas }) => canvas);

  return {
    /** @param {Attacked} found @param {number} eps */
    show({ model, attacked, clean }, eps) {
      paintSquare(image, attacked.image, ink());
      image.setAttribute("aria-label", `The digit, attacked for ${model.title}`);
      const change = differenceOf(attacked.image, clean.image);
      paintSquare(added, change, changeScale(eps));
      const moved = change.filter((value) => value !== 0).length;
      added.setAttribute(
        "aria-label",
        `What was added: ${moved} of ${change.length} pixels change, by ${fixed(eps, 2)} at most`,
      );
    },
  };
}

/**
 * What each step of an iterated attack has added, and what the network reads there.
 * @param {HTMLElement} root filled
 */
export function mountSteps(root) {
  const title = document.createElement("p");
  title.className = "fine";
  const list = document.createElement("ol");
  list.className = "attack-steps";
  root.append(title, list);

  return {
    /**
     * @param {Attacked} found
     * @param {Path | null} path
     * @param {number} eps
     */
    show({ model, clean }, path, eps) {
      root.hidden = path === null;
      if (path === null) return;
      const { images, predictions, scores, strongest, start } = path;
      const from = start === 0 ? "" : `, from random start ${start}`;
      setText(title, `What each step has added${from}; the outlined one is the answer`);
      list.replaceChildren(
        ...images.map((image, step) => {
          const item = document.createElement("li");
          const canvas = document.createElement("canvas");
          canvas.setAttribute("aria-hidden", "true");
          paintSquare(canvas, differenceOf(image, clean.image), changeScale(eps));
          const words = document.createElement("span");
          const what = step === 0 ? "start" : `step ${step}`;
          words.textContent = `${what}: ${stepWords(model, predictions[step], scores[step])}`;
          item.classList.toggle("is-strongest", step === strongest);
          if (step === strongest) item.setAttribute("aria-current", "step");
          item.append(canvas, words);
          return item;
        }),
      );
    },
  };
}
