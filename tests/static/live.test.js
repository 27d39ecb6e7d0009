import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../../static/js/api.js";
import {
  decodeWish,
  guarded,
  keepLive,
  merged,
  traceWish,
} from "../../static/js/live.js";
import { createActions, initialState } from "../../static/js/state.js";
import { createStore } from "../../static/js/store.js";
import {
  float32Bytes,
  MODEL,
  OTHER_MODEL,
  safetensorsFile,
  settled,
  tensor,
} from "./fixtures.js";

const PIXELS = new Uint8Array(784);
const ALWAYS = [
  "conv1.glimpse",
  "digits.capsules",
  "digits.lengths",
  "primary.lengths",
  "reconstruction",
  "routing.types",
];
const CAPSULES = tensor([2, 3], [0.5, 0, -0.5, 1, 2, 3]);

function traceWith(names, patch = {}) {
  const tensors = Object.fromEntries(names.map((name) => [name, CAPSULES]));
  return {
    model: MODEL.id,
    pixels: PIXELS,
    iterations: 3,
    prediction: 1,
    tensors,
    ...patch,
  };
}

const ASKING = {
  pixels: PIXELS,
  model: MODEL,
  iterations: 3,
  view: "input",
  trace: null,
};

for (const [view, more] of Object.entries({
  input: [],
  conv1: ["conv1.pre"],
  primary: ["conv1.relu", "primary.capsules", "primary.pre"],
  routing: [
    "routing.agreement",
    "routing.capsules",
    "routing.couplings",
    "routing.logits",
  ],
  digits: ["routing.capsules"],
  reconstruction: [],
})) {
  test(`the first answer for ${view} brings the strip's tensors and its own`, () => {
    const wish = traceWish({ ...ASKING, view });
    assert.deepEqual(wish.names.toSorted(), [...ALWAYS, ...more].sort());
    assert.deepEqual(
      { ...wish, names: [] },
      { model: MODEL, pixels: PIXELS, iterations: 3, names: [] },
    );
  });
}

test("the votes for the digit in focus come while their picture is seen", () => {
  const trace = traceWith([
    ...ALWAYS,
    "primary.capsules",
    "routing.agreement",
    "routing.capsules",
    "routing.couplings",
    "routing.logits",
  ]);
  const looking = { ...ASKING, view: "routing", trace, seesVotes: true };
  assert.deepEqual(traceWish(looking).names, ["votes.1"]); // the prediction
  assert.deepEqual(traceWish({ ...looking, digit: 7 }).names, ["votes.7"]);
  const tensors = { ...trace.tensors, "votes.7": CAPSULES };
  const seen = { ...looking, trace: { ...trace, tensors } };
  assert.equal(traceWish({ ...seen, digit: 7 }), null);
  assert.equal(traceWish({ ...looking, seesVotes: false }), null);
});

test("no votes are asked for in another view", () => {
  const looking = { ...ASKING, trace: traceWith(ALWAYS), seesVotes: true };
  assert.equal(traceWish(looking), null);
});

test("nothing is asked while there is no image or no model", () => {
  assert.equal(traceWish({ ...ASKING, pixels: null }), null);
  assert.equal(traceWish({ ...ASKING, model: null }), null);
});

test("nothing is asked when all is there", () => {
  assert.equal(traceWish({ ...ASKING, trace: traceWith(ALWAYS) }), null);
});

test("opening a view asks only for what it needs on top", () => {
  const wish = traceWish({ ...ASKING, view: "conv1", trace: traceWith(ALWAYS) });
  assert.deepEqual(wish.names, ["conv1.pre"]);
});

for (const [what, patch] of Object.entries({
  image: { pixels: new Uint8Array(784) },
  model: { model: OTHER_MODEL.id },
  iterations: { iterations: 4 },
})) {
  test(`a trace of another ${what} is asked for anew, as a whole`, () => {
    const trace = traceWith([...ALWAYS, "conv1.pre"], patch);
    const wish = traceWish({ ...ASKING, view: "conv1", trace });
    const all = [...ALWAYS, "conv1.pre"];
    assert.deepEqual(wish.names.toSorted(), all.sort());
  });

  test(`tensors of another ${what} are not mixed in`, () => {
    const after = traceWith(["conv1.relu"]);
    assert.equal(merged(traceWith(["conv1.pre"], patch), after), after);
  });
}

test("answers for the same pass add up", () => {
  const both = merged(traceWith(["conv1.relu"]), traceWith(["conv1.pre"]));
  assert.deepEqual(Object.keys(both.tensors).sort(), ["conv1.pre", "conv1.relu"]);
});

test("the first answer stands alone", () => {
  const answer = traceWith(["conv1.relu"]);
  assert.equal(merged(null, answer), answer);
});

const DECODING = {
  model: MODEL,
  trace: traceWith(["digits.capsules"]),
  digit: null,
  edits: {},
  view: "reconstruction",
};

test("the capsule that the trace decoded itself is not decoded again", () => {
  assert.equal(decodeWish(DECODING), null);
  assert.equal(decodeWish({ ...DECODING, digit: 1 }), null);
});

test("another digit's capsule is decoded as the network found it", () => {
  assert.deepEqual(decodeWish({ ...DECODING, digit: 0 }), {
    model: MODEL,
    digit: 0,
    pose: [0.5, 0, -0.5],
  });
});

test("an edited capsule is decoded with its edits added, and no other's", () => {
  const edits = { 0: [9, 9, 9], 1: [0, 0.25, -1] };
  assert.deepEqual(decodeWish({ ...DECODING, edits }), {
    model: MODEL,
    digit: 1,
    pose: [1, 2.25, 2],
  });
});

for (const [what, patch] of Object.entries({
  "another view is open": { view: "digits" },
  "there is no trace": { trace: null },
  "there is no model": { model: null },
  "the trace is another model's": { model: OTHER_MODEL },
})) {
  test(`nothing is decoded while ${what}`, () => {
    assert.equal(decodeWish({ ...DECODING, digit: 0, ...patch }), null);
  });
}

test("waiting counts what is under way", async () => {
  const store = createStore({ waiting: 0, problem: null });
  let finish;
  const job = guarded(store, () => new Promise((resolve) => (finish = resolve)));
  const done = job("wish");
  assert.equal(store.get().waiting, 1);
  finish();
  await done;
  assert.equal(store.get().waiting, 0);
});

test("a failed answer becomes words on the page", async () => {
  const store = createStore({ waiting: 0, problem: null });
  await guarded(store, async () => {
    throw new ApiError("no such model");
  })("wish");
  assert.deepEqual(store.get(), { waiting: 0, problem: "no such model" });
});

test("a bug is no message for the reader, and ends the waiting too", async () => {
  const store = createStore({ waiting: 0, problem: null });
  const job = guarded(store, async () => {
    throw new TypeError("x is not a function");
  });
  await assert.rejects(job("wish"), TypeError);
  assert.deepEqual(store.get(), { waiting: 0, problem: null });
});

/** A server that answers by hand. `asked` holds what it has not answered yet. */
function slowServer(t) {
  const asked = [];
  t.mock.method(
    globalThis,
    "fetch",
    (path) => new Promise((resolve) => asked.push({ path, resolve })),
  );
  return {
    asked,
    async answer(path, file) {
      const place = asked.findIndex((each) => each.path === path);
      assert.ok(place >= 0, `${path} is not among ${asked.map((each) => each.path)}`);
      const [{ resolve }] = asked.splice(place, 1);
      resolve(new Response(file));
      for (let turn = 0; turn < 3; turn++) await settled();
    },
  };
}

test("late kernels of another model are not shown", async (t) => {
  const server = slowServer(t);
  const store = createStore({ ...initialState(), model: MODEL });
  keepLive(store);
  createActions(store).useModel(OTHER_MODEL);
  const file = safetensorsFile([["conv1.kernels", "F32", [1], float32Bytes([1])]]);
  await server.answer("/api/models/capsnet/kernels?version=1", file);
  assert.equal(store.get().kernels, null);
  await server.answer("/api/models/my%20net%20%232/kernels?version=1", file);
  assert.equal(store.get().kernels.model, OTHER_MODEL.id);
});

test("a late trace does not bring back an image that was cleared", async (t) => {
  const server = slowServer(t);
  const store = createStore({ ...initialState(), model: MODEL, pixels: PIXELS });
  keepLive(store);
  createActions(store).showImage(null, { kind: "drawing" });
  await server.answer(
    "/api/models/capsnet/trace",
    safetensorsFile([], { metadata: { prediction: "4" } }),
  );
  assert.equal(store.get().trace, null);
});
