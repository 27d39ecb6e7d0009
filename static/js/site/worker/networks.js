/**
 * Networks as graphs: opened when first needed, and run by ONNX Runtime.
 * @import { Model, Options } from "../../types.js"
 * @import { Part } from "../files.js"
 * @import { Numbers } from "../../lib/safetensors.js"
 */
import { decodeFloat16 } from "../../lib/encoding.js";
import { SiteError } from "../failing.js";
import { filesOf } from "../files.js";

/** @typedef {{ loaded: number, total: number, isOpening: boolean }} Loading */

/** What is told of files that are on their way. @type {(loading: Loading) => void} */
let tell = () => {};

/** @type {ReturnType<typeof filesOf>} */
let files;

/** The files of the site, once `beginWith` was told of it. */
export const filesHere = () => files;

/** @param {import("../files.js").Site} site @param {typeof tell} listener */
export function beginWith(site, listener) {
  files = filesOf(site);
  tell = listener;
}

/** ONNX Runtime, whose types are npm's. @type {Promise<any> | null} */
let runtime = null;

const RUNTIME = "runtime/ort.wasm.bundle.min.js";
const NO_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0); // an empty one

async function startRuntime() {
  const [ort, wasmBinary] = await Promise.all([
    scriptOf(RUNTIME),
    fetched("runtime/ort-wasm-simd-threaded.wasm"),
  ]);
  try {
    new WebAssembly.Module(NO_MODULE);
  } catch {
    throw new SiteError("wasm");
  }
  ort.env.wasm.numThreads = 1; // more need headers that hosts of files do not send
  ort.env.wasm.wasmBinary = wasmBinary;
  return ort;
}

/** @param {string} name */
async function scriptOf(name) {
  const address = await files.addressOf(name);
  return import(address).catch(async ({ message: detail }) => {
    const missing = await files.whyNot((each) => each === name);
    throw missing ?? new SiteError("damaged", { name, detail });
  });
}

const INPUT = "input"; // a tensor of every trace, that no network computes

/** @type {Map<string, Promise<any>>} */
const opened = new Map();

/**
 * The same promise for the same name; one that fails is tried again.
 * @template Value
 * @param {string} name @param {() => Promise<Value>} make
 * @returns {Promise<Value>}
 */
function once(name, make) {
  const found = opened.get(name) ?? make();
  opened.set(name, found);
  found.catch(() => opened.delete(name));
  return found;
}

/** @param {Model} model @param {"reading" | "drawing"} what */
function graph({ id }, what) {
  return once(`${id}.${what}`, async () => {
    runtime ??= startRuntime();
    runtime.catch(() => {
      runtime = null;
    });
    const name = `networks/${id}.${what}.onnx`;
    const [ort, body, data] = await Promise.all([runtime, fetched(name), weights(id)]);
    const externalData = [{ path: `${id}.safetensors`, data }];
    const options = { executionProviders: ["wasm"], externalData };
    opening++;
    say();
    try {
      const session = await ort.InferenceSession.create(body, options);
      return { ort, session };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const kind = /memory|alloc/i.test(message) ? "memory" : "damaged";
      throw new SiteError(kind, { name, detail: "it holds no network" });
    } finally {
      opening--;
      say();
    }
  });
}

/** The bytes of a network's own file. @param {string} id */
const weights = (id) =>
  once(`${id}.weights`, () => fetched(`networks/${id}.safetensors`));

/** How much of which file is here. @type {Map<string, Part>} */
const coming = new Map();
let opening = 0;

/** @param {string} name */
async function fetched(name) {
  try {
    return await files.load(name, {
      onPart(part) {
        coming.set(name, part);
        say();
      },
    });
  } finally {
    coming.delete(name);
  }
}

function say() {
  const parts = [...coming.values()];
  const [loaded, total] = [
    parts.reduce((sum, part) => sum + part.loaded, 0),
    parts.reduce((sum, part) => sum + part.total, 0),
  ];
  tell({ loaded, total, isOpening: opening > 0 });
}

/**
 * One forward pass.
 * @param {Model} model @param {ArrayLike<number>} pixels channel by channel
 * @param {readonly string[]} names of the tensors to return
 * @param {any} options of a trace's request: iterations, silence, routing, pin
 * @returns {Promise<Record<string, Numbers>>}
 */
export async function read(model, pixels, names, options) {
  const { ort, session } = await graph(model, "reading");
  /** @type {Map<string, number[]>} */
  const shapes = new Map(
    session.inputMetadata.map((/** @type {any} */ each) => [each.name, each.shape]),
  );
  const { iterations = model.routing_iterations } = options;
  const image = tensor(ort, "float32", pixels, model.input_shape);
  const feeds = { image, ...inputsOf(ort, shapes, { ...options, iterations }) };
  const computed = names.filter((name) => name !== INPUT);
  const found = { ...(await session.run(feeds, computed)), [INPUT]: image };
  const usual = new Map(model.tensors.map(({ name, shape }) => [name, shape]));
  return Object.fromEntries(
    names.map((name) => [name, until(iterations, found[name], usual.get(name) ?? [])]),
  );
}

/** Have a network's graph ready before anybody asks. @param {Model} model */
export const prepare = (model) => graph(model, "reading");

/**
 * What a graph is told of surgery and iterations, if it knows of them.
 * @param {any} ort @param {Map<string, number[]>} shapes @param {any} options
 */
function inputsOf(
  ort,
  shapes,
  { silence = [], routing = "agreement", pin = [], iterations },
) {
  const [capsules = 0, classes = 0] = shapes.get("held") ?? [];
  const [parts = 0] = shapes.get("silenced") ?? [];
  const silenced = new Uint8Array(parts);
  for (const part of silence) silenced[part] = 1;
  const held = new Float32Array(capsules * classes).fill(Number.NaN);
  for (const { capsule, digit, coupling } of pin)
    held[capsule * classes + digit] = coupling;
  const all = {
    silenced: () => tensor(ort, "bool", silenced, [parts]),
    uniform: () => tensor(ort, "bool", [routing === "uniform" ? 1 : 0], []),
    held: () => tensor(ort, "float32", held, [capsules, classes]),
    iterations: () => whole(ort, iterations),
  };
  const known = Object.entries(all).filter(([name]) => shapes.has(name));
  return Object.fromEntries(known.map(([name, make]) => [name, make()]));
}

/**
 * Of a tensor with an entry for each iteration, those that were asked for.
 * @param {number} iterations @param {{ dims: number[], data: ArrayLike<number> }} found
 * @param {readonly number[]} usual its shape as the API has it
 * @returns {Numbers}
 */
function until(iterations, { dims, data: numbers }, usual) {
  const data =
    numbers instanceof Float32Array ? numbers : Float32Array.from(numbers, Number);
  if (dims.length !== usual.length) return { shape: usual, data }; // the only channel
  if (dims.length === 0 || dims[0] === usual[0]) return { shape: dims, data };
  const size = data.length / dims[0];
  return {
    shape: [iterations, ...dims.slice(1)],
    data: data.subarray(0, iterations * size),
  };
}

/**
 * Images decoded from poses of one class.
 * @param {Model} model @param {number} label @param {number[][]} poses
 * @returns {Promise<Numbers>}
 */
export async function drawn(model, label, poses) {
  const { ort, session } = await graph(model, "drawing");
  const shape = [poses.length, poses[0].length];
  const feeds = {
    poses: tensor(ort, "float32", poses.flat(), shape),
    label: whole(ort, label),
  };
  const { dims, data } = (await session.run(feeds)).images;
  return { shape: dims[1] === 1 ? [dims[0], ...dims.slice(2)] : dims, data };
}

/**
 * Tensors that stand in a network's own file.
 * @param {Model} model
 * @param {{ tensors: Record<string, { shape: number[], dtype?: string, pieces?: [number, number][], values?: number[] }> }} parts
 * @returns {Promise<Record<string, Numbers>>}
 */
export async function own(model, { tensors }) {
  const file = await weights(model.id);
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, dtype, pieces = [], values }]) => {
      if (values) return [name, { shape, data: values }];
      const bytes = new Uint8Array(pieces.reduce((sum, [, length]) => sum + length, 0));
      let at = 0;
      for (const [offset, length] of pieces) {
        bytes.set(file.subarray(offset, offset + length), at);
        at += length;
      }
      const data =
        dtype === "F16"
          ? decodeFloat16(new Uint16Array(bytes.buffer))
          : new Float32Array(bytes.buffer);
      return [name, { shape, data }];
    }),
  );
}

/** @param {any} ort @param {"float32" | "bool"} kind @param {ArrayLike<number>} values @param {readonly number[]} shape */
function tensor(ort, kind, values, shape) {
  const Numbers = kind === "bool" ? Uint8Array : Float32Array;
  return new ort.Tensor(kind, Numbers.from(values), shape);
}

/** @param {any} ort @param {number} value */
const whole = (ort, value) =>
  new ort.Tensor("int64", BigInt64Array.of(BigInt(value)), []);
