import assert from "node:assert/strict";
import { test } from "node:test";

import { catchUp, isNewPlace, keepAddress } from "../../../static/js/core/address.js";
import { toHash } from "../../../static/js/core/link.js";
import { whole } from "../../../static/js/core/schema.js";
import { initialState } from "../../../static/js/core/state.js";
import { createStore } from "../../../static/js/core/store.js";
import { blank, MODEL, OTHER_MODEL } from "../fixtures.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };
const NETWORK = {
  views: [{ id: "routing" }, { id: "digits" }],
  schema: () => ({ map: whole({ link: "map", most: 9 }) }),
};
const MOMENT = { ...OTHER_MODEL, id: "3f2a9c01@640" };
const BEFORE = {
  ...initialState(),
  models: [MODEL, OTHER_MODEL],
  model: MODEL,
  network: NETWORK,
  slices: { [MODEL.id]: { map: 0 } },
  source: SAMPLE,
};

const DRAWING = { source: { kind: "drawing" } };
const UPLOAD = { source: { kind: "upload", name: "four.png" } };
const at = (id) => ({ model: { ...MODEL, id } });

for (const [what, isNew, change, before = {}] of [
  ["another view", true, { view: "routing" }],
  ["another model", true, { model: OTHER_MODEL }],
  ["another sample", true, { source: { ...SAMPLE, id: "b4" } }],
  ["the first stroke of a drawing", true, DRAWING],
  [
    "another stroke",
    false,
    { source: { ...DRAWING.source }, pixels: blank() },
    DRAWING,
  ],
  ["an upload", true, UPLOAD],
  ["one upload after another", true, { source: { ...UPLOAD.source } }, UPLOAD],
  ["a moment of a run", true, at("3f2a9c01@1")],
  ["another moment of a run", false, at("3f2a9c01@640"), at("3f2a9c01@1")],
  ["a moment of another run", true, at("77aa@1"), at("3f2a9c01@1")],
  ["nothing", false, {}],
  ["another digit", false, { classIndex: 1 }],
  ["another choice in the network", false, { slices: { [MODEL.id]: { map: 2 } } }],
])
  test(`${what} is ${isNew ? "a new" : "the same"} place`, () => {
    const state = { ...BEFORE, ...before };
    assert.equal(isNewPlace(state, { ...state, ...change }), isNew);
  });

/** A page with an address; what it writes there is kept. */
function begin(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const written = [];
  const listeners = {};
  const write = (how) => (_state, _title, hash) => {
    globalThis.location.hash = hash;
    written.push(`${how} ${hash}`);
  };
  Object.assign(globalThis, {
    location: { hash: "" },
    history: { pushState: write("push"), replaceState: write("replace") },
    window: {
      addEventListener: (event, listener) => {
        listeners[event] = listener;
      },
    },
    document: {
      addEventListener: (event, listener) => {
        listeners[event] = listener;
      },
    },
  });
  t.after(() => {
    for (const name of ["location", "history", "window", "document"])
      delete globalThis[name];
  });
  const store = createStore(BEFORE);
  const { flush } = keepAddress(store, {
    loadNetwork: async () => NETWORK,
    async fetchModel(id) {
      if (id !== MOMENT.id) throw new Error(`there is no ${id}`);
      return MOMENT;
    },
  });
  t.mock.timers.tick(250);
  return {
    store,
    written,
    listeners,
    flush,
    goTo(state) {
      globalThis.location.hash = `#${toHash(state)}`;
      return listeners.popstate();
    },
  };
}

test("many small changes are written once, over the present entry", (t) => {
  const { store, written } = begin(t);
  for (let map = 1; map <= 5; map++) {
    store.set({ slices: { [MODEL.id]: { map } } });
    t.mock.timers.tick(249);
  }
  assert.equal(written.length, 1);
  t.mock.timers.tick(1);
  assert.equal(written.length, 2);
  assert.match(written[1], /^replace .*map=5/);
});

test("a link to a moment of a run brings it, and says so where it is gone", async (t) => {
  const { store, goTo } = begin(t);
  const linked = { ...BEFORE, models: [...BEFORE.models, MOMENT], model: MOMENT };
  const slices = { [MOMENT.id]: { map: 3 } };
  await goTo({ ...linked, slices });
  assert.equal(store.get().model, MOMENT);
  assert.deepEqual(store.get().models, [MODEL, OTHER_MODEL, MOMENT]);
  await goTo({
    ...linked,
    model: { ...MOMENT, id: "gone@1" },
    slices: { "gone@1": { map: 0 } },
  });
  assert.equal(store.get().model, MODEL);
  assert.match(store.get().unread.join(), /the model “gone@1”/);
});

test("going back changes the state and writes nothing", async (t) => {
  const { store, written, goTo } = begin(t);
  const count = written.length;
  await goTo({ ...BEFORE, source: { kind: "link" }, view: "digits", classIndex: 7 });
  t.mock.timers.tick(1000);
  assert.equal(store.get().view, "digits");
  assert.equal(store.get().classIndex, 7);
  assert.equal(written.length, count);
});

test("going back to another model leaves what this one answered behind", async (t) => {
  const { store, goTo } = begin(t);
  const trace = { model: MODEL.id };
  store.set({ trace });
  await goTo({ ...BEFORE, view: "digits" });
  assert.equal(store.get().trace, trace);
  const slices = { [OTHER_MODEL.id]: { map: 5 } };
  await goTo({ ...BEFORE, model: OTHER_MODEL, slices });
  assert.equal(store.get().model, OTHER_MODEL);
  assert.equal(store.get().trace, null);
  assert.deepEqual(store.get().slices, {
    [MODEL.id]: { map: 0 },
    [OTHER_MODEL.id]: { map: 5 },
  });
});

test("of two steps back in a row the last is shown", async (t) => {
  const { store, goTo } = begin(t);
  const first = goTo({ ...BEFORE, view: "digits" });
  const second = goTo({ ...BEFORE, view: "routing" });
  await Promise.all([first, second]);
  assert.equal(store.get().view, "routing");
});

for (const event of ["pagehide", "visibilitychange"]) {
  test(`a change is not lost with the page: ${event}`, (t) => {
    const { store, written, listeners } = begin(t);
    store.set({ slices: { [MODEL.id]: { map: 7 } } });
    listeners[event]();
    assert.match(written.at(-1), /^replace .*map=7/);
  });
}

test("what the address says is not overwritten while it is read", async (t) => {
  const { written, goTo, flush, store } = begin(t);
  const count = written.length;
  const going = goTo({ ...BEFORE, source: { kind: "link" }, view: "digits" });
  flush();
  await going;
  assert.equal(store.get().view, "digits");
  assert.equal(written.length, count);
});

/** A page that is loaded now, in a tab that remembers. */
function load(t, { type = "reload", left }) {
  const entries = t.mock.method(performance, "getEntriesByType", () => [{ type }]);
  t.after(() => entries.mock.restore());
  const replaced = [];
  Object.assign(globalThis, {
    location: { hash: "#before" },
    history: { replaceState: (_state, _title, hash) => replaced.push(hash) },
    sessionStorage: { getItem: () => left },
  });
  t.after(() => {
    for (const name of ["location", "history", "sessionStorage"])
      delete globalThis[name];
  });
  catchUp();
  return replaced;
}
const leftAt = (at) => JSON.stringify({ hash: "#after", at });

test("a page that is loaded again has the address that was written last", (t) => {
  assert.deepEqual(load(t, { left: leftAt(performance.timeOrigin + 50) }), ["#after"]);
});

for (const [what, page] of Object.entries({
  "a page that is not loaded again": {
    type: "navigate",
    left: leftAt(performance.timeOrigin + 50),
  },
  "one that was left long ago": { left: leftAt(performance.timeOrigin - 60_000) },
  "a tab without a memory": { left: null },
  "a damaged memory": { left: "{" },
})) {
  test(`${what} keeps its address`, (t) => {
    assert.deepEqual(load(t, page), []);
  });
}
