/**
 * Files to keep: the whole trace.
 * @import { Actions, Model, Services } from "../types.js"
 * @import { DecoderStore } from "./types.js"
 */
import { fileName, messageOf } from "../../lib/format.js";
import { download, find } from "../../ui/dom.js";

/**
 * @param {HTMLElement} root @param {DecoderStore} store @param {Actions} actions
 * @param {Pick<Services["server"], "fetchTraceFile">} server
 */
export function mountExport(root, store, actions, { fetchTraceFile }) {
  for (const format of /** @type {const} */ (["json", "safetensors"])) {
    const button = find(root, `[data-export="${format}"]`, HTMLButtonElement);
    button.addEventListener("click", async () => {
      const state = store.shown();
      if (state === null) return;
      const { model, trace, layer } = state;
      const { pixels, options, prediction } = trace;
      const names = tensorsToKeep(model, layer.words.onRequest);
      button.disabled = true;
      try {
        const blob = await fetchTraceFile(model, pixels, names, options, format);
        download(
          blob,
          fileName([model.id, model.class_names[prediction], "trace"], format),
        );
      } catch (error) {
        actions.report(messageOf(error));
      } finally {
        button.disabled = false;
      }
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
