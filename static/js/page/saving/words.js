/**
 * What a saved picture says of itself: network, image, what is changed, and the program.
 * @import { AppState, Source } from "../../types.js"
 */
import { startOf } from "../../core/schema.js";
import { COMPARE } from "../../core/state.js";
import { ownOf } from "../../lib/own.js";

/** @typedef {Pick<AppState, "model" | "network" | "slices" | "source" | "kept" | "view">} CaptionState */

/**
 * @param {CaptionState} state @param {string} version of the program
 * @returns {string[]}
 */
export function partsOf(state, version) {
  const { model, source, kept, view } = state;
  const beside = view === COMPARE && kept ? ` beside ${sourceWords(kept.source)}` : "";
  return [
    ...(model ? [model.title] : []),
    `${sourceWords(source)}${beside}`,
    ...changesIn(state),
    `CapsNet Explorer ${version}`,
  ];
}

/** Which image it is. @param {Source} source @returns {string} */
function sourceWords(source) {
  switch (source.kind) {
    case "sample":
      return `“${source.title}”`;
    case "dataset":
      return `test image ${source.index} of ${source.id}`;
    case "upload":
      return `“${source.name}”`;
    case "pair":
      return "two digits laid over each other";
    case "toy":
      return "a toy";
    case "drawing":
      return source.on ? `${sourceWords(source.on)}, drawn on` : "a drawing";
    default:
      return "an image of a link";
  }
}

/**
 * What is not as it is at first, of all that can be taken back.
 * @param {Pick<CaptionState, "model" | "network" | "slices">} state
 */
function changesIn({ model, network, slices }) {
  const slice = /** @type {Record<string, unknown> | null | undefined} */ (
    model && ownOf(slices, model.id)
  );
  if (!model || !slice || !network) return [];
  const schema = network.schema(model);
  const starts = /** @type {Record<string, unknown>} */ (startOf(schema));
  return Object.entries(schema).flatMap(([key, { step }]) => {
    const [start, now] = [starts[key], slice[key]];
    const isChanged = step && JSON.stringify(start) !== JSON.stringify(now);
    return isChanged ? [step(start, now)] : [];
  });
}
