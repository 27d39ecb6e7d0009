import assert from "node:assert/strict";
import { test } from "node:test";
import { createActions } from "../../../static/js/core/actions.js";
import { asSeenBy, networkStore } from "../../../static/js/core/rooms.js";
import { choice, transient } from "../../../static/js/core/schema.js";
import {
  focusedClass,
  initialState,
  knownLabel,
  withModel,
} from "../../../static/js/core/state.js";
import { createStore } from "../../../static/js/core/store.js";
import { AUTOMATIC } from "../../../static/js/lib/overrides.js";
import { blank, INTAKE, MODEL, OTHER_MODEL } from "../fixtures.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };
const TRACE = { model: MODEL.id, prediction: 7, tensors: {} };

/** A network of two views; its slice tells where it comes from. */
const NETWORK = {
  views: [{ id: "conv1" }, { id: "routing" }],
  schema: ({ id }) => ({ of: transient(id), look: choice("look", ["near", "far"]) }),
};

/** A real store with actions on it, and what it begins with. */
function begin(patch = {}) {
  const store = createStore({ ...initialState(), ...patch });
  return { store, actions: createActions(store, async () => NETWORK) };
}

test("the digit in focus is the chosen one, else the network's, else none", () => {
  assert.equal(focusedClass({ classIndex: 0, trace: TRACE }), 0);
  assert.equal(focusedClass({ classIndex: null, trace: TRACE }), 7);
  assert.equal(focusedClass({ classIndex: null, trace: null }), null);
});

const TEST = { kind: "dataset", id: "mnist-test", index: 9, label: 0 };
const GARMENT = { ...TEST, id: "fashion-mnist-test", label: 3 };

for (const [source, dataset, label] of [
  [SAMPLE, undefined, 4],
  [SAMPLE, "drawn", 4],
  [SAMPLE, "fashion-mnist", null],
  [TEST, undefined, 0],
  [TEST, "drawn", 0],
  [TEST, "fashion-mnist", null],
  [GARMENT, "fashion-mnist", 3],
  [GARMENT, undefined, null],
  ...["drawing", "upload", "link"].map((kind) => [{ kind }, undefined, null]),
])
  test(`${source.kind} ${source.id} has the label ${label} to a network of ${dataset}`, () =>
    assert.equal(knownLabel(source, { ...MODEL, card: { dataset } }), label));

test("an image keeps the trace of the one before on show until its own comes", () => {
  const { store, actions } = begin({ trace: TRACE, problem: "no ink" });
  const pixels = blank();
  actions.showImage(pixels, SAMPLE, INTAKE);
  const state = store.get();
  assert.equal(state.pixels, pixels);
  assert.equal(state.source, SAMPLE);
  assert.equal(state.intake, INTAKE);
  assert.equal(state.trace, TRACE);
  assert.equal(state.problem, null);
});

test("how a picture was read goes with the next image", () => {
  const { store, actions } = begin({ intake: INTAKE });
  actions.showImage(blank(), SAMPLE);
  assert.equal(store.get().intake, null);
});

test("what was decided stays with its picture, and goes with it", () => {
  const overrides = { ...AUTOMATIC, rotate: 90 };
  const upload = { kind: "upload", name: "four.png" };
  const { store, actions } = begin({ source: upload, overrides });
  actions.showImage(blank(), upload, INTAKE);
  assert.equal(store.get().overrides, overrides);
  actions.showImage(blank(), { ...upload }, INTAKE);
  assert.equal(store.get().overrides, AUTOMATIC);
});

for (const [action, key, value] of [
  ["focusClass", "classIndex", 0],
  ["lookAt", "field", { row: 2, column: 4, size: 17 }],
  ["report", "problem", "no ink"],
]) {
  test(`${action} changes ${key} and nothing else`, () => {
    const { store, actions } = begin();
    const before = store.get();
    actions[action](value);
    assert.deepEqual(store.get(), { ...before, [key]: value });
  });
}

test("a trace of another model than the one on show is not shown", () => {
  const { store, actions } = begin({ model: OTHER_MODEL });
  actions.showImage(blank(), SAMPLE, null, TRACE);
  assert.equal(store.get().trace, null);
});

/** A page that shows a model, and a second network with one view. */
function showing(patch = {}) {
  const other = {
    views: [{ id: "conv1" }],
    schema: () => ({ of: transient("other") }),
  };
  const slices = { [MODEL.id]: { of: MODEL.id, look: "far" } };
  const state = { ...initialState(), model: MODEL, network: NETWORK, slices, ...patch };
  return { state, other };
}

test("image, view and class in focus stay with another network that has them", () => {
  const pixels = blank();
  const { state, other } = showing({
    pixels,
    view: "conv1",
    classIndex: 3,
    trace: TRACE,
  });
  const after = { ...state, ...withModel(state, OTHER_MODEL, other) };
  assert.equal(after.model, OTHER_MODEL);
  assert.equal(after.network, other);
  assert.equal(after.pixels, pixels);
  assert.equal(after.view, "conv1");
  assert.equal(after.classIndex, 3);
  assert.equal(after.trace, null);
  assert.deepEqual(after.slices[OTHER_MODEL.id], { of: "other" });
});

test("a view that the network lacks gives way to the Overview", () => {
  const { state, other } = showing({ view: "routing" });
  assert.equal(withModel(state, OTHER_MODEL, other).view, "overview");
  assert.equal(withModel(state, OTHER_MODEL, NETWORK).view, "routing");
});

test("the class in focus goes where the classes are others", () => {
  const { state, other } = showing({ classIndex: 3 });
  const garments = { ...OTHER_MODEL, class_names: ["T-shirt", "trouser"] };
  assert.equal(withModel(state, garments, other).classIndex, null);
});

test("a model of the same kind may take over from the one before, no other", () => {
  const { state, other } = showing();
  const slices = (network) => withModel(state, OTHER_MODEL, network).slices;
  assert.deepEqual(slices(NETWORK)[OTHER_MODEL.id], {
    of: OTHER_MODEL.id,
    look: "far",
  });
  assert.deepEqual(slices(other)[OTHER_MODEL.id], { of: "other" });
});

test("of two wishes for a network the last one counts, whichever comes first", async () => {
  const waiting = new Map();
  const store = createStore(initialState());
  const load = (model) => new Promise((resolve) => waiting.set(model, resolve));
  const actions = createActions(store, load);
  const wishes = [actions.useModel(MODEL), actions.useModel(OTHER_MODEL)];
  waiting.get(OTHER_MODEL)(NETWORK);
  waiting.get(MODEL)(NETWORK);
  await Promise.all(wishes);
  assert.equal(store.get().model, OTHER_MODEL);
});

test("a network that cannot be had leaves the one on show, and says so", async () => {
  const { state } = showing();
  const store = createStore(state);
  const actions = createActions(store, async () => {
    throw new Error("no such network");
  });
  await actions.useModel(OTHER_MODEL);
  assert.equal(store.get().model, MODEL);
  assert.equal(store.get().problem, "no such network");
});

for (const id of ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"])
  test(`a network may be called ${id}`, () => {
    const { state, other } = showing();
    const named = { ...OTHER_MODEL, id };
    const chosen = { ...state, ...withModel(state, named, other) };
    assert.deepEqual(Object.entries(chosen.slices[id]), [["of", "other"]]);
    assert.deepEqual(asSeenBy(other, chosen).of, "other");
    const store = createStore(chosen);
    networkStore(store, other).set({ of: "mine" });
    assert.equal(asSeenBy(other, store.get()).of, "mine");
    const back = { ...store.get(), ...withModel(store.get(), MODEL, NETWORK) };
    const again = withModel(back, named, other);
    assert.equal(again.slices[id].of, "mine");
    networkStore(store, other).keep({ id: `${id}x` }, { of: "nobody's" });
    assert.ok(!Object.hasOwn(store.get().slices, `${id}x`));
  });
