import assert from "node:assert/strict";
import { test } from "node:test";

const TOP = "https://host/site/";
const image = (/** @type {number} */ level) => [
  [level, 0],
  [0, level],
];
const DIGITS = "api/datasets/described-a-test/digits";
const MODEL = { id: "a", input_shape: [1, 2, 2], present: { at_most: 1 } };
const TRACE = "api/models/a/samples/described-a-test-1.safetensors";
const TENSORS = { tensors: ["scores"], placed: {} };
const FILES = {
  "api/models.json": { models: [{ ...MODEL, layers: [] }, { id: "b" }] },
  "api/models/b.json": { ...MODEL, id: "b", layers: [] },
  "api/samples.json": { samples: [] },
  [`${DIGITS}.json`]: {
    digits: [0, 1, 2].map((index) => ({
      index,
      label: index % 2,
      image: image((index + 1) / 255),
    })),
  },
  "networks/a.json": {
    ...TENSORS,
    recorded: ["described-a-test-1"],
    lacks: "digamma (in head)",
    images: "described-a-test",
  },
  "networks/b.json": { ...TENSORS, recorded: [] },
  [TRACE]: "recorded",
  "api/runs/f0000000/events.json": ["state", "progress", "rate", "state"].map(
    (event, step) => ({ event, step }),
  ),
};
const bodies = Object.entries(FILES).map(([name, body]) => [
  name,
  JSON.stringify(body).padEnd(20),
]);
const index = { files: Object.fromEntries(bodies.map(([n, b]) => [n, [n, b.length]])) };
const host = new Map([["index.json", JSON.stringify(index)], ...bodies]);

globalThis.document = /** @type {any} */ ({
  baseURI: TOP,
  documentElement: { dataset: { index: "index.json", version: "1" } },
  createElement: () => ({}),
});
globalThis.fetch = async (address) =>
  new Response(host.get(String(address).slice(TOP.length)));
const { answer, hear } = await import("../../../static/js/site/answers.js");

/** @param {string} path @param {object} body */
const answerTo = (path, body) =>
  answer(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { Accept: "application/x-safetensors" },
  });

test("the images that are recorded come by their labels, as many as are asked for", async () => {
  const indexes = async (/** @type {string} */ query) => {
    const { digits, total } = await (await answer(`${DIGITS}?${query}`, {})).json();
    return [total, ...digits.map((/** @type {any} */ digit) => digit.index)];
  };
  assert.deepEqual(await indexes("label=0&limit=1"), [2, 0]);
  assert.deepEqual(await indexes("offset=1&limit=5"), [3, 1, 2]);
});

test("networks are listed briefly, and whole where that is asked for", async () => {
  const listed = async (/** @type {string} */ path) =>
    (await (await answer(path, {})).json()).models;
  assert.deepEqual(
    await listed("api/models?brief=true"),
    FILES["api/models.json"].models,
  );
  assert.deepEqual((await listed("api/models"))[1], FILES["api/models/b.json"]);
});

test("a network that cannot run here answers what was recorded, and says why no more", async () => {
  const trace = { image: image(2 / 255), tensors: ["scores"] };
  const recorded = await answerTo("api/models/a/trace", trace);
  assert.match(await recorded.text(), /recorded/);
  for (const [path, body] of Object.entries({
    "api/models/a/trace": { ...trace, image: image(3 / 255) },
    "api/models/a/sweep": trace,
    "api/traces": { image: trace.image, tensors: { b: ["scores"], a: ["scores"] } },
  })) {
    const refused = await answerTo(path, body);
    assert.equal(refused.status, 404, path);
    assert.match((await refused.json()).error.message, /operator digamma \(in head\)/);
  }
});

test("a recorded run tells its events in their order, with their numbers, once each", async () => {
  /** @type {[number, number][]} */
  const events = [];
  const stop = await new Promise((resolve) => {
    const stop = hear(
      "api/runs/f0000000/events?after=1",
      ["state", "progress"],
      ({ step }, number) => {
        events.push([step, number]);
        if (number === 4) resolve(stop);
      },
    );
  });
  assert.deepEqual(events, [
    [1, 2],
    [3, 4],
  ]);
  stop();
});
