/**
 * The drawing area: strokes by mouse, pen, finger or keyboard, on an empty area or on
 * the image on show. They are read as they grow, and every change can be undone.
 * @import { Actions, AppState, Store } from "../types.js"
 * @import { Drawing } from "./intake.js"
 */
import { listenToUndo } from "../core/actions.js";
import { SHORTCUTS, spelled } from "../core/shortcuts.js";
import { subjectOf } from "../core/subject.js";
import { encodePgm } from "../lib/encoding.js";
import { withStrokes } from "../lib/pixels.js";
import { extentOf, paintPad, readableContext, strokeRaster } from "../paint/pad.js";
import { listenToClicks } from "../ui/controls.js";
import { find, findCanvas, findElement, make, setAria, writer } from "../ui/dom.js";
import { listenToArrows, listenToPointer } from "../ui/pens.js";
import {
  isDot,
  isEmpty,
  isExample,
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
 * @property {import("../core/steps.js").Steps} steps
 */

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {Reading} reading
 */
export function mountDrawing(root, store, actions, reading) {
  const canvas = findCanvas(root, "[data-pad]");
  const area = findElement(root, ".pad");
  const context = readableContext(canvas);
  const half = readableContext(make("canvas"));
  const raster = strokeRaster(canvas.width);
  const write = writer(root);
  const { steps } = reading;
  const sheets = new Sheets(
    () => {
      paint();
      read();
    },
    (name) =>
      steps.add({ name, back: () => sheets.undo(), forward: () => sheets.redo() }),
  );
  const [undo, redo] = ["undo", "redo"].map((name) =>
    find(root, `[data-${name}]`, HTMLButtonElement),
  );
  const [undoKeys, redoKeys] = /** @type {const} */ (["undo", "redo"]).map(
    (name, at) => {
      setAria([undo, redo][at], { "aria-keyshortcuts": SHORTCUTS[name].keys });
      return `(${spelled(SHORTCUTS[name])})`;
    },
  );
  const does = {
    // What was drawn before a reload is no step of this page's.
    undo: () => void (steps.undo() || sheets.undo()),
    redo: () => void (steps.redo() || sheets.redo()),
    clear() {
      sheets.clear();
      canvas.focus({ focusVisible: false, preventScroll: true });
    },
  };
  listenToClicks(root, does);
  listenToUndo(does);
  const pens = [
    listenToPointer(canvas, sheets),
    listenToArrows(canvas, findElement(root, "[data-pen]"), sheets),
  ];

  function paint() {
    const { now, history } = sheets;
    const image = now.base?.pixels ?? null;
    paintPad(context, image, now.strokes);
    const shape = image === null ? 1 : image.columns / image.rows;
    area.style.setProperty("--shape", String(shape));
    findElement(root, "[data-hint]").hidden = !isEmpty(now);
    findElement(root, "[data-example-hint]").hidden = !isExample(now);
    findElement(root, "[data-dot-hint]").hidden = !isDot(now);
    const [earlier, later] = [steps.earlier(), steps.later()];
    enable(undo, earlier !== undefined || history.hasEarlier, redo);
    enable(redo, later !== undefined || history.hasLater, undo);
    undo.title = earlier ? `Undo: ${earlier} ${undoKeys}` : `Undo ${undoKeys}`;
    redo.title = later ? `Redo: ${later} ${redoKeys}` : `Redo ${redoKeys}`;
  }
  steps.watch(paint);

  /** Show the sheet's own image, or have its strokes read. */
  function read() {
    const { turn, now: sheet } = sheets;
    const isFinished = pens.every(({ isDown }) => !isDown());
    const { base, strokes, overrides } = sheet;
    const source = sourceOf(sheet);
    if (base?.pixels && strokes.length > 0) {
      const ink = raster(strokes, base.pixels);
      actions.showImage(withStrokes(base.pixels, ink), source);
      if (isFinished) reading.settle();
    } else if (base !== null) {
      actions.showImage(base.pixels, source, base.intake, null, base.overrides);
    } else if (strokes.length === 0 || isDot(sheet)) {
      store.set({ isReading: false });
      if (store.get().pixels !== null) actions.showImage(null, source);
    } else {
      const isWanted = () => sheets.turn === turn && !isDot(sheets.now);
      const file = () => picture(isFinished);
      reading.readDrawing({ picture: file, isFinished, isWanted, overrides });
    }
  }

  /**
   * What is drawn, as a file. While it grows, the canvas halves it: it rounds some pixels
   * otherwise, and a quarter of the bytes is read.
   * @param {boolean} isFinished
   */
  function picture(isFinished) {
    const { width, height } = canvas;
    const shrink = extentOf(sheets.now.strokes) < LARGE_EXTENT ? 1 : 2;
    if (isFinished || shrink === 1) {
      const { data } = context.getImageData(0, 0, width, height);
      return encodePgm(data, width, height, shrink);
    }
    const size = width / shrink;
    half.canvas.width = half.canvas.height = size;
    half.drawImage(canvas, 0, 0, size, size);
    return encodePgm(half.getImageData(0, 0, size, size).data, size, size);
  }

  store.watch(["model"], ({ model }) => {
    if (model === null) return;
    const { one, draw } = subjectOf(model);
    write("hint", draw);
    write("dot-hint", `Keep drawing: a dot is not a ${one} yet`);
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
      steps.forget();
      paint();
      window.addEventListener("pagehide", () => keepSheets(sheets.history));
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
