/**
 * A stroke moved by a pixel or two: which winners change, and which values do not.
 * @import { Place } from "../windows.js"
 * @import { Layers, PoolHooks, Run, Seen } from "../view.js"
 * @import { CnnModel } from "../../types.js"
 * @import { Pixels } from "../../../../types.js"
 * @import { Shift } from "./shift.js"
 */
import { ink } from "../../../../lib/color.js";
import { memoize } from "../../../../lib/memoize.js";
import { inkOf } from "../../../../lib/pixels.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { find, findCanvas, findElement, setText } from "../../../../ui/dom.js";
import { reachOf } from "../../places.js";
import { sizesOf } from "../../state.js";
import { pooledMap } from "../windows.js";
import { fillCounts } from "./counts.js";
import { mountPictures } from "./pictures.js";
import { isMoved, MOST, stepped, UNMOVED } from "./shift.js";
import { tellMove, windowText } from "./telling.js";
import { shiftWords } from "./words.js";

const STEPS = {
  left: { down: 0, right: -1 },
  right: { down: 0, right: 1 },
  up: { down: -1, right: 0 },
  down: { down: 1, right: 0 },
};

/**
 * @param {HTMLElement} root
 * @param {PoolHooks} hooks
 * @param {Layers} layers
 */
export function mountMoved(root, hooks, layers) {
  const body = findElement(root, "[data-moved-body]");
  const waiting = findElement(root, "[data-moved-waiting]");
  const sentences = findElement(root, "[data-sentences]");
  const readout = findElement(root, "[data-moved-readout]");
  const counts = findElement(root, "[data-counts]");
  const inputs = ["before", "after"].map((when) =>
    findCanvas(root, `[data-input-${when}] canvas`),
  );
  const buttons = mountButtons(root, hooks.actions.moveImage);
  let window = { row: 0, column: 0 };
  /** @type {ReturnType<typeof pooledMap>[]} */
  let maps = [];

  const pictures = mountPictures(root, {
    choosePixel: hooks.choosePixel,
    chooseWindow: hooks.chooseWindow,
    hover(at) {
      hooks.lookAtWindow(at);
      tell(at ?? window);
    },
  });

  /** @param {Place} at a window */
  function tell(at) {
    setText(readout, windowText(maps, at, pictures.kindOf(at)));
  }

  const compare = memoize(
    (
      /** @type {Run} */ run,
      /** @type {Run} */ moved,
      /** @type {number} */ map,
      /** @type {Shift} */ shift,
      /** @type {CnnModel} */ model,
    ) => {
      maps = [run, moved].map(({ layer }) => pooledMap(layer, map));
      pictures.show(maps);
      [run, moved].forEach(({ pixels }, i) => {
        paintImage(inputs[i], pixels);
      });
      const told = tellMove(run, moved, {
        maps,
        map,
        shift,
        step: reachOf(sizesOf(model))[layers.own].step,
        names: hooks.names,
        classes: model.class_names,
      });
      sentences.replaceChildren(...told.sentences.map(paragraph));
      fillCounts(counts, told.columns);
    },
  );
  return {
    /** @param {Seen} seen @param {Place} pixel @param {Place} windowNow */
    show(seen, pixel, windowNow) {
      const { run, moved, shift } = seen;
      buttons.show(shift);
      const isWaiting = moved === null && isMoved(shift);
      waiting.hidden = !isWaiting;
      // The last comparison stays, dimmed, until the next is here.
      body.classList.toggle("is-old", isWaiting);
      if (!isWaiting) body.hidden = moved === null;
      if (moved === null) return;
      window = windowNow;
      compare(run, moved, seen.map, shift, seen.model);
      pictures.choose(pixel, window);
      tell(window);
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {(shift: Shift) => void} move
 */
function mountButtons(root, move) {
  const status = findElement(root, "[data-shift]");
  const back = find(root, "[data-step-back]", HTMLButtonElement);
  let shift = UNMOVED;
  const steps = Object.entries(STEPS).map(([name, step]) => {
    const button = find(root, `[data-step="${name}"]`, HTMLButtonElement);
    button.addEventListener("click", () => move(stepped(shift, step)));
    return { button, step };
  });
  back.addEventListener("click", () => move(UNMOVED));

  return {
    /** @param {Shift} now */
    show(now) {
      shift = now;
      for (const { button, step } of steps) {
        const next = stepped(now, step);
        setOff(button, next.down === now.down && next.right === now.right);
      }
      setOff(back, !isMoved(now));
      setText(
        status,
        isMoved(now)
          ? `Moved ${shiftWords(now)}.`
          : `Not moved: up to ${MOST} pixels each way.`,
      );
    },
  };
}

/**
 * Unlike `disabled`, this leaves the focus where it is.
 * @param {HTMLButtonElement} button
 * @param {boolean} isOff
 */
function setOff(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Pixels} pixels
 */
function paintImage(canvas, pixels) {
  const { rows: side } = pixels;
  paintHeatmap(canvas, inkOf(pixels), { rows: side, columns: side, scale: ink() });
}

/** @param {string} text */
function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}
