import assert from "node:assert/strict";
import { test } from "node:test";
import { readLink, startOf, writeLink } from "../../../../../static/js/core/schema.js";
import { dynamicRouting } from "../../../../../static/js/kinds/routing/dynamic/kind.js";
import { MODEL, OTHER_MODEL, tensor } from "../../../fixtures.js";
import { LAYER, network } from "./made.js";

const { tasks } = dynamicRouting;
const INTACT = { silenced: [], routing: "agreement", pins: [] };

const START = startOf(network.schema(MODEL));

/** What a link says of a slice that differs so from the start. */
function written(patch) {
  const link = new URLSearchParams();
  writeLink(link, network.schema(MODEL), {
    ...startOf(network.schema(MODEL)),
    ...patch,
  });
  return link.toString();
}

/** What a link opens. */
function opened(text) {
  const found = readLink(new URLSearchParams(text), network.schema(MODEL));
  return { ...startOf(network.schema(MODEL)), ...found };
}

test("a link always says how many iterations run, and else what differs", () => {
  assert.equal(written({}), "iterations=3");
  assert.equal(written({ iterations: 5, step: 5 }), "iterations=5");
  assert.equal(
    written({ step: 1, routed: { ...START.routed, scale: "own" } }),
    "iterations=3&step=1&where-scale=own",
  );
});

test("a capsule stands in a link once somebody has chosen it", () => {
  assert.equal(written({ capsule: 7 }), "iterations=3");
  assert.equal(
    written({ capsule: 21, followsStrongest: false }),
    "capsule=21&iterations=3",
  );
  const chosen = opened("capsule=21");
  assert.deepEqual([chosen.capsule, chosen.followsStrongest], [21, false]);
  for (const text of ["", "capsule=1152", "capsule=x"])
    assert.deepEqual([opened(text).capsule, opened(text).followsStrongest], [21, true]);
});

test("surgery stands in a link as it did, and comes back", () => {
  const pins = [{ capsule: 112, classIndex: 4, coupling: 0.5 }];
  const surgery = { silenced: [108, 109, 3], routing: "uniform", pins };
  surgery.silenced.sort((a, b) => a - b);
  const link = written({ surgery, showsOperated: true });
  assert.equal(
    link,
    "iterations=3&silence=3.108-109&routing=uniform&pin=112%3A4%3D0.5&shown=operated",
  );
  const back = opened(link);
  assert.deepEqual([back.surgery, back.showsOperated], [surgery, true]);
});

test("the step is one that runs", () => {
  assert.deepEqual(
    [opened("iterations=8").step, opened("iterations=8&step=2").step],
    [8, 2],
  );
  assert.equal(opened("iterations=2&step=3").step, 2);
});

test("another model is looked at as the one before, and nothing else is taken over", () => {
  const routed = { ...START.routed, flow: "all", pace: "slow" };
  const before = {
    ...startOf(network.schema(MODEL)),
    ...{ step: 1, capsule: 1151, routed },
    ...{ surgery: { ...INTACT, silenced: [3] }, showsOperated: true, operated: {} },
  };
  assert.deepEqual(startOf(network.schema(OTHER_MODEL), before), {
    ...startOf(network.schema(OTHER_MODEL)),
    routed,
  });
});

test("a class is silenced by silence alone, and in this image, once it is short", () => {
  const pixels = new Uint8Array(4);
  const surgery = { ...INTACT, silenced: [3] };
  const operated = {
    pixels,
    surgery,
    tensors: { "digits.lengths": tensor([2], [0.9, 0.4]) },
  };
  const state = { operated, pixels, surgery, layer: LAYER };
  const isDone = (changes, classIndex = 1) =>
    tasks["silenced-below"]({ ...state, ...changes }, { classIndex, than: 0.5 });
  assert.equal(isDone({}), true);
  assert.equal(isDone({}, 0), false);
  assert.equal(isDone({ pixels: new Uint8Array(4) }), false);
  const uniform = { ...surgery, routing: "uniform" };
  const other = { operated: { ...operated, surgery: uniform }, surgery: uniform };
  assert.equal(isDone(other), false);
});
