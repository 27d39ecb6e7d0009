/**
 * The drawing area: strokes by mouse, pen, finger or keyboard, on an empty area or on
 * the image on show. They are read as they grow, and every change can be undone.
 * @import { Actions, AppState, Store } from "../types.js"
 * @import { History } from "../lib/history.js"
 * @import { Drawing } from "./intake.js"
 * @import { Sheet } from "./sheet.js"
 */
import { listenToUndo } from "../core/actions.js";
import { subjectOf } from "../core/subject.js";
import { encodePgm } from "../lib/encoding.js";
import { withStrokes } from "../lib/pixels.js";
import { extentOf, paintPad, strokeRaster } from "../paint/pad.js";
import { find, findCanvas, findElement, setText } from "../ui/dom.js";
import { listenToArrows, listenToPointer } from "../ui/pens.js";
import {
  isDot,
  isEmpty,
  keepSheets,
  keptSheets,
  Sheets,
  sheetOf,
  sourceOf,
} from "./sheet.js";

const LARGE_EXTENT = 112; // canvas pixels; from here, half of each side says it all

/**
 * @typedef {object} Reading
 * @property {(drawing: Drawing) => void} readDrawing called with every change of a drawing
 *   on nothing
 * @property {() => void} settle called when a drawing on an image is finished
 */

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {Reading} reading
 */
export function mountDrawing(root, store, actions, reading) {
  const canvas = findCanvas(root, "[data-pad]");
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  const readSheet = createReading(canvas, context, store, actions, reading);
  const sheets = new Sheets(() => {
    paint();
    read();
  });
  const tools = mountTools(root, {
    undo: () => sheets.undo(),
    redo: () => sheets.redo(),
    clear() {
      sheets.clear();
      canvas.focus({ focusVisible: false, preventScroll: true });
    },
  });
  const pens = [
    listenToPointer(canvas, sheets),
    listenToArrows(canvas, findElement(root, "[data-pen]"), sheets),
  ];

  function paint() {
    const { base, strokes } = sheets.now;
    paintPad(context, base?.pixels ?? null, strokes);
    tools.show(sheets.history);
  }

  function read() {
    const { turn } = sheets;
    const isFinished = pens.every(({ isDown }) => !isDown());
    const isWanted = () => sheets.turn === turn && !isDot(sheets.now);
    readSheet(() => sheets.now, { isFinished, isWanted });
  }

  store.watch(["model"], ({ model }) => {
    if (model === null) return;
    const { one, draw } = subjectOf(model);
    setText(findElement(root, "[data-hint]"), draw);
    setText(
      findElement(root, "[data-dot-hint]"),
      `Keep drawing: a dot is not a ${one} yet`,
    );
  });
  store.watch(["pixels", "source", "intake", "overrides"], (state) => {
    sheets.follow(state);
    if (state.source.kind !== "drawing") paint();
  });

  return {
    /** Keep what is on the drawing area now. @returns {() => void} puts it back */
    keep() {
      const { now } = sheets;
      return () => sheets.add(now);
    },

    clear: () => sheets.clear(),

    /** Begin with what the page shows first, and with what was drawn before a reload. */
    begin() {
      sheets.restore(keptSheets(), sheetOf(store.get()));
      paint();
      window.addEventListener("pagehide", () => keepSheets(sheets.history));
    },
  };
}

/**
 * Show a sheet's own image, or have its strokes read.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} context of the canvas, on which the sheet is painted
 * @param {Store<AppState>} store @param {Actions} actions @param {Reading} reading
 * @returns {(sheetNow: () => Sheet, when: Pick<Drawing, "isFinished" | "isWanted">) => void}
 */
function createReading(canvas, context, store, actions, { readDrawing, settle }) {
  const raster = strokeRaster(canvas.width);
  /** @param {Sheet} sheet */
  function pictureOf({ strokes }) {
    const { width, height } = canvas;
    const { data } = context.getImageData(0, 0, width, height);
    return encodePgm(data, width, height, extentOf(strokes) < LARGE_EXTENT ? 1 : 2);
  }

  return (sheetNow, { isFinished, isWanted }) => {
    const sheet = sheetNow();
    const { base, strokes, overrides } = sheet;
    const source = sourceOf(sheet);
    if (base?.pixels && strokes.length > 0) {
      const ink = raster(strokes, base.pixels);
      actions.showImage(withStrokes(base.pixels, ink), source);
      if (isFinished) settle();
    } else if (base !== null) {
      actions.showImage(base.pixels, source, base.intake, null, base.overrides);
    } else if (strokes.length === 0 || isDot(sheet)) {
      if (store.get().pixels !== null) actions.showImage(null, source);
    } else {
      const picture = () => pictureOf(sheetNow());
      readDrawing({ picture, isFinished, isWanted, overrides });
    }
  };
}

/**
 * Undo, redo and clear, by buttons and by keys.
 * @param {HTMLElement} root
 * @param {{ undo: () => void, redo: () => void, clear: () => void }} does
 */
function mountTools(root, does) {
  const hint = findElement(root, "[data-hint]");
  const dotHint = findElement(root, "[data-dot-hint]");
  const undo = find(root, "[data-undo]", HTMLButtonElement);
  const redo = find(root, "[data-redo]", HTMLButtonElement);
  undo.addEventListener("click", does.undo);
  redo.addEventListener("click", does.redo);
  find(root, "[data-clear]", HTMLButtonElement).addEventListener("click", does.clear);
  listenToUndo(does);

  return {
    /** @param {History<Sheet>} history */
    show(history) {
      const { now, hasEarlier, hasLater } = history;
      hint.hidden = !isEmpty(now);
      dotHint.hidden = !isDot(now);
      enable(undo, hasEarlier, redo);
      enable(redo, hasLater, undo);
    },
  };
}

/**
 * Enable or disable a button; one that is disabled passes its focus on.
 * @param {HTMLButtonElement} button @param {boolean} isEnabled
 * @param {HTMLButtonElement} heir
 */
function enable(button, isEnabled, heir) {
  const hadFocus = document.activeElement === button;
  button.disabled = !isEnabled;
  if (!isEnabled && hadFocus) {
    heir.disabled = false;
    heir.focus();
  }
}
