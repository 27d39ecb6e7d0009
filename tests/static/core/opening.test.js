import assert from "node:assert/strict";
import { test } from "node:test";

import { mountWhenOpened } from "../../../static/js/core/rooms.js";
import { createStore } from "../../../static/js/core/store.js";
import { settled } from "../fixtures.js";

const INPUT = { id: "input" };
const LAB = { id: "lab" };
const NETWORK = { views: [{ id: "conv1" }, { id: "digits" }] };

/** Views that note what became of them, and idle jobs that run when told to. */
function page(state = {}, { failing = "", mistaken = "" } = {}) {
  const events = [];
  const busy = new Set();
  const idle = [];
  const store = createStore({ view: "input", trace: null, network: NETWORK, ...state });
  mountWhenOpened(store, (network) => [INPUT, LAB, ...(network?.views ?? [])], {
    async load({ id }) {
      if (failing === id) throw new TypeError("Failed to fetch");
      return () => {
        if (mistaken === id) throw new RangeError("a mistake");
        events.push(`mount ${id}`);
      };
    },
    preload: ({ id }) => events.push(`fetch ${id}`),
    isNear: ({ id }) => id !== "lab",
    whenIdle: (job) => idle.push(job),
    setBusy: ({ id }, isBusy) => busy[isBusy ? "add" : "delete"](id),
    showMissing: ({ id }) => events.push(`miss ${id}`),
    showFailed: ({ id }, error) => events.push(`${id}: ${error.message}`),
  });
  return { busy, events, idle, store };
}

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

test("the others near it are fetched, and not mounted, after the first reading", async () => {
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
  store.set({ view: "lab" });
  await settled();
  assert.deepEqual(events.slice(4), ["fetch lab", "mount lab"]);
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

test("a view that the network is not known to have waits for the network", async () => {
  const { events, store } = page({ view: "conv1", network: null });
  await settled();
  assert.deepEqual(events, []);
  store.set({ network: NETWORK });
  await settled();
  assert.deepEqual(events, ["fetch conv1", "mount conv1"]);
});

test("a view of the same id is another one in another network", async () => {
  const { events, store } = page({ view: "conv1" });
  await settled();
  store.set({ network: { views: [{ id: "conv1" }] } });
  await settled();
  store.set({ network: NETWORK });
  await settled();
  assert.deepEqual(events, [
    "fetch conv1",
    "mount conv1",
    "fetch conv1",
    "mount conv1",
  ]);
});

test("a view whose script makes a mistake says so, and is not busy for good", async () => {
  const { busy, events, store } = page({ view: "conv1" }, { mistaken: "conv1" });
  await settled();
  assert.deepEqual(events, ["fetch conv1", "conv1: a mistake"]);
  assert.equal(busy.size, 0);
  store.set({ view: "digits" });
  await settled();
  assert.equal(events.at(-1), "mount digits");
});
