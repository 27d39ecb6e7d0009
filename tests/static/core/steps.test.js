import assert from "node:assert/strict";
import { test } from "node:test";
import { transient, whole } from "../../../static/js/core/schema.js";
import { createSteps } from "../../../static/js/core/steps.js";
import { NO_SURGERY } from "../../../static/js/kinds/routing/surgery/changes.js";
import { MODEL, OTHER_MODEL } from "../fixtures.js";
import { made } from "../kinds/routing/dynamic/network-made.js";

const silent = (...silenced) => ({ ...NO_SURGERY, silenced });

/** A page whose clock stands, and where a slider is moved or not. */
function page({ slides = false } = {}) {
  const { store, own } = made();
  const clock = { at: 0 };
  const steps = createSteps(store, { now: () => clock.at, isSliding: () => slides });
  return { store, own, steps, clock };
}

test("what was done is taken back in turn, whatever it was, and done again", () => {
  const { own, steps } = page();
  const strokes = ["first"];
  own.set({ surgery: silent(3) });
  strokes.push("second");
  steps.add({
    name: "stroke",
    back: () => strokes.pop(),
    forward: () => strokes.push("second"),
  });
  own.set({ surgery: silent(3, 5) });
  assert.equal(steps.earlier(), "1 capsule silent");
  assert.equal(steps.later(), undefined);
  assert.equal(steps.undo(), true);
  assert.deepEqual(own.get().surgery, silent(3));
  assert.equal(steps.earlier(), "stroke");
  steps.undo();
  assert.deepEqual(strokes, ["first"]);
  steps.undo();
  assert.deepEqual(own.get().surgery, NO_SURGERY);
  assert.equal(steps.undo(), false);
  for (let step = 0; step < 3; step++) assert.equal(steps.redo(), true);
  assert.deepEqual(own.get().surgery, silent(3, 5));
  assert.deepEqual(strokes, ["first", "second"]);
  assert.equal(steps.redo(), false);
});

test("what is done anew cannot be followed by what was taken back", () => {
  const { own, steps } = page();
  own.set({ surgery: silent(3) });
  steps.undo();
  own.set({ surgery: silent(9) });
  assert.equal(steps.later(), undefined);
  assert.equal(steps.redo(), false);
});

test("fields that name no step of theirs are none", () => {
  const { own, steps } = page();
  own.set({ step: 1, capsule: 7, followsStrongest: false });
  assert.equal(steps.earlier(), undefined);
});

test("a slider is one step until it rests; clicks are one each", () => {
  for (const slides of [true, false]) {
    const { own, steps, clock } = page({ slides });
    for (let capsule = 0; capsule < 5; capsule++) {
      clock.at += 100;
      own.set({ surgery: silent(capsule) });
    }
    clock.at += 1000;
    own.set({ surgery: silent(100) });
    steps.undo();
    assert.deepEqual(own.get().surgery, silent(4));
    steps.undo();
    assert.deepEqual(own.get().surgery, slides ? NO_SURGERY : silent(3));
  }
});

test("another network's steps wait until it is on show again", () => {
  const { store, own, steps } = page();
  own.set({ surgery: silent(3) });
  const { slices } = store.get();
  store.set({
    model: OTHER_MODEL,
    slices: {
      ...slices,
      [OTHER_MODEL.id]: { ...slices[MODEL.id], surgery: NO_SURGERY },
    },
  });
  assert.equal(steps.earlier(), undefined);
  assert.equal(steps.undo(), false);
  store.set({ model: MODEL });
  assert.equal(steps.undo(), true);
  assert.deepEqual(own.get().surgery, NO_SURGERY);
});

test("knobs of an experiment are steps while it is open", () => {
  const { store, steps } = page();
  const { experiments, lab } = store.get();
  const experiment = {
    id: "turning",
    title: "Turning",
    schema: { angle: whole({ link: "angle", most: 90 }), found: transient(null) },
  };
  store.set({ experiments: [...experiments, experiment], mode: "lab" });
  const set = (slice) =>
    store.set({ lab: { ...lab, experiment: "turning", slices: { turning: slice } } });
  set({ angle: 0, found: 7 });
  assert.equal(steps.earlier(), undefined);
  set({ angle: 30, found: 8 });
  assert.equal(steps.earlier(), "change in Turning");
  store.set({ mode: "explore" });
  assert.equal(steps.earlier(), undefined);
  store.set({ mode: "lab" });
  steps.undo();
  assert.equal(store.get().lab.slices.turning.angle, 0);
  steps.redo();
  assert.equal(store.get().lab.slices.turning.angle, 30);
});

test("what was done before the page began cannot be taken back", () => {
  const { own, steps } = page();
  own.set({ surgery: silent(3) });
  steps.forget();
  assert.equal(steps.undo(), false);
  assert.deepEqual(own.get().surgery, silent(3));
});
