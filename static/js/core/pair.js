/**
 * Two digits of which one lies over the other, from what is on show and the examples.
 * @import { Laid, Model, Pair, Pixels, Sample, Source } from "../types.js"
 */
import { apart, merged } from "../lib/overlap.js";
import { shapeOf } from "../lib/pixels.js";
import { pairSource } from "./links/pairs.js";
import { knownLabel } from "./state.js";

/** By how many pixels a digit is laid aside, and the keys with Shift move it. */
export const LEAP = 4;

/** An example in the middle. @param {Sample} sample @returns {Laid} */
export const laid = ({ pixels, label }) => ({ pixels, label, right: 0, down: 0 });

/**
 * The image on show with an example of another label over it, a little aside.
 * @param {Pixels} pixels @param {Source} source @param {Model} model
 * @param {readonly Sample[]} samples at least one
 * @returns {[Laid, Laid]}
 */
export function withAnother(pixels, source, model, samples) {
  const sample = samples.find(
    (each) => source.kind === "sample" && each.id === source.id,
  );
  const label = knownLabel(source, model);
  const own = sample ? laid(sample) : { pixels, label, right: 0, down: 0 };
  return withExample(own, samples);
}

/**
 * An example with another over it, as one image: what a network for two digits begins with.
 * @param {string} id of the example; of any other, the first
 * @param {Model} model that reads pairs @param {readonly Sample[]} samples at least one
 * @returns {{ pixels: Pixels, source: Pair }}
 */
export function pairOn(id, model, samples) {
  const sample = samples.find((each) => each.id === id) ?? samples[0];
  const [one, other] = withExample({ ...laid(sample), right: -LEAP }, samples);
  const source = pairSource([one, other]);
  return { pixels: merged(apart(source.digits, shapeOf(model))), source };
}

/**
 * A digit with an example of another label over it, a little aside.
 * @param {Laid} digit @param {readonly Sample[]} samples at least one
 * @returns {[Laid, Laid]}
 */
export function withExample(digit, samples) {
  const other = samples.find((each) => each.label !== digit.label) ?? samples[0];
  return [digit, { ...laid(other), right: LEAP }];
}

/**
 * Two digits, whatever is on show: those of a pair, or what there is with an example.
 * @param {Pixels} pixels @param {Source} source @param {Model} model
 * @param {readonly Sample[]} samples at least one
 * @returns {[Laid, Laid]}
 */
export function pairIn(pixels, source, model, samples) {
  if (source.kind !== "pair") return withAnother(pixels, source, model, samples);
  const [one, other] = /** @type {Pair} */ (source).digits;
  if (one !== null && other !== null) return [one, other];
  return withExample(one ?? other ?? laid(samples[0]), samples);
}
