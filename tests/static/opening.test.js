import assert from "node:assert/strict";
import { test } from "node:test";

import { mountWhenOpened } from "../../static/js/opening.js";
import { createStore } from "../../static/js/store.js";
import { settled } from "./fixtures.js";

/** Views that note what became of them, and idle jobs that run when told to. */
function page(state = {}, { failing = "" } = {}) {
  const events = [];
  const load = (view) => async () => {
    if (failing === view) throw new TypeError("Failed to fetch");
    return () => events.push(`mount ${view}`);
  };
  const loads = { input: load("input"), conv1: load("conv1"), digits: load("digits") };
  const busy = new Set();
  const idle = [];
  const store = createStore({ view: "input", trace: null, ...state });
  mountWhenOpened(store, loads, {
    preload: (view) => events.push(`fetch ${view}`),
    whenIdle: (job) => idle.push(job),
    setBusy: (view, isBusy) => busy[isBusy ? "add" : "delete"](view),
    showMissing: (view) => events.push(`miss ${view}`),
  });
  return { busy, events, idle, store };
}

test("only the open view is fetched and mounted at the start", async () => {
  const { events, idle } = page({ view: "conv1" });
  await settled();
  assert.deepEqual(events, ["fetch conv1", "mount conv1"]);
  assert.deepEqual(idle, []);
});

test("a view is fetched and mounted once, however often it is opened", async () => {
  const { events, store } = page();
  store.set({ view: "conv1" });
  store.set({ view: "input" });
  store.set({ view: "conv1" });
  await settled();
  store.set({ view: "input" });
  await settled();
  assert.deepEqual(events.toSorted(), [
    "fetch conv1",
    "fetch input",
    "mount conv1",
    "mount input",
  ]);
});

test("the others are fetched, and not mounted, after the first reading", async () => {
  const { events, idle, store } = page();
  await settled();
  store.set({ trace: "first" });
  store.set({ trace: "second" });
  for (const job of idle) job();
  await settled();
  assert.deepEqual(events, [
    "fetch input",
    "mount input",
    "fetch conv1",
    "fetch digits",
  ]);
});

test("what was fetched when idle is mounted when it is opened", async () => {
  const { events, idle, store } = page({ trace: "first" });
  for (const job of idle) job();
  store.set({ view: "digits" });
  await settled();
  assert.equal(events.filter((event) => event === "fetch digits").length, 1);
  assert.equal(events.at(-1), "mount digits");
});

test("a view that cannot be fetched is told of once, when it is opened", async () => {
  const { events, store } = page({}, { failing: "digits" });
  store.set({ view: "digits" });
  await settled();
  store.set({ view: "input" });
  store.set({ view: "digits" });
  await settled();
  assert.deepEqual(
    events.filter((event) => event.startsWith("miss")),
    ["miss digits"],
  );
});

test("a view is busy until it is mounted or known to be missing", async () => {
  const { busy, store } = page({}, { failing: "digits" });
  store.set({ view: "digits" });
  assert.deepEqual([...busy], ["input", "digits"]);
  await settled();
  assert.deepEqual([...busy], []);
});
