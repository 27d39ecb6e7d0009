import assert from "node:assert/strict";
import { test } from "node:test";

import {
  askedWish,
  keepOnRequest,
} from "../../../../../static/js/networks/capsnet/answers/on-request.js";
import {
  keepOperated,
  operatedOptions,
  operatedWish,
} from "../../../../../static/js/networks/capsnet/answers/surgery.js";
import { NO_SURGERY } from "../../../../../static/js/networks/capsnet/routing/surgery/changes.js";
import { initialSlice } from "../../../../../static/js/networks/capsnet/state.js";
import {
  blank,
  float32Bytes,
  MODEL,
  OTHER_MODEL,
  safetensorsFile,
  settled,
} from "../../../fixtures.js";
import { made } from "../made.js";

const PIXELS = blank();
const SILENT = { ...NO_SURGERY, silenced: [3, 4] };
const COMPARED = ["digits.capsules", "digits.lengths", "reconstruction"];
const ROUTING = [
  "primary.lengths",
  "routing.agreement",
  "routing.capsules",
  "routing.couplings",
  "routing.logits",
];
const LOOKING = { pixels: PIXELS, view: "routing", surgery: SILENT };
const ASKING = {
  ...initialSlice(MODEL),
  digit: null,
  trace: null,
  model: MODEL,
  ...LOOKING,
};
// Their picture is on the screen, so that the votes come with every image.
const SEEING = { ...ASKING, seesVotes: true };
const INTACT = { options: { iterations: 3 } };

function run(names, patch = {}) {
  const tensors = Object.fromEntries(
    names.map((name) => [name, { shape: [0], data: [] }]),
  );
  return {
    model: MODEL.id,
    pixels: PIXELS,
    options: operatedOptions({ iterations: 3, surgery: SILENT }),
    surgery: SILENT,
    prediction: 1,
    tensors,
    ...patch,
  };
}

test("a changed run is asked for what it is compared by", () => {
  const { names, ...wish } = operatedWish(ASKING);
  assert.deepEqual(names.toSorted(), COMPARED);
  assert.deepEqual(wish, {
    surgery: SILENT,
    pixels: PIXELS,
    model: MODEL,
    options: { iterations: 3, silence: [3, 4], routing: "agreement", pin: [] },
  });
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
})) {
  test(`no changed run is asked for while ${what}`, () => {
    assert.equal(operatedWish({ ...ASKING, ...patch }), null);
  });
}

for (const [what, patch] of Object.entries({
  image: { pixels: blank() },
  model: { model: OTHER_MODEL.id },
  "number of iterations": {
    options: operatedOptions({ iterations: 4, surgery: SILENT }),
  },
  surgery: {
    options: operatedOptions({ iterations: 3, surgery: { ...SILENT, silenced: [3] } }),
  },
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
  const { own: store, actions, services } = made({ ...LOOKING, surgery: NO_SURGERY });
  keepOperated(store, services);
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
  const { own: store, actions, services } = made({ ...LOOKING, surgery: NO_SURGERY });
  keepOperated(store, services);
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
  const { own: store, actions, services } = made(LOOKING);
  keepOperated(store, services);
  actions.operate(NO_SURGERY);
  await server.answer();
  assert.equal(store.get().operated, null);
});

test("what a panel asks for is what the run on show lacks", () => {
  const intact = run(["votes"], INTACT);
  const state = { ...SEEING, asked: ["votes", "primary.pre"], trace: intact };
  assert.deepEqual(askedWish(state).names, ["primary.pre"]);
  assert.equal(askedWish(state).run, intact);
  assert.equal(askedWish({ ...state, asked: ["votes"] }), null);
  const operated = run([]);
  const shown = { ...state, operated, showsOperated: true };
  assert.equal(askedWish(shown).run, operated);
  assert.deepEqual(askedWish(shown).names, ["votes", "primary.pre"]);
});

test("the votes for the digit in focus come at rest while their picture is out of sight", () => {
  const intact = run([], INTACT);
  const state = { ...ASKING, trace: intact };
  assert.deepEqual(askedWish(state).names, ["votes.1"]);
  assert.deepEqual(askedWish({ ...state, digit: 7 }).names, ["votes.7"]);
  assert.equal(askedWish({ ...state, seesVotes: true }), null); // with every image
  assert.equal(askedWish({ ...state, trace: run(["votes.1"], INTACT) }), null);
  const operated = run([]);
  const shown = { ...state, trace: run(["votes.1"], INTACT), operated };
  assert.equal(askedWish({ ...shown, showsOperated: true }), null); // they are the same
});

test("nothing is asked for while another layer is open", () => {
  const trace = run([], INTACT);
  const state = { ...SEEING, asked: ["votes"], trace };
  assert.deepEqual(askedWish(state).names, ["votes"]);
  assert.equal(askedWish({ ...state, view: "digits" }), null);
});

test("nothing is asked of a run that is about to be replaced", () => {
  const trace = run([], { ...INTACT, pixels: blank() });
  assert.equal(askedWish({ ...ASKING, asked: ["votes"], trace }), null);
});

test("what was asked for joins its own run, and no other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const server = slowServer(t);
  const trace = run(["routing.capsules"], INTACT);
  const looking = { ...LOOKING, surgery: NO_SURGERY, trace };
  const { own: store, actions, services } = made(looking);
  keepOnRequest(store, services);
  actions.seeVotes(true);
  actions.ask(["votes"]);
  assert.deepEqual(server.bodies(), []); // not before the image is at rest
  t.mock.timers.tick(1000);
  assert.deepEqual(server.bodies()[0].tensors, ["votes"]);
  await server.answer("votes");
  assert.deepEqual(Object.keys(store.get().trace.tensors).sort(), [
    "routing.capsules",
    "votes",
  ]);

  actions.ask(["votes", "primary.pre"]);
  t.mock.timers.tick(1000);
  const next = run([], { ...INTACT, pixels: blank() });
  store.set({ trace: next });
  await server.answer("primary.pre");
  assert.equal(store.get().trace, next);
});
