import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenes } from "../../../static/js/core/scenes.js";
import { createStore } from "../../../static/js/core/store.js";

/** Scenes of a state, and all that were drawn of them. */
function recorded(initial, sceneOf) {
  const store = createStore(initial);
  const scenes = createScenes(store, sceneOf);
  const drawn = [];
  scenes.watch((scene) => drawn.push(scene));
  return { store, scenes, drawn };
}

test("a scene is drawn again when a part of it is another", () => {
  const { store, drawn } = recorded({ step: 1, hover: 0 }, ({ step }) => ({ step }));
  store.set({ step: 2 });
  assert.deepEqual(drawn, [{ step: 1 }, { step: 2 }]);
});

test("what no scene shows draws none, even where its parts are made anew", () => {
  const data = new Float32Array([1, 2]);
  const { store, scenes, drawn } = recorded({ step: 1, hover: 0 }, ({ step }) => ({
    place: { row: step, column: 0 },
    ends: ["a", "b"],
    tensors: { data },
  }));
  const first = scenes.shown();
  store.set({ hover: 1 });
  assert.equal(drawn.length, 1);
  assert.equal(scenes.shown(), first);
});

test("a part of a part makes another scene: a tensor's numbers, a place's row", () => {
  const one = { place: { row: 1 }, tensor: { data: new Float32Array([1]) } };
  const { store, drawn } = recorded({ of: one }, ({ of }) => ({ ...of }));
  store.set({ of: { ...one, place: { row: 2 } } });
  store.set({ of: { ...one, tensor: { data: new Float32Array([1]) } } });
  assert.equal(drawn.length, 3);
});

test("a scene that is incomplete stays what it was, and may lose a part", () => {
  const { store, scenes, drawn } = recorded({ of: { a: 1, b: 2 } }, ({ of }) => of);
  store.set({ of: null });
  assert.deepEqual(scenes.shown(), { a: 1, b: 2 });
  store.set({ of: { a: 1 } });
  assert.deepEqual(drawn, [{ a: 1, b: 2 }, { a: 1 }]);
});
