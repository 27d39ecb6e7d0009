/** What several tests of the page begin with. */

import assert from "node:assert/strict";

import { roundingOf } from "../../static/js/lib/encoding.js";
import { LAYERS } from "./networks/layers.js";

/** Shapes of tensors by name, as a model tells them. */
export function listed(shapes) {
  return Object.entries(shapes).map(([name, shape]) => ({ name, shape }));
}

/** What the page's logic reads of a model. */
export const MODEL = {
  layers: LAYERS.capsnet,
  id: "capsnet",
  version: "1",
  default: true,
  architecture: "capsnet",
  classes: 10,
  class_names: Array.from({ length: 10 }, (_, classIndex) => String(classIndex)),
  input_shape: [1, 28, 28],
  present: { at_most: 1, threshold: null },
  scores: "length",
  tensors: listed({
    "conv1.pre": [256, 20, 20],
    "conv1.relu": [256, 20, 20],
    "primary.pre": [32, 6, 6, 8],
    "primary.capsules": [32, 6, 6, 8],
    "primary.lengths": [32, 6, 6],
    "routing.capsules": [3, 10, 16],
    "digits.capsules": [10, 16],
    "digits.lengths": [10],
    scores: [10],
    reconstruction: [28, 28],
  }),
  pose_dim: 16,
  routing_iterations: 3,
  max_routing_iterations: 10,
  card: { config: {} },
};

/** How a picture was read, as the server tells it. */
export const INTAKE = {
  steps: [{ name: "picture" }, { name: "ink" }],
  found: [{ box: [0, 0, 1, 1], share: 1, image: "" }],
  chosen: 0,
  parts: [0],
  settings: { threshold: 0.4, rotate: 0 },
  warnings: [],
};

/** The same, where tensors are answered: each part as JSON. */
export function intakeMetadata(intake = INTAKE) {
  return Object.fromEntries(
    Object.entries(intake).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

export const OTHER_MODEL = {
  ...MODEL,
  id: "my net #2",
  default: false,
  routing_iterations: 2,
};

/**
 * A repeatable sequence of numbers in [0, 1): a linear congruential generator with the
 * constants of Numerical Recipes.
 */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An image of one channel; a square unless its rows are told. */
export function grey(bytes, rows = Math.sqrt(bytes.length)) {
  const shape = { channels: 1, rows, columns: bytes.length / rows };
  return { ...shape, bytes: Uint8Array.from(bytes) };
}

/** A grid as wide as it is high. */
export const square = (side) => ({ rows: side, columns: side });

/** An image without ink, another object each time. */
export const blank = () => grey(new Uint8Array(784));

/** A digit-like image: mostly empty, the rest any byte. */
export function randomPixels(random) {
  return grey(
    Array.from({ length: 784 }, () =>
      random() < 0.8 ? 0 : Math.floor(256 * random()),
    ),
  );
}

export function tensor(shape, data) {
  return { shape, data: Float32Array.from(data) };
}

/** Besides its prediction, a network that names one class says that it is present. */
function withPresent(metadata) {
  const predictions = Object.entries(metadata).filter(([name]) =>
    name.endsWith("prediction"),
  );
  const present = predictions.map(([name, classIndex]) => [
    name.replace("prediction", "present"),
    `[${classIndex}]`,
  ]);
  return { ...Object.fromEntries(present), ...metadata };
}

/** A safetensors file. Entries are [name, dtype, shape, bytes]. */
export function safetensorsFile(entries, { metadata, padding = 0 } = {}) {
  const header = metadata ? { __metadata__: withPresent(metadata) } : {};
  let at = 0;
  for (const [name, dtype, shape, bytes] of entries) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(header) + " ".repeat(padding));
  const file = new Uint8Array(8 + text.length + at);
  new DataView(file.buffer).setUint32(0, text.length, true);
  file.set(text, 8);
  let to = 8 + text.length;
  for (const [, , , bytes] of entries) {
    file.set(bytes, to);
    to += bytes.length;
  }
  return file.buffer;
}

export function float32Bytes(values) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setFloat32(4 * i, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** Let everything that is ready to run, run. */
export function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A server that answers when it is told to; `asked` is what it has not answered. */
export function slowServer(t) {
  const asked = [];
  t.mock.method(globalThis, "fetch", (path, { body } = {}) => {
    return new Promise((resolve) => asked.push({ path, body, resolve }));
  });
  return {
    asked,
    async answer(/** @type {ArrayBuffer} */ file) {
      asked.shift().resolve(new Response(file));
      for (let turn = 0; turn < 3; turn++) await settled();
    },
  };
}

/**
 * A check that a number, or each of several, is what it should be but for rounding.
 * @param {number} tolerance
 */
export function closeTo(tolerance) {
  return (found, expected, by = tolerance) => {
    const isOne = typeof found === "number";
    const pairs = isOne ? { it: expected } : expected;
    for (const [key, wanted] of Object.entries(pairs)) {
      const value = isOne ? found : found[key];
      assert.ok(Math.abs(value - wanted) <= by, `${key}: ${value}, not ${wanted}`);
    }
  };
}

/**
 * Check that words say this; “…” stands for whatever else they say there.
 * @param {string} words @param {string} told
 */
export function says(words, told) {
  const plain = words.replaceAll(/[\u202f\u00a0]/g, " ");
  let from = 0;
  for (const part of told.split("…")) {
    const at = plain.indexOf(part, from);
    assert.ok(at >= 0, `“${part}” in: ${plain}`);
    from = at + part.length;
  }
}

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Words with their small numbers written out: `2.0 × 10⁻⁴` becomes `0.00020000`, and `under
 * 0.000001 %` becomes `0 %`.
 * @param {string} words
 */
export function writtenOut(words) {
  const plain = words
    .replaceAll("under 0.000001", "0")
    .replaceAll("over 99.999999", "100");
  return plain.replace(
    /([\d.]+)\u00a0×\u00a010⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
    (_, factor, power) => {
      const digits = [...power].map((each) => SUPERSCRIPT.indexOf(each)).join("");
      return (Number(factor) * 10 ** -Number(digits)).toFixed(20);
    },
  );
}

/** The numbers that words tell, with their signs. @param {string} words */
export function numbersIn(words) {
  const plain = writtenOut(words).replaceAll("\u202f", "").replaceAll("−", "-");
  return plain.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
}

/** Numbers from -share to 1 - share, in a tensor. @param {() => number} random */
export function anyTensor(random, shape, share = 0.5) {
  const length = shape.reduce((product, side) => product * side, 1);
  return tensor(
    shape,
    Array.from({ length }, () => random() - share),
  );
}

/** The nearest number that half precision can hold, of two equally near the even one. */
export function roundToFloat16(value) {
  const step = 2 * roundingOf(value);
  const steps = value / step;
  return (
    step * (Math.abs(steps % 1) === 0.5 ? 2 * Math.round(steps / 2) : Math.round(steps))
  );
}
