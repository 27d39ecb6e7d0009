/**
 * What time and memory a run would take, asked of the server until it has measured it.
 * @import { Estimate, Services } from "../types.js"
 */
import { ApiError } from "../core/connection.js";
import { asSentence, counted, fixed, grouped, sentences } from "../lib/format.js";
import { setText } from "../ui/dom.js";
import { layersWords } from "./starts.js";

const AGAIN_MS = 500; // from one look at a measurement to the next
const MOST_SECONDS = 90; // told in seconds
const MOST_MINUTES = 90;

/** A time that is known roughly. @param {number} seconds */
export function roughly(seconds) {
  if (seconds < MOST_SECONDS) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = seconds / 60;
  if (minutes < MOST_MINUTES) return `${Math.round(minutes)} min`;
  return `${fixed(minutes / 60, 1)} hours`;
}

/**
 * What a run would take, and how that is known.
 * @param {Estimate} estimate @param {number} batch images of a step that are asked for, 0: as usual
 */
export function estimateWords(estimate, batch) {
  const { state, error, steps, measured, seconds, most_s, memory, beside } = estimate;
  if (state === "measuring")
    return "How long it takes is being measured: the computer takes a few of its steps.";
  if (state === "failed")
    return asSentence(`How long it takes cannot be measured: ${error}`);
  const and =
    memory === null ? "" : ` and ${grouped(Math.round(memory / 1e6))} MB of memory`;
  const busy = beside === 0 ? "" : `, while ${counted(beside, "run")} trained`;
  const size = counted(estimate.batch, "image");
  return sentences([
    `An estimate: about ${roughly(seconds)}${and}, for ${counted(steps, "step")} of ${size}; ${grouped(measured)} of them ${measured === 1 ? "was" : "were"} measured on this computer${busy}.`,
    layersWords(estimate),
    estimate.batch < batch &&
      `Memory has no room for steps of ${counted(batch, "image")}.`,
    seconds > most_s &&
      `A run is stopped after ${roughly(most_s)}: smaller pictures or another network take less.`,
  ]);
}

/**
 * Says beside a recipe what it would take; a new recipe takes the place of the last.
 * @param {Pick<Services["server"], "fetchEstimate">} server
 */
export function createEstimates(server) {
  let asked = 0;

  /** @param {HTMLElement} place @param {Readonly<Record<string, unknown>>} recipe */
  async function show(place, recipe) {
    asked += 1;
    const own = asked;
    try {
      for (;;) {
        const found = await server.fetchEstimate(recipe);
        if (own !== asked) return;
        setText(place, estimateWords(found, Number(recipe.batch_size ?? 0)));
        if (found.state !== "measuring") return;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        if (own !== asked) return;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (own === asked) setText(place, asSentence(error.message));
    }
  }
  return {
    show,
    /** Ask no more. */
    rest() {
      asked += 1;
    },
  };
}
