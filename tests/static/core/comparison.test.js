import assert from "node:assert/strict";
import { test } from "node:test";

import {
  comparedStore,
  keepCompared,
  keptWish,
} from "../../../static/js/core/comparison.js";
import { neededTensors } from "../../../static/js/core/live.js";
import { blank, grey, MODEL, settled, tensor } from "../fixtures.js";
import { made, stateWith } from "../networks/capsnet/made.js";
import { capsnet as network } from "../networks/networks.js";

const KEPT = { pixels: grey(new Uint8Array(784).fill(1)), source: { kind: "link" } };
const SHOWN = grey(new Uint8Array(784).fill(2));
const NAMES = neededTensors(stateWith({ view: "compare" }));

function traceOf(pixels, { names = NAMES, iterations = 3 } = {}) {
  const tensors = Object.fromEntries(names.map((name) => [name, tensor([1], [0])]));
  return { model: MODEL.id, pixels, options: { iterations }, prediction: 1, tensors };
}

const comparing = (patch) =>
  stateWith({ view: "compare", kept: KEPT, pixels: SHOWN, ...patch });

test("both images are asked for what the network compares", () => {
  for (const name of network.comparison.needs) assert.ok(NAMES.includes(name));
  assert.deepEqual(keptWish(comparing()), {
    model: MODEL,
    kept: KEPT,
    options: { iterations: 3 },
    names: NAMES,
  });
});

test("nothing is asked while nothing is compared, or all is known", () => {
  assert.equal(keptWish(comparing({ view: "routing" })), null);
  assert.equal(keptWish(comparing({ kept: null })), null);
  assert.equal(keptWish(comparing({ keptTrace: traceOf(KEPT.pixels) })), null);
});

test("what is known already is not asked again; other iterations are another pass", () => {
  const part = traceOf(KEPT.pixels, { names: ["scores"] });
  const { names } = keptWish(comparing({ keptTrace: part }));
  assert.deepEqual(
    names,
    NAMES.filter((name) => name !== "scores"),
  );
  const other = traceOf(KEPT.pixels, { iterations: 1 });
  assert.deepEqual(keptWish(comparing({ keptTrace: other })).names, NAMES);
});

test("an answer for an image that has been let go of goes nowhere", async () => {
  const { store, actions } = made({ view: "compare", kept: KEPT, pixels: SHOWN });
  let answer;
  const server = {
    fetchTrace: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  };
  keepCompared(store, { server, guarded: (job) => job });
  await settled();
  actions.letGo();
  answer(traceOf(KEPT.pixels));
  await settled();
  assert.equal(store.get().keptTrace, null);
  assert.equal(store.get().view, "overview");
});

test("a comparison rests until both traces are those of the images", () => {
  const shown = (patch) => {
    const { own } = made({ view: "compare", kept: KEPT, pixels: SHOWN, ...patch });
    return comparedStore(own, network).get() !== null;
  };
  const both = { trace: traceOf(SHOWN), keptTrace: traceOf(KEPT.pixels) };
  assert.ok(shown(both));
  assert.ok(!shown({ ...both, keptTrace: null }));
  assert.ok(!shown({ ...both, trace: traceOf(blank()) }));
  assert.ok(!shown({ ...both, keptTrace: traceOf(KEPT.pixels, { iterations: 1 }) }));
  assert.ok(!shown({ ...both, trace: traceOf(SHOWN, { names: ["scores"] }) }));
  assert.ok(!shown({ ...both, view: "routing" }));
});

test("kept and shown change places with their traces, and back", () => {
  const both = { trace: traceOf(SHOWN), keptTrace: traceOf(KEPT.pixels) };
  const { store, actions } = made({
    view: "compare",
    kept: KEPT,
    pixels: SHOWN,
    source: { kind: "drawing" },
    ...both,
  });
  const before = store.get();
  actions.swapKept();
  const after = store.get();
  assert.equal(after.pixels, KEPT.pixels);
  assert.deepEqual(after.kept, { pixels: SHOWN, source: { kind: "drawing" } });
  assert.equal(after.trace, both.keptTrace);
  assert.equal(after.keptTrace, both.trace);
  actions.swapKept();
  for (const key of ["pixels", "source", "kept", "trace", "keptTrace"])
    assert.deepEqual(store.get()[key], before[key]);
});

test("an empty canvas is not kept", () => {
  const { store, actions } = made({ pixels: null });
  actions.keepImage();
  assert.equal(store.get().kept, null);
});
