/** How often a gesture of the hand changes the state. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createIntake } from "../../../static/js/bench/intake.js";
import { createActions } from "../../../static/js/core/actions.js";
import { createServices, keepLive } from "../../../static/js/core/live.js";
import { createRooms } from "../../../static/js/core/rooms.js";
import { createStore } from "../../../static/js/core/store.js";
import {
  blank,
  float32Bytes,
  intakeMetadata,
  safetensorsFile,
  settled,
} from "../fixtures.js";
import { stateWith } from "../networks/capsnet/made.js";
import { capsnet as network } from "../networks/networks.js";

/** Every tensor that is asked for, and the picture of a pose: their values do not matter. */
function answerTo(path, { body }) {
  if (!path.includes("/reconstruct")) {
    const asked = path.includes("/read")
      ? new URL(path, "http://localhost").searchParams.getAll("tensors")
      : (JSON.parse(body).tensors ?? []);
    const tensors = asked.map((name) => [name, "F32", [10, 16], ZEROS]);
    const image = ["image", "F32", [28, 28], float32Bytes(new Float32Array(784))];
    const found = path.includes("/read") ? [...tensors, image] : tensors;
    return safetensorsFile(found, {
      metadata: { prediction: "4", ...intakeMetadata() },
    });
  }
  const image = float32Bytes(new Float32Array(784));
  return safetensorsFile([["images", "F32", [1, 28, 28], image]]);
}
const ZEROS = float32Bytes(new Float32Array(160));

/** A page that shows an image in a view; `count` says how often the state was changed. */
async function begin(t, view) {
  t.mock.timers.enable({ apis: ["setTimeout"] }); // none outlives its test
  t.mock.method(globalThis, "fetch", async (path, request) =>
    /\/(weights|measured|kernels)\b/.test(path)
      ? new Response(safetensorsFile([]))
      : new Response(answerTo(path, request)),
  );
  let commits = 0;
  const kept = createStore(stateWith({ pixels: blank(), view }));
  const store = {
    ...kept,
    set(patch) {
      commits++;
      kept.set(patch);
    },
  };
  const services = createServices(store);
  keepLive(store, services);
  const actions = createActions(store, async () => network);
  const room = createRooms(store, actions, services)(network);
  const rest = async () => {
    for (let turn = 0; turn < 12; turn++) await settled();
  };
  await rest();
  return {
    store,
    actions,
    services,
    own: room.storeOf(network.views.find(({ id }) => id === view) ?? network.views[0]),
    async count(gesture) {
      commits = 0;
      gesture();
      const atOnce = commits;
      await rest();
      return { atOnce, inAll: commits };
    },
  };
}

test("the slider of a pose changes the state once, and its picture once more", async (t) => {
  const { own, count } = await begin(t, "reconstruction");
  const edits = { 4: Array.from({ length: 16 }, (_, i) => (i === 3 ? 0.1 : 0)) };
  assert.deepEqual(await count(() => own.set({ edits })), { atOnce: 1, inAll: 2 });
});

test("another number of iterations changes the state once, and its trace once more", async (t) => {
  const { own, count } = await begin(t, "routing");
  const move = () => own.set({ iterations: 5, step: 5 });
  assert.deepEqual(await count(move), { atOnce: 1, inAll: 2 });
});

test("the move of a stroke changes the state once, with image and trace", async (t) => {
  const { store, actions, services, count } = await begin(t, "input");
  const intake = createIntake(store, actions, services);
  const drawing = {
    picture: () => Uint8Array.of(80, 53),
    isFinished: false,
    isWanted: () => true,
  };
  await count(() => intake.readDrawing(drawing));
  const next = await count(() => intake.readDrawing(drawing));
  assert.deepEqual(next, { atOnce: 0, inAll: 1 });
});
