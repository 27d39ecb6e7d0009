/**
 * Brings drawings and pictures to the server's intake, and its answer into the state.
 * @import { AppState } from "./types.js"
 * @import { Actions } from "./state.js"
 * @import { Store } from "./store.js"
 */
import { ApiError, fetchReading, readPicture } from "./api.js";
import { latest } from "./lib/latest.js";
import { neededTensors } from "./live.js";

/**
 * A drawing as it stands.
 * @typedef {object} Drawing
 * @property {() => Uint8Array<ArrayBuffer> | null} picture a PGM file of what is drawn
 *   when it is asked for; null when the canvas is empty
 * @property {boolean} isFinished the pen is up
 * @property {() => boolean} isWanted false once another image has taken its place
 */

/** @type {AppState["source"]} one for all, so that a stroke changes nothing but pixels */
const DRAWING = { kind: "drawing" };

/**
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function createIntake(store, actions) {
  const readLatest = latest(async (/** @type {Drawing} */ drawing) => {
    const { isFinished, isWanted } = drawing;
    if (!isWanted()) return;
    const picture = drawing.picture();
    if (picture === null) return actions.showImage(null, DRAWING);
    const state = store.get();
    if (state.model === null) return;
    try {
      // Picture, image and trace in one go: all of the page changes in one frame.
      const { pixels, steps, trace } = await fetchReading(state.model, picture, {
        iterations: state.iterations,
        names: neededTensors(state),
        withSteps: isFinished || state.view === "input",
      });
      if (isWanted()) actions.showImage(pixels, DRAWING, steps, trace);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The beginning of a stroke may be no digit yet; say so only when the pen is up.
      if (isFinished || error.status !== 422) actions.report(error.message);
    }
  });

  return {
    /** @param {Drawing} drawing */
    readDrawing: (drawing) => readLatest(drawing),

    /** @param {File} file */
    async readUpload(file) {
      const { pixels: before, waiting } = store.get();
      store.set({ waiting: waiting + 1 });
      try {
        const { pixels, steps } = await readPicture(file);
        if (store.get().pixels !== before) return; // something newer is on show
        actions.showImage(pixels, { kind: "upload", name: file.name }, steps);
        actions.openView("input");
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        actions.report(error.message);
      } finally {
        store.set({ waiting: store.get().waiting - 1 });
      }
    },
  };
}
