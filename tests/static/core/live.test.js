import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../../../static/js/core/connection.js";
import {
  createServices,
  keepLive,
  merged,
  traceWish,
} from "../../../static/js/core/live.js";
import { createStore } from "../../../static/js/core/store.js";
import {
  blank,
  MODEL,
  OTHER_MODEL,
  safetensorsFile,
  slowServer,
  tensor,
} from "../fixtures.js";
import { made, stateWith } from "../networks/capsnet/made.js";

const PIXELS = blank();
const ALWAYS = [
  "conv1.glimpse",
  "digits.lengths",
  "primary.lengths",
  "reconstruction",
  "routing.types",
  "scores",
];
const CAPSULES = tensor([2, 3], [0.5, 0, -0.5, 1, 2, 3]);

function traceWith(names, patch = {}) {
  const tensors = Object.fromEntries(names.map((name) => [name, CAPSULES]));
  return {
    model: MODEL.id,
    pixels: PIXELS,
    options: { iterations: 3 },
    prediction: 1,
    tensors,
    ...patch,
  };
}

/** What would be asked in such a state. */
const wishIn = (patch, model) =>
  traceWish(stateWith({ pixels: PIXELS, ...patch }, model));

for (const [view, more] of [
  ["overview", ["conv1.energy", "digits.capsules", "routing.capsules"]],
  ["input", []],
  ["conv1", ["conv1.pre"]],
  ["primary", ["primary.capsules", "primary.pre"]],
  [
    "routing",
    ["agreement", "capsules", "couplings", "logits"].map((n) => `routing.${n}`),
  ],
  ["digits", ["digits.capsules", "routing.capsules"]],
  ["reconstruction", ["digits.capsules"]],
])
  test(`the first answer for ${view} brings the strip's tensors and its own`, () => {
    const { names, ...wish } = wishIn({ view });
    const flows = ["routing.contributions", "routing.given"];
    const own = view === "overview" ? [...more, ...flows] : more;
    assert.deepEqual(names.toSorted(), [...ALWAYS, ...own].sort());
    const options = { iterations: 3 };
    assert.deepEqual(wish, { model: MODEL, pixels: PIXELS, options, isWhole: true });
  });

test("opening a view asks only for what it needs on top", () => {
  const wish = wishIn({ view: "conv1", trace: traceWith(ALWAYS) });
  assert.deepEqual(wish.names, ["conv1.pre"]);
});

for (const [what, patch] of Object.entries({
  image: { pixels: blank() },
  model: { model: OTHER_MODEL.id },
  iterations: { options: { iterations: 4 } },
})) {
  test(`a trace of another ${what} is asked for anew, as a whole`, () => {
    const trace = traceWith([...ALWAYS, "conv1.pre"], patch);
    const wish = wishIn({ view: "conv1", trace });
    const all = [...ALWAYS, "conv1.pre"];
    assert.deepEqual(wish.names.toSorted(), all.sort());
  });

  test(`tensors of another ${what} are not mixed in`, () => {
    const after = traceWith(["conv1.relu"]);
    assert.equal(merged(traceWith(["conv1.pre"], patch), after), after);
  });
}

/** What is done of a job, and what becomes of the page. */
function guard(job) {
  const store = createStore({ problem: null });
  const told = [];
  const { guarded } = createServices(store, (isBusy) => told.push(isBusy));
  return { store, told, run: guarded(job) };
}

test("the page is busy from the first question to the last answer", async () => {
  const finish = [];
  const { told, run } = guard(() => new Promise((resolve) => finish.push(resolve)));
  const done = [run("one"), run("other")];
  assert.deepEqual(told, [true]);
  finish[1]();
  await done[1];
  assert.deepEqual(told, [true]);
  finish[0]();
  await done[0];
  assert.deepEqual(told, [true, false]);
});

test("what a job said of a failure goes once it succeeds, and nobody else's words", async () => {
  let fails = true;
  const { store, run } = guard(async () => {
    if (fails) throw new ApiError("nobody answers");
  });
  await run("wish");
  fails = false;
  await run("wish");
  assert.equal(store.get().problem, null);
  store.set({ problem: "another's words" });
  await run("wish");
  assert.equal(store.get().problem, "another's words");
});

test("a bug is no message for the reader, and ends the waiting too", async () => {
  const { store, told, run } = guard(async () => {
    throw new TypeError("x is not a function");
  });
  await assert.rejects(run("wish"), TypeError);
  assert.deepEqual(store.get(), { problem: null });
  assert.deepEqual(told, [true, false]);
});

/** An answer without tensors. */
const ANSWER = safetensorsFile([], { metadata: { prediction: "4" } });

test("a late trace does not bring back an image that was cleared", async (t) => {
  const server = slowServer(t);
  const { store, actions } = made({ pixels: PIXELS });
  keepLive(store, createServices(store));
  actions.showImage(null, { kind: "drawing" });
  await server.answer(ANSWER);
  assert.equal(store.get().trace, null);
});

test("a network says what its traces are asked with, and what it wants on top", () => {
  const network = {
    views: [{ id: "hidden", needs: ["hidden"], thumbnail: { needs: ["pool1"] } }],
    schema: () => ({}),
    wants: ({ view }) => [`of ${view}`],
  };
  const wish = wishIn({ network, view: "hidden" });
  assert.deepEqual(wish.options, {});
  assert.deepEqual(wish.names, ["scores", "pool1", "hidden", "of hidden"]);
});

test("what is asked for already is not asked for again for another reason", async (t) => {
  const server = slowServer(t);
  const { store, own } = made({ pixels: PIXELS });
  keepLive(store, createServices(store));
  own.set({ kernels: {} });
  own.set({ map: 7 });
  assert.equal(server.asked.length, 1);
  await server.answer(ANSWER);
  assert.equal(server.asked.length, 0);
  own.set({ iterations: 4 });
  assert.equal(server.asked.length, 1);
});

test("a late part of an earlier pass does not take the place of a newer trace", async (t) => {
  const server = slowServer(t);
  const seen = traceWith([...ALWAYS, "digits.capsules"]);
  const { store, actions } = made({ pixels: PIXELS, trace: seen, view: "digits" });
  keepLive(store, createServices(store));
  assert.equal(server.asked.length, 1); // for routing.capsules
  const pixels = blank();
  const newer = traceWith([...ALWAYS, "digits.capsules"], { pixels });
  actions.showImage(pixels, { kind: "drawing" }, null, newer);
  await server.answer(ANSWER);
  assert.equal(store.get().trace, newer);
});
