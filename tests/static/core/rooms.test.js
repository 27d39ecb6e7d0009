import assert from "node:assert/strict";
import { test } from "node:test";
import { createActions } from "../../../static/js/core/actions.js";
import {
  createRooms,
  holds,
  isSamePass,
  networkStore,
  viewStore,
} from "../../../static/js/core/rooms.js";
import { transient } from "../../../static/js/core/schema.js";
import { initialState } from "../../../static/js/core/state.js";
import { createStore } from "../../../static/js/core/store.js";
import { blank, MODEL, OTHER_MODEL } from "../fixtures.js";

const PIXELS = blank();
const VIEW = { id: "hidden", needs: ["a", "b"], requires: ["weights"] };
const NETWORK = {
  views: [VIEW],
  schema: () => ({ weights: transient(null), unit: transient(0) }),
};
const OTHER = { views: [], schema: () => ({}) };

function trace(...names) {
  const tensors = Object.fromEntries(names.map((name) => [name, { data: name }]));
  return { model: MODEL.id, pixels: PIXELS, options: {}, prediction: 1, tensors };
}

/** A page on which the network is chosen and its view open, and what the view was told. */
function begin(patch = {}) {
  const slice = { weights: "here", unit: 0 };
  const store = createStore({
    ...initialState(),
    model: MODEL,
    network: NETWORK,
    slices: { [MODEL.id]: slice, [OTHER_MODEL.id]: {} },
    view: "hidden",
    ...patch,
  });
  const own = networkStore(store, NETWORK);
  const view = viewStore(own, VIEW);
  const told = [];
  view.watch(["trace", "unit"], (state) =>
    told.push([Object.keys(state.trace.tensors).join(), state.unit]),
  );
  return { store, own, view, told };
}

test("a view is not called before the trace holds all that it needs", () => {
  const { store, told } = begin();
  store.set({ trace: trace() });
  store.set({ trace: trace("a") });
  store.set({ trace: trace("b", "c") });
  assert.deepEqual(told, []);
  store.set({ trace: trace("a", "b") });
  assert.deepEqual(told, [["a,b", 0]]);
});

for (const [what, patch] of Object.entries({
  "another view is open": { view: "input" },
  "another network is chosen": { network: OTHER, model: OTHER_MODEL },
  "the trace is another model's": { model: { ...OTHER_MODEL } },
  "there is no trace": { trace: null },
  "the trace lacks a tensor": { trace: trace("a") },
  "something else is not there yet": { slices: { [MODEL.id]: { weights: null } } },
})) {
  test(`a view is not called while ${what}, and keeps what it showed`, () => {
    const { store, view, told } = begin({ trace: trace("a", "b") });
    const before = view.shown();
    store.set(patch);
    store.set({ classIndex: 7 });
    assert.deepEqual(told, [["a,b", 0]]);
    assert.equal(view.get(), null);
    assert.equal(view.shown(), before);
  });
}

test("what belongs to a model is kept while another network is chosen, and told later", () => {
  const { store, own, told } = begin({ trace: trace("a", "b") });
  store.set({ network: OTHER, model: OTHER_MODEL });
  own.set({ unit: 5 }); // of whatever is chosen: nothing, for this network
  own.keep(MODEL, { unit: 3 });
  own.keep({ id: "never chosen" }, { unit: 4 });
  assert.deepEqual(Object.keys(store.get().slices), [MODEL.id, OTHER_MODEL.id]);
  assert.deepEqual(told, [["a,b", 0]]);
  store.set({ network: NETWORK, model: MODEL });
  assert.deepEqual(told, [
    ["a,b", 0],
    ["a,b", 3],
  ]);
});

test("leaving a view is told, a missing tensor is not", () => {
  const { store, view } = begin({ trace: trace("a", "b") });
  let left = 0;
  view.whenClosed(() => left++);
  store.set({ trace: trace("a") });
  assert.equal(left, 0);
  store.set({ view: "input" });
  assert.equal(left, 1);
  store.set({ view: "hidden" });
  store.set({ network: OTHER, model: OTHER_MODEL });
  assert.equal(left, 2);
});

test("a network sees its slice beside what all share, and changes both", () => {
  const { store, own } = begin();
  own.set({ unit: 3, classIndex: 9 });
  assert.equal(own.get().unit, 3);
  assert.equal(own.get().classIndex, 9);
  assert.equal(store.get().classIndex, 9);
  assert.equal("unit" in store.get(), false);
  assert.deepEqual(store.get().slices[MODEL.id], { weights: "here", unit: 3 });
});

test("a network that is not chosen sees nothing, and changes only what all share", () => {
  const { store, own } = begin();
  store.set({ network: OTHER, model: OTHER_MODEL });
  const { slices } = store.get();
  assert.equal(own.get(), null);
  own.set({ unit: 3, classIndex: 1 });
  assert.equal(store.get().slices, slices);
  assert.equal(store.get().classIndex, 1);
});

test("a room is made once, and its watchers started when it is", () => {
  const store = createStore({ ...initialState(), model: MODEL, network: NETWORK });
  const started = [];
  const network = {
    ...NETWORK,
    actions: (own) => ({ choose: (unit) => own.set({ unit }) }),
    start: (own, services) => started.push([own, services]),
  };
  const services = {};
  const roomOf = createRooms(
    store,
    createActions(store, async () => network),
    services,
  );
  store.set({ network, slices: { [MODEL.id]: { unit: 0 } } });
  const room = roomOf(network);
  assert.equal(roomOf(network), room);
  assert.deepEqual(started, [[room.store, services]]);
  assert.equal(room.storeOf(VIEW), room.storeOf(VIEW));
  room.actions.choose(4);
  room.actions.focusClass(2);
  assert.deepEqual([room.store.get().unit, room.store.get().classIndex], [4, 2]);
});

test("a trace holds what it has, and nothing of another model's", () => {
  assert.equal(holds(trace("a", "b"), MODEL, ["a"]), true);
  assert.equal(holds(trace("a"), MODEL, ["a", "b"]), false);
  assert.equal(holds(trace("a"), OTHER_MODEL, ["a"]), false);
  assert.equal(holds(null, MODEL, []), false);
});

for (const [what, patch] of Object.entries({
  image: { pixels: blank() },
  model: { model: OTHER_MODEL.id },
  option: { options: { iterations: 4 } },
  "set of options": { options: { iterations: 3, silence: [] } },
})) {
  test(`a run of another ${what} is another pass`, () => {
    const run = { ...trace(), options: { iterations: 3 } };
    assert.equal(isSamePass(run, { ...run, options: { iterations: 3 } }), true);
    assert.equal(isSamePass(run, { ...run, ...patch }), false);
    assert.equal(isSamePass({ ...run, ...patch }, run), false);
    assert.equal(isSamePass(null, run), false);
  });
}
