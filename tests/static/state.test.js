import assert from "node:assert/strict";
import { test } from "node:test";

import { startingPlaces } from "../../static/js/geometry/receptive-field.js";
import { AUTOMATIC } from "../../static/js/lib/overrides.js";
import {
  createActions,
  focusedDigit,
  initialState,
  isCurrent,
  knownLabel,
  sizesOf,
} from "../../static/js/state.js";
import { createStore } from "../../static/js/store.js";
import { INTAKE, MODEL, OTHER_MODEL, SIZES } from "./fixtures.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };
const TRACE = { model: MODEL.id, prediction: 7, tensors: {} };

/** A real store with actions on it, and what it begins with. */
function begin(patch = {}) {
  const store = createStore({ ...initialState(), ...patch });
  return { store, actions: createActions(store) };
}

function edited(dimension, difference, length = 16) {
  return Array.from({ length }, (_, i) => (i === dimension ? difference : 0));
}

test("the digit in focus is the chosen one, else the network's, else none", () => {
  assert.equal(focusedDigit({ digit: 0, trace: TRACE }), 0);
  assert.equal(focusedDigit({ digit: null, trace: TRACE }), 7);
  assert.equal(focusedDigit({ digit: null, trace: null }), null);
});

test("the label is known of samples and of digits of a data set only", () => {
  assert.equal(knownLabel(SAMPLE, MODEL), 4);
  const test = { kind: "dataset", id: "mnist-test", index: 9, label: 0 };
  assert.equal(knownLabel(test, MODEL), 0);
  for (const kind of ["drawing", "upload", "link"]) {
    assert.equal(knownLabel({ kind }, MODEL), null);
  }
});

test("a label of other data is none of the network's classes", () => {
  const garments = { card: { dataset: "fashion-mnist" } };
  const of = (id) => ({ kind: "dataset", id, index: 9, label: 3 });
  assert.equal(knownLabel(SAMPLE, garments), null);
  assert.equal(knownLabel(of("mnist-test"), garments), null);
  assert.equal(knownLabel(of("fashion-mnist-test"), garments), 3);
  assert.equal(knownLabel(of("fashion-mnist-test"), MODEL), null);
});

test("a model's sizes are those of its card", () => {
  assert.equal(sizesOf(MODEL), SIZES);
});

test("an image keeps the trace of the one before on show until its own comes", () => {
  const { store, actions } = begin({ trace: TRACE, problem: "no ink" });
  const pixels = new Uint8Array(784);
  actions.showImage(pixels, SAMPLE, INTAKE);
  const state = store.get();
  assert.equal(state.pixels, pixels);
  assert.equal(state.source, SAMPLE);
  assert.equal(state.intake, INTAKE);
  assert.equal(state.trace, TRACE);
  assert.equal(state.problem, null);
});

test("an empty canvas has no trace and nothing decoded", () => {
  const answers = { trace: TRACE, operated: TRACE, decoded: { data: [] } };
  const { store, actions } = begin(answers);
  actions.showImage(null, { kind: "drawing" });
  assert.equal(store.get().operated, null);
  assert.equal(store.get().trace, null);
  assert.equal(store.get().decoded, null);
});

test("a run is current while it is of this image, network and number of iterations", () => {
  const pixels = new Uint8Array(784);
  const state = { pixels, model: MODEL, iterations: 3 };
  const run = { model: MODEL.id, pixels, iterations: 3 };
  assert.equal(isCurrent(run, state), true);
  assert.equal(isCurrent(null, state), false);
  assert.equal(isCurrent(run, { ...state, pixels: new Uint8Array(784) }), false);
  assert.equal(isCurrent(run, { ...state, model: OTHER_MODEL }), false);
  assert.equal(isCurrent(run, { ...state, iterations: 4 }), false);
});

test("surgery outlives a change of image", () => {
  const { store, actions } = begin();
  const surgery = { silenced: [3], routing: "agreement", pins: [] };
  actions.operate(surgery);
  actions.showImage(new Uint8Array(784), SAMPLE);
  assert.equal(store.get().surgery, surgery);
});

test("edits outlive a change of image", () => {
  const { store, actions } = begin();
  actions.edit(4, 3, 0.25);
  actions.showImage(new Uint8Array(784), SAMPLE);
  assert.deepEqual(store.get().edits, { 4: edited(3, 0.25) });
});

test("how a picture was read goes with the next image", () => {
  const { store, actions } = begin({ intake: INTAKE });
  actions.showImage(new Uint8Array(784), SAMPLE);
  assert.equal(store.get().intake, null);
});

test("what was decided stays with its picture, and goes with it", () => {
  const overrides = { ...AUTOMATIC, rotate: 90 };
  const upload = { kind: "upload", name: "four.png" };
  const { store, actions } = begin({ source: upload, overrides });
  actions.showImage(new Uint8Array(784), upload, INTAKE);
  assert.equal(store.get().overrides, overrides);
  actions.showImage(new Uint8Array(784), { ...upload }, INTAKE);
  assert.equal(store.get().overrides, AUTOMATIC);
});

test("another model begins without what was chosen in the one before", () => {
  const { store, actions } = begin({
    model: MODEL,
    view: "routing",
    iterations: 7,
    step: 4,
    digit: 9,
    map: 12,
    pixel: 399,
    capsule: 1151,
    edits: { 4: [1] },
    surgery: { silenced: [3], routing: "uniform", pins: [] },
    showsOperated: true,
    kernels: {},
    trace: TRACE,
    operated: TRACE,
    decoded: {},
    field: { row: 0, column: 0, size: 9 },
  });
  actions.useModel(OTHER_MODEL);
  assert.deepEqual(store.get(), {
    ...initialState(),
    ...startingPlaces(sizesOf(OTHER_MODEL)),
    model: OTHER_MODEL,
    view: "routing",
    iterations: 2,
    step: 2,
  });
});

test("running other iterations shows the last of them", () => {
  const { store, actions } = begin({ step: 1 });
  actions.runIterations(8);
  assert.equal(store.get().iterations, 8);
  assert.equal(store.get().step, 8);
});

test("opening a view puts the receptive field away", () => {
  const { store, actions } = begin({ field: { row: 0, column: 0, size: 9 } });
  actions.openView("primary");
  assert.equal(store.get().view, "primary");
  assert.equal(store.get().field, null);
});

for (const [action, key, value] of [
  ["showStep", "step", 2],
  ["focusDigit", "digit", 0],
  ["chooseMap", "map", 255],
  ["choosePixel", "pixel", 399],
  ["chooseCapsule", "capsule", 1151],
  ["operate", "surgery", { silenced: [3], routing: "uniform", pins: [] }],
  ["showOperated", "showsOperated", true],
  ["ask", "asked", ["votes"]],
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

test("an edit moves one number of one digit", () => {
  const { store, actions } = begin({ model: { ...MODEL, pose_dim: 4 } });
  actions.edit(4, 3, 0.25);
  actions.edit(7, 0, -0.5);
  actions.edit(4, 1, 0.125);
  assert.deepEqual(store.get().edits, { 4: [0, 0.125, 0, 0.25], 7: [-0.5, 0, 0, 0] });
});

test("edits replace each other, they do not add up", () => {
  const { store, actions } = begin();
  actions.edit(4, 3, 0.25);
  actions.edit(4, 3, 0.125);
  assert.deepEqual(store.get().edits, { 4: edited(3, 0.125) });
});

test("an edit leaves earlier states as they were", () => {
  const { store, actions } = begin();
  actions.edit(4, 3, 0.25);
  const before = store.get().edits;
  actions.edit(4, 3, 0.5);
  assert.deepEqual(before, { 4: edited(3, 0.25) });
});

test("a digit whose last edit is taken back is not edited", () => {
  const { store, actions } = begin();
  actions.edit(4, 3, 0.25);
  actions.edit(4, 5, 0.5);
  actions.edit(4, 3, 0);
  assert.deepEqual(store.get().edits, { 4: edited(5, 0.5) });
  actions.edit(4, 5, 0);
  assert.deepEqual(store.get().edits, {});
});

test("a reset takes back one digit's edits, or all", () => {
  const { store, actions } = begin();
  for (const digit of [0, 4, 7]) actions.edit(digit, 3, 0.25);
  actions.resetEdits(0);
  assert.deepEqual(Object.keys(store.get().edits), ["4", "7"]);
  actions.resetEdits(null);
  assert.deepEqual(store.get().edits, {});
});
