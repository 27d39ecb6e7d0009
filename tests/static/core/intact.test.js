import assert from "node:assert/strict";
import { test } from "node:test";
import { intactWish, keepIntact } from "../../../static/js/core/intact.js";
import { SCORES } from "../../../static/js/core/scores.js";
import { NO_SURGERY } from "../../../static/js/kinds/routing/surgery/changes.js";
import {
  blank,
  float32Bytes,
  MODEL,
  safetensorsFile,
  slowServer,
} from "../fixtures.js";
import { made, network } from "../kinds/routing/dynamic/network-made.js";

const PIXELS = blank();
const SILENT = { ...NO_SURGERY, silenced: [3, 4] };
const INTACT = { iterations: 3 };
const CHANGED = { ...INTACT, silence: SILENT.silenced, routing: "agreement", pin: [] };
const PICTURED = [
  ...["primary.lengths", "routing.agreement", "routing.capsules"],
  ...["routing.couplings", "routing.logits"],
];
const COMPARED = ["digits.lengths", "reconstruction"];

const run = (options, names = [SCORES], patch = {}) => ({
  model: MODEL.id,
  pixels: PIXELS,
  options,
  prediction: 1,
  tensors: Object.fromEntries(names.map((name) => [name, { shape: [0], data: [] }])),
  ...patch,
});

/** A page that shows an image, in which something is changed. */
function page(patch = {}) {
  const { store, own, services } = made({ pixels: PIXELS, surgery: SILENT, ...patch });
  return { store, own, services };
}

test("the picture of the whole network is compared with all that it is made of", () => {
  const { names, ...wish } = intactWish(page({ view: "overview" }).store.get());
  assert.deepEqual(names, [...new Set([SCORES, ...network.overview.needs])]);
  const { model } = page().store.get();
  assert.deepEqual(wish, { model, pixels: PIXELS, options: INTACT });
});

test("routing is compared by its pictures and by what it is decoded to", () => {
  const state = page({ view: "routing" }).store.get();
  assert.deepEqual(
    intactWish(state).names.toSorted(),
    [...COMPARED, ...PICTURED].sort(),
  );
  const known = { ...state, intact: run(INTACT, PICTURED) };
  assert.deepEqual(intactWish(known).names.toSorted(), COMPARED);
});

for (const [what, patch] of Object.entries({
  "nothing is changed": { surgery: { ...NO_SURGERY } },
  "another layer is open": { view: "digits" },
  "the Lab is open": { view: "routing", mode: "lab" },
  "there is no image": { view: "routing", pixels: null },
}))
  test(`no intact run is asked for while ${what}`, () =>
    assert.equal(intactWish(page(patch).store.get()), null));

test("what was on show before a change is kept, and is on show again after it", () => {
  const { store, own, services } = page({ surgery: NO_SURGERY, view: "overview" });
  keepIntact(store, services);
  const trace = run(INTACT);
  store.set({ trace });
  assert.equal(store.get().intact, null);
  own.set({ surgery: SILENT });
  assert.equal(store.get().intact, trace);
  store.set({ trace: run(CHANGED) });
  assert.equal(store.get().intact, trace);
  own.set({ surgery: NO_SURGERY });
  assert.equal(store.get().trace, trace); // no request is needed
  assert.equal(store.get().intact, null);
});

test("of another image it is asked for once that is at rest", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, answer } = slowServer(t);
  const { store, services } = page({ view: "overview" });
  keepIntact(store, services);
  store.set({ trace: run(CHANGED), intact: run(INTACT) });
  store.set({ pixels: blank() });
  store.set({ pixels: blank() });
  assert.equal(asked.length, 0);
  t.mock.timers.tick(1000);
  assert.equal(asked.length, 1);
  const body = JSON.parse(asked[0].body);
  assert.equal(body.iterations, 3);
  assert.ok(!("silence" in body));
  const metadata = { prediction: "9" };
  const file = safetensorsFile([[SCORES, "F32", [1], float32Bytes([1])]], { metadata });
  await answer(file);
  assert.equal(store.get().intact.prediction, 9);
  assert.equal(store.get().intact.pixels, store.get().pixels);
});

test("a late one does not come back after all was undone", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { answer } = slowServer(t);
  const { store, own, services } = page({ view: "overview" });
  keepIntact(store, services);
  t.mock.timers.tick(1000);
  own.set({ surgery: NO_SURGERY });
  const metadata = { prediction: "9" };
  await answer(
    safetensorsFile([[SCORES, "F32", [1], float32Bytes([1])]], { metadata }),
  );
  assert.equal(store.get().intact, null);
});
