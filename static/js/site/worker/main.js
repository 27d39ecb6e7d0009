/**
 * Answers what depends on an image. ONNX Runtime runs the graphs that were made of the
 * networks' own code (`model/exporting/graphs.py`); here is only what the server's routes
 * do around a forward pass.
 * @import { Model } from "../../types.js"
 * @import { Change } from "../../lib/changing.js"
 * @import { Numbers } from "../../lib/safetensors.js"
 */
import { changedInk } from "../../lib/changing.js";
import { encodePgm } from "../../lib/encoding.js";
import { momentOf } from "../../lib/moments.js";
import { routingIn } from "../../lib/options.js";
import { shapeOf } from "../../lib/pixels.js";
import { layoutOf, parseSafetensors, toSafetensors } from "../../lib/safetensors.js";
import { entries } from "../../lib/tested.js";
import { SiteError } from "../failing.js";
import { attackImage, followGradient, strongest, takesSteps } from "./attack.js";
import { readPicture, wishIn } from "./intake.js";
import {
  beginWith,
  bring,
  broughtAs,
  drawImages,
  filesHere,
  fileTensors,
  once,
  prepare,
  read,
  slope,
  weightsOf,
} from "./networks.js";
import { decode } from "./picture.js";
import { answerRuns, bringKept, fileOf, runWith } from "./runs.js";

/**
 * `isGone` tells whether nobody waits for it any more.
 * @typedef {{ what: string, id: string, body: any, query: [string, string][], isGone?: () => boolean }} Question
 */
/** @typedef {{ tensors: Record<string, Numbers>, metadata: Record<string, string> }} Answer */
/** @typedef {Answer | { json: object } | { bytes: ArrayBuffer }} Any */

/** @type {Record<string, (question: Question) => Promise<Any>>} */
const DOES = {
  trace,
  traces,
  batch,
  sweep,
  attack,
  reconstruct,
  read: readDrawing,
  own: ownTensors,
  nearest,
  bring: async ({ body: { model, like, file } }) => {
    bring(model, like, file);
    return { json: {} };
  },
  weights: async ({ id }) => ({ json: await weightsOf(id) }),
  runs: async ({ body }) => ({ json: await answerRuns(body) }),
  file: async ({ id }) => ({ bytes: await fileOf(id) }),
};

/** What the API says of the first network, and briefly of each other. @returns {Promise<{ models: Model[] }>} */
const fetchModels = () => filesHere().json("api/models.json");

/** Open the network that the page begins with, before it is asked. @param {string} linked its id */
async function begin(linked) {
  const { models } = await fetchModels();
  const model = models.find(({ id }) => id === linked) ?? models[0];
  await prepare(model);
  warm(model.id, READINGS);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  postMessage({ loaded });
}

const READINGS = 12; // until a browser has compiled what they run as well as it can
const SIDE = 140; // of a drawing, as the page sends it

/**
 * Read a bar that nobody drew, between questions: so the first strokes are read as fast
 * as all others.
 * @param {string} id of a network @param {number} attempts how often
 */
function warm(id, attempts) {
  if (attempts === 0) return;
  const rgba = new Uint8ClampedArray(4 * SIDE * SIDE);
  for (let row = 30; row < 110; row++)
    rgba.fill(255, 4 * (row * SIDE + 62), 4 * (row * SIDE + 78));
  const body = encodePgm(rgba, SIDE, SIDE);
  last = last
    .then(() => readDrawing({ what: "read", id, body, query: [["ink", "light"]] }))
    .then(() => warm(id, attempts - 1))
    .catch(() => {}); // which is said to whoever draws
}

// One after the other: two at once would compete for one core.
let last = Promise.resolve();
/** What takes many passes: each waits its turn among other questions, as strokes are. */
const LONG = new Set(["attack"]);
let lastLong = Promise.resolve();

/**
 * One pass of many, after whatever has been asked meanwhile.
 * @template Value
 * @param {Question} question @param {() => Promise<Value>} pass @returns {Promise<Value>}
 */
function inTurn({ isGone }, pass) {
  const done = last.then(() => {
    if (isGone?.()) throw refused(499, "Nobody waits for it any more.");
    return pass();
  });
  last = done.then(letMessagesIn, letMessagesIn);
  return done;
}

/** Let messages in that have come. @returns {Promise<void>} */
const letMessagesIn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

runWith(postMessage.bind(globalThis), (job) => {
  last = last.then(job).catch(() => {}); // what a run fails for, it tells itself
});

/** Questions that nobody waits for any more. @type {Set<number>} */
const gone = new Set();

addEventListener("message", ({ data: { site, model, number, question, isGone } }) => {
  if (site) {
    beginWith(site, (loading) => postMessage({ loading }));
    last = begin(model).catch(() => {}); // what is missing is said once it is asked
    return;
  }
  if (isGone) return void gone.add(number);
  const isLong = LONG.has(question.what);
  const done = (isLong ? lastLong : last).then(async () => {
    if (gone.delete(number)) return;
    try {
      const isGone = () => gone.has(number);
      const answer = await DOES[question.what]({ ...question, isGone });
      if ("json" in answer) return postMessage({ number, json: answer.json });
      if ("bytes" in answer) return postMessage({ number, file: answer.bytes });
      const file = toSafetensors(answer.tensors, answer.metadata);
      postMessage({ number, file }, { transfer: [file] });
    } catch (error) {
      const { message, status = 500, field = null } = /** @type {any} */ (error);
      postMessage({ number, refused: message, status, field });
    } finally {
      gone.delete(number);
    }
  });
  if (isLong) lastLong = done;
  else last = done;
});

/** @param {Question} question */
async function trace({ id, body }) {
  const model = await modelOf(id);
  const { image, tensors: names, ...options } = body;
  const tensors = await read(model, image.flat(2), withScores(names), options);
  return {
    tensors: only(tensors, names),
    metadata: metadataOf(model, tensors, options),
  };
}

/** @param {Question} question */
async function traces({ body }) {
  /** @type {Answer} */
  const all = { tensors: {}, metadata: {} };
  for (const [id, names] of Object.entries(body.tensors)) {
    const request = { image: body.image, tensors: names };
    const question = { what: "trace", id, body: request, query: [] };
    const { tensors, metadata } = await trace(question);
    for (const [name, tensor] of Object.entries(tensors))
      all.tensors[`${id}/${name}`] = tensor;
    for (const [name, text] of Object.entries(metadata))
      all.metadata[`${id}/${name}`] = text;
  }
  return all;
}

/** @param {Question} question */
async function batch({ id, body: { images, ...body } }) {
  return batchOf(
    id,
    images.map((/** @type {number[][]} */ image) => image.flat(2)),
    body,
  );
}

/** The same image under many changes. @param {Question} question */
async function sweep({ id, body: { image, changes, ...body } }) {
  const ink = Float64Array.from(image.flat(2));
  const shape = shapeOf(await modelOf(id));
  return batchOf(
    id,
    changes.map((/** @type {Change} */ change) => changedInk(ink, shape, change)),
    body,
  );
}

/** @param {string} id @param {readonly ArrayLike<number>[]} images @param {any} body */
async function batchOf(id, images, { tensors: names, ...options }) {
  const model = await modelOf(id);
  /** @type {Record<string, Numbers>[]} */
  const answers = [];
  for (const image of images)
    answers.push(await read(model, Array.from(image), withScores(names), options));
  const best = answers.map(({ scores }) => presentIn(scores.data, model)[0]);
  const predictions = { shape: [images.length], data: best };
  const tensors = Object.fromEntries(
    names.map((/** @type {string} */ name) => [
      name,
      stack(answers.map((answer) => answer[name])),
    ]),
  );
  return { tensors: { ...tensors, predictions }, metadata: { model: id } };
}

/** An image, changed by at most each ε so that it is misread. @param {Question} question */
async function attack(question) {
  const { id, body } = question;
  const { label, target = null, epsilons, method, steps = 10, path: withPath } = body;
  const { loss = "gap", gradient = "full" } = body;
  if (body.seed) throw new SiteError("absent"); // a site has the numbers of seed 0
  const model = await modelOf(id);
  const image = Float64Array.from(body.image.flat(2));
  const how = { method, steps, fields: await fieldsOf(model) };
  const sign = target === null ? 1 : -1;
  /** Of the image itself, once. @type {import("./attack.js").Slope | null} */
  let first = null;
  const slopeOf = async (/** @type {Float64Array} */ changed) => {
    if (changed === image && first !== null) return first;
    const result = await inTurn(question, () =>
      slope(model, changed, target ?? label, loss, gradient === "full"),
    );
    const raised = {
      value: sign * result.value,
      gradient: Float64Array.from(result.gradient, (slope) => sign * slope),
    };
    first ??= raised; // every method begins with the image itself
    return raised;
  };
  /** @type {Record<string, Numbers>} */
  const tensors = {};
  /** @type {Record<string, string>} */
  const metadata = { model: model.id, version: model.version };
  const tell = async (
    /** @type {string} */ prefix,
    /** @type {Float64Array[]} */ all,
  ) => {
    const { names, ...measured } = await measuredOf(question, model, all);
    metadata[`${prefix}names`] = JSON.stringify(names);
    for (const [name, tensor] of Object.entries(measured))
      tensors[`${prefix}${name}`] = tensor;
  };
  if (withPath && takesSteps(method)) {
    const { way, start } = await followGradient(image, epsilons[0], how, slopeOf);
    await tell("", [epsilons[0] === 0 ? image : strongest(way)]);
    await tell("path.", way.images);
    tensors["path.values"] = { shape: [way.values.length], data: way.values };
    metadata["path.start"] = String(start);
  } else {
    const images = [];
    for (const epsilon of epsilons)
      images.push(await attackImage(image, epsilon, how, slopeOf));
    await tell("", images);
  }
  if (first !== null) metadata.zero_gradients = String(shareOfZeros(first));
  return { tensors, metadata };
}

/** @param {import("./attack.js").Slope} slope */
const shareOfZeros = ({ gradient }) =>
  Array.from(gradient).filter((slope) => slope === 0).length / gradient.length;

/** The random numbers of attacks. @param {Model} model */
async function fieldsOf({ input_shape }) {
  const { buffer } = await filesHere().load(
    `attack/${input_shape.join("-")}.safetensors`,
  );
  const of = Object.entries(layoutOf(buffer).tensors).map(
    ([name, { start, end }]) =>
      /** @type {const} */ ([name, new Float64Array(buffer.slice(start, end))]),
  );
  const { signs, ...ways } = Object.fromEntries(of);
  return {
    signs,
    ways: Object.keys(ways)
      .sort()
      .map((name) => ways[name]),
  };
}

/**
 * What a network makes of images, as an attack's answer tells it.
 * @param {Question} question @param {Model} model @param {readonly Float64Array[]} images
 */
async function measuredOf(question, model, images) {
  const wanted = ["scores", ...(model.can.reconstruct ? ["reconstruction"] : [])];
  const answers = [];
  for (const image of images)
    answers.push(await inTurn(question, () => read(model, image, wanted, {})));
  const best = answers.map(({ scores: { data } }) => bestOf(data));
  const shape = model.input_shape.slice(model.input_shape[0] === 1 ? 1 : 0);
  const errors = answers.map(({ reconstruction }, at) =>
    apart(images[at], reconstruction),
  );
  return {
    images: stack(images.map((data) => ({ shape, data }))),
    predictions: { shape: [best.length], data: best },
    scores: stack(answers.map(({ scores }) => scores)),
    ...(model.can.reconstruct && {
      reconstruction_error: { shape: [errors.length], data: errors },
    }),
    names: best.map((classIndex) => model.class_names[classIndex]),
  };
}

/** The mean square of differences. @param {Float64Array} image @param {Numbers | undefined} drawn */
function apart(image, drawn) {
  if (drawn === undefined) return 0;
  const sum = image.reduce((all, value, at) => all + (value - drawn.data[at]) ** 2, 0);
  return sum / image.length;
}

/** @param {Question} question */
async function reconstruct({ id, body }) {
  const images = await drawImages(await modelOf(id), body.digit, body.poses);
  return { tensors: { images }, metadata: {} };
}

/** @param {Question} question */
async function ownTensors({ id, body }) {
  const model = await modelOf(id);
  const metadata = { ...body.metadata, model: model.id, version: model.version };
  return { tensors: await fileTensors(model, body), metadata };
}

/** What is to be read: a drawing as it came, or a file's pixels. @param {any} body */
const pictureIn = (body) => (body instanceof Blob ? decode(body) : body);

/**
 * A drawing, brought into the network's form as the server does it, and read.
 * @param {Question} question
 */
async function readDrawing({ id, body, query }) {
  const model = await modelOf(id);
  const picture = await pictureIn(body);
  const { pixels, report } = readPicture(picture, model, wishIn(query));
  const names = query.filter(([name]) => name === "tensors").map(([, name]) => name);
  const options = routingIn(query);
  const tensors = await read(model, pixels, withScores(names), options);
  const shape = model.input_shape.slice(model.input_shape[0] === 1 ? 1 : 0);
  return {
    tensors: { ...only(tensors, names), image: { shape, data: pixels } },
    metadata: { ...metadataOf(model, tensors, options), ...report },
  };
}

/**
 * The test images that a network describes most like an image: `routes/atlas.py`.
 * @param {Question} question
 */
async function nearest({ id, body: { image, count } }) {
  const model = await modelOf(id);
  const embedding = /** @type {any} */ (model.card.atlas).embedding;
  const numbers = (await read(model, image.flat(2), [embedding], {}))[embedding].data;
  const parts = ["measured/atlas", "atlas"].map(async (part) => {
    const file = await filesHere().load(`api/models/${id}/${part}.safetensors`);
    return parseSafetensors(file.buffer).tensors;
  });
  const [tensors, { labels: every }] = await Promise.all(parts);
  const of = (/** @type {string} */ name) => tensors[`atlas.${name}`].data;
  const [codes, steps, mean, axes] = [
    "codes",
    "codes.step",
    "codes.mean",
    "codes.axes",
  ].map(of);
  const code = Float32Array.from(steps, (_, axis) => {
    let sum = 0;
    for (let at = 0; at < mean.length; at++)
      sum += axes[axis * mean.length + at] * (numbers[at] - mean[at]);
    return sum;
  });
  const { shape, data: labels } = every;
  const perImage = shape[1] ?? 1;
  const apart = Float32Array.from({ length: shape[0] }, (_, index) => {
    let sum = 0;
    for (let at = 0; at < steps.length; at++)
      sum += (codes[index * steps.length + at] * steps[at] - code[at]) ** 2;
    return Math.sqrt(sum);
  });
  const order = [...apart.keys()].sort((a, b) => apart[a] - apart[b] || a - b);
  const json = order.slice(0, count).map((index) => {
    const group = entries(labels, perImage, index);
    return { index, label: group[0], labels: group, distance: apart[index] };
  });
  return { json };
}

/** @param {string} id */
async function modelOf(id) {
  const model = broughtAs(id) ?? (await modelListed(id)) ?? (await bringKept(id));
  if (model === undefined) throw refused(404, `There is no model ${id} here.`);
  return model;
}

/** @param {string} id @returns {Promise<Model | undefined>} */
const modelListed = (id) =>
  once(`${id}.json`, async () => {
    const { models } = await fetchModels();
    const model = models.find((candidate) => candidate.id === id);
    const isWhole = model?.layers !== undefined;
    // A run's moments have descriptions of their own, and so has all but the first network.
    if (isWhole || (model === undefined && momentOf(id) === null)) return model;
    return filesHere().json(`api/models/${id}.json`);
  });

/** The scores decide what a network says, asked for or not. @param {string[]} names */
const withScores = (names) => [...new Set([...names, "scores"])];

/** @param {Record<string, Numbers>} tensors @param {string[]} names */
const only = (tensors, names) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, tensors[name]]));

/**
 * What a network says, whatever tensors were asked for: the server's metadata.
 * @param {Model} model @param {Record<string, Numbers>} tensors @param {any} options
 * @returns {Record<string, string>}
 */
function metadataOf(model, { scores }, { iterations = model.routing_iterations }) {
  const values = Array.from(scores.data);
  const prediction = bestOf(values);
  return {
    model: model.id,
    version: model.version,
    present: JSON.stringify(presentIn(values, model)),
    prediction: String(prediction),
    name: model.class_names[prediction],
    ...(iterations === null ? {} : { iterations: String(iterations) }),
  };
}

/** @param {ArrayLike<number>} scores */
function bestOf(scores) {
  const values = Array.from(scores);
  return values.indexOf(Math.max(...values));
}

/**
 * The classes that an answer names, best first: `model/presence.py`.
 * @param {ArrayLike<number>} scores @param {Model} model
 */
function presentIn(scores, { present: { at_most, threshold } }) {
  return [...Array(scores.length).keys()]
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .slice(0, at_most)
    .filter((index) => threshold === null || scores[index] >= threshold);
}

/** @param {Numbers[]} tensors of one shape */
function stack(tensors) {
  const [{ shape, data }] = tensors;
  const all = new Float32Array(tensors.length * data.length);
  for (const [index, tensor] of tensors.entries())
    all.set(tensor.data, index * data.length);
  return { shape: [tensors.length, ...shape], data: all };
}

/** @param {number} status @param {string} message */
function refused(status, message) {
  return Object.assign(new Error(message), { status });
}
