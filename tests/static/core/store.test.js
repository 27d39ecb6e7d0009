import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore, selector } from "../../../static/js/core/store.js";

/** Watch and keep what was rendered. */
function record(store, keys) {
  const seen = [];
  const stop = store.watch(keys, (state) => seen.push(keys.map((key) => state[key])));
  return { seen, stop };
}

test("watch ignores keys it did not ask for", () => {
  const store = createStore({ classIndex: 3, step: 0 });
  const { seen } = record(store, ["classIndex"]);
  store.set({ step: 1 });
  store.set({ classIndex: 5 });
  assert.deepEqual(seen, [[3], [5]]);
});

test("two keys changed at once are one rendering", () => {
  const store = createStore({ classIndex: 3, step: 1 });
  const { seen } = record(store, ["classIndex", "step"]);
  store.set({ classIndex: 4, step: 2 });
  assert.deepEqual(seen, [
    [3, 1],
    [4, 2],
  ]);
});

test("a watcher that stops itself does not keep the others from being told", () => {
  const store = createStore({ classIndex: 3 });
  const stop = store.watch(["classIndex"], ({ classIndex }) => {
    if (classIndex === 4) stop();
  });
  const { seen } = record(store, ["classIndex"]);
  store.set({ classIndex: 4 });
  assert.deepEqual(seen, [[3], [4]]);
});

test("a change made while rendering never interrupts a rendering", () => {
  const store = createStore({ classIndex: 3, step: 1 });
  const events = [];
  store.watch(["classIndex"], ({ classIndex }) => {
    events.push(`digit ${classIndex}`);
    if (classIndex === 4) store.set({ step: 2, classIndex: 5 });
    events.push("done");
  });
  store.set({ classIndex: 4 });
  assert.deepEqual(events, ["digit 3", "done", "digit 4", "done", "digit 5", "done"]);
});

test("in which order views began to watch makes no difference to where they rest", () => {
  const rules = [
    (store) => store.watch(["a"], ({ a }) => store.set({ b: a + 1 })),
    (store) => store.watch(["b"], ({ b }) => store.set({ c: 2 * b })),
    (store) => store.watch(["c"], ({ c }) => c > 9 && store.set({ a: 0 })),
  ];
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const store = createStore({ a: 1, b: 0, c: 0 });
    const last = {};
    const isFirst = order[0] === 0;
    const see = () =>
      store.watch(["a", "b", "c"], (state) => Object.assign(last, state));
    if (isFirst) see();
    for (const i of order) rules[i](store);
    if (!isFirst) see();
    store.set({ a: 2 });
    assert.deepEqual(last, { a: 2, b: 3, c: 6 });
    store.set({ a: 7 });
    assert.deepEqual(last, { a: 0, b: 1, c: 2 });
  }
});

test("what must always hold holds in every state that is seen", () => {
  const store = createStore({ size: 3, image: "aaa" }, (state) =>
    state.image.length === state.size
      ? state
      : { ...state, image: state.image[0].repeat(state.size) },
  );
  const { seen } = record(store, ["size", "image"]);
  store.set({ size: 2 });
  store.set({ image: "bbbb" });
  assert.deepEqual(seen, [
    [3, "aaa"],
    [2, "aa"],
    [2, "bb"],
  ]);
});

test("what can be seen is never behind, whoever asks first", () => {
  const store = createStore({ a: "here" });
  const shown = [];
  let view;
  store.watch(["a"], () => shown.push(view?.shown().a));
  view = selector(store, (state) => state);
  store.set({ a: "there" });
  assert.deepEqual(shown, [undefined, "there"]);
});

test("a view that fails does not keep the others from being told", () => {
  const store = createStore({ classIndex: 3 });
  store.watch(["classIndex"], ({ classIndex }) => {
    if (classIndex === 5) throw new RangeError("no five");
  });
  const { seen } = record(store, ["classIndex"]);
  assert.throws(() => store.set({ classIndex: 5 }), /no five/);
  store.set({ classIndex: 6 });
  assert.deepEqual(seen, [[3], [5], [6]]);
});

/** A store, and what a reader of it saw who is called only while `a` is not null. */
function narrow() {
  const store = createStore({ a: null, b: 0, c: 0 });
  const seen = [];
  const view = selector(store, ({ a, b, c }) => (a === null ? null : { a, b, c }));
  return { store, seen, view };
}

test("a narrowed store is silent while there is nothing to see", () => {
  const { store, seen, view } = narrow();
  view.watch(["b"], ({ b }) => seen.push(b));
  store.set({ b: 1 });
  assert.deepEqual(seen, []);
  store.set({ a: "here" });
  assert.deepEqual(seen, [1]);
  store.set({ a: null, b: 2 });
  assert.deepEqual(seen, [1]);
});

test("back in sight, only what has changed since is told", () => {
  const { store, seen, view } = narrow();
  view.watch(["b"], ({ b }) => seen.push(b));
  store.set({ a: "here" });
  store.set({ a: null });
  store.set({ a: "there" });
  assert.deepEqual(seen, [0]);
  store.set({ a: null, b: 5 });
  store.set({ a: "here" });
  assert.deepEqual(seen, [0, 5]);
});
