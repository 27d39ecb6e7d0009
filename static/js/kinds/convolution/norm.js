/**
 * Batch norm after ReLU, as a trained network applies it (Ioffe & Szegedy 2015): each map x
 * becomes γ (x − μ) / σ + β, with four numbers of its own.
 * @import { Layer, Tensor } from "../types.js"
 * @import { ConvolutionState, MapNorm, Norm, Reading } from "./types.js"
 */
import { restOf } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { h } from "../../ui/h.js";
import { formula, mfrac, mi, mo, mrow } from "../../ui/math.js";

const DECIMALS = 3;

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
export function normalized(value, { gain, shift, mean, deviation }) {
  return (gain * (value - mean)) / deviation + shift;
}

/**
 * @param {Tensor} relu (maps, rows, columns), after ReLU
 * @param {Norm} norm
 * @returns {Tensor} same shape
 */
export function normalizedMaps({ shape, data }, norm) {
  const size = data.length / shape[0];
  const out = new Float32Array(data.length);
  for (let map = 0, i = 0; map < shape[0]; map++) {
    const own = normOf(norm, map);
    for (const end = i + size; i < end; i++) out[i] = normalized(data[i], own);
  }
  return { shape, data: out };
}

/**
 * The formula with a pixel's numbers, and what a zero becomes.
 * @param {Reading} reading
 * @param {number} before ReLU, the pixel's value
 */
export function normFormula({ norm, mapName }, before) {
  if (norm === null) return null;
  const texts = normTexts(Math.max(0, before), norm);
  const number = (/** @type {string} */ name, look = {}) =>
    h("mn", { "data-number": name, ...look }, texts[name]);
  const shift = [h("mo", { "data-number": "sign" }, texts.sign), number("shift-size")];
  const scaled = mfrac(
    mrow(number("value"), mo("−"), number("less-mean")),
    number("deviation"),
  );
  return h("div", { class: "batch-norm", "data-norm": "" }, [
    h("div", { class: "formulas" }, [
      formula(
        ...[mi("y"), mo("="), mi("γ"), mfrac(mrow(mi("x"), mo("−"), mi("μ")), mi("σ"))],
        ...[mo("+"), mi("β")],
      ),
      h("div", { class: "formula-in-parts" }, [
        formula(mo("="), number("gain"), mo("×"), scaled, shift),
        formula(
          mo("="),
          number("scaled"),
          shift,
          mo("="),
          number("out", { class: "result" }),
        ),
      ]),
    ]),
    h("p", { class: "fine" }, [
      `Batch norm: x is the value after ReLU. In training, μ and σ kept track of the mean and the standard deviation of ${mapName.toLowerCase()} over many images; γ and β are learned. Where ReLU leaves 0, the map becomes `,
      h("span", { class: "nowrap", "data-number": "zero" }, texts.zero),
      ".",
    ]),
  ]);
}

/**
 * @param {number} value after ReLU @param {MapNorm} norm
 * @returns {Record<string, string>}
 */
export function normTexts(value, norm) {
  const { gain, shift, mean, deviation } = norm;
  const out = normalized(value, norm);
  /** @param {number} number */
  const inBrackets = (number) => (number < 0 ? `(${fixed(number)})` : fixed(number));
  return {
    value: fixed(value),
    gain: fixed(gain),
    shift: fixed(shift),
    mean: fixed(mean),
    deviation: fixed(deviation),
    "less-mean": inBrackets(mean),
    scaled: fixed(restOf(out, [shift], DECIMALS)), // so that the written sum comes out
    sign: shift < 0 ? "−" : "+",
    "shift-size": fixed(Math.abs(shift)),
    out: fixed(out),
    zero: fixed(normalized(0, norm)),
  };
}
