/**
 * Pictures on their way in: by a button, a drop, a paste or the pen, through the
 * server's intake and into the state; and what the intake doubts.
 * @import { Actions, AppState, Intake, Model, Overrides, Services, Source, Store } from "../types.js"
 */

import { fetchReading } from "../core/api.js";
import { ApiError } from "../core/connection.js";
import { neededTensors, optionsNow } from "../core/live.js";
import { INPUT, readsPairs } from "../core/state.js";
import { saidOf } from "../core/subject.js";
import { AN_ADDRESS, addressIn, DROPPED, problemOfDrop } from "../lib/address.js";
import { AUTOMATIC, withMore } from "../lib/overrides.js";
import { latest } from "../lib/timing.js";
import { listenToClicks } from "../ui/controls.js";
import { find, findElement, writer } from "../ui/dom.js";
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

/**
 * What is asked of the server besides the picture.
 * @param {Readable} wish @param {Readonly<AppState>} state @param {Model} model
 * @param {boolean} isNew whether another picture is on show
 */
const askedOf = (wish, state, model, isNew) => ({
  ink: wish.ink,
  atMost: /** @type {1 | 2} */ (readsPairs(model) ? 2 : 1),
  overrides: isNew ? wish.overrides : state.overrides,
  options: optionsNow(state),
  names: neededTensors(state),
  withSteps: wish.isFinished || state.view === INPUT,
});

const TOO_EARLY = "The network is still loading. Try again in a moment.";

/**
 * Bring drawings and pictures to the server's intake, and its answer into the state: the
 * newest of them, and again when something is decided about it.
 * @param {Store<AppState>} store @param {Actions} actions
 * @param {Pick<Services, "during">} services
 * @param {() => void} [settle] called when a finished picture is on show
 */
export function createIntake(store, actions, { during }, settle = () => {}) {
  /** What can be read otherwise, by what it is shown as. @type {WeakMap<Source, Readable>} */
  const readables = new WeakMap();
  /** @type {Source | null} */
  let shown = null;
  let readings = 0; // under way

  const readLatest = latest(async (/** @type {Readable} */ wish, answered) => {
    if (!wish.isWanted()) return;
    const read = () => readNow(wish, answered).catch((error) => refuse(error, wish));
    const { source, pixels, isReading } = store.get();
    // An image on show is followed by the next in one change of the state.
    if (pixels === null && !isReading) store.set({ isReading: true });
    readings++;
    try {
      await (source === wish.source ? read() : during(read));
    } finally {
      readings--;
      if (readings === 0 && store.get().isReading) store.set({ isReading: false });
    }
  });

  /**
   * Picture, image and trace in one go: all of the page changes in one frame.
   * @param {Readable} wish @param {() => void} answered
   */
  async function readNow(wish, answered) {
    const picture = wish.picture();
    const state = store.get();
    if (state.model === null || state.network === null)
      return actions.report(TOO_EARLY);
    const isNew = state.source !== wish.source;
    const asked = askedOf(wish, state, state.model, isNew);
    const { pixels, intake, trace } = await fetchReading(state.model, picture, asked);
    answered();
    if (!wish.isWanted()) return;
    shown = wish.source;
    readables.set(wish.source, wish);
    const { overrides } = isNew ? wish : store.get();
    actions.showImage(pixels, wish.source, intake, trace, overrides);
    if (wish.isFinished) settle();
  }

  /** @param {unknown} error @param {Readable} wish */
  function refuse(error, wish) {
    if (!(error instanceof ApiError)) throw error;
    if (error.field === "part") return correct({ part: null });
    // The beginning of a stroke may be no digit yet; say so only when the pen is up.
    if (error.status === 422 && !wish.isFinished) return;
    // What cannot be read is not explained as what was read before it.
    const isNewDrawing = wish.source === DRAWING && !wish.isCorrection;
    if (error.status === 422 && isNewDrawing && wish.isWanted())
      actions.showImage(null, wish.source);
    actions.report(error.message);
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
      const { source, overrides: before } = store.get();
      if (source === DRAWING && overrides !== before) store.set({ overrides });
      readLatest({ ...drawing, overrides, source: DRAWING, ink: "light" });
    },

    /** @param {File} file */
    readUpload(file) {
      const { source: before } = store.get();
      const source = /** @type {const} */ ({ kind: "upload", name: file.name });
      readLatest({
        picture: () => file,
        isFinished: true,
        ink: "auto",
        // Not once somebody has chosen another image than the intake's own.
        isWanted: () => [before, shown, source].includes(store.get().source),
        overrides: AUTOMATIC,
        source,
      });
    },
  };
}

const WEIGHTS = /\.safetensors$/i;
const MEGA = 2 ** 20; // bytes

/**
 * Three ways in for a picture: a button, a drop anywhere on the page, a paste.
 * @param {{ drawing: HTMLElement, drop: HTMLElement }} parts drop: shown while a file is
 *   dragged over the page
 * @param {(file: File) => void} read @param {(problem: string) => void} report
 * @param {((file: File) => void) | null} [readWeights] where those can be opened
 */
export function mountUpload({ drawing, drop }, read, report, readWeights = null) {
  const chooser = find(drawing, "[data-upload]", HTMLInputElement);
  const most = Number(chooser.dataset.mostBytes);
  // Here too, because a server may close the connection before it has read so much.
  const readUpload = (/** @type {File} */ file) => {
    if (readWeights !== null && WEIGHTS.test(file.name)) return readWeights(file);
    const problem = problemOf(file, most);
    problem === null ? read(file) : report(problem);
  };
  chooser.addEventListener("change", () => {
    const [file] = chooser.files ?? [];
    if (file) readUpload(file);
    chooser.value = ""; // so that the same file can be chosen again
  });

  document.addEventListener("paste", ({ clipboardData, target }) => {
    const [file] = clipboardData?.files ?? [];
    const isTyping = target instanceof Element && target.closest("input, textarea");
    if (file) readUpload(file);
    else if (!isTyping && addressIn(clipboardData) !== null) report(AN_ADDRESS);
  });

  document.addEventListener("dragover", (event) => {
    const types = event.dataTransfer?.types ?? [];
    if (!DROPPED.some((kind) => types.includes(kind))) return;
    event.preventDefault();
    drop.hidden = false;
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) drop.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    drop.hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    const problem = file ? null : problemOfDrop(event.dataTransfer);
    if (file || problem !== null) event.preventDefault();
    if (file) readUpload(file);
    else if (problem !== null) report(problem);
  });
}

/**
 * @param {Pick<File, "name" | "size">} file
 * @param {number} most bytes
 * @returns {string | null} why a file cannot be sent, for people
 */
export function problemOf({ name, size }, most) {
  if (size === 0) return `“${name}” is empty. Choose another picture.`;
  if (size <= most) return null;
  const has = Math.ceil((10 * size) / MEGA) / 10; // up, so that it is above the limit
  return `“${name}” has ${has} MB; a picture may have at most ${most / MEGA} MB. Choose a smaller one.`;
}

/**
 * Say beside the upload why the image may not be what was meant.
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {() => void} openIntake show where it can be put right
 */
export function mountDoubts(root, store, openIntake) {
  const write = writer(root);
  store.watch(["intake", "overrides", "model"], ({ intake, overrides, model }) => {
    const said = doubtsOf(intake, overrides).join(" ");
    const text = model === null ? said : saidOf(said, model);
    findElement(root, "[data-doubts]").hidden = text === "";
    write("doubts-words", text);
  });
  listenToClicks(root, { "doubts-open": openIntake });
}

/** @param {Intake | null} intake @param {Overrides} overrides @returns {string[]} */
export function doubtsOf(intake, { part }) {
  const warnings = intake?.warnings ?? [];
  // Whoever has chosen one of several knows that there are others.
  const open =
    part === null ? warnings : warnings.filter(({ code }) => code !== "several");
  return open.map(({ message }) => message);
}
