import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../../../../static/js/core/schema.js";
import {
  askedWish,
  keepOnRequest,
  OPERABLE,
  strongestCapsule,
} from "../../../../../static/js/kinds/routing/dynamic/answers.js";
import { NO_SURGERY } from "../../../../../static/js/kinds/routing/surgery/changes.js";
import {
  keepOperated,
  operatedOptions,
  operatedWish as wishOf,
} from "../../../../../static/js/kinds/routing/surgery/operated.js";
import {
  blank,
  float32Bytes,
  MODEL,
  OTHER_MODEL,
  safetensorsFile,
  slowServer,
  tensor,
} from "../../../fixtures.js";
import { LAYER, made, network } from "./made.js";

const operatedWish = (state, layer) => wishOf(state, layer, OPERABLE);

const PIXELS = blank();
const SILENT = { ...NO_SURGERY, silenced: [3, 4] };
const COMPARED = ["digits.lengths", "reconstruction"];
const ROUTING = [
  "primary.lengths",
  "routing.agreement",
  "routing.capsules",
  "routing.couplings",
  "routing.logits",
];
const LOOKING = { pixels: PIXELS, view: "routing", surgery: SILENT };
const ASKING = {
  ...startOf(network.schema(MODEL)),
  classIndex: null,
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
    options: operatedOptions({ model: MODEL, iterations: 3, surgery: SILENT }),
    surgery: SILENT,
    prediction: 1,
    tensors,
    ...patch,
  };
}

test("a changed run is asked for what it is compared by", () => {
  const { names, ...wish } = operatedWish(ASKING, LAYER);
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
    operatedWish(state, LAYER).names.toSorted(),
    [...COMPARED, ...ROUTING].sort(),
  );
  const seen = { ...state, seesVotes: true, classIndex: 7 };
  assert.ok(operatedWish(seen, LAYER).names.includes("votes.7"));
});

test("only what is missing is asked for", () => {
  const state = { ...ASKING, showsOperated: true, operated: run([...COMPARED]) };
  assert.deepEqual(operatedWish(state, LAYER).names.toSorted(), ROUTING);
  assert.equal(operatedWish({ ...state, showsOperated: false }, LAYER), null);
});

for (const [what, patch] of Object.entries({
  "nothing is changed": { surgery: { ...NO_SURGERY } },
  "another layer is open": { view: "digits" },
  "there is no image": { pixels: null },
})) {
  test(`no changed run is asked for while ${what}`, () => {
    assert.equal(operatedWish({ ...ASKING, ...patch }, LAYER), null);
  });
}

test("the run of another image, model, number of iterations or surgery is asked for anew", () => {
  const asked = { model: MODEL, iterations: 3, surgery: SILENT };
  for (const patch of [
    { pixels: blank() },
    { model: OTHER_MODEL.id },
    { options: operatedOptions({ ...asked, iterations: 4 }) },
    { options: operatedOptions({ ...asked, surgery: { ...SILENT, silenced: [3] } }) },
  ]) {
    const { names } = operatedWish(
      { ...ASKING, operated: run(COMPARED, patch) },
      LAYER,
    );
    assert.deepEqual(names.toSorted(), COMPARED);
  }
});

/** The server by hand; `bodies` are the requests it has not answered. */
function byHand(t) {
  const { asked, answer } = slowServer(t);
  return {
    bodies: () => asked.map(({ body }) => JSON.parse(body)),
    answer: (name = "digits.lengths", metadata = { prediction: "9" }) =>
      answer(safetensorsFile([[name, "F32", [1], float32Bytes([0.5])]], { metadata })),
  };
}

test("the changed run comes, says what was changed, and goes when nothing is", async (t) => {
  const server = byHand(t);
  const { own: store, services } = made({ ...LOOKING, surgery: NO_SURGERY });
  keepOperated(store, services, LAYER, OPERABLE);
  assert.deepEqual(server.bodies(), []);
  const pins = [{ capsule: 9, classIndex: 4, coupling: 1 }];
  const surgery = { silenced: [3], routing: "uniform", pins };
  store.set({ surgery });
  const [body] = server.bodies();
  assert.deepEqual(body.silence, [3]);
  assert.equal(body.routing, "uniform");
  assert.deepEqual(body.pin, [{ capsule: 9, digit: 4, coupling: 1 }]);
  assert.equal(body.iterations, 3);
  assert.deepEqual(body.tensors.toSorted(), COMPARED);
  await server.answer();
  assert.equal(store.get().operated.surgery, surgery);
  assert.equal(store.get().operated.prediction, 9);
  assert.equal(store.get().trace, null);
  store.set({ surgery: NO_SURGERY });
  assert.equal(store.get().operated, null);
});

test("a late changed run does not come back after all was undone", async (t) => {
  const server = byHand(t);
  const { own: store, services } = made(LOOKING);
  keepOperated(store, services, LAYER, OPERABLE);
  store.set({ surgery: NO_SURGERY });
  await server.answer();
  assert.equal(store.get().operated, null);
});

test("what a panel asks for is what the run on show lacks", () => {
  const intact = run(["votes"], INTACT);
  const state = {
    ...SEEING,
    asked: { microscope: ["votes", "primary.pre"] },
    trace: intact,
  };
  assert.deepEqual(askedWish(state, LAYER).names, ["primary.pre"]);
  assert.equal(askedWish(state, LAYER).run, intact);
  assert.equal(askedWish({ ...state, asked: { microscope: ["votes"] } }, LAYER), null);
  const operated = run([]);
  const shown = { ...state, operated, showsOperated: true };
  assert.equal(askedWish(shown, LAYER).run, operated);
  assert.deepEqual(askedWish(shown, LAYER).names, ["primary.pre"]); // votes are the same
});

test("the votes for the digit in focus come at rest while their picture is out of sight", () => {
  const intact = run([], INTACT);
  const state = { ...ASKING, trace: intact };
  assert.deepEqual(askedWish(state, LAYER).names, ["votes.1"]);
  assert.deepEqual(askedWish({ ...state, classIndex: 7 }, LAYER).names, ["votes.7"]);
  assert.equal(askedWish({ ...state, seesVotes: true }, LAYER), null); // with every image
  assert.equal(askedWish({ ...state, trace: run(["votes.1"], INTACT) }, LAYER), null);
  const operated = run([]);
  const shown = { ...state, trace: run(["votes.1"], INTACT), operated };
  assert.equal(askedWish({ ...shown, showsOperated: true }, LAYER), null); // they are the same
});

test("nothing is asked of a run that is about to be replaced", () => {
  const trace = run([], { ...INTACT, pixels: blank() });
  assert.equal(
    askedWish({ ...ASKING, asked: { microscope: ["votes"] }, trace }, LAYER),
    null,
  );
});

test("what was asked for joins its own run, and no other", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const server = byHand(t);
  const trace = run(["routing.capsules"], INTACT);
  const looking = { ...LOOKING, surgery: NO_SURGERY, trace };
  const { own: store, services } = made(looking);
  keepOnRequest(store, services, LAYER);
  store.set({ seesVotes: true });
  store.set({ asked: { microscope: ["votes"] } });
  assert.deepEqual(server.bodies(), []); // not before the image is at rest
  t.mock.timers.tick(1000);
  assert.deepEqual(server.bodies()[0].tensors, ["votes"]);
  await server.answer("votes");
  assert.deepEqual(Object.keys(store.get().trace.tensors).sort(), [
    "routing.capsules",
    "votes",
  ]);

  store.set({ asked: { microscope: ["votes", "primary.pre"] } });
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
const FEEDING = ["conv1.relu", "primary.pre"];

/** Routing at rest, with votes that have come. */
function looking(patch = {}, tensors = ["votes.4"]) {
  const here = Object.fromEntries(tensors.map((name) => [name, {}]));
  return {
    model: MODEL,
    view: "routing",
    pixels: PIXELS,
    iterations: 3,
    surgery: NO_SURGERY,
    showsOperated: false,
    trace: { ...AT_REST, tensors: here },
    operated: null,
    classIndex: 4,
    asked: {},
    seesVotes: false,
    seesTree: false,
    ...patch,
  };
}

test("what feeds a capsule is asked for while the parse trees are seen", () => {
  assert.equal(askedWish(looking(), LAYER), null);
  assert.deepEqual(askedWish(looking({ seesTree: true }), LAYER).names, FEEDING);
  const here = looking({ seesTree: true }, ["votes.4", ...FEEDING]);
  assert.equal(askedWish(here, LAYER), null);
  assert.equal(askedWish(looking({ seesTree: true, view: "digits" }), LAYER), null);
});

test("under surgery it is not asked for again", () => {
  const surgery = { ...NO_SURGERY, silenced: [3] };
  const options = operatedOptions({ model: MODEL, iterations: 3, surgery });
  const operated = { ...AT_REST, options, tensors: {}, surgery };
  const patch = { seesTree: true, showsOperated: true, surgery, operated };
  assert.equal(askedWish(looking(patch, ["votes.4", ...FEEDING]), LAYER), null);
  assert.deepEqual(askedWish(looking(patch), LAYER).names, FEEDING);
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

test("without a routed image there is none", () => {
  const asked = { model: MODEL, classIndex: 0 };
  assert.equal(strongestCapsule({ ...asked, trace: null }), null);
  const trace = { ...TRACE, tensors: {} };
  assert.equal(strongestCapsule({ ...asked, trace }), null);
});

test("the focus follows it until a capsule is chosen", () => {
  const { store, own, actions, services } = made();
  network.start(own, services);
  assert.equal(own.get().capsule, 21);
  store.set({ trace: TRACE });
  assert.equal(own.get().capsule, 1);
  actions.focusClass(1);
  assert.equal(own.get().capsule, 0);
  own.set({ capsule: 7, followsStrongest: false });
  actions.focusClass(0);
  assert.equal(own.get().capsule, 7);
});

test("without a decoder a changed run is compared by its scores alone", () => {
  const { decoded, ...tensors } = LAYER.tensors;
  assert.ok(decoded);
  const layer = { ...LAYER, tensors };
  assert.deepEqual(operatedWish(ASKING, layer).names, [tensors.scores]);
  const operated = run([tensors.scores]);
  assert.equal(operatedWish({ ...ASKING, operated }, layer), null);
});
