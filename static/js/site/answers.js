/**
 * Answers where there is no server: from files that were recorded from one, and from a
 * worker that runs the networks. What is asked, and what is answered, is the API's.
 * @import { Model } from "../types.js"
 */

import { memoize, memoizeByObject } from "../lib/memoize.js";
import { momentOf } from "../lib/moments.js";
import { merged, placed } from "../lib/overlap.js";
import { fitTo, fromRows, shapeOf } from "../lib/pixels.js";
import { parseSafetensors } from "../lib/safetensors.js";
import { begin, compute, files, onNews } from "./computing.js";
import { SiteError } from "./failing.js";
import {
  addTold,
  begunRun,
  hearOwn,
  keptModels,
  questionOfRuns,
  remove,
} from "./learning.js";

const SAFETENSORS = "application/x-safetensors";
/** How long a request may take: a network comes first. */
export const PATIENCE = 600_000; // ms

const LEAP = 4; // pixels from the middle, of either digit of a pair

/** How requests with a body are answered, by what they end in. */
const COMPUTED =
  /^api\/(?:models\/([^/]+)\/(trace|batch|sweep|attack|reconstruct|read|nearest)|(traces))$/;

/** Tensors of a network, whatever the image: its id, and the path below it. */
const OWN = /^api\/models\/([^/]+)\/((?:weights|kernels|measured)\/.+|kernels)$/;

/**
 * `lacks`: the operator that keeps a network from being run here, and `images` the data set
 * of which its answers are recorded.
 * @typedef {{ recorded: string[], tensors: string[], placed: Record<string, object>, lacks?: string, images?: string }} Network
 */

/**
 * Networks that came with weights alone, by id: what the API says of each, and the network
 * of the site whose graphs read it.
 * @type {Map<string, { model: Model, like: string }>}
 */
const brought = new Map();

onNews(({ told, brought: network }) => {
  if (network) brought.set(network.model.id, network);
  if (told) addTold(told);
});

/**
 * Answer for a network that comes with weights alone like for those of the site, in place of
 * any of that id.
 * @param {Model} model what the API is to say of it
 * @param {string} like id of a network of the site, of the same architecture and sizes
 * @param {ArrayBuffer} file safetensors, with the names and shapes of `weightsOf(like)`
 */
export async function bring(model, like, file) {
  const { id } = model;
  await compute({ what: "bring", id, body: { model, like, file } });
  brought.set(id, { model, like });
}

/**
 * What a file of weights has to hold that a network's graphs can read.
 * @param {string} like id of a network of the site @param {AbortSignal} [signal]
 * @returns {Promise<Record<string, number[]>>} shapes by name
 * @throws {Error} its graph is not to be had, in words for people
 */
export async function weightsOf(like, signal) {
  const answer = await compute({ what: "weights", id: like }, signal);
  if ("refused" in answer) throw new Error(answer.refused);
  return /** @type {any} */ (answer).json;
}

/**
 * Whose graphs read a network that comes with weights alone: a run's, or those of the
 * network that it was brought with.
 * @param {string} id as in addresses
 * @returns {string | undefined} undefined for one with graphs of its own
 */
function likeOf(id) {
  const plain = decodeURIComponent(id);
  return brought.get(plain)?.like ?? momentOf(plain)?.run;
}

/**
 * What a site knows of a network beside the API's own words.
 * @param {string} id as in addresses @returns {Promise<Network>}
 */
async function networkOf(id) {
  const like = likeOf(id);
  return read(`networks/${like === undefined ? id : encodeURIComponent(like)}`);
}

/** Images that the owner of a described network gave it. */
const DIGITS = /^api\/datasets\/[^/]+\/digits$/;

/**
 * What goes wrong is an answer, too, in words for people: there is no server to ask again.
 * @param {string} path @param {RequestInit} request @returns {Promise<Response>}
 */
export async function answer(path, request) {
  try {
    return await answerRequest(path, request);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (!(error instanceof SiteError)) throw error;
    return refusal(error.status, error.message);
  }
}

/** Why a script of the page does not come. @param {string} script its path below `js/` */
export async function explain(script) {
  const start = document.querySelector("script[data-start]")?.getAttribute("src") ?? "";
  const worker = start.replace(/main\.js$/, script);
  const reason = await files.whyNot((name) => name === worker || name === start);
  return reason?.message ?? "Load the page again: the address keeps what you see.";
}

/** The events of a run, after one of them. */
const EVENTS = /^(api\/runs\/([^/]+)\/events)\?after=(\d+)$/;

/**
 * Hear what happens in a run of this page, or happened in one that was recorded: the latter's
 * events come at once.
 * @param {string} path @param {readonly string[]} kinds of events
 * @param {(event: any, id: number) => void} listener told the data, and its number
 * @returns {() => void} hear no more
 */
export function hear(path, kinds, listener) {
  const [, address, run, after] = EVENTS.exec(path) ?? [];
  const stop = hearOwn(run, Number(after), (event, number) => {
    if (kinds.includes(event.event)) listener(event, number);
  });
  if (stop !== null) return stop;
  let isHeard = true;
  read(address).then(
    (/** @type {{ event: string }[]} */ events) => {
      for (const [at, event] of events.entries())
        if (isHeard && at >= Number(after) && kinds.includes(event.event))
          listener(event, at + 1);
    },
    () => {}, // the list of runs, which is asked again and again, says what is wrong
  );
  return () => {
    isHeard = false;
  };
}

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
async function answerRequest(path, request) {
  const [address, query = ""] = path.split("?");
  const { method = "GET" } = request;
  const isGet = method === "GET";
  const body =
    typeof request.body === "string" ? JSON.parse(request.body) : request.body;
  const runQuestion = questionOfRuns(address, method, body);
  if (runQuestion !== null)
    return ofRuns(runQuestion, isGet && address === RUNS, request);
  if (method === "DELETE") {
    const id = await remove(address);
    if (id === null) throw new SiteError("absent");
    brought.delete(id);
    return Response.json({});
  }
  if (isGet && DIGITS.test(address))
    return digitsOf(address, new URLSearchParams(query));
  if (isGet) return answerOf(address, request, query);
  const match = COMPUTED.exec(address);
  if (match === null) throw new SiteError("absent");
  const [, id, what = "traces"] = match;
  const recorded = what === "trace" ? await recordedOf(id, body, request) : null;
  const ids = id ? [id] : Object.keys(body.tensors).map(encodeURIComponent);
  const lacked = await lackedBy(ids);
  if (recorded !== null) {
    if (lacked === null) begin();
    return recorded;
  }
  if (lacked !== null) throw new SiteError("lacking", { name: lacked });
  const search = [...new URLSearchParams(query)];
  const question = { what, id: id && decodeURIComponent(id), body, query: search };
  return answeredBy(question, request);
}

const RUNS = "api/runs";

/**
 * What the worker says of runs; a list begins with its own.
 * @param {any} question @param {boolean} isList @param {RequestInit} request
 */
async function ofRuns(question, isList, request) {
  const response = await answeredBy(question, request);
  if (question.what === "file" || !response.ok) return response;
  const answer = await response.json();
  if (question.body.id === "" && answer.id) begunRun(answer.id);
  if (!isList) return Response.json(answer);
  const recorded = await read(RUNS);
  return Response.json({ ...recorded, runs: [...answer.runs, ...recorded.runs] });
}

/**
 * The operator that keeps one of these networks from being run here.
 * @param {string[]} ids as in addresses
 */
async function lackedBy(ids) {
  const networks = await Promise.all(ids.map(networkOf));
  return networks.find(({ lacks }) => lacks !== undefined)?.lacks ?? null;
}

/** @param {string} address @param {URLSearchParams} query */
async function digitsOf(address, query) {
  const { digits } = await read(address);
  const label = query.get("label");
  const offset = Number(query.get("offset") ?? 0);
  const matching = digits.filter(
    (/** @type {{ label: number | null }} */ digit) =>
      label === null || String(digit.label) === label,
  );
  const end = offset + Number(query.get("limit") ?? matching.length);
  return Response.json({
    total: matching.length,
    digits: matching.slice(offset, end),
  });
}

/** @param {object} question to the worker @param {RequestInit} request */
async function answeredBy(question, request) {
  const answer = await compute(question, request.signal);
  if ("refused" in answer) return refusal(answer.status, answer.refused, answer.field);
  if ("json" in answer) return Response.json(answer.json);
  if (kindOf(request) === SAFETENSORS)
    return new Response(answer.file, { headers: { "Content-Type": SAFETENSORS } });
  return Response.json(inJson(parseSafetensors(answer.file)));
}

/** @param {RequestInit} request */
const kindOf = (request) => new Headers(request.headers).get("Accept");

/**
 * The same as JSON, for a trace that somebody keeps.
 * @param {ReturnType<typeof parseSafetensors>} answer
 */
function inJson({ tensors, metadata }) {
  const { model, name, iterations = "null", prediction, present } = metadata;
  const numbers = Object.entries({ iterations, prediction, present });
  const nested = Object.entries(tensors).map(([key, { shape, data }]) => [
    key,
    shape.reduceRight(
      (/** @type {any[]} */ rows, length) =>
        Array.from({ length: rows.length / length }, (_, at) =>
          rows.slice(at * length, (at + 1) * length),
        ),
      Array.from(data),
    )[0],
  ]);
  return {
    model,
    name,
    ...Object.fromEntries(numbers.map(([key, text]) => [key, JSON.parse(text)])),
    tensors: Object.fromEntries(nested),
  };
}

/**
 * What a network says of an example, with its usual options, is a file: the page has its
 * first picture before a network has come.
 * @param {string} id @param {any} body of the request @param {RequestInit} request
 * @returns {Promise<Response | null>} null for other images, and other questions
 */
async function recordedOf(id, body, request) {
  const { image, tensors, iterations, ...surgery } = body;
  if (likeOf(id) !== undefined) return null;
  if (kindOf(request) !== SAFETENSORS || Object.keys(surgery).length > 0) return null;
  const [model, { samples }, { recorded, tensors: held, images }] = await Promise.all([
    modelOf(id),
    read("api/samples"),
    networkOf(id),
  ]);
  if (iterations !== undefined && iterations !== model.routing_iterations) return null;
  if (tensors.some((/** @type {string} */ name) => !held.includes(name))) return null;
  const { bytes } = fromRows(image);
  const isShown = (/** @type {Uint8Array} */ levels) =>
    levels.every((level, at) => level === bytes[at]);
  const { digits } = images
    ? await read(`api/datasets/${images}/digits`)
    : { digits: [] };
  const asked = digits.find((/** @type {any} */ digit) =>
    isShown(fromRows(digit.image).bytes),
  );
  const index = examplesFor(model)(samples).findIndex(isShown);
  const sample = asked === undefined ? samples[index]?.id : `${images}-${asked.index}`;
  if (!recorded.includes(sample)) return null;
  return fileOf(
    `api/models/${decodeURIComponent(id)}/samples/${sample}.safetensors`,
    request,
  );
}

/**
 * The examples as a network opens on them, in bytes: fitted to its input, or, where it reads
 * two digits, with another over each, as `core/pair.js` lays it.
 * @type {(model: Model) => (samples: { image: number[][], label: number }[]) => Uint8Array[]}
 */
const examplesFor = memoizeByObject(
  (/** @type {Model} */ model) => model,
  (model) =>
    memoize((samples) => {
      const shape = shapeOf(model);
      return samples.map(({ image, label }, _, all) => {
        const pixels = fromRows(image);
        const { channels, rows, columns } = shape;
        const isLarger = Math.min(rows, columns) > pixels.rows;
        if (model.present.at_most !== 2 || channels !== 1 || !isLarger)
          return fitTo(pixels, shape).bytes;
        const other = all.find((sample) => sample.label !== label) ?? all[0];
        const left = placed(pixels, shape, { right: -LEAP, down: 0 });
        const over = placed(fromRows(other.image), shape, { right: LEAP, down: 0 });
        return merged([left, over]).bytes;
      });
    }),
);

/** Files that every question is held against, read once. @type {Map<string, Promise<any>>} */
const known = new Map();

/** @param {string} address */
function read(address) {
  const answer =
    known.get(address) ?? files.json(`${decodeURIComponent(address)}.json`);
  known.set(address, answer);
  answer.catch(() => known.delete(address)); // the next question asks again
  return answer;
}

/**
 * What the API says of a network, which its list has of the first alone.
 * @param {string} id as in addresses @returns {Promise<Model>}
 */
async function modelOf(id) {
  const { models } = await read("api/models");
  const named = models.find(
    (/** @type {Model} */ model) => model.id === decodeURIComponent(id),
  );
  return named?.layers ? named : read(`api/models/${id}`);
}

/**
 * What does not depend on an image: each answer is a file, named as it is asked, or part
 * of the network's own.
 * @param {string} address @param {RequestInit} request @param {string} query
 */
async function answerOf(address, request, query) {
  const ending = kindOf(request) === SAFETENSORS ? "safetensors" : "json";
  const file = `${decodeURIComponent(address)}.${ending}`;
  const addition = brought.get(
    decodeURIComponent(address.replace(/^api\/models\//, "")),
  );
  if (addition) return Response.json(addition.model);
  const [, id, path] = OWN.exec(address) ?? [];
  if (address === "api/models") {
    const [all, kept] = await Promise.all([read(address), keptModels()]);
    for (const model of kept)
      brought.set(model.id, { model, like: `symbols-${model.classes}` });
    /** @type {Model[]} */
    const brief = all.models;
    const whole =
      query === "" && brief.map(({ id }) => modelOf(encodeURIComponent(id)));
    const models = whole ? await Promise.all(whole) : brief;
    return Response.json({ ...all, models: [...models, ...kept] });
  }
  if (id === undefined) return fileOf(file, request);
  const { placed } = await networkOf(id);
  const name = decodeURIComponent(path);
  const isPlaced = Object.hasOwn(placed, name);
  if (!isPlaced && likeOf(id) === undefined) return fileOf(file, request);
  const tensor = name.replace(/^weights\//, "");
  const body = isPlaced ? placed[name] : { tensors: { [tensor]: { shape: [] } } };
  const question = { what: "own", id: decodeURIComponent(id), body };
  return answeredBy(question, request);
}

/** @param {string} name @param {RequestInit} request */
async function fileOf(name, { signal }) {
  if (name.endsWith(".json")) return Response.json(await files.json(name, signal));
  const headers = { "Content-Type": SAFETENSORS };
  return new Response(await files.load(name, { signal }), { headers });
}

/** @param {number} status @param {string} message @param {string | null} [field] */
function refusal(status, message, field = null) {
  return Response.json({ error: { message, field } }, { status });
}
