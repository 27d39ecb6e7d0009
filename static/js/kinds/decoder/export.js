/**
 * Files to keep: the three pictures, the edited capsule, the whole trace.
 * @import { Actions, Layer, Model, Services } from "../types.js"
 * @import { Pictures } from "./pictures.js"
 * @import { Bench } from "./pose.js"
 * @import { DecoderStore } from "./types.js"
 */
import { meanSquare } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { exactShare } from "../../lib/decimals.js";
import { fileName, fixed, messageOf } from "../../lib/format.js";
import { greyOf, toRows } from "../../lib/pixels.js";
import { paintPictureRow } from "../../paint/pictures.js";
import { download, find, make, toPngFile } from "../../ui/dom.js";
import { MEAN } from "../../ui/pictures.js";
import { benchOf, lengthOf } from "./pose.js";

const ZOOM = 8;

/**
 * @param {HTMLElement} root @param {DecoderStore} store @param {Actions} actions
 * @param {Pick<Services["server"], "fetchTraceFile">} server
 * @param {() => Pictures | null} shown
 */
export function mountExport(root, store, actions, { fetchTraceFile }, shown) {
  /**
   * @param {string} name of the button
   * @param {(bench: Bench, layer: Layer) => Promise<void>} job
   */
  function onClick(name, job) {
    const button = find(root, `[data-export="${name}"]`, HTMLButtonElement);
    button.addEventListener("click", async () => {
      const state = store.shown();
      if (state === null) return;
      button.disabled = true;
      try {
        await job(benchOf(state), state.layer);
      } catch (error) {
        actions.report(messageOf(error));
      } finally {
        button.disabled = false;
      }
    });
  }

  onClick("png", async (bench) => {
    const canvas = make("canvas");
    paintPictureRow(canvas, figureOf(bench, current(shown())), ZOOM);
    download(
      await toPngFile(canvas),
      nameOf(bench, bench.classIndex, "reconstruction", "png"),
    );
  });
  onClick("capsule", async (bench) => {
    const text = JSON.stringify(recordOf(bench, current(shown())), null, 2);
    const blob = new Blob([text], { type: "application/json" });
    download(blob, nameOf(bench, bench.classIndex, "capsule", "json"));
  });
  for (const format of /** @type {const} */ (["json", "safetensors"])) {
    onClick(format, async (bench, layer) => {
      const { model, trace } = bench;
      const { pixels, options, prediction } = trace;
      const names = tensorsToKeep(model, layer.words.onRequest);
      const blob = await fetchTraceFile(model, pixels, names, options, format);
      download(blob, nameOf(bench, prediction, "trace", format));
    });
  }
}

/**
 * Every tensor of a pass, each once.
 * @param {Pick<Model, "tensors">} model
 * @param {readonly string[]} also what comes on request only, and is no part or sum of
 *   what comes anyway
 * @returns {string[]} names
 */
function tensorsToKeep({ tensors }, also) {
  return tensors
    .filter(({ name, on_request }) => !on_request || also.includes(name))
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
 * @param {Bench} bench @param {number} classIndex @param {string} what
 * @param {string} ending
 */
function nameOf({ model }, classIndex, what, ending) {
  return fileName([model.id, model.class_names[classIndex], what], ending);
}

/** @param {Bench} bench @param {Pictures} pictures */
function recordOf(bench, pictures) {
  const { model, trace, classIndex, original, edits, pose } = bench;
  const { shape, reconstruction, difference } = pictures;
  return {
    model: model.id,
    version: model.version,
    ...trace.options,
    prediction: trace.prediction,
    digit: classIndex,
    class_name: model.class_names[classIndex],
    original,
    edits,
    pose,
    length: lengthOf(pose),
    mean_squared_difference: meanSquare(difference),
    reconstruction: toRows(reconstruction, shape),
  };
}

/** @param {Bench} bench @param {Pictures} pictures */
function figureOf(bench, { shape, input, reconstruction, difference }) {
  const { model, classIndex, edits, pose } = bench;
  const dimensions = edits.flatMap((each, i) => (each === 0 ? [] : [i + 1]));
  const edited = dimensions.length === 0 ? "" : `, edited in ${dimensions.join(", ")}`;
  return {
    title: `Capsule of ${model.class_names[classIndex]}, length ${exactShare(lengthOf(pose), 3)}${edited}`,
    note: `${model.title}. Mean squared difference ${fixed(meanSquare(difference), 4)}. Difference: reconstruction − input${shape.channels > 1 ? MEAN : ""}, blue −1, white 0, red +1.`,
    shape,
    pictures: [
      { name: "input", values: input },
      { name: "reconstruction", values: reconstruction },
      { name: "difference", values: greyOf(difference, shape), scale: diverging(1) },
    ],
  };
}
