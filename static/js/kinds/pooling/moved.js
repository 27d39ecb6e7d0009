/**
 * A stroke moved by a pixel or two: which winners change, and which values do not.
 * @import { Shift } from "../../lib/shift.js"
 * @import { Model } from "../../types.js"
 * @import { Column, Run } from "./moves.js"
 * @import { Place } from "./windows.js"
 */
import { grouped, percent } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { isMoved, MOST, STEPS, shiftWords, stepped, UNMOVED } from "../../lib/shift.js";
import { paintPixels } from "../../paint/heatmap.js";
import { find, findCanvas, findElement, make, setText } from "../../ui/dom.js";
import { mountMovedMap } from "./moved-map.js";
import { tellMove } from "./moves.js";
import { pooledMap } from "./windows.js";

/**
 * What is shown of it.
 * @typedef {object} Shown
 * @property {Model} model
 * @property {Run} run
 * @property {Run | null} moved the same over the moved image; null while it is on its way
 * @property {Shift} shift
 * @property {number} map
 * @property {number} step from one window to the next, in pixels of the image
 */

/**
 * @param {HTMLElement} root @param {{ own: string, below: string }} names of the layers
 * @param {object} actions
 * @param {(window: Place, pixel?: Place) => void} actions.choose pixel: of the map below,
 *   where one was chosen
 * @param {(window: Place | null) => void} actions.hover
 * @param {(shift: Shift) => void} actions.move the image
 */
export function mountMoved(root, names, { choose, hover, move }) {
  const body = findElement(root, "[data-moved-body]");
  const waiting = findElement(root, "[data-moved-waiting]");
  const sentences = findElement(root, "[data-sentences]");
  const readout = findElement(root, "[data-moved-readout]");
  const counts = findElement(root, "[data-counts]");
  const inputs = ["before", "after"].map((when) =>
    findCanvas(root, `[data-input-${when}] canvas`),
  );
  const buttons = mountButtons(root, move);
  const pictures = mountMovedMap(root, {
    ...{ choose, hover },
    tell: (words) => setText(readout, words),
  });

  const compare = memoize(
    (
      /** @type {Run} */ run,
      /** @type {Run} */ moved,
      /** @type {number} */ map,
      /** @type {Shift} */ shift,
      /** @type {Model} */ model,
      /** @type {number} */ step,
    ) => {
      const maps = [run, moved].map(({ layer }) => pooledMap(layer, map));
      pictures.show(maps);
      [run, moved].forEach(({ pixels }, i) => {
        paintPixels(inputs[i], pixels);
      });
      const asked = { maps, map, shift, step, names, classes: model.class_names };
      const told = tellMove(run, moved, asked);
      sentences.replaceChildren(...told.sentences.map((each) => make("p", "", each)));
      fillCounts(counts, told.columns);
    },
  );
  return {
    /** @param {Shown} shown @param {Place} pixel @param {Place} window */
    show({ run, moved, shift, map, model, step }, pixel, window) {
      buttons.show(shift);
      const isWaiting = moved === null && isMoved(shift);
      waiting.hidden = !isWaiting;
      // The last comparison stays, dimmed, until the next is here.
      body.classList.toggle("is-old", isWaiting);
      if (!isWaiting) body.hidden = moved === null;
      if (moved === null) return;
      compare(run, moved, map, shift, model, step);
      pictures.choose(window, pixel);
    },
  };
}

/** @param {HTMLElement} root @param {(shift: Shift) => void} move */
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
 * @param {HTMLButtonElement} button @param {boolean} isOff
 */
function setOff(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
}

/**
 * How many windows of each kind there are, as a table: of the chosen map and of all.
 * @param {HTMLElement} root holds a row with `data-count` for everything that is counted
 * @param {readonly Column[]} columns
 */
function fillCounts(root, columns) {
  for (const row of root.querySelectorAll("tr[data-count]")) {
    const name = row.getAttribute("data-count") ?? "";
    [...row.querySelectorAll("td")].forEach((cell, i) => {
      setText(cell, countText(columns[i], name));
    });
  }
}

/** @param {Column} column @param {string} name */
function countText({ windows, pixels }, name) {
  if (name === "kept") return partText(windows.kept, windows.active);
  if (name === "rewon") return partText(windows.rewon, windows.contested);
  if (name === "below") return partText(pixels.kept, pixels.active);
  return grouped(windows[/** @type {import("./moves.js").Kind} */ (name)]);
}

/** @param {number} count @param {number} of */
function partText(count, of) {
  if (of === 0) return "none to count";
  return `${grouped(count)} of ${grouped(of)} (${percent(count / of, 1)})`;
}
