/**
 * Brings drawings and pictures to the server's intake, and its answer into the state.
 * @import { AppState, Overrides, Source } from "../types.js"
 * @import { Actions } from "../core/state.js"
 * @import { Store } from "../core/store.js"
 */
import { ApiError, fetchReading } from "../core/api.js";
import { neededTensors, optionsNow } from "../core/live.js";
import { AUTOMATIC, withMore } from "../lib/overrides.js";
import { latest } from "../lib/timing.js";
import { DRAWING } from "./sheet.js";

/**
 * A drawing as it stands.
 * @typedef {object} Drawing
 * @property {() => Uint8Array<ArrayBuffer>} picture a PGM file of what is drawn when it
 *   is asked for
 * @property {boolean} isFinished the pen is up
 * @property {() => boolean} isWanted false once another image has taken its place
 * @property {Overrides} [overrides] what is decided about it already
 */

/**
 * What can be read, and read again.
 * @typedef {object} Readable
 * @property {() => Blob | Uint8Array<ArrayBuffer>} picture
 * @property {boolean} isFinished
 * @property {() => boolean} isWanted
 * @property {Source} source what its image is shown as
 * @property {Overrides} overrides what is decided about it when it is first read
 * @property {boolean} [isCorrection] of what is on show already
 * @property {"auto" | "light"} ink
 */

const TOO_EARLY = "The network is still loading. Try again in a moment.";

/**
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {() => void} [settle] called when a finished picture is on show
 */
export function createIntake(store, actions, settle = () => {}) {
  /** What can be read otherwise, by what it is shown as. @type {WeakMap<Source, Readable>} */
  const readables = new WeakMap();
  /** @type {Source | null} */
  let shown = null;

  const readLatest = latest(async (/** @type {Readable} */ wish, answered) => {
    if (!wish.isWanted()) return;
    const picture = wish.picture();
    const state = store.get();
    if (state.model === null || state.network === null)
      return actions.report(TOO_EARLY);
    const isNew = state.source !== wish.source;
    if (isNew) setWaiting(1);
    try {
      // Picture, image and trace in one go: all of the page changes in one frame.
      const { pixels, intake, trace } = await fetchReading(state.model, picture, {
        ink: wish.ink,
        overrides: isNew ? wish.overrides : state.overrides,
        options: optionsNow(state),
        names: neededTensors(state),
        withSteps: wish.isFinished || state.view === "input",
      });
      answered();
      if (!wish.isWanted()) return;
      shown = wish.source;
      readables.set(wish.source, wish);
      const { overrides } = isNew ? wish : store.get();
      actions.showImage(pixels, wish.source, intake, trace, overrides);
      if (wish.isFinished) settle();
      if (isNew && wish.source.kind === "upload") actions.openView("input");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.field === "part") correct({ part: null });
      // The beginning of a stroke may be no digit yet; say so only when the pen is up.
      else if (wish.isFinished || error.status !== 422) {
        // What cannot be read is not explained as what was read before it.
        const isNewDrawing = wish.source === DRAWING && !wish.isCorrection;
        if (error.status === 422 && isNewDrawing && wish.isWanted())
          actions.showImage(null, wish.source);
        actions.report(error.message);
      }
    } finally {
      if (isNew) setWaiting(-1);
    }
  });

  /** @param {number} change */
  function setWaiting(change) {
    store.set({ waiting: store.get().waiting + change });
  }

  /**
   * Decide something about the picture on show, and read it again.
   * @param {Partial<Overrides>} more
   */
  function correct(more) {
    const { source, overrides } = store.get();
    const readable = readables.get(source);
    if (readable === undefined) return;
    store.set({ overrides: withMore(overrides, more) });
    readLatest({ ...readable, isFinished: true, isCorrection: true });
  }

  return {
    correct,

    /** @param {Drawing} drawing with another stroke, what was decided is decided anew */
    readDrawing({ overrides = AUTOMATIC, ...drawing }) {
      if (store.get().source === DRAWING) store.set({ overrides });
      readLatest({ ...drawing, overrides, source: DRAWING, ink: "light" });
    },

    /** @param {File} file */
    readUpload(file) {
      const { source: before } = store.get();
      /** @type {Source} */
      const source = { kind: "upload", name: file.name };
      readLatest({
        picture: () => file,
        isFinished: true,
        // Not once somebody has chosen another image than the intake's own.
        isWanted: () => [before, shown, source].includes(store.get().source),
        overrides: AUTOMATIC,
        source,
        ink: "auto",
      });
    },
  };
}
