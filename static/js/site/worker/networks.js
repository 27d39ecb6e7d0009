/**
 * Networks as graphs: opened when first needed, and run by ONNX Runtime.
 * @import { Model, Options } from "../../types.js"
 * @import { Numbers } from "./safetensors.js"
 */
import { decodeFloat16 } from "../../lib/encoding.js";

/** The site's own address: this module stands in `static/v…/js/site/worker/`. */
export const TOP = new URL("../../../../../", import.meta.url);

/** What is told of files that are on their way. @type {(files: { loaded: number, total: number }) => void} */
let tell = () => {};

/** @param {typeof tell} listener */
export function onLoading(listener) {
  tell = listener;
}

/** ONNX Runtime, whose types are npm's. @type {Promise<any> | null} */
let runtime = null;

async function startRuntime() {
  const place = new URL("runtime/ort.wasm.bundle.min.mjs", TOP);
  const [ort, wasmBinary] = await Promise.all([
    import(place.href),
    fetched("runtime/ort-wasm-simd-threaded.wasm"),
  ]);
  ort.env.wasm.numThreads = 1; // more need headers that hosts of files do not send
  ort.env.wasm.wasmBinary = wasmBinary;
  return ort;
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
function graph({ id, version }, what) {
  return once(`${id}.${what}`, async () => {
    runtime ??= startRuntime();
    runtime.catch(() => {
      runtime = null;
    });
    const [ort, body, data] = await Promise.all([
      runtime,
      fetched(`networks/${id}.${what}.onnx?v=${version}`),
      weights({ id, version }),
    ]);
    const externalData = [{ path: `${id}.safetensors`, data }];
    const session = await ort.InferenceSession.create(body, {
      executionProviders: ["wasm"],
      externalData,
    });
    return { ort, session };
  });
}

/** The bytes of a network's own file. @param {Pick<Model, "id" | "version">} model */
const weights = ({ id, version }) =>
  once(`${id}.weights`, () => fetched(`networks/${id}.safetensors?v=${version}`));

/** How much of which file is here. @type {Map<string, { loaded: number, total: number }>} */
const coming = new Map();

/** @param {string} place @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function fetched(place) {
  const [name] = place.split("?");
  const answer = await fetch(new URL(place, TOP), { cache: "force-cache" });
  if (!answer.ok || answer.body === null) throw new Error(`${name} is missing here.`);
  const { sizes } = await once("site", async () =>
    (await fetch(new URL("networks/sizes.json", TOP))).json(),
  );
  const total = sizes[name] ?? 0;
  const whole = new Uint8Array(total);
  let loaded = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    if (loaded + value.length <= total) whole.set(value, loaded);
    loaded += value.length;
    coming.set(name, { loaded: Math.min(loaded, total), total });
    tell(sumOf([...coming.values()]));
  }
  coming.delete(name);
  if (loaded !== total)
    throw new Error(
      `${name} must have ${total} bytes, got ${loaded}: load the page again.`,
    );
  return whole;
}

/** @param {{ loaded: number, total: number }[]} files */
const sumOf = (files) => ({
  loaded: files.reduce((sum, each) => sum + each.loaded, 0),
  total: files.reduce((sum, each) => sum + each.total, 0),
});

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
  const file = await weights(model);
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
