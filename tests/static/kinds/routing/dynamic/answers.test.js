import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../../../../static/js/core/schema.js";
import {
  askedWish,
  keepOnRequest,
} from "../../../../../static/js/kinds/routing/dynamic/answers.js";
import { NO_SURGERY } from "../../../../../static/js/kinds/routing/surgery/changes.js";
import {
  ranIn,
  stagedOptions,
} from "../../../../../static/js/kinds/routing/surgery/run.js";
import {
  blank,
  float32Bytes,
  MODEL,
  safetensorsFile,
  slowServer,
  tensor,
} from "../../../fixtures.js";
import { LAYER, made, network } from "./network-made.js";

const PIXELS = blank();
const SILENT = { ...NO_SURGERY, silenced: [3, 4] };
const LOOKING = { pixels: PIXELS, view: "routing", surgery: SILENT };
const ASKING = {
  ...startOf(network.schema(MODEL)),
  classIndex: null,
  trace: null,
  model: MODEL,
  ...LOOKING,
};
const INTACT = { options: { iterations: 3 } };

function run(names, patch = {}) {
  const tensors = Object.fromEntries(
    names.map((name) => [name, { shape: [0], data: [] }]),
  );
  return {
    model: MODEL.id,
    pixels: PIXELS,
    options: stagedOptions({ model: MODEL, iterations: 3, surgery: SILENT }),
    surgery: SILENT,
    prediction: 1,
    tensors,
    ...patch,
  };
}

test("a run is asked with what is changed in it, under the names of the API", () => {
  const pins = [{ capsule: 9, classIndex: 4, coupling: 1 }];
  const surgery = { silenced: [3], routing: "uniform", pins };
  const options = stagedOptions({ model: MODEL, iterations: 3, surgery });
  assert.deepEqual(options, {
    iterations: 3,
    silence: [3],
    routing: "uniform",
    pin: [{ capsule: 9, digit: 4, coupling: 1 }],
  });
  // As passes are told apart.
  assert.equal(
    stagedOptions({ model: MODEL, iterations: 3, surgery }).pin,
    options.pin,
  );
  assert.deepEqual(ranIn({ options }), surgery);
  const usual = stagedOptions({ model: MODEL, iterations: 3, surgery: NO_SURGERY });
  assert.deepEqual(usual, { iterations: 3 });
  assert.deepEqual(ranIn({ options: usual }), NO_SURGERY);
});

/** The server by hand; `bodies` are the requests it has not answered. */
function byHand(t) {
  const { asked: requests, answer } = slowServer(t);
  return {
    bodies: () => requests.map(({ body }) => JSON.parse(body)),
    answer: (name = "digits.lengths", metadata = { prediction: "9" }) =>
      answer(safetensorsFile([[name, "F32", [1], float32Bytes([0.5])]], { metadata })),
  };
}

test("what a panel asks for is what the run on show lacks", () => {
  const intact = run(["votes"], INTACT);
  const state = {
    ...ASKING,
    surgery: NO_SURGERY,
    intact: null,
    requests: { microscope: ["votes", "primary.pre"] },
    trace: intact,
  };
  assert.deepEqual(askedWish(state, LAYER).names, ["primary.pre"]);
  assert.equal(askedWish(state, LAYER).run, intact);
  assert.equal(
    askedWish({ ...state, requests: { microscope: ["votes"] } }, LAYER),
    null,
  );
  const changed = run([]);
  const operated = { ...state, surgery: SILENT, trace: changed, intact };
  assert.equal(askedWish(operated, LAYER).run, changed);
  assert.deepEqual(askedWish(operated, LAYER).names, ["primary.pre"]); // votes are the same
});

test("what was asked for joins its own run, and no other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const server = byHand(t);
  const trace = run(["routing.capsules"], INTACT);
  const looking = { ...LOOKING, surgery: NO_SURGERY, trace };
  const { own: store, services } = made(looking);
  keepOnRequest(store, services, LAYER);
  store.set({ requests: { microscope: ["votes"] } });
  assert.deepEqual(server.bodies(), []); // not before the image is at rest
  t.mock.timers.tick(1000);
  assert.deepEqual(server.bodies()[0].tensors, ["votes"]);
  await server.answer("votes");
  assert.deepEqual(Object.keys(store.get().trace.tensors).sort(), [
    "routing.capsules",
    "votes",
  ]);

  store.set({ requests: { microscope: ["votes", "primary.pre"] } });
  t.mock.timers.tick(1000);
  const next = run([], { ...INTACT, pixels: blank() });
  store.set({ trace: next });
  await server.answer("primary.pre");
  assert.equal(store.get().trace, next);
});

const AT_REST = {
  model: MODEL.id,
  pixels: PIXELS,
  options: { iterations: 3 },
  prediction: 4,
};

/** Routing at rest, with votes that have come. */
function looking(patch = {}, tensors = ["votes.4"]) {
  const here = Object.fromEntries(tensors.map((name) => [name, {}]));
  return {
    model: MODEL,
    view: "routing",
    pixels: PIXELS,
    iterations: 3,
    surgery: NO_SURGERY,
    trace: { ...AT_REST, tensors: here },
    intact: null,
    classIndex: 4,
    requests: { microscope: ["primary.pre"] },
    ...patch,
  };
}

test("under surgery it is not asked for again", () => {
  const surgery = { ...NO_SURGERY, silenced: [3] };
  const options = stagedOptions({ model: MODEL, iterations: 3, surgery });
  const trace = { ...AT_REST, options, tensors: {} };
  const intact = { ...AT_REST, tensors: { "primary.pre": {} } };
  const state = looking({ surgery, trace, intact });
  assert.equal(askedWish(state, LAYER), null);
  const bare = { ...intact, tensors: {} };
  assert.deepEqual(askedWish({ ...state, intact: bare }, LAYER).names, ["primary.pre"]);
});

/**
 * Two iterations, three capsules below, two digits with one number each. In the last
 * iteration the products c·(û·v) are, to digit 0: 0.1, 0.4, 0.3; to digit 1: 0.2, -0.9, 0.1.
 */
const TRACE = {
  model: MODEL.id,
  prediction: 0,
  tensors: {
    "routing.couplings": tensor(
      [2, 3, 1, 1, 2],
      [1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    ),
    "routing.agreement": tensor(
      [2, 3, 1, 1, 2],
      [9, 9, 0, 0, 0, 0, 0.2, 0.4, 0.8, -1.8, 0.6, 0.2],
    ),
    "routing.capsules": tensor([2, 2, 1], [0.5, 0.5, 0.5, 0.5]),
  },
};

test("the focus follows it until a capsule is chosen", () => {
  const { store, own: ownStore, actions, services } = made();
  network.start(ownStore, services);
  assert.equal(ownStore.get().capsule, 21);
  store.set({ trace: TRACE });
  assert.equal(ownStore.get().capsule, 1);
  actions.focusClass(1);
  assert.equal(ownStore.get().capsule, 0);
  ownStore.set({ capsule: 7, followsStrongest: false });
  actions.focusClass(0);
  assert.equal(ownStore.get().capsule, 7);
});
