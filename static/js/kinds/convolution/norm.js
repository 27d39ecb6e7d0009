/**
 * Batch norm after ReLU, as a trained network applies it (Ioffe & Szegedy 2015): each map x
 * becomes γ (x − μ) / σ + β, with four numbers of its own.
 * @import { Layer } from "../types.js"
 * @import { ConvolutionState, MapNorm, Norm } from "./types.js"
 */
import { fixed } from "../../lib/format.js";

/** Whether a layer ends with it. @param {Pick<Layer, "weights">} layer */
export const isNormed = ({ weights = {} }) => "gain" in weights;

/**
 * @param {ConvolutionState["weights"]} weights
 * @returns {Norm | null} null where there is none
 */
export function normIn({ gain, shift, mean, deviation }) {
  return gain && shift && mean && deviation ? { gain, shift, mean, deviation } : null;
}

/** The four numbers of a map. @param {Norm} norm @param {number} map @returns {MapNorm} */
export function normOf({ gain, shift, mean, deviation }, map) {
  return {
    gain: gain.data[map],
    shift: shift.data[map],
    mean: mean.data[map],
    deviation: deviation.data[map],
  };
}

/** @param {number} value after ReLU @param {MapNorm} norm of its map */
function normalized(value, { gain, shift, mean, deviation }) {
  return (gain * (value - mean)) / deviation + shift;
}

/**
 * What goes on of a value, where batch norm comes after ReLU.
 * @param {MapNorm} norm of its map
 * @param {string} mapName
 * @param {number} value after ReLU
 */
export function normWords(norm, mapName, value) {
  const [out, zero] = [value, 0].map((input) => fixed(normalized(input, norm)));
  return `Batch norm, not shown here, makes it ${out}, which is what goes on: it scales and shifts all of ${mapName}, by numbers found in training, and makes each 0 ${zero}.`;
}
