import assert from "node:assert/strict";
import { test } from "node:test";

import { askedWish, keepAsked } from "../../static/js/asked.js";
import { NO_SURGERY } from "../../static/js/lib/surgery.js";
import { keepOperated, operatedWish } from "../../static/js/operated.js";
import { createActions, initialState } from "../../static/js/state.js";
import { createStore } from "../../static/js/store.js";
import {
  float32Bytes,
  MODEL,
  OTHER_MODEL,
  safetensorsFile,
  settled,
} from "./fixtures.js";

const PIXELS = new Uint8Array(784);
const SILENT = { ...NO_SURGERY, silenced: [3, 4] };
const COMPARED = ["digits.capsules", "digits.lengths", "reconstruction"];
const ROUTING = [
  "primary.lengths",
  "routing.agreement",
  "routing.capsules",
  "routing.couplings",
  "routing.logits",
];
const ASKING = {
  ...initialState(),
  pixels: PIXELS,
  model: MODEL,
  view: "routing",
  surgery: SILENT,
};

function run(names, patch = {}) {
  const tensors = Object.fromEntries(
    names.map((name) => [name, { shape: [0], data: [] }]),
  );
  return {
    model: MODEL.id,
    pixels: PIXELS,
    iterations: 3,
    surgery: SILENT,
    prediction: 1,
    tensors,
    ...patch,
  };
}

test("a changed run is asked for what it is compared by", () => {
  const { names, surgery, pixels, iterations, model } = operatedWish(ASKING);
  assert.deepEqual(names.toSorted(), COMPARED);
  assert.deepEqual(
    { surgery, pixels, iterations, model },
    {
      surgery: SILENT,
      pixels: PIXELS,
      iterations: 3,
      model: MODEL,
    },
  );
});

test("shown in the pictures it is asked for all they need", () => {
  const state = { ...ASKING, showsOperated: true };
  assert.deepEqual(
    operatedWish(state).names.toSorted(),
    [...COMPARED, ...ROUTING].sort(),
  );
  const seen = { ...state, seesVotes: true, digit: 7 };
  assert.ok(operatedWish(seen).names.includes("votes.7"));
});

test("only what is missing is asked for", () => {
  const state = { ...ASKING, showsOperated: true, operated: run([...COMPARED]) };
  assert.deepEqual(operatedWish(state).names.toSorted(), ROUTING);
  assert.equal(operatedWish({ ...state, showsOperated: false }), null);
});

for (const [what, patch] of Object.entries({
  "nothing is changed": { surgery: { ...NO_SURGERY } },
  "another layer is open": { view: "digits" },
  "there is no image": { pixels: null },
  "there is no model": { model: null },
})) {
  test(`no changed run is asked for while ${what}`, () => {
    assert.equal(operatedWish({ ...ASKING, ...patch }), null);
  });
}

for (const [what, patch] of Object.entries({
  image: { pixels: new Uint8Array(784) },
  model: { model: OTHER_MODEL.id },
  "number of iterations": { iterations: 4 },
  surgery: { surgery: { ...SILENT, silenced: [3] } },
})) {
  test(`the run of another ${what} is asked for anew`, () => {
    const operated = run(COMPARED, patch);
    assert.deepEqual(operatedWish({ ...ASKING, operated }).names.toSorted(), COMPARED);
  });
}

/** A server that answers when told to; `bodies` are the requests it has not answered. */
function slowServer(t) {
  const open = [];
  t.mock.method(globalThis, "fetch", (_, { body }) => {
    return new Promise((resolve) => open.push({ body: JSON.parse(body), resolve }));
  });
  return {
    bodies: () => open.map(({ body }) => body),
    async answer(name = "digits.lengths", prediction = "9") {
      const [{ resolve }] = open.splice(0, 1);
      const file = safetensorsFile([[name, "F32", [1], float32Bytes([0.5])]], {
        metadata: { prediction },
      });
      resolve(new Response(file));
      for (let turn = 0; turn < 3; turn++) await settled();
    },
  };
}

test("the changed run comes, says what was changed, and goes when nothing is", async (t) => {
  const server = slowServer(t);
  const store = createStore({ ...ASKING, surgery: NO_SURGERY });
  const actions = createActions(store);
  keepOperated(store);
  assert.deepEqual(server.bodies(), []);
  const pins = [{ capsule: 9, digit: 4, coupling: 1 }];
  const surgery = { silenced: [3], routing: "uniform", pins };
  actions.operate(surgery);
  const [body] = server.bodies();
  assert.deepEqual(body.silence, [3]);
  assert.equal(body.routing, "uniform");
  assert.deepEqual(body.pin, pins);
  assert.equal(body.iterations, 3);
  assert.deepEqual(body.tensors.toSorted(), COMPARED);
  await server.answer();
  assert.equal(store.get().operated.surgery, surgery);
  assert.equal(store.get().operated.prediction, 9);
  assert.equal(store.get().trace, null);
  actions.operate(NO_SURGERY);
  assert.equal(store.get().operated, null);
});

test("of many changes the first and the last are asked for", async (t) => {
  const server = slowServer(t);
  const store = createStore({ ...ASKING, surgery: NO_SURGERY });
  const actions = createActions(store);
  keepOperated(store);
  for (const capsule of [1, 2, 3, 4])
    actions.operate({ ...NO_SURGERY, silenced: [capsule] });
  assert.deepEqual(server.bodies()[0].silence, [1]);
  await server.answer();
  assert.deepEqual(
    server.bodies().map(({ silence }) => silence),
    [[4]],
  );
});

test("a late changed run does not come back after all was undone", async (t) => {
  const server = slowServer(t);
  const store = createStore(ASKING);
  keepOperated(store);
  createActions(store).operate(NO_SURGERY);
  await server.answer();
  assert.equal(store.get().operated, null);
});

test("what a panel asks for is what the run on show lacks", () => {
  const intact = run(["votes"], { surgery: NO_SURGERY });
  const state = { ...ASKING, asked: ["votes", "primary.pre"], trace: intact };
  assert.deepEqual(askedWish(state).names, ["primary.pre"]);
  assert.equal(askedWish(state).run, intact);
  assert.equal(askedWish({ ...state, asked: ["votes"] }), null);
  const operated = run([]);
  const shown = { ...state, operated, showsOperated: true };
  assert.equal(askedWish(shown).run, operated);
  assert.deepEqual(askedWish(shown).names, ["votes", "primary.pre"]);
});

test("nothing is asked for while another layer is open", () => {
  const trace = run([], { surgery: NO_SURGERY });
  const state = { ...ASKING, asked: ["votes"], trace };
  assert.deepEqual(askedWish(state).names, ["votes"]);
  assert.equal(askedWish({ ...state, view: "digits" }), null);
});

test("nothing is asked of a run that is about to be replaced", () => {
  const trace = run([], { pixels: new Uint8Array(784) });
  assert.equal(askedWish({ ...ASKING, asked: ["votes"], trace }), null);
});

test("what was asked for joins its own run, and no other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const server = slowServer(t);
  const trace = run(["routing.capsules"], { surgery: NO_SURGERY });
  const store = createStore({ ...ASKING, surgery: NO_SURGERY, trace });
  keepAsked(store);
  createActions(store).ask(["votes"]);
  assert.deepEqual(server.bodies(), []); // not before the image is at rest
  t.mock.timers.tick(1000);
  assert.deepEqual(server.bodies()[0].tensors, ["votes"]);
  await server.answer("votes");
  assert.deepEqual(Object.keys(store.get().trace.tensors).sort(), [
    "routing.capsules",
    "votes",
  ]);

  createActions(store).ask(["votes", "primary.pre"]);
  t.mock.timers.tick(1000);
  const next = run([], { surgery: NO_SURGERY, pixels: new Uint8Array(784) });
  store.set({ trace: next });
  await server.answer("primary.pre");
  assert.equal(store.get().trace, next);
});
