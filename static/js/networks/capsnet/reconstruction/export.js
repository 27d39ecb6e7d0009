/**
 * Files to keep: the three pictures, the edited capsule, the whole trace.
 * @import { Capsule } from "./capsule.js"
 * @import { Pictures } from "./pictures.js"
 * @import { Model, Services } from "../../../types.js"
 * @import { Actions, DecodingStore } from "../types.js"
 */

import { meanSquare } from "../../../lib/arithmetic.js";
import { diverging, ink } from "../../../lib/color.js";
import { fileName, fixed } from "../../../lib/format.js";
import { paintPictureRow } from "../../../paint/pictures.js";
import { download, find } from "../../../ui/dom.js";
import { capsuleInFocus, editedDimensions } from "./capsule.js";
import { lengthOf } from "./pose.js";

const ZOOM = 8;

/**
 * @param {HTMLElement} root
 * @param {DecodingStore} store
 * @param {Actions} actions
 * @param {Pick<Services["server"], "fetchTraceFile">} server
 * @param {() => Pictures | null} shown
 */
export function mountExport(root, store, actions, { fetchTraceFile }, shown) {
  /**
   * @param {string} name of the button
   * @param {(capsule: Capsule) => Promise<void>} job
   */
  function onClick(name, job) {
    const button = find(root, `[data-export="${name}"]`, HTMLButtonElement);
    button.addEventListener("click", async () => {
      const state = store.shown();
      if (state === null) return;
      const capsule = capsuleInFocus(state);
      button.disabled = true;
      try {
        await job(capsule);
      } catch (error) {
        actions.report(error instanceof Error ? error.message : String(error));
      } finally {
        button.disabled = false;
      }
    });
  }

  onClick("png", async (capsule) => {
    const blob = await toPng(figureOf(capsule, current(shown())));
    download(blob, nameOf(capsule, capsule.digit, "reconstruction", "png"));
  });
  onClick("capsule", async (capsule) => {
    const text = JSON.stringify(recordOf(capsule, current(shown())), null, 2);
    const blob = new Blob([text], { type: "application/json" });
    download(blob, nameOf(capsule, capsule.digit, "capsule", "json"));
  });
  for (const format of /** @type {const} */ (["json", "safetensors"])) {
    onClick(format, async (capsule) => {
      const { model, trace } = capsule;
      const { pixels, options, prediction } = trace;
      const names = tensorsToKeep(model);
      const blob = await fetchTraceFile(model, pixels, names, options, format);
      download(blob, nameOf(capsule, prediction, "trace", format));
    });
  }
}

/** What comes on request only, and is no part or sum of what comes anyway. */
const ON_REQUEST = ["input", "votes"];

/**
 * Every tensor of a pass, each once.
 * @param {Pick<Model, "tensors">} model
 * @returns {string[]} names
 */
export function tensorsToKeep({ tensors }) {
  return tensors
    .filter(({ name, on_request }) => !on_request || ON_REQUEST.includes(name))
    .map(({ name }) => name);
}

/**
 * @param {Pictures | null} pictures
 * @returns {Pictures}
 * @throws {Error} they are not those of the capsule as it is now
 */
function current(pictures) {
  if (pictures?.isCurrent) return pictures;
  throw new Error("The reconstruction is still loading. Try again in a moment.");
}

/**
 * @param {Capsule} capsule
 * @param {number} digit
 * @param {string} what
 * @param {string} ending
 */
function nameOf({ model }, digit, what, ending) {
  return fileName([model.id, model.class_names[digit], what], ending);
}

/**
 * @param {Capsule} capsule
 * @param {Pictures} pictures
 */
export function recordOf(capsule, pictures) {
  const { model, trace, digit, original, edits, pose } = capsule;
  const { rows, columns, reconstruction, difference } = pictures;
  return {
    model: model.id,
    version: model.version,
    ...trace.options,
    prediction: trace.prediction,
    digit,
    class_name: model.class_names[digit],
    original,
    edits,
    pose,
    length: lengthOf(pose),
    mean_squared_difference: meanSquare(difference),
    reconstruction: Array.from({ length: rows }, (_, row) =>
      Array.from(reconstruction.subarray(row * columns, (row + 1) * columns)),
    ),
  };
}

/**
 * @param {Capsule} capsule
 * @param {Pictures} pictures
 */
function figureOf(capsule, { rows, columns, input, reconstruction, difference }) {
  const { model, digit, pose } = capsule;
  const dimensions = editedDimensions(capsule);
  const edited = dimensions.length === 0 ? "" : `, edited in ${dimensions.join(", ")}`;
  return {
    title: `Capsule of ${model.class_names[digit]}, length ${fixed(lengthOf(pose))}${edited}`,
    note: `${model.title}. Mean squared difference ${fixed(meanSquare(difference), 4)}. Difference: reconstruction − input, blue −1, white 0, red +1.`,
    rows,
    columns,
    pictures: [
      { name: "input", values: input, scale: ink() },
      { name: "reconstruction", values: reconstruction, scale: ink() },
      { name: "difference", values: difference, scale: diverging(1) },
    ],
  };
}

/** @param {Parameters<typeof paintPictureRow>[1]} figure */
async function toPng(figure) {
  const canvas = document.createElement("canvas");
  paintPictureRow(canvas, figure, ZOOM);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null)
    throw new Error("The browser could not make a PNG of the pictures.");
  return blob;
}
