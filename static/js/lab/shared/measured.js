/**
 * What the card says of the test set, and what to say where it says nothing.
 * @import { Measurement, Model } from "../../types.js"
 * @import { Knob } from "./knobs.js"
 */
import { grouped, percent } from "../../lib/format.js";
import { knobWords } from "./knobs.js";
import { nearestTo } from "./words.js";

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

/**
 * What the test set gave at the measured value nearest to a knob's.
 * @param {Knob} knob
 * @param {number} value
 * @param {readonly { title: string, test: Measurement | null }[]} networks
 * @returns {string} empty where nothing was measured
 */
export function testWords(knob, value, networks) {
  const known = networks.flatMap(({ title, test }) => {
    if (test === null) return [];
    const place = nearestTo(test.values, value);
    const share = percent(test.accuracy[place], 1);
    const at = knobWords(knob, test.values[place]);
    return [{ at, words: `${title} reads ${share} of ${grouped(test.images)} right` }];
  });
  if (known.length === 0) return "";
  const places = [...new Set(known.map(({ at }) => at))];
  const each = known.map(({ at, words }) =>
    places.length > 1 ? `${words} at ${at}` : words,
  );
  const where = places.length > 1 ? "" : ` at ${places[0]}`;
  return `Test images${where}, this knob alone: ${each.join("; ")}.`;
}
