import assert from "node:assert/strict";
import { test } from "node:test";

import { createIntake } from "../../static/js/intake.js";
import { createActions, initialState } from "../../static/js/state.js";
import { createStore } from "../../static/js/store.js";
import { settled } from "./fixtures.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };
const UNFINISHED = {
  picture: new Blob(["P5"]),
  isFinished: false,
  isWanted: () => true,
};
const FINISHED = { ...UNFINISHED, isFinished: true };

/** The intake of a page that shows a sample, and a server that answers by hand. */
function begin(t) {
  const waiting = [];
  t.mock.method(
    globalThis,
    "fetch",
    () => new Promise((resolve) => waiting.push(resolve)),
  );
  const store = createStore({ ...initialState(), source: SAMPLE });
  const actions = createActions(store);
  return {
    store,
    actions,
    intake: createIntake(store, actions),
    waiting,
    async answer(body, status = 200) {
      waiting.shift()(new Response(JSON.stringify(body), { status }));
      for (let turn = 0; turn < 3; turn++) await settled();
    },
  };
}

const READ = { image: [[1]], steps: [{ name: "grey" }], inverted: false };
const REFUSED = { error: { message: "there is no ink", field: "file" } };

test("a drawing replaces the image on show, with the steps that led to it", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(FINISHED);
  await answer(READ);
  const { pixels, source, intake: steps } = store.get();
  assert.deepEqual(pixels, Uint8Array.of(255));
  assert.deepEqual(source, { kind: "drawing" });
  assert.deepEqual(steps, READ.steps);
});

test("a stroke goes on being read while earlier answers come in", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(UNFINISHED);
  intake.readDrawing(FINISHED);
  await answer(READ);
  await answer({ ...READ, image: [[0.2]] });
  assert.deepEqual(store.get().pixels, Uint8Array.of(51));
});

test("a drawing that is no longer wanted is not shown, and the next not asked for", async (t) => {
  const { store, intake, answer, waiting } = begin(t);
  let isWanted = true;
  intake.readDrawing({ ...UNFINISHED, isWanted: () => isWanted });
  intake.readDrawing({ ...FINISHED, isWanted: () => isWanted });
  isWanted = false;
  await answer(READ);
  assert.equal(store.get().source, SAMPLE);
  assert.equal(waiting.length, 0);
});

test("an upload does not replace an image that was chosen while it was read", async (t) => {
  const { store, actions, intake, answer } = begin(t);
  intake.readUpload(new File(["P5"], "four.pgm"));
  const other = { ...SAMPLE, id: "b7" };
  actions.showImage(Uint8Array.of(7), other);
  await answer(READ);
  assert.equal(store.get().source, other);
  assert.equal(store.get().waiting, 0);
});

test("an empty canvas asks nobody", (t) => {
  const { store, intake, waiting } = begin(t);
  intake.readDrawing({ ...FINISHED, picture: null });
  assert.equal(waiting.length, 0);
  assert.equal(store.get().pixels, null);
  assert.deepEqual(store.get().source, { kind: "drawing" });
});

test("a dot that is no digit yet is a problem only when the pen is up", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(UNFINISHED);
  await answer(REFUSED, 422);
  assert.equal(store.get().problem, null);
  intake.readDrawing(FINISHED);
  await answer(REFUSED, 422);
  assert.equal(store.get().problem, "there is no ink");
});

test("a server's trouble is told at once", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(UNFINISHED);
  await answer({ error: { message: "it broke", field: null } }, 500);
  assert.equal(store.get().problem, "it broke");
});

test("an upload is shown under its name, in the view that tells its steps", async (t) => {
  const { store, actions, intake, answer } = begin(t);
  actions.openView("routing");
  intake.readUpload(new File(["P5"], "four.pgm"));
  assert.equal(store.get().waiting, 1);
  await answer(READ);
  assert.deepEqual(store.get().source, { kind: "upload", name: "four.pgm" });
  assert.equal(store.get().view, "input");
  assert.equal(store.get().waiting, 0);
});

test("an upload that is refused leaves the image and says why", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readUpload(new File(["?"], "four.txt"));
  await answer(REFUSED, 415);
  assert.equal(store.get().source, SAMPLE);
  assert.equal(store.get().problem, "there is no ink");
  assert.equal(store.get().waiting, 0);
});
