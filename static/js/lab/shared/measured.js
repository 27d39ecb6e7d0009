/**
 * What the card says of the test set, and what to say where it says nothing.
 * @import { Measurement, Model } from "../../types.js"
 */
import { grouped } from "../../lib/number.js";

/**
 * @param {Pick<Model, "card">} model
 * @param {string | null} name of a measurement; null: there is none of this kind
 * @returns {Measurement | null} null where it was not measured, or is not complete
 */
export function measurementOf({ card }, name) {
  const found = name === null ? undefined : card.measurements?.[name];
  const isWhole = found !== undefined && found.values.length > 1;
  return isWhole && found.accuracy.length === found.values.length ? found : null;
}

/**
 * @param {Pick<Model, "id">} model
 * @param {string} name of a measurement
 */
export function measuringCommand({ id }, name) {
  return `python -m model measure weights/${id}.safetensors --only ${name}`;
}

/**
 * What a curve shows.
 * @param {string} score such as "length of 4"
 * @param {Measurement | null} test
 * @param {string} command empty where the measuring does not know this knob
 */
export function measuredWords(score, test, command) {
  const line = `Line: ${score}, this digit.`;
  if (test !== null)
    return `${line} Band: share of ${grouped(test.images)} test images read right.`;
  return command === ""
    ? `${line} The test set is not measured over this knob.`
    : `${line} The test set is not measured: run ${command}`;
}
