/**
 * Networks as graphs: opened when first needed, and run by ONNX Runtime.
 *
 * A network of the site has graphs with its own weights. Any other set of weights of the
 * same architecture and sizes is fed to graphs that take them as inputs: `bring` tells of a
 * network and its file, and all else here then knows it like any other.
 * @import { Model, Options } from "../../types.js"
 * @import { Part } from "../files.js"
 * @import { Numbers } from "../../lib/safetensors.js"
 */
import { momentOf } from "../../lib/moments.js";
import { layoutOf, numbersAt, parseSafetensors } from "../../lib/safetensors.js";
import { SiteError } from "../failing.js";
import { filesOf } from "../files.js";
import { narrow, sizeOf, widen } from "./tensors.js";

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
    fetchFile("runtime/ort-wasm-simd-threaded.wasm"),
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
    const missing = await files.whyNot((candidate) => candidate === name);
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
export function once(name, make) {
  const openGraph = opened.get(name) ?? make();
  opened.set(name, openGraph);
  openGraph.catch(() => opened.delete(name));
  return openGraph;
}

const FED = ".fed"; // ends the name of a graph that takes its weights as inputs
const WEIGHTS = "weights/"; // begins the names of these inputs

/**
 * Networks that came with weights alone: whose graphs each of them takes.
 * @type {Map<string, { model: Model, like: string }>}
 */
const brought = new Map();

/**
 * Know a network by its weights, in place of any before it of that id.
 * @param {Model} model what the API says of it
 * @param {string} like id of a network of the site, of the same architecture and sizes
 * @param {ArrayBuffer} file safetensors, with the names and shapes that `weightsOf` tells
 */
export function bring(model, like, file) {
  brought.set(model.id, { model, like });
  opened.set(`${model.id}.weights`, Promise.resolve(new Uint8Array(file)));
  last = null;
}

/** What was said of a network that was brought. @param {string} id */
export const broughtAs = (id) => brought.get(id)?.model;

/**
 * What a file of weights has to hold that a network's graphs can read.
 * @param {string} id of a network of the site
 * @returns {Promise<Record<string, number[]>>} shapes by name
 */
export async function weightsOf(id) {
  const { session } = await opening(id, `reading${FED}`);
  return Object.fromEntries(fedTo(session).map(({ name, shape }) => [name, shape]));
}

/**
 * The weights that a graph takes as inputs, by the network's own names.
 * @param {any} session @returns {{ name: string, shape: number[] }[]}
 */
const fedTo = ({ inputMetadata }) =>
  inputMetadata
    .filter((/** @type {any} */ { name }) => name.startsWith(WEIGHTS))
    .map((/** @type {any} */ { name, shape }) => ({
      name: name.slice(WEIGHTS.length),
      shape,
    }));

/**
 * Whose graphs read a network that comes with weights alone: a run's, or those of the
 * network that it was brought with.
 * @param {string} id @returns {string | undefined} undefined for one with graphs of its own
 */
const likeOf = (id) => brought.get(id)?.like ?? momentOf(id)?.run;

/**
 * A network's graph, and what is to be fed to it beside the image.
 * @param {Model} model @param {"reading" | "drawing" | "gradient"} what
 */
async function graph({ id }, what) {
  const like = likeOf(id);
  if (like === undefined) return { ...(await opening(id, what)), own: {} };
  const { ort, session } = await opening(like, `${what}${FED}`);
  if (!brought.has(id)) fetchBeside(id, like).catch(() => {});
  const numbers = await numbersOf(id);
  const inputs = fedTo(session).map(({ name, shape }) => [
    `${WEIGHTS}${name}`,
    new ort.Tensor("float32", widen(numbers[name], shape), shape),
  ]);
  return { ort, session, fed: Object.fromEntries(inputs) };
}

/**
 * Runs a graph by itself, with all that it is fed.
 * @param {string} id whose graph it is
 * @returns {import("./learning.js").Run}
 */
export const runner = (id) => async (what, feeds) => {
  const { ort, session } = await opening(id, what);
  const tensors = Object.entries(feeds).map(
    ([name, { type = "float32", shape, data }]) => [
      name,
      type === "int64"
        ? new ort.Tensor(type, BigInt64Array.from(Array.from(data), BigInt), shape)
        : tensor(ort, type, data, shape),
    ],
  );
  const outputs = await session.run(Object.fromEntries(tensors));
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { data }]) => [name, data]),
  );
};

/**
 * Have the moments before and after one of a run here before anybody asks.
 * @param {string} id @param {string} run
 */
async function fetchBeside(id, run) {
  await weights(id);
  const { snapshots } = await files.json(`api/runs/${run}.json`);
  const at = snapshots.indexOf(momentOf(id)?.step);
  const beside = [snapshots[at + 1], snapshots[at - 1]];
  for (const step of beside.filter((file) => file !== undefined))
    weights(`${run}@${step}`).catch(() => {}); // is said to whoever asks
}

/** The weights decoded last: another image is read with the same. @type {{ id: string, tensors: Record<string, Numbers> } | null} */
let last = null;

/** @param {string} id */
async function numbersOf(id) {
  if (last?.id === id) return last.tensors;
  const { tensors } = parseSafetensors((await weights(id)).buffer);
  last = { id, tensors };
  return tensors;
}

/** @param {string} id of a network of the site @param {string} what */
function opening(id, what) {
  return once(`${id}.${what}`, async () => {
    runtime ??= startRuntime();
    runtime.catch(() => {
      runtime = null;
    });
    const name = `networks/${id}.${what}.onnx`;
    const hasWeights = ["reading", "drawing", "gradient"].includes(what);
    const [ort, body, data] = await Promise.all([
      runtime,
      fetchFile(name),
      hasWeights ? weights(id) : null,
    ]);
    const externalData = data && [{ path: `${id}.safetensors`, data }];
    const options = { executionProviders: ["wasm"], ...(data && { externalData }) };
    beingOpened++;
    say();
    try {
      const session = await ort.InferenceSession.create(body, options);
      return { ort, session };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const kind = /memory|alloc/i.test(message) ? "memory" : "damaged";
      throw new SiteError(kind, { name, detail: "it holds no network" });
    } finally {
      beingOpened--;
      say();
    }
  });
}

/** The bytes of a network's own file. @param {string} id */
const weights = (id) =>
  once(`${id}.weights`, () => fetchFile(`networks/${id}.safetensors`));

/** How much of which file is here. @type {Map<string, Part>} */
const coming = new Map();
let beingOpened = 0;

/** @param {string} name */
async function fetchFile(name) {
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
  tell({ loaded, total, isOpening: beingOpened > 0 });
}

/**
 * One forward pass.
 * @param {Model} model @param {ArrayLike<number>} pixels channel by channel
 * @param {readonly string[]} names of the tensors to return
 * @param {any} options of a trace's request: iterations, silence, routing, pin
 * @returns {Promise<Record<string, Numbers>>}
 */
export async function read(model, pixels, names, options) {
  const { ort, session, fed } = await graph(model, "reading");
  const { iterations = model.routing_iterations } = options;
  const image = tensor(ort, "float32", pixels, model.input_shape);
  const shapes = shapesOf(session);
  const [, classes = model.classes] = shapes.get("held") ?? [];
  const inputs = inputsOf(ort, shapes, { ...options, iterations }, model.classes);
  const feeds = { image, ...inputs, ...fed };
  const computed = names.filter((name) => name !== INPUT);
  const outputs = { ...(await session.run(feeds, computed)), [INPUT]: image };
  const usual = new Map(model.tensors.map(({ name, shape }) => [name, shape]));
  return Object.fromEntries(
    names.map((name) => {
      const shape = usual.get(name) ?? [];
      if (classes === model.classes || outputs[name].dims.length !== shape.length)
        return [name, until(iterations, outputs[name], shape)];
      return [
        name,
        narrow({ shape: outputs[name].dims, data: outputs[name].data }, shape),
      ];
    }),
  );
}

/** Have a network's graph ready before anybody asks. @param {Model} model */
export const prepare = (model) => graph(model, "reading");

/**
 * What a graph is told of surgery and iterations, if it knows of them.
 * @param {any} ort @param {Map<string, number[]>} shapes @param {any} options
 * @param {number} present how many of the graph's classes the network has: the first
 */
function inputsOf(
  ort,
  shapes,
  { silence = [], routing = "agreement", pin = [], iterations },
  present,
) {
  const [capsules = 0, classes = 0] = shapes.get("held") ?? [];
  const [parts = 0] = shapes.get("silenced") ?? [];
  const silenced = new Uint8Array(parts);
  for (const part of silence) silenced[part] = 1;
  const held = new Float32Array(capsules * classes).fill(Number.NaN);
  for (let at = 0; at < held.length; at++) if (at % classes >= present) held[at] = 0;
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
 * @param {number} iterations @param {{ dims: number[], data: ArrayLike<number> }} output
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
export async function drawImages(model, label, poses) {
  const { ort, session, fed } = await graph(model, "drawing");
  const shape = [poses.length, poses[0].length];
  const feeds = {
    poses: tensor(ort, "float32", poses.flat(), shape),
    label: whole(ort, label),
    ...fed,
  };
  const { dims, data } = (await session.run(feeds)).images;
  return { shape: dims[1] === 1 ? [dims[0], ...dims.slice(2)] : dims, data };
}

/** What an attack can raise, in the order of `model/exporting/gradient.py`. */
const LOSSES = ["gap", "scores", "entropy", "trained"];

/**
 * What an attack raises, and its gradient with respect to each pixel.
 * @param {Model} model @param {ArrayLike<number>} pixels channel by channel
 * @param {number} label @param {string} loss
 * @param {boolean} isThroughAll whether through every iteration of routing, or the last alone
 * @returns {Promise<import("./attack.js").Slope>}
 */
export async function slope(model, pixels, label, loss, isThroughAll) {
  const { ort, session, fed } = await graph(model, "gradient");
  const { value, gradient } = await session.run({
    ...fed,
    image: tensor(ort, "float32", pixels, model.input_shape),
    label: whole(ort, label),
    loss: whole(ort, LOSSES.indexOf(loss)),
    every: tensor(ort, "bool", [isThroughAll ? 1 : 0], []),
  });
  return { value: value.data[0], gradient: gradient.data };
}

/**
 * Tensors that stand in a network's own file, or follow from it.
 * @param {Model} model
 * @param {{ tensors: Record<string, { shape: number[], pieces?: [name: string, start: number, count: number][], values?: number[] }> }} parts
 * @returns {Promise<Record<string, Numbers>>}
 */
export async function fileTensors(model, { tensors }) {
  const { id } = model;
  const { buffer } = await weights(id);
  const layout = layoutOf(buffer).tensors;
  const others = Object.keys(tensors).filter((name) => !tensors[name].pieces);
  // Numbers that are told are of the network of the site.
  const derived = likeOf(id) === undefined ? {} : await derivedIn(model, others);
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, pieces = [], values }]) => {
      if (Object.hasOwn(derived, name)) return [name, derived[name]];
      if (values) return [name, { shape, data: values }];
      const data = new Float32Array(sizeOf(shape));
      let at = 0;
      for (const [tensor, start, count] of pieces) {
        data.set(numbersAt(buffer, layout[tensor], start, count), at);
        at += count;
      }
      return [name, { shape, data }];
    }),
  );
}

/**
 * What weights alone decide, of a network that came with weights alone.
 * @param {Model} model @param {readonly string[]} names
 * @returns {Promise<Record<string, Numbers>>}
 * @throws {SiteError} its graph does not tell
 */
async function derivedIn(model, names) {
  if (names.length === 0) return {};
  const { ort, session, fed } = await graph(model, "reading");
  const outputs = names.map((name) => `${WEIGHTS}${name}`);
  if (outputs.some((name) => !session.outputNames.includes(name)))
    throw new SiteError("absent");
  const blank = new Float32Array(sizeOf(model.input_shape));
  const image = tensor(ort, "float32", blank, model.input_shape);
  const { routing_iterations: iterations } = model;
  const inputs = inputsOf(ort, shapesOf(session), { iterations }, model.classes);
  const answers = await session.run({ image, ...inputs, ...fed }, outputs);
  return Object.fromEntries(
    names.map((name, at) => {
      const { dims: shape, data } = answers[outputs[at]];
      return [name, { shape, data }];
    }),
  );
}

/** @param {any} session @returns {Map<string, number[]>} of its inputs, by name */
const shapesOf = ({ inputMetadata }) =>
  new Map(inputMetadata.map((/** @type {any} */ { name, shape }) => [name, shape]));

/** @param {any} ort @param {string} kind "bool" or "float32" @param {ArrayLike<number>} values @param {readonly number[]} shape */
function tensor(ort, kind, values, shape) {
  const Numbers = kind === "bool" ? Uint8Array : Float32Array;
  return new ort.Tensor(kind, Numbers.from(values), shape);
}

/** @param {any} ort @param {number} value */
const whole = (ort, value) =>
  new ort.Tensor("int64", BigInt64Array.of(BigInt(value)), []);
