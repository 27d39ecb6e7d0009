/**
 * A sweep with the knob's own image among its images: what a card says of that image, the
 * plot, its readout and the sentences say, too. Pure arithmetic: no DOM, no state.
 * @import { Said } from "../../core/scores.js"
 * @import { Reading, Sweep } from "./ask.js"
 */
import { isReadAs, SCORES, saidOf, scoresOf } from "../../core/scores.js";
import { largestOf, rowsOf } from "../../lib/arithmetic.js";

/** Values of a knob that differ by less are the same. */
const SAME = 1e-6;

/**
 * Where a value stands among others, or would.
 * @param {readonly number[]} knobs ascending @param {number} value
 * @returns {{ at: number, isNew: boolean }}
 */
export function placeIn(knobs, value) {
  const after = knobs.findIndex((knob) => knob > value - SAME);
  const at = after < 0 ? knobs.length : after;
  return { at, isNew: !(Math.abs(knobs[at] - value) < SAME) };
}

/**
 * Values with one among them: in its place where it is there, else between its neighbours.
 * @template Value
 * @param {readonly Value[]} values @param {{ at: number, isNew: boolean }} place
 * @param {Value} value
 */
export const withValue = (values, { at, isNew }, value) =>
  values.toSpliced(at, isNew ? 0 : 1, value);

/**
 * A network's sweep with what it reads where the knob stands.
 * @param {Sweep} sweep @param {{ at: number, isNew: boolean }} index @param {Reading} reading
 * @returns {Sweep} its tensors are the scores alone
 */
export function withReading(sweep, index, { model, trace }) {
  const newScores = scoresOf(trace) ?? new Float32Array();
  const rows = withValue(rowsOf(sweep.tensors[SCORES]), index, newScores);
  const data = Float32Array.from(rows.flatMap((row) => [...row]));
  return {
    model,
    predictions: withValue(sweep.predictions, index, trace.prediction),
    readings: withValue(sweep.readings, index, saidOf(newScores, model)),
    tensors: { [SCORES]: { shape: [rows.length, newScores.length], data } },
    original: sweep,
  };
}

/**
 * Where on a sweep a class is read.
 * @param {{ readings: readonly Said[] }} sweep @param {number} followed
 */
export const areRead = ({ readings }, followed) =>
  readings.map((reading) => isReadAs(reading, followed));

/**
 * Scores of one class over a sweep; without one, the highest of each image.
 * @param {Pick<Sweep, "tensors">} sweep @param {number | null} classIndex
 */
export function scoresOver({ tensors }, classIndex) {
  return rowsOf(tensors[SCORES]).map((row) => row[classIndex ?? largestOf(row)]);
}
